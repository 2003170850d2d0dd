//! What every output format is: findings of one file in, bytes out.
//!
//! Files are rendered in parallel and their bytes joined in order, so a renderer keeps no state between files.

use super::{Code, Severity, Tally};
use crate::source::LineIndex;
use std::ops::Range;

/// The findings of one file, with what is needed to show them.
#[derive(Debug)]
pub struct FileFindings<'a> {
    /// The path to show.
    pub path: &'a str,
    /// The input that offsets refer to.
    pub bytes: &'a [u8],
    pub lines: &'a LineIndex,
    pub diagnostics: &'a [super::Diagnostic],
}

/// A file that could not be read or written; it has no span, so it is no finding.
#[derive(Clone, Debug)]
pub struct Failure {
    pub path: String,
    pub message: String,
}

/// A part of a file's rendered findings.
#[derive(Debug)]
pub struct Block {
    pub text: Vec<u8>,
    /// What the finding says; blocks of a run that say the same are shown once, with what [`Render::more`] says of the
    /// others. `None`: always shown.
    pub cause: Option<Cause>,
}

/// A cause and where it was met.
#[derive(Debug)]
pub struct Cause {
    pub code: &'static Code,
    /// Findings with the same key have the same cause: code, severity, and what is said, but for the name it is said of
    /// where the advice is the same.
    pub key: CauseKey,
    pub path: String,
    /// 1-based, the first is the one shown.
    pub lines: Vec<usize>,
    /// The names it is said of, the first is that of the finding shown; empty where there is none.
    pub subjects: Vec<String>,
}

/// See [`Cause::key`].
pub type CauseKey = (&'static str, Severity, String, Option<String>);

impl super::Diagnostic {
    /// What it says, and the name it says it of. Only with advice in common may names share a cause.
    pub fn cause(&self) -> (CauseKey, Option<&str>) {
        let parts = self
            .message
            .split_once('`')
            .and_then(|(a, rest)| Some((a, rest.split_once('`')?)));
        let (said, subject) = match (parts, &self.help) {
            (Some((before, (name, after))), Some(_)) => (format!("{before}`{after}"), Some(name)),
            _ => (self.message.clone(), None),
        };
        ((self.code.code, self.severity, said, self.help.clone()), subject)
    }
}

/// One output format.
pub trait Render: Sync {
    /// Comes before all files.
    fn begin(&self) -> Vec<u8> {
        Vec::new()
    }

    /// Comes between the bytes of two files that are not empty.
    fn separator(&self) -> &'static str {
        ""
    }

    /// One file's findings.
    fn file(&self, file: &FileFindings) -> Vec<u8>;

    /// One file's findings in blocks, for a format that shows each cause once a run.
    fn blocks(&self, file: &FileFindings) -> Vec<Block> {
        let text = self.file(file);
        vec![Block { text, cause: None }]
    }

    /// Completes a block whose cause is met at other places of the run too. `first`: it is the first of its code.
    fn complete(&self, block: Block, _others: &[Cause], _first: bool) -> Vec<u8> {
        block.text
    }

    /// One failure, where the format carries them in line.
    fn failure(&self, _failure: &Failure) -> Vec<u8> {
        Vec::new()
    }

    /// Comes after all files.
    fn end(&self, _tally: &Tally, _failures: &[Failure]) -> Vec<u8> {
        Vec::new()
    }
}

/// Where a span lies: 1-based lines and columns, columns in bytes, the end exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Place {
    pub line: usize,
    pub column: usize,
    pub end_line: usize,
    pub end_column: usize,
}

impl Place {
    /// The place of a byte span.
    pub fn of(span: &Range<usize>, lines: &LineIndex) -> Self {
        let (line, column) = lines.position(span.start);
        let (end_line, end_column) = lines.position(span.end.max(span.start));
        Place {
            line: line + 1,
            column: column + 1,
            end_line: end_line + 1,
            end_column: end_column + 1,
        }
    }
}

impl Severity {
    /// The word for it in every format.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

#[cfg(test)]
pub(crate) mod sample {
    //! One finding for the tests of the renderers.
    use super::super::Diagnostic;
    use super::*;

    pub static CODE: Code = Code {
        code: "TST001",
        name: "sample-finding",
        severity: Severity::Warning,
        confidence: super::super::Confidence::Medium,
        page: "# Sample\n",
    };

    /// Renders a finding on each place where `what` stands in `text`.
    pub fn render(render: &dyn Render, text: &[u8], what: &[u8]) -> String {
        let diagnostics: Vec<_> = memchr::memmem::find_iter(text, what)
            .map(|at| {
                Diagnostic::new(&CODE, at..at + what.len(), "found, 100% sure: it is there")
                    .note("because")
                    .help("look again")
            })
            .collect();
        show(render, text, &diagnostics)
    }

    pub fn show(render: &dyn Render, text: &[u8], diagnostics: &[Diagnostic]) -> String {
        let lines = LineIndex::new(text);
        let file = FileFindings {
            path: "d/a b.cu",
            bytes: text,
            lines: &lines,
            diagnostics,
        };
        String::from_utf8(render.file(&file)).expect("formats are UTF-8")
    }
}
