//! Findings for people: the line, what is under it, why it matters, what to do.
//!
//! Drawing is codespan-reporting's. It wants a UTF-8 text, so each finding gets an excerpt of the lines it shows:
//! other encodings and control characters replaced, a long line cut to a window, columns still in bytes of the file.

use super::render::{FileFindings, Render};
use super::{Diagnostic, Severity};
use codespan_reporting::diagnostic as cs;
use codespan_reporting::files::{Error, Files};
use codespan_reporting::term::{self, termcolor::Buffer};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

/// Bytes of a line that are shown: so many before the finding, and in all.
const BEFORE: usize = 60;
const WINDOW: usize = 160;

/// The form for people.
#[derive(Debug)]
pub struct Human {
    pub color: bool,
    /// Show each finding in full; otherwise those of one file that say the same are shown once and counted.
    pub all: bool,
}

impl Render for Human {
    fn file(&self, file: &FileFindings) -> Vec<u8> {
        let mut buffer = if self.color { Buffer::ansi() } else { Buffer::no_color() };
        let mut explained = BTreeSet::new();
        for group in self.groups(file.diagnostics) {
            let hint = explained.insert(group[0].code.code);
            let (excerpt, diagnostic) = prepare(file, &group, hint);
            let config = term::Config {
                chars: term::Chars::ascii(),
                ..term::Config::default()
            };
            if term::emit_to_write_style(&mut buffer, &config, &excerpt, &diagnostic).is_err() {
                // An excerpt holds every offset that its labels name, so this is not met; the words still count.
                let lines = format!("{}: {}\n", file.path, group[0].message);
                let _ = std::io::Write::write_all(&mut buffer, lines.as_bytes());
            }
        }
        buffer.into_inner()
    }
}

impl Human {
    /// Findings that say the same, in the order of the first of each.
    fn groups<'a>(&self, diagnostics: &'a [Diagnostic]) -> Vec<Vec<&'a Diagnostic>> {
        let mut groups: Vec<Vec<&Diagnostic>> = Vec::new();
        let mut index = HashMap::new();
        for d in diagnostics {
            let next = groups.len();
            let at = if self.all {
                next
            } else {
                *index.entry((d.code.code, &d.message)).or_insert(next)
            };
            match groups.get_mut(at) {
                Some(group) => group.push(d),
                None => groups.push(vec![d]),
            }
        }
        groups
    }
}

fn prepare<'a>(file: &'a FileFindings, group: &[&Diagnostic], hint: bool) -> (Excerpt<'a>, cs::Diagnostic<()>) {
    let first = group[0];
    let mut excerpt = Excerpt::new(file);
    let mut labels = Vec::new();
    let mut notes = Vec::new();
    if let Some(range) = excerpt.take(&first.span) {
        labels.push(cs::Label::primary((), range));
    }
    for (span, text) in &first.secondary {
        match excerpt.take(span) {
            Some(range) => labels.push(cs::Label::secondary((), range).with_message(text)),
            None => {
                let (line, column) = file.lines.position(span.start);
                notes.push(format!("note: {}:{}: {text}", line + 1, column + 1));
            }
        }
    }
    notes.extend(first.notes.iter().map(|n| format!("note: {n}")));
    notes.extend(first.help.iter().map(|h| format!("help: {h}")));
    if !first.targets.is_empty() {
        notes.push(format!("concerns: {}", first.targets.join(", ")));
    }
    if group.len() > 1 {
        notes.push(more(file, &group[1..]));
    }
    if hint {
        notes.push(format!("more: tranship explain {}", first.code.name));
    }
    let severity = match first.severity {
        Severity::Error => cs::Severity::Error,
        Severity::Warning => cs::Severity::Warning,
        Severity::Note => cs::Severity::Note,
    };
    let diagnostic = cs::Diagnostic::new(severity)
        .with_code(format!("{} {}", first.code.code, first.code.name))
        .with_message(&first.message)
        .with_labels(labels)
        .with_notes(notes);
    (excerpt, diagnostic)
}

/// "and 3 more in this file: lines 4, 9, 12".
fn more(file: &FileFindings, rest: &[&Diagnostic]) -> String {
    const SHOWN: usize = 8;
    let lines: BTreeSet<usize> = rest.iter().map(|d| file.lines.position(d.span.start).0 + 1).collect();
    let shown: Vec<String> = lines.iter().take(SHOWN).map(usize::to_string).collect();
    format!(
        "and {} more in this file: line{} {}{}",
        rest.len(),
        if lines.len() > 1 { "s" } else { "" },
        shown.join(", "),
        if lines.len() > SHOWN { ", ..." } else { "" }
    )
}

/// The lines that one finding shows, as UTF-8, one after another.
struct Excerpt<'a> {
    file: &'a FileFindings<'a>,
    text: String,
    lines: BTreeMap<usize, Shown>,
}

/// One line of an excerpt.
struct Shown {
    /// Where it stands in the excerpt.
    at: Range<usize>,
    /// The column, in bytes of the file, of the first byte shown.
    column: usize,
    /// For each byte shown, and the end, its offset in the excerpt.
    map: Vec<usize>,
}

impl<'a> Excerpt<'a> {
    fn new(file: &'a FileFindings<'a>) -> Self {
        Excerpt {
            file,
            text: String::new(),
            lines: BTreeMap::new(),
        }
    }

