//! Counts over a run, computed from the ledger and the findings, never kept beside them.

use crate::diagnostics::{Diagnostic, Severity};
use crate::ledger::{Fate, Occurrence};
use serde::Serialize;
use std::collections::BTreeMap;

/// Counts of one file or of a whole run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Files read.
    pub files: usize,
    /// Files whose translation differs from them.
    pub changed: usize,
    /// Files written as they are.
    pub copied: usize,
    /// Files that could not be read or written.
    pub failed: usize,
    /// Fixes applied.
    pub fixed: usize,
    /// Findings left out because the baseline lists them.
    pub in_baseline: usize,
    /// Findings by severity.
    pub diagnostics: BTreeMap<Severity, usize>,
    /// Findings by name.
    pub by_name: BTreeMap<&'static str, usize>,
    /// CUDA names by what became of them.
    pub names: BTreeMap<Fate, usize>,
    /// CUDA names translated (or the same in HIP), by library.
    pub libraries: BTreeMap<&'static str, usize>,
    /// CUDA names left over with a finding, each with its count.
    pub left_over: BTreeMap<String, usize>,
}

impl Tally {
    /// The counts of one file's findings and ledger.
    pub fn of(diagnostics: &[Diagnostic], ledger: &[Occurrence]) -> Self {
        let mut tally = Tally::default();
        for d in diagnostics {
            *tally.diagnostics.entry(d.severity).or_default() += 1;
            *tally.by_name.entry(d.code.name).or_default() += 1;
        }
        for o in ledger {
            *tally.names.entry(o.fate).or_default() += 1;
            match o.fate {
                Fate::Renamed | Fate::Kept | Fate::Rewritten | Fate::Shimmed => {
                    *tally.libraries.entry(o.library).or_default() += 1;
                }
                Fate::Reported => *tally.left_over.entry(o.name.clone()).or_default() += 1,
                Fate::Ignored | Fate::Inactive => {}
            }
        }
        tally
    }

    /// Adds another's counts.
    pub fn add(&mut self, other: Tally) {
        fn merge<K: Ord>(into: &mut BTreeMap<K, usize>, from: BTreeMap<K, usize>) {
            for (key, n) in from {
                *into.entry(key).or_default() += n;
            }
        }
        self.files += other.files;
        self.changed += other.changed;
        self.copied += other.copied;
        self.failed += other.failed;
        self.fixed += other.fixed;
        self.in_baseline += other.in_baseline;
        merge(&mut self.diagnostics, other.diagnostics);
        merge(&mut self.by_name, other.by_name);
        merge(&mut self.names, other.names);
        merge(&mut self.libraries, other.libraries);
        merge(&mut self.left_over, other.left_over);
    }

    /// Findings of that severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.diagnostics.get(&severity).copied().unwrap_or(0)
    }

    /// Findings of that severity or above.
    pub fn at_least(&self, severity: Severity) -> usize {
        self.diagnostics.range(severity..).map(|(_, n)| n).sum()
    }

    /// Names that `fate` befell.
    pub fn fate(&self, fate: Fate) -> usize {
        self.names.get(&fate).copied().unwrap_or(0)
    }
}
