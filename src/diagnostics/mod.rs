//! Findings: one type for every pass, and the catalogue of codes. Rendering is in the sibling files.
//!
//! A code exists when `rules/diagnostics/<CODE>-<name>.md` does: `build.rs` makes a constant of it in [`codes`].

pub mod baseline;
pub mod fingerprint;
pub mod github;
pub mod gitlab;
pub mod human;
pub mod json;
pub mod junit;
pub mod policy;
pub mod render;
pub mod sarif;
pub mod short;
pub mod tally;

pub use render::{FileFindings, Render};
pub use tally::Tally;

use std::ops::Range;

/// How much a finding weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Note,
    Warning,
    Error,
}

/// How likely a finding is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// A guess from a pattern that often means this.
    Low,
    /// It holds unless something that the file does not show makes it harmless.
    Medium,
    /// The code itself shows it.
    High,
}

/// An entry of the catalogue: a stable code, the name people write, and the page.
#[derive(Debug)]
pub struct Code {
    /// `TSA001`.
    pub code: &'static str,
    /// `unsupported-api`.
    pub name: &'static str,
    /// Severity unless the finding says otherwise.
    pub severity: Severity,
    /// Confidence unless the finding says otherwise; `High` where the page's head is silent.
    pub confidence: Confidence,
    /// The page in Markdown, without its head.
    pub page: &'static str,
}

/// The catalogue; see the module's text.
pub mod codes {
    use super::{Code, Confidence, Severity};
    include!(concat!(env!("OUT_DIR"), "/codes.rs"));
}

impl Code {
    /// The entry of that name or code; codes are read in any case.
    pub fn find(text: &str) -> Option<&'static Code> {
        let same = |c: &&&Code| c.name == text || c.code.eq_ignore_ascii_case(text);
        codes::ALL.iter().find(same).copied()
    }

    /// The page's heading: what was found, in a few words.
    pub fn title(&self) -> &'static str {
        let heading = self.page.lines().find_map(|l| l.strip_prefix("# "));
        heading.unwrap_or("").trim()
    }
}

/// Whether a suggested edit may be applied unasked; the surest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Applicability {
    /// Same meaning, proven.
    Safe,
    /// Likely right; a person should look.
    Unsafe,
    /// Shows the direction only.
    Manual,
}

/// A suggested change: all its edits or none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    pub applicability: Applicability,
    /// Disjoint byte ranges of the input, in order, each with its replacement.
    pub edits: Vec<(Range<usize>, Vec<u8>)>,
}

/// One finding in one file. Offsets are bytes of the input.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    pub code: &'static Code,
    pub severity: Severity,
    pub confidence: Confidence,
    pub span: Range<usize>,
    /// What was found, in one line without a full stop.
    pub message: String,
    /// Other places that matter, each with a word on why.
    pub secondary: Vec<(Range<usize>, String)>,
    /// Why it matters on AMD.
    pub notes: Vec<String>,
    /// What to do.
    pub help: Option<String>,
    /// Names of the architectures it concerns; empty: every one.
    pub targets: Vec<&'static str>,
    pub fix: Option<Fix>,
    /// The row of `rules/` that made it, as `api/runtime cudaMalloc`; `None` where code alone did.
    pub rule: Option<String>,
}

impl Diagnostic {
    /// A finding of the code's own severity.
    pub fn new(code: &'static Code, span: Range<usize>, message: impl Into<String>) -> Self {
        Diagnostic {
            code,
            severity: code.severity,
            confidence: code.confidence,
            span,
            message: message.into(),
            secondary: Vec::new(),
            notes: Vec::new(),
            help: None,
            targets: Vec::new(),
            fix: None,
            rule: None,
        }
    }

    pub fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    pub fn confidence(mut self, confidence: Confidence) -> Self {
        self.confidence = confidence;
        self
    }

    /// The file under `rules/`, without its ending, and the row's name.
    pub fn rule(mut self, file: &str, row: &str) -> Self {
        self.rule = Some(format!("{file} {row}"));
        self
    }

    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub fn label(mut self, span: Range<usize>, text: impl Into<String>) -> Self {
        self.secondary.push((span, text.into()));
        self
    }

    pub fn targets(mut self, targets: &[&'static str]) -> Self {
        self.targets = targets.to_vec();
        self
    }

    pub fn fix(mut self, fix: Fix) -> Self {
        self.fix = Some(fix);
        self
    }
}
