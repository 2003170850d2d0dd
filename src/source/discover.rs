//! Which files a run reads: the paths given, and the trees under those that are folders.
//!
//! `.gitignore` and `.ignore` files are obeyed. Every file found has a path relative to one root, which names it in
//! the project and places it in the output. The order is that of these paths, whatever the disk says.

use super::{git, includes, kind, SourceError};
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// Folders that hold no sources.
const NEVER: &[&str] = &[".git", ".hg", ".svn", ".jj"];

/// One file of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Where to read it, as people wrote it.
    pub path: PathBuf,
    /// Its path under [`Discovery::root`].
    pub relative: PathBuf,
    /// Whether it is translated; otherwise it is copied as it is.
    pub translate: bool,
}

/// What a walk found.
#[derive(Debug, Default)]
pub struct Discovery {
    /// The folder that relative paths start from, absolute.
    pub root: PathBuf,
    pub files: Vec<Found>,
    /// What could not be read.
    pub errors: Vec<SourceError>,
    /// What was left out on purpose, one sentence each.
    pub warnings: Vec<String>,
}

/// `--include` and `--exclude`: which files are translated.
#[derive(Debug, Default)]
pub struct Selection {
    include: Option<GlobSet>,
    exclude: GlobSet,
    /// The globs of a configuration file, which start from its folder.
    config: Option<(PathBuf, Option<GlobSet>, GlobSet)>,
}

impl Selection {
    /// Compiles the globs. `*` stops at `/`, `**` does not.
    pub fn new(include: &[String], exclude: &[String]) -> Result<Self, globset::Error> {
        Ok(Selection {
            include: if include.is_empty() {
                None
            } else {
                Some(globs(include)?)
            },
            exclude: globs(exclude)?,
            config: None,
        })
    }

    /// Adds the globs of a configuration file in the folder `dir` (absolute); a file must pass both.
    pub fn with_config(mut self, dir: &Path, include: &[String], exclude: &[String]) -> Result<Self, globset::Error> {
        let set = Selection::new(include, exclude)?;
        self.config = Some((dir.to_path_buf(), set.include, set.exclude));
        Ok(self)
    }

    /// Whether the file of that path under `root` is chosen. A glob may match the path, the name, or those of a folder
    /// above.
    pub fn takes(&self, root: &Path, relative: &Path) -> bool {
        let included = self.include.as_ref().is_none_or(|set| matches(set, relative));
        let by_config = self
            .config
            .as_ref()
            .and_then(|(dir, include, _)| Some((dir, include.as_ref()?)));
        let by_config =
            by_config.is_none_or(|(dir, set)| beneath(dir, root, relative).is_some_and(|p| matches(set, &p)));
        included && by_config && !self.excludes(root, relative)
    }

    /// Whether `--exclude`, or that of the configuration, covers the path.
    pub fn excludes(&self, root: &Path, relative: &Path) -> bool {
        let by_config = self
            .config
            .as_ref()
            .is_some_and(|(dir, _, exclude)| beneath(dir, root, relative).is_some_and(|p| matches(exclude, &p)));
        by_config || matches(&self.exclude, relative)
    }
}

/// The path under `dir` of a file under `root`, both absolute.
fn beneath(dir: &Path, root: &Path, relative: &Path) -> Option<PathBuf> {
    let at = root.join(relative);
    at.strip_prefix(dir).ok().map(Path::to_path_buf)
}

/// Compiles globs. `*` stops at `/`, `**` does not.
pub fn globs(patterns: &[String]) -> Result<GlobSet, globset::Error> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let pattern = pattern.trim_start_matches("./").trim_end_matches('/');
        set.add(GlobBuilder::new(pattern).literal_separator(true).build()?);
    }
    set.build()
}

/// Whether a glob matches the path, the name, or those of a folder above.
pub fn matches(set: &GlobSet, relative: &Path) -> bool {
    let some = |p: &Path| set.is_match(p) || p.file_name().is_some_and(|n| set.is_match(n));
    relative.ancestors().any(some)
}

/// How to walk.
#[derive(Debug)]
pub struct Walk<'a> {
    pub selection: &'a Selection,
    /// Links inside the tree become copies of their targets; otherwise links are passed over, so that no file is
    /// met twice.
    pub follow_links: bool,
    /// A folder never entered: the output.
    pub skip: Option<PathBuf>,
    /// Take the top of the git repository as the root, where all paths lie in one.
    pub git_root: bool,
}