    /// The place in the excerpt of a span, as far as its first line goes; takes the line in where it is new. `None`
    /// where the line is there already and its window does not reach the span.
    fn take(&mut self, span: &Range<usize>) -> Option<Range<usize>> {
        let (line, column) = self.file.lines.position(span.start);
        let range = self.file.lines.range(line, self.file.bytes);
        let length = range.len();
        let end = (column + span.len()).min(length);
        if !self.lines.contains_key(&line) {
            let from = if length <= WINDOW {
                0
            } else {
                column.saturating_sub(BEFORE).min(length)
            };
            let to = (from + WINDOW).min(length);
            self.add(
                line,
                &self.file.bytes[range.start + from..range.start + to],
                from,
                to < length,
            );
            // Line by line, codespan draws the line between two that are shown.
            for between in [line.wrapping_sub(1), line + 1] {
                let beyond = between.wrapping_add(between).wrapping_sub(line);
                if self.lines.contains_key(&beyond) && !self.lines.contains_key(&between) {
                    let range = self.file.lines.range(between, self.file.bytes);
                    let to = range.end.min(range.start + WINDOW);
                    self.add(between, &self.file.bytes[range.start..to], 0, to < range.end);
                }
            }
        }
        let shown = self.lines.get(&line)?;
        let place = |column: usize| shown.map.get(column.checked_sub(shown.column)?).copied();
        let last = shown.column + shown.map.len() - 1;
        Some(place(column.min(length))?..place(end.clamp(column.min(length), last.max(column.min(length))))?)
    }

    fn add(&mut self, line: usize, bytes: &[u8], column: usize, cut: bool) {
        let start = self.text.len();
        if column > 0 {
            self.text.push_str("...");
        }
        let mut map = Vec::with_capacity(bytes.len() + 1);
        for chunk in bytes.utf8_chunks() {
            for c in chunk.valid().chars() {
                map.extend(std::iter::repeat_n(self.text.len(), c.len_utf8()));
                // A control character could steer the terminal.
                let plain = c == '\t' || !c.is_control();
                self.text.push(if plain { c } else { char::REPLACEMENT_CHARACTER });
            }
            for _ in chunk.invalid() {
                map.push(self.text.len());
                self.text.push(char::REPLACEMENT_CHARACTER);
            }
        }
        map.push(self.text.len());
        if cut {
            self.text.push_str("...");
        }
        let at = start..self.text.len();
        self.text.push('\n');
        self.lines.insert(line, Shown { at, column, map });
    }

    fn holding(&self, offset: usize) -> Result<(usize, &Shown), Error> {
        let found = self
            .lines
            .iter()
            .find(|(_, s)| s.at.start <= offset && offset <= s.at.end);
        found.map(|(line, shown)| (*line, shown)).ok_or(Error::IndexTooLarge {
            given: offset,
            max: self.text.len(),
        })
    }
}

impl<'f> Files<'f> for Excerpt<'_> {
    type FileId = ();
    type Name = &'f str;
    type Source = &'f str;

    fn name(&'f self, _: ()) -> Result<&'f str, Error> {
        Ok(self.file.path)
    }

    fn source(&'f self, _: ()) -> Result<&'f str, Error> {
        Ok(&self.text)
    }

    fn line_index(&'f self, _: (), offset: usize) -> Result<usize, Error> {
        Ok(self.holding(offset)?.0)
    }

    fn column_number(&'f self, _: (), _line: usize, offset: usize) -> Result<usize, Error> {
        let (_, shown) = self.holding(offset)?;
        Ok(shown.column + shown.map.partition_point(|&o| o < offset) + 1)
    }

    fn line_range(&'f self, _: (), line: usize) -> Result<Range<usize>, Error> {
        // A line that is not shown is drawn empty; only context asks for one.
        Ok(self.lines.get(&line).map_or(0..0, |s| s.at.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::render::sample;
    use super::*;

    const PLAIN: Human = Human {
        color: false,
        all: false,
    };

    #[test]
    fn groups_and_odd_bytes() {
        let text = sample::render(&PLAIN, b"a\r\n\t\xff\x1b x();\r\nb\nx();\n", b"x()");
        insta::assert_snapshot!(text, @r"
        warning[TST001 sample-finding]: found, 100% sure: it is there
          --> d/a b.cu:2:5
          |
        2 |     �� x();
          |        ^^^
          |
          = note: because
          = help: look again
          = and 1 more in this file: line 4
          = more: tranship explain sample-finding
        ");
    }

    #[test]
    fn long_lines_are_cut() {
        let mut line = vec![b'y'; 100_000];
        line[50_000] = b'x';
        let text = sample::render(&PLAIN, &line, b"x");
        assert!(text.contains("d/a b.cu:1:50001"), "{text}");
        assert!(text.lines().all(|l| l.len() < 200), "{text}");
        assert!(text.contains("...y") && text.contains("y..."), "{text}");
    }

    #[test]
    fn labels_near_far_and_past_the_end() {
        let mut text = b"first\nsecond\nthird\n".to_vec();
        text.extend(vec![b' '; 1000]);
        let end = text.len();
        let d = Diagnostic::new(&sample::CODE, 0..12, "spans lines")
            .label(13..18, "two below")
            .label(end - 1..end, "far right")
            .label(end - 900..end - 899, "outside the window")
            .label(end + 5..end + 9, "past the end");
        let shown = sample::show(&PLAIN, &text, &[d]);
        for part in [
            "1 | first\n  | ^^^^^\n2 | second\n3 | third\n  | ----- two below\n",
            "far right",
            "past the end",
            "= note: 4:101: outside the window",
        ] {
            assert!(shown.contains(part), "{part}: {shown}");
        }
    }

    #[test]
    fn empty_file() {
        let d = Diagnostic::new(&sample::CODE, 0..0, "nothing here");
        assert!(sample::show(&PLAIN, b"", &[d]).contains("nothing here"));
    }

    #[test]
    fn colour_only_when_asked() {
        let human = Human { color: true, all: true };
        assert!(sample::render(&human, b"x", b"x").contains("\x1b["));
    }
}
