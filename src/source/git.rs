//! Which files have changes that git could not give back: asked once per repository.

use super::SourceError;
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The top of the repository that a folder lies in, told by a `.git` entry; nothing is run.
pub fn top(dir: &Path) -> Option<PathBuf> {
    dir.ancestors().find(|d| d.join(".git").exists()).map(Path::to_path_buf)
}

/// Those of `files` (absolute) with uncommitted changes, untracked ones among them: git holds no copy of either.
/// A file outside any repository, or ignored by it, is never among them.
pub fn uncommitted(files: &HashSet<PathBuf>) -> Result<HashSet<PathBuf>, SourceError> {
    let mut folders: BTreeMap<&Path, Option<PathBuf>> = BTreeMap::new();
    let mut tops = std::collections::BTreeSet::new();
    for file in files {
        let Some(dir) = file.parent() else { continue };
        let found = folders.entry(dir).or_insert_with(|| top(dir));
        tops.extend(found.clone());
    }
    let mut dirty = HashSet::new();
    for top in tops {
        let out = status(&top)?;
        dirty.extend(entries(&out).map(|name| top.join(name)).filter(|p| files.contains(p)));
    }
    Ok(dirty)
}

fn status(top: &Path) -> Result<Vec<u8>, SourceError> {
    let fail = |why: String| SourceError::Git {
        path: top.to_path_buf(),
        why,
    };
    // No hook or monitor of the repository is run, and its index is not written.
    let out = Command::new("git")
        .arg("-C")
        .arg(top)
        .args(["-c", "core.fsmonitor=false", "--no-optional-locks", "status"])
        .args(["--porcelain", "-z", "--untracked-files=all", "--no-renames"])
        .output()
        .map_err(|e| fail(format!("git did not start: {e}")))?;
    if out.status.success() {
        return Ok(out.stdout);
    }
    let text = String::from_utf8_lossy(&out.stderr).into_owned();
    Err(fail(text.lines().next().unwrap_or("git failed").to_string()))
}

/// The names in `git status --porcelain -z --no-renames`: each entry is `XY name`, ended by a NUL.
fn entries(out: &[u8]) -> impl Iterator<Item = PathBuf> + '_ {
    out.split(|&b| b == 0)
        .filter(|e| e.len() > 3)
        .map(|e| bytes_path(&e[3..]))
}

#[cfg(unix)]
fn bytes_path(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
fn bytes_path(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_status_entries() {
        let names: Vec<_> = entries(b" M a b.cu\0?? n\xffw.cu\0M  c.cu\0").collect();
        assert_eq!(names.len(), 3);
        assert_eq!(names[0], Path::new("a b.cu"));
        assert_eq!(names[2], Path::new("c.cu"));
    }
}
