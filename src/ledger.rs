//! The ledger: one line for each CUDA name met. Summaries and reports are computed from it, never counted apart.

use serde::Serialize;

/// What became of a CUDA name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// Another name, same meaning.
    Renamed,
    /// The same name in HIP, same meaning: nothing to write.
    Kept,
    /// The expression around it was rewritten.
    Rewritten,
    /// Served by a generated shim header.
    Shimmed,
    /// Left alone, with a diagnostic.
    Reported,
    /// Not the CUDA name it looks like (a member, a local, a user's own function), or left alone because a comment of
    /// the author says so.
    Ignored,
    /// In code that is already for HIP or for a compiler that does not see it.
    Inactive,
}

/// One CUDA name at one place of one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Occurrence {
    /// The CUDA name, whole and qualified (`cub::DeviceReduce`).
    pub name: String,
    /// The library of the rule that knows it (`runtime`, `blas`, ...).
    pub library: &'static str,
    /// Byte offset of the name in the input.
    pub offset: usize,
    pub fate: Fate,
    /// What stands there now, where that is one name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub becomes: Option<String>,
}
