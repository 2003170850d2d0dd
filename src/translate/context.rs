//! What the passes of one file share: the source, what names were met, and the places to put edits and findings.

use crate::diagnostics::Diagnostic;
use crate::edit::{Edit, Piece};
use crate::ledger::{Fate, Occurrence};
use crate::model::Project;
use crate::options::Options;
use crate::rules;
use crate::syntax::Source;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

/// How code stands to the HIP compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// Compiled.
    Active,
    /// An arm that HIP never compiles because of the architecture or release it asks for: translated, not reported.
    Dead,
    /// The CUDA arm of a switch that has a HIP arm already: left as it is.
    Foreign,
    /// The HIP arm of such a switch: left as it is.
    Hip,
}

/// One pass's view of a file under translation.
pub struct Context<'a> {
    pub src: &'a Source<'a>,
    pub path: &'a Path,
    pub project: &'a Project,
    pub options: &'a Options,
    /// Names of the rules that the program defines itself.
    pub declared: BTreeSet<&'a str>,
    /// Token ranges whose state is not [`State::Active`], innermost last.
    pub arms: Vec<(Range<usize>, State)>,
    /// Insertions of whole include lines; they come before any other insertion at the same place.
    pub include_lines: Vec<Edit>,
    pub edits: Vec<Edit>,
    pub diagnostics: Vec<Diagnostic>,
    ledger: BTreeMap<usize, Occurrence>,
    pub shims: BTreeSet<&'static str>,
}

impl<'a> Context<'a> {
    pub fn new(src: &'a Source<'a>, path: &'a Path, project: &'a Project, options: &'a Options) -> Self {
        Context {
            src,
            path,
            project,
            options,
            declared: project.declared(path),
            arms: Vec::new(),
            include_lines: Vec::new(),
            edits: Vec::new(),
            diagnostics: Vec::new(),
            ledger: BTreeMap::new(),
            shims: BTreeSet::new(),
        }
    }

    /// How a token stands to the HIP compiler.
    pub fn state(&self, token: usize) -> State {
        self.arms
            .iter()
            .filter(|(r, _)| r.contains(&token))
            .map(|a| a.1)
            .max()
            .unwrap_or(State::Active)
    }

    /// Whether a ledger line already speaks of the name at this token: some pass has dealt with it.
    pub fn settled(&self, token: usize) -> bool {
        self.ledger.contains_key(&self.src.span(token).start)
    }

    /// Notes what became of a name. The first word on a name stands.
    pub fn note_name(&mut self, token: usize, name: &str, library: &'static str, fate: Fate, becomes: Option<&str>) {
        let offset = self.src.span(token).start;
        self.ledger.entry(offset).or_insert_with(|| Occurrence {
            name: name.to_string(),
            library,
            offset,
            fate,
            becomes: becomes.map(str::to_string),
        });
    }

    /// Adds a line that speaks of another part of the file.
    pub fn add_to_ledger(&mut self, line: Occurrence) {
        self.ledger.entry(line.offset).or_insert(line);
    }

    /// Replaces a token range by text.
    pub fn replace(&mut self, tokens: &Range<usize>, text: impl Into<Vec<u8>>) {
        if let Some(span) = self.src.span_of(tokens) {
            self.edits.push(Edit::replace(span, text));
        }
    }

    /// Removes a word and the white space after it.
    pub fn remove_word(&mut self, token: usize) {
        let span = self.src.span(token);
        let space = self.src.bytes[span.end..]
            .iter()
            .take_while(|b| **b == b' ' || **b == b'\t')
            .count();
        self.edits.push(Edit::replace(span.start..span.end + space, ""));
    }

    /// Replaces a token range by pieces.
    pub fn rewrite(&mut self, tokens: &Range<usize>, pieces: Vec<Piece>) {
        if let Some(range) = self.src.span_of(tokens) {
            self.edits.push(Edit { range, pieces });
        }
    }

    /// Adds a finding, unless HIP never compiles the place.
    pub fn report(&mut self, token: usize, diagnostic: Diagnostic) {
        if self.state(token) == State::Active {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Adds an edit that needs a shim unit.
    pub fn need_shim(&mut self, unit: &'static str) {
        self.shims.insert(unit);
    }

    /// The library that a name's rule belongs to.
    pub fn library(name: &str) -> &'static str {
        rules::name(name).map_or("device", |r| r.library)
    }

    pub fn finish(self) -> (Vec<Edit>, Vec<Diagnostic>, Vec<Occurrence>, BTreeSet<&'static str>) {
        let mut edits = self.include_lines;
        edits.extend(self.edits);
        (edits, self.diagnostics, self.ledger.into_values().collect(), self.shims)
    }
}
