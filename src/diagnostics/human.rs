//! Findings for people: the line, what is under it, why it matters, what to do.
//!
//! Drawing is codespan-reporting's. It wants a UTF-8 text, so each finding gets an excerpt of the lines it shows:
//! other encodings and control characters replaced, a long line cut to a window, columns still in bytes of the file.

use super::render::{Block, Cause, FileFindings, Render};
use super::{Applicability, Confidence, Diagnostic, Fix, Severity};
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
    /// Show each finding in full; otherwise those that say the same are shown once and counted.
    pub all: bool,
}

/// Stand for the lines that are known when the run ends; a control character is never part of an excerpt.
const MORE: &str = "\u{1}more\u{1}";
const HINT: &str = "\u{1}hint\u{1}";

impl Render for Human {
    fn file(&self, file: &FileFindings) -> Vec<u8> {
        let mut explained = BTreeSet::new();
        let done = self.blocks(file).into_iter().map(|block| {
            let first = block.cause.as_ref().is_some_and(|c| explained.insert(c.code.code));
            self.complete(block, &[], first)
        });
        done.collect::<Vec<_>>().concat()
    }

    fn blocks(&self, file: &FileFindings) -> Vec<Block> {
        let groups = self.groups(file.diagnostics);
        groups.iter().map(|group| self.block(file, group)).collect()
    }

    fn complete(&self, block: Block, others: &[Cause], first: bool) -> Vec<u8> {
        let Some(cause) = &block.cause else { return block.text };
        let text = String::from_utf8_lossy(&block.text);
        let mut out = String::with_capacity(text.len());
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let more = more(cause, others);
        let first_note = lines.iter().position(|l| l.contains(MORE)).unwrap_or(0);
        for (i, line) in lines.iter().enumerate() {
            // The empty gutter line above the notes goes with the last of them.
            if i + 1 == first_note && more.is_none() && !first && is_gutter(line) {
                continue;
            }
            if line.contains(MORE) {
                if let Some(more) = &more {
                    out += &line.replace(MORE, more);
                }
            } else if line.contains(HINT) {
                if first {
                    out += &line.replace(HINT, &format!("more: tranship explain {}", cause.code.name));
                }
            } else {
                out += line;
            }
        }
        out.into_bytes()
    }
}

/// Whether a line shows nothing but the bar beside the source.
fn is_gutter(line: &str) -> bool {
    let mut plain = String::new();
    let mut escape = false;
    for c in line.chars() {
        match c {
            '\u{1b}' => escape = true,
            'm' if escape => escape = false,
            c if !escape => plain.push(c),
            _ => {}
        }
    }
    plain.trim() == "|"
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
                *index.entry(d.cause().0).or_insert(next)
            };
            match groups.get_mut(at) {
                Some(group) => group.push(d),
                None => groups.push(vec![d]),
            }
        }
        groups
    }

    fn block(&self, file: &FileFindings, group: &[&Diagnostic]) -> Block {
        let mut buffer = if self.color { Buffer::ansi() } else { Buffer::no_color() };
        let first = group[0];
        let (excerpt, diagnostic) = prepare(file, first);
        let config = term::Config {
            chars: term::Chars::ascii(),
            ..term::Config::default()
        };
        if term::emit_to_write_style(&mut buffer, &config, &excerpt, &diagnostic).is_err() {
            // An excerpt holds every offset that its labels name, so this is not met; the words still count.
            let lines = format!("{}: {}\n", file.path, first.message);
            let _ = std::io::Write::write_all(&mut buffer, lines.as_bytes());
        }
        let line = |d: &&Diagnostic| file.lines.position(d.span.start).0 + 1;
        let mut subjects: Vec<String> = Vec::new();
        for name in group.iter().filter_map(|d| d.cause().1) {
            if !subjects.iter().any(|s| s == name) {
                subjects.push(name.to_string());
            }
        }
        let cause = Cause {
            code: first.code,
            key: first.cause().0,
            path: file.path.to_string(),
            lines: group.iter().map(line).collect(),
            subjects,
        };
        Block {
            text: buffer.into_inner(),
            cause: Some(cause),
        }
    }
}