/// Finds the files of a run.
pub fn discover(paths: &[PathBuf], walk: &Walk) -> Discovery {
    let mut out = Discovery::default();
    let mut starts = Vec::new();
    for path in paths {
        match (anchor(path), fs::metadata(path)) {
            (Ok(at), Ok(meta)) => starts.push((path, at, meta.is_dir())),
            (Err(e), _) | (_, Err(e)) => out.errors.push(SourceError::read(path, e)),
        }
    }
    out.root = root(starts.iter().map(|(_, at, dir)| (at.as_path(), *dir)));
    if walk.git_root {
        out.root = git::top(&out.root).unwrap_or(out.root);
    }
    let mut files = BTreeMap::new();
    for (path, at, dir) in starts {
        let under = at.strip_prefix(&out.root).unwrap_or(Path::new("")).to_path_buf();
        if dir {
            tree(path, &at, &under, walk, &mut out, &mut files);
        } else {
            let translate = walk.selection.takes(&out.root, &under);
            files.insert(under, (path.clone(), translate));
        }
    }
    out.files = files
        .into_iter()
        .map(|(relative, (path, translate))| Found {
            path: includes::tidy(&path),
            relative,
            translate,
        })
        .collect();
    out
}

/// An absolute path whose last part is as given: a link named on the command line keeps its own name.
pub fn anchor(path: &Path) -> std::io::Result<PathBuf> {
    match path.file_name() {
        Some(name) => {
            let parent = path.parent().filter(|p| !p.as_os_str().is_empty());
            Ok(fs::canonicalize(parent.unwrap_or(Path::new(".")))?.join(name))
        }
        None => fs::canonicalize(path),
    }
}

/// The deepest folder that holds every path that exists, absolute.
pub fn common_folder(paths: &[PathBuf]) -> PathBuf {
    let starts: Vec<(PathBuf, bool)> = paths
        .iter()
        .filter_map(|p| Some((anchor(p).ok()?, fs::metadata(p).ok()?.is_dir())))
        .collect();
    if starts.is_empty() {
        return std::env::current_dir().and_then(fs::canonicalize).unwrap_or_default();
    }
    root(starts.iter().map(|(p, dir)| (p.as_path(), *dir)))
}

/// The deepest folder that holds every path.
fn root<'a>(paths: impl Iterator<Item = (&'a Path, bool)>) -> PathBuf {
    let dirs = paths.map(|(p, dir)| if dir { p } else { p.parent().unwrap_or(p) });
    let common = dirs.map(Path::to_path_buf).reduce(|a, b| {
        let shared = a.ancestors().find(|x| b.starts_with(x));
        shared.unwrap_or(Path::new("/")).to_path_buf()
    });
    common.unwrap_or_default()
}

fn tree(
    path: &Path,
    at: &Path,
    under: &Path,
    walk: &Walk,
    out: &mut Discovery,
    files: &mut BTreeMap<PathBuf, (PathBuf, bool)>,
) {
    // Links are judged by where they lead: the real place of the tree counts.
    let real = fs::canonicalize(at).unwrap_or_else(|_| at.to_path_buf());
    let outside: Arc<Mutex<Vec<String>>> = Arc::default();
    let in_git = git::top(&real).is_some();
    let mut builder = ignore::WalkBuilder::new(path);
    builder
        .follow_links(walk.follow_links)
        .hidden(false)
        .require_git(false)
        .parents(in_git)
        .sort_by_file_name(|a, b| a.cmp(b));
    let (notes, skip, follow) = (outside.clone(), walk.skip.clone(), walk.follow_links);
    let (top, inner) = (path.to_path_buf(), at.to_path_buf());
    builder.filter_entry(move |entry| {
        let name = entry.file_name().to_string_lossy();
        if entry.depth() == 0 {
            return true;
        }
        // `.#x` is an editor's lock: a link to nowhere.
        if NEVER.iter().any(|n| *n == name) || name.starts_with(".#") {
            return false;
        }
        if skip.is_some() && entry.path().strip_prefix(&top).ok().map(|p| inner.join(p)) == skip {
            return false;
        }
        if !entry.path_is_symlink() {
            return true;
        }
        let inside = fs::canonicalize(entry.path()).map_or(true, |to| to.starts_with(&real));
        let is_dir = fs::metadata(entry.path()).is_ok_and(|m| m.is_dir());
        if !inside && (is_dir || !follow) {
            if let Ok(mut notes) = notes.lock() {
                let shown = includes::tidy(entry.path());
                notes.push(format!("{}: link out of the tree, not followed", shown.display()));
            }
        }
        follow && (inside || !is_dir)
    });
    for entry in builder.build() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                fault(path, error, out);
                continue;
            }
        };
        let Ok(inner) = entry.path().strip_prefix(path) else {
            continue;
        };
        match entry.file_type() {
            Some(t) if t.is_dir() => continue,
            Some(t) if t.is_file() => {}
            // Reading a pipe would wait for ever.
            _ => {
                let shown = includes::tidy(entry.path());
                out.warnings
                    .push(format!("{}: not a regular file, left out", shown.display()));
                continue;
            }
        }
        let relative = under.join(inner);
        let translate = kind::is_translated(&relative) && walk.selection.takes(&out.root, &relative);
        files.insert(relative, (entry.path().to_path_buf(), translate));
    }
    let mut notes = outside.lock().unwrap_or_else(|e| e.into_inner());
    out.warnings.append(&mut notes);
}

