//! `#include "..."` lines, for facts that live in headers beside an explicitly named file.
//!
//! A cheap line scan: arms of `#if` and comments are not told apart. A header too many costs a read, nothing else.

use std::collections::{HashSet, VecDeque};
use std::path::{Component, Path, PathBuf};

/// At most this many headers are followed from the files of a run.
const MAX_HEADERS: usize = 512;

/// The names that a text includes with quotes, in order.
pub fn quoted(bytes: &[u8]) -> Vec<String> {
    let mut names = Vec::new();
    for at in memchr::memmem::find_iter(bytes, b"include") {
        let before = bytes[..at].trim_ascii_end_blank();
        let after = bytes[at + b"include".len()..].trim_ascii_start_blank();
        if before.last() != Some(&b'#') {
            continue;
        }
        let Some(rest) = after.strip_prefix(b"\"") else {
            continue;
        };
        let Some(end) = rest.iter().take(4096).position(|&b| b == b'"' || b == b'\n') else {
            continue;
        };
        if let (b'"', Ok(name)) = (rest[end], std::str::from_utf8(&rest[..end])) {
            names.push(name.to_string());
        }
    }
    names
}

/// Calls `visit` with each header that `files` include with quotes, followed as far as they exist beside their
/// includer, each once and none of `files`. Paths are joined to the includer's. An unreadable header is left out: it
/// is only a hint.
pub fn follow(
    files: &[PathBuf],
    read: impl Fn(&Path) -> Option<Vec<u8>>,
    includes: impl Fn(&[u8]) -> Vec<String>,
    mut visit: impl FnMut(&Path, &[u8]),
) {
    let mut seen: HashSet<PathBuf> = files.iter().map(|f| tidy(f)).collect();
    let mut queue: VecDeque<(PathBuf, bool)> = files.iter().map(|f| (f.clone(), false)).collect();
    let most = MAX_HEADERS + files.len();
    while let Some((file, header)) = queue.pop_front() {
        let Some(bytes) = read(&file) else { continue };
        if header {
            visit(&file, &bytes);
        }
        let dir = file.parent().unwrap_or(Path::new(""));
        for name in includes(&bytes) {
            let path = tidy(&dir.join(&name));
            if seen.len() < most && path.is_file() && seen.insert(path.clone()) {
                queue.push_back((path, true));
            }
        }
    }
}

/// `a/./b/../c` as `a/c`; a leading `..` stays.
pub fn tidy(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(out.components().next_back(), Some(Component::Normal(_))) => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

/// Trimming of blanks within a line.
trait Blank {
    fn trim_ascii_end_blank(&self) -> &[u8];
    fn trim_ascii_start_blank(&self) -> &[u8];
}

impl Blank for [u8] {
    fn trim_ascii_end_blank(&self) -> &[u8] {
        let end = self
            .iter()
            .rposition(|b| !matches!(b, b' ' | b'\t'))
            .map_or(0, |i| i + 1);
        &self[..end]
    }

    fn trim_ascii_start_blank(&self) -> &[u8] {
        let start = self
            .iter()
            .position(|b| !matches!(b, b' ' | b'\t'))
            .unwrap_or(self.len());
        &self[start..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_includes_only() {
        let text =
            b"#include \"a.h\"\r\n # include\t\"d/b.cuh\"\n#include <c.h>\ninclude \"no.h\"\n#include \"open\n#include";
        assert_eq!(quoted(text), ["a.h", "d/b.cuh"]);
    }

    #[test]
    fn follows_cycles_once() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let put = |name: &str, text: &str| {
            let path = dir.path().join(name);
            std::fs::write(&path, text).expect("a write to a temporary directory");
            path
        };
        let main = put("m.cu", "#include \"a.h\"\n#include \"missing.h\"\n");
        put("a.h", "#include \"./b.h\"\n#include \"m.cu\"\n");
        put("b.h", "#include \"a.h\"\n");
        let mut names = Vec::new();
        let read = |p: &Path| std::fs::read(p).ok();
        follow(&[main], read, quoted, |p, _| {
            names.extend(p.file_name().map(ToOwned::to_owned))
        });
        assert_eq!(names, ["a.h", "b.h"]);
    }

    #[test]
    fn tidies() {
        assert_eq!(tidy(Path::new("a/./b/../c")), Path::new("a/c"));
        assert_eq!(tidy(Path::new("../a")), Path::new("../a"));
        assert_eq!(tidy(Path::new("/x/../a")), Path::new("/a"));
    }
}
