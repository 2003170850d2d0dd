//! Where each file of a run goes, and which plans are refused before anything is written.

use super::engine::Input;
use anyhow::{bail, Result};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use tranship::source::discover::{self, Selection};
use tranship::source::{kind, write};

/// What is done with the results.
pub enum Place {
    /// One result, to standard output.
    Stdout,
    /// One result, to that file.
    File(PathBuf),
    /// All results, below that folder.
    Tree { dir: PathBuf, keep_names: bool },
    /// Over the inputs.
    Inputs,
}

impl Place {
    /// The place of one input.
    pub fn of(&self, input: &Input) -> Option<PathBuf> {
        match self {
            Place::Stdout => None,
            Place::File(path) => Some(path.clone()),
            Place::Tree { dir, keep_names } => {
                let rename = input.translate && !keep_names;
                let relative = if rename {
                    kind::renamed(&input.relative)
                } else {
                    input.relative.clone()
                };
                Some(dir.join(relative))
            }
            Place::Inputs => Some(input.path.clone()),
        }
    }

    /// The folder that gets `tranship/`, given the root of the inputs; none where there is no sensible one.
    pub fn shim_root(&self, root: &Path) -> Option<PathBuf> {
        match self {
            Place::Stdout => None,
            Place::File(path) if write::is_device(path) => None,
            Place::File(path) => Some(path.parent().unwrap_or(Path::new("")).to_path_buf()),
            Place::Tree { dir, .. } => Some(dir.clone()),
            Place::Inputs => Some(root.to_path_buf()),
        }
    }
}

/// Refuses an output folder that is an input, or lies inside one where the next run would find it. Returns the
/// folder's absolute path, which the walk must not enter.
pub fn check_folder(paths: &[PathBuf], out: &Path, selection: &Selection) -> Result<PathBuf> {
    let out_at = absolute(out)?;
    for path in paths.iter().filter(|p| p.is_dir()) {
        let at = std::fs::canonicalize(path)?;
        let Ok(inner) = out_at.strip_prefix(&at) else { continue };
        if inner.as_os_str().is_empty() {
            bail!(
                "the output {} is the input: choose another folder, or use --in-place to rewrite the files",
                out.display()
            );
        }
        let excluded = selection.excludes(&at, &inner.join("x")) || discover::ignored(&at, &out_at);
        if !excluded {
            bail!(
                "the output {} lies inside the input {}, so the next run would translate it: choose a folder \
                 outside, or pass --exclude '{}/**'",
                out.display(),
                path.display(),
                inner.display()
            );
        }
    }
    Ok(out_at)
}

/// Refuses a file that is its own output.
pub fn check_file(input: &Path, out: &Path) -> Result<()> {
    let same = match (std::fs::canonicalize(input), std::fs::canonicalize(out)) {
        (Ok(a), Ok(b)) => a == b && !write::is_device(out),
        _ => false,
    };
    if same {
        bail!(
            "the output {} is the input: choose another name, or use --in-place to rewrite the file",
            out.display()
        );
    }
    Ok(())
}

/// Refuses two inputs for one output, and an output that is another input.
pub fn check_clashes(inputs: &[Input], root: &Path, place: &Place) -> Result<()> {
    let Place::Tree { dir, .. } = place else { return Ok(()) };
    let at = absolute(dir)?;
    let mut read: HashSet<PathBuf> = inputs.iter().map(|i| root.join(&i.relative)).collect();
    // In an output that exists, links may lead back to the inputs.
    let exists = dir.exists();
    if exists {
        read.extend(inputs.iter().filter_map(|i| std::fs::canonicalize(&i.path).ok()));
    }
    let mut taken: HashMap<PathBuf, &Input> = HashMap::new();
    for input in inputs {
        let Some(to) = place.of(input) else { continue };
        let inner = to.strip_prefix(dir).unwrap_or(&to);
        let real = if exists { std::fs::canonicalize(&to).ok() } else { None };
        if read.contains(&at.join(inner)) || real.is_some_and(|r| read.contains(&r)) {
            bail!(
                "{} would be written over an input: choose another folder, or use --in-place to rewrite the files",
                to.display()
            );
        }
        if let Some(other) = taken.insert(to.clone(), input) {
            bail!(
                "{} and {} would both be written to {}: use --keep-names",
                other.shown,
                input.shown,
                to.display()
            );
        }
    }
    Ok(())
}

/// The absolute path of something that need not exist: what exists of it is resolved.
fn absolute(path: &Path) -> Result<PathBuf> {
    let full = std::path::absolute(path)?;
    for ancestor in full.ancestors() {
        if let (Ok(real), Ok(rest)) = (std::fs::canonicalize(ancestor), full.strip_prefix(ancestor)) {
            return Ok(tranship::source::includes::tidy(&real.join(rest)));
        }
    }
    Ok(full)
}
