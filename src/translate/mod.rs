//! Translation of one file: passes make edits, findings and ledger lines; none knows another.

use crate::diagnostics::Diagnostic;
use crate::ledger::Occurrence;
use crate::model::Project;
use crate::options::Options;
use std::collections::BTreeSet;
use std::path::Path;

/// What one file became.
#[derive(Debug, Default)]
pub struct Translation {
    /// The new bytes; `None` when nothing changes.
    pub text: Option<Vec<u8>>,
    /// Findings in the order of their place in the input.
    pub diagnostics: Vec<Diagnostic>,
    /// Every CUDA name met, in order.
    pub ledger: Vec<Occurrence>,
    /// Units of `rules/shims/` that the output includes as `tranship/<unit>.hpp`, with their needs.
    pub shims: BTreeSet<&'static str>,
}

/// Translates one file of the project. `path` is relative to the project's root and names the file in
/// [`Project`]; it decides the relative path by which shim headers are included. Cannot fail: what cannot be
/// translated is a finding.
pub fn translate(_path: &Path, _bytes: &[u8], _project: &Project, _options: &Options) -> Translation {
    Translation::default()
}