fn prepare<'a>(file: &'a FileFindings, first: &Diagnostic) -> (Excerpt<'a>, cs::Diagnostic<()>) {
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
    notes.extend(first.fix.as_ref().map(|f| fix_line(file, f)));
    if first.confidence == Confidence::Low {
        notes.push("confidence: low; look before you act".to_string());
    }
    if !first.targets.is_empty() {
        notes.push(format!("concerns: {}", first.targets.join(", ")));
    }
    notes.extend([MORE, HINT].map(String::from));
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

/// What a fix does and how to have it.
fn fix_line(file: &FileFindings, fix: &Fix) -> String {
    const SHORT: usize = 60;
    let what = match fix.edits.as_slice() {
        [(range, new)] => {
            let old = file.bytes.get(range.clone()).unwrap_or_default();
            let text = |b: &[u8]| {
                let text = String::from_utf8_lossy(b.trim_ascii()).replace(char::is_control, " ");
                match text.char_indices().nth(SHORT) {
                    Some((at, _)) => format!("{}...", &text[..at]),
                    None => text,
                }
            };
            match (text(old), text(new)) {
                (old, new) if new.is_empty() => format!("delete `{old}`"),
                (old, new) if old.is_empty() => format!("insert `{new}`"),
                (old, new) => format!("write `{new}` for `{old}`"),
            }
        }
        edits => format!("{} edits", edits.len()),
    };
    match fix.applicability {
        Applicability::Safe => format!("fix: {what}; `check --fix` does it"),
        Applicability::Unsafe => format!("fix: {what}; look at it, then `check --fix --unsafe-fixes` does it"),
        Applicability::Manual => format!("fix, roughly: {what}"),
    }
}

/// "and 3 more in this file (lines 4, 9, 12)", "and 40 more in 7 other files (a.cu:3, b.cu:7, ...)"; then the other
/// names of which the same is said.
fn more(cause: &Cause, others: &[Cause]) -> Option<String> {
    const SHOWN: usize = 6;
    let list = |all: Vec<String>| {
        let etc = if all.len() > SHOWN { ", ..." } else { "" };
        format!(
            "{}{etc}",
            all.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ")
        )
    };
    let here = cause.lines.len() - 1;
    let elsewhere: usize = others.iter().map(|c| c.lines.len()).sum();
    let mut parts = Vec::new();
    if here > 0 {
        let lines: BTreeSet<usize> = cause.lines[1..].iter().copied().collect();
        let word = if lines.len() == 1 { "line" } else { "lines" };
        let lines = list(lines.iter().map(usize::to_string).collect());
        parts.push(format!("{here} more in this file ({word} {lines})"));
    }
    if elsewhere > 0 {
        let more = if here > 0 { "" } else { "more " };
        let files = if others.len() == 1 { "file" } else { "files" };
        let first = list(others.iter().map(|c| format!("{}:{}", c.path, c.lines[0])).collect());
        parts.push(format!("{elsewhere} {more}in {} other {files} ({first})", others.len()));
    }
    if parts.is_empty() {
        return None;
    }
    let mut names: Vec<String> = Vec::new();
    let all = cause.subjects.iter().chain(others.iter().flat_map(|c| &c.subjects));
    for name in all.skip(1).filter(|n| cause.subjects.first() != Some(n)) {
        let name = format!("`{name}`");
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let count = names.len().saturating_sub(SHOWN);
    let of = match (names.is_empty(), count) {
        (true, _) => String::new(),
        (_, 0) => format!(", also of {}", list(names)),
        (_, n) => format!(
            ", also of {} and {n} other names",
            list(names).trim_end_matches(", ...")
        ),
    };
    Some(format!("and {}{of}; --all shows each", parts.join(", ")))
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
          = and 1 more in this file (line 4); --all shows each
          = more: tranship explain sample-finding
        ");
    }

    #[test]
    fn wide_characters_and_tabs_are_aligned() {
        let text = sample::render(&PLAIN, "\t世界\tx();\n".as_bytes(), b"x()");
        let lines: Vec<&str> = text.lines().collect();
        let source = lines.iter().find(|l| l.contains("世界")).expect("the line");
        let marks = lines.iter().find(|l| l.contains("^^^")).expect("the marks");
        // Each of the two characters is two columns wide; tabs end at multiples of four.
        let columns = |s: &str| s.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum::<usize>();
        let before = &source[..source.find("x()").expect("there")];
        assert_eq!(columns(before), marks.find('^').expect("there"), "{text}");
        assert!(!text.contains('\t'), "{text}");
    }

    #[test]
    fn nothing_dangles_without_notes() {
        let text = b"x\nx\n";
        let two = [
            Diagnostic::new(&sample::CODE, 0..1, "one"),
            Diagnostic::new(&sample::CODE, 2..3, "two"),
        ];
        for color in [false, true] {
            let human = Human { color, all: false };
            let shown = sample::show(&human, text, &two);
            let second = shown.split("two").nth(1).expect("shown");
            assert!(is_gutter(second.lines().nth(2).expect("a gutter")), "{second}");
            assert!(
                !is_gutter(second.trim_end().lines().last().expect("a line")),
                "{second}"
            );
        }
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
