//! What the passes need to know of the whole program, gathered file by file before translation.

use std::path::Path;

/// Facts over all files of a run.
#[derive(Debug, Default)]
pub struct Project {}

/// Facts of one file, to be merged into a [`Project`]; gathered in parallel.
#[derive(Debug, Default)]
pub struct FileFacts {
    /// Whether the file mentions CUDA at all; if not, translating it changes nothing.
    pub cuda: bool,
}

impl FileFacts {
    /// Reads a file's facts from its bytes. Cannot fail.
    pub fn gather(_path: &Path, _bytes: &[u8]) -> FileFacts {
        FileFacts::default()
    }
}

impl Project {
    /// Takes in one file's facts. The result does not depend on the order of calls.
    /// `path` is relative to the project's root.
    pub fn add(&mut self, _path: &Path, _facts: FileFacts) {}
}