/// Sorts the walk's errors: a loop is a warning, all else could not be read.
fn fault(top: &Path, error: ignore::Error, out: &mut Discovery) {
    fn look(error: &ignore::Error) -> (Option<PathBuf>, Option<(PathBuf, PathBuf)>) {
        match error {
            ignore::Error::WithPath { path, err } => (Some(path.clone()), look(err).1),
            ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => look(err),
            ignore::Error::Loop { ancestor, child } => (Some(child.clone()), Some((ancestor.clone(), child.clone()))),
            _ => (None, None),
        }
    }
    let (path, looped) = look(&error);
    if let Some((ancestor, child)) = looped {
        out.warnings.push(format!(
            "{}: link loop, it leads back to {}; not followed",
            includes::tidy(&child).display(),
            includes::tidy(&ancestor).display()
        ));
        return;
    }
    let path = path.unwrap_or_else(|| top.to_path_buf());
    // The walk wraps the system's error in words of its own that name the path again: ask the system.
    let system = fs::metadata(&path).and_then(|_| fs::read_dir(&path)).err();
    out.errors.push(match system {
        Some(e) => SourceError::read(&includes::tidy(&path), e),
        None => SourceError::List {
            path,
            error: error.to_string(),
        },
    });
}

/// Whether the `.gitignore` at the root, or one above it up to the top of the repository, ignores a folder below.
pub fn ignored(root: &Path, dir: &Path) -> bool {
    let top = git::top(root).unwrap_or_else(|| root.to_path_buf());
    root.ancestors().take_while(|d| d.starts_with(&top)).any(|d| {
        let (rules, _) = ignore::gitignore::Gitignore::new(d.join(".gitignore"));
        dir.starts_with(d) && rules.matched_path_or_any_parents(dir, true).is_ignore()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selects() {
        let s = |i: &[&str], e: &[&str]| {
            let own = |v: &[&str]| v.iter().map(|x| x.to_string()).collect::<Vec<_>>();
            Selection::new(&own(i), &own(e)).expect("good globs")
        };
        assert!(s(&[], &[]).takes(Path::new("/r"), Path::new("a/b.cu")));
        assert!(!s(&[], &["a"]).takes(Path::new("/r"), Path::new("a/b.cu")));
        assert!(!s(&[], &["a/**"]).takes(Path::new("/r"), Path::new("a/c/b.cu")));
        assert!(!s(&[], &["b.cu"]).takes(Path::new("/r"), Path::new("a/b.cu")));
        assert!(s(&[], &["x/*.cu"]).takes(Path::new("/r"), Path::new("x/y/b.cu")));
        assert!(s(&["*.cu"], &[]).takes(Path::new("/r"), Path::new("x/y/b.cu")));
        assert!(!s(&["*.cu"], &[]).takes(Path::new("/r"), Path::new("x/y/b.h")));
        assert!(s(&["./x/"], &[]).takes(Path::new("/r"), Path::new("x/y/b.h")));
    }

    #[test]
    fn roots() {
        let r = |v: &[(&str, bool)]| root(v.iter().map(|(p, d)| (Path::new(*p), *d)));
        assert_eq!(r(&[("/a/b", true)]), Path::new("/a/b"));
        assert_eq!(r(&[("/a/b.cu", false)]), Path::new("/a"));
        assert_eq!(r(&[("/a/b", true), ("/a/c/x.cu", false)]), Path::new("/a"));
        assert_eq!(r(&[("/a/b", true), ("/a/b/c", true)]), Path::new("/a/b"));
    }

    #[test]
    fn walks_in_order_and_marks_copies() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        for name in [
            "b.cu",
            "a/x.cuh",
            "a/Makefile",
            ".gitignore",
            "gone/x.cu",
            ".git/config",
        ] {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(&path, if name == ".gitignore" { "gone/\n" } else { "" }).expect("written");
        }
        let selection = Selection::default();
        let walk = Walk {
            selection: &selection,
            follow_links: true,
            skip: None,
            git_root: false,
        };
        let found = discover(&[dir.path().to_path_buf()], &walk);
        let names: Vec<_> = found
            .files
            .iter()
            .map(|f| (f.relative.to_string_lossy().into_owned(), f.translate))
            .collect();
        let expected = [
            (".gitignore", false),
            ("a/Makefile", false),
            ("a/x.cuh", true),
            ("b.cu", true),
        ];
        assert_eq!(names, expected.map(|(n, t)| (n.to_string(), t)));
        assert!(found.errors.is_empty() && found.warnings.is_empty());
    }
}
