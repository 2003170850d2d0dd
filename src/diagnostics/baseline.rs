//! Known findings: a file that lists them, so that old code is let alone and only new findings count.
//!
//! An entry says how many findings of one code a line of that text may raise in a file, not at which line number.

use super::fingerprint::Fingerprints;
use super::Diagnostic;
use crate::source::LineIndex;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The number that changes when a field changes its meaning.
const SCHEMA: u32 = 1;

/// What can be wrong with a baseline's text.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    #[error("no baseline of tranship: {0}")]
    Json(#[from] serde_json::Error),
    #[error("a baseline of schema {0}, this tranship reads {SCHEMA}: write it anew with --write-baseline")]
    Schema(u32),
}

/// Known findings by file.
#[derive(Debug, Default)]
pub struct Baseline {
    known: BTreeMap<String, BTreeMap<u64, usize>>,
}

/// Findings of one code on one line's text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Entry {
    /// With forward slashes, relative to the baseline's folder.
    pub path: String,
    pub name: String,
    /// For people; not compared.
    pub message: String,
    pub fingerprint: String,
    pub count: usize,
}

#[derive(Deserialize)]
struct Document {
    schema: u32,
    findings: Vec<Entry>,
}

impl Baseline {
    pub fn parse(text: &[u8]) -> Result<Baseline, BaselineError> {
        let document: Document = serde_json::from_slice(text)?;
        if document.schema != SCHEMA {
            return Err(BaselineError::Schema(document.schema));
        }
        let mut out = Baseline::default();
        for e in document.findings {
            // A hash that does not parse fits no finding: it counts as gone.
            let hash = u64::from_str_radix(&e.fingerprint, 16).unwrap_or_default();
            *out.known.entry(e.path).or_default().entry(hash).or_default() += e.count;
        }
        Ok(out)
    }

    /// Takes the known findings of a file out; returns how many were, and how many that are listed are no more.
    pub fn take(&self, path: &str, bytes: &[u8], lines: &LineIndex, found: &mut Vec<Diagnostic>) -> (usize, usize) {
        let Some(known) = self.known.get(path) else {
            return (0, 0);
        };
        let mut left = known.clone();
        let mut prints = Fingerprints::default();
        let before = found.len();
        found.retain(|d| match left.get_mut(&prints.next(d, bytes, lines).hash) {
            Some(n) if *n > 0 => {
                *n -= 1;
                false
            }
            _ => true,
        });
        (before - found.len(), left.values().sum())
    }
}

/// The entries of one file's findings.
pub fn entries(path: &str, bytes: &[u8], lines: &LineIndex, found: &[Diagnostic]) -> Vec<Entry> {
    let mut prints = Fingerprints::default();
    let mut out: BTreeMap<u64, Entry> = BTreeMap::new();
    for d in found {
        let hash = prints.next(d, bytes, lines).hash;
        let entry = out.entry(hash).or_insert_with(|| Entry {
            path: path.to_string(),
            name: d.code.name.to_string(),
            message: d.message.clone(),
            fingerprint: format!("{hash:016x}"),
            count: 0,
        });
        entry.count += 1;
    }
    let mut out: Vec<Entry> = out.into_values().collect();
    out.sort();
    out
}

/// The text of a baseline; an entry a line, so that its diffs can be read.
pub fn text(entries: &[Entry]) -> Vec<u8> {
    let mut out = format!("{{\"schema\":{SCHEMA},\"tool\":\"tranship\",\"findings\":[");
    for (i, e) in entries.iter().enumerate() {
        out += if i == 0 { "\n" } else { ",\n" };
        out += &serde_json::to_string(e).expect("keys are strings");
    }
    out += "\n]}\n";
    out.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::super::codes;
    use super::*;

    fn find(text: &[u8]) -> (LineIndex, Vec<Diagnostic>) {
        let each = memchr::memmem::find_iter(text, b"asm");
        let found = each
            .map(|at| Diagnostic::new(&codes::INLINE_PTX, at..at + 3, "m"))
            .collect();
        (LineIndex::new(text), found)
    }

    #[test]
    fn only_new_ones_are_left_when_lines_move() {
        let old = b"asm(1);\nasm(2);\nasm(2);\n";
        let (lines, found) = find(old);
        let listed = entries("a.cu", old, &lines, &found);
        assert_eq!(listed.iter().map(|e| e.count).sum::<usize>(), 3);
        let baseline = Baseline::parse(&text(&listed)).expect("its own text");

        let new = b"\n\n  asm(2);\nasm(3);\nasm(2);\nasm(2);\n";
        let (lines, mut found) = find(new);
        assert_eq!(baseline.take("a.cu", new, &lines, &mut found), (2, 1));
        let left: Vec<usize> = found.iter().map(|d| lines.position(d.span.start).0).collect();
        assert_eq!(left, [3, 5]);
        let (_, mut found) = find(new);
        assert_eq!(baseline.take("b.cu", new, &lines, &mut found), (0, 0));
    }

    #[test]
    fn wrong_texts_are_told() {
        assert!(Baseline::parse(b"{}").is_err());
        let other = Baseline::parse(b"{\"schema\":7,\"findings\":[]}").expect_err("another schema");
        assert!(other.to_string().contains("--write-baseline"));
    }
}
