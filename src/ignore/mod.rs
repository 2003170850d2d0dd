//! Comments that silence findings: `// tranship: ignore[name] reason`.
//!
//! After code on its line the comment covers that line, alone on its line the next statement; `ignore-file` covers the
//! file and `ignore-begin` ... `ignore-end` what lies between. Names and codes are accepted, several with commas. A
//! silenced finding also holds back its edit: passes ask [`Ignores::covers`] before they make one.

mod comment;

use crate::diagnostics::{codes, Applicability, Code, Diagnostic, Fix};
use crate::syntax::Source;
use comment::{Form, Word};
use std::cell::Cell;
use std::ops::Range;

/// The ignore comments of one file.
#[derive(Debug, Default)]
pub struct Ignores {
    entries: Vec<Entry>,
    /// Comments that are not understood.
    faults: Vec<Diagnostic>,
}

/// One name of one comment.
#[derive(Debug)]
struct Entry {
    code: &'static Code,
    cover: Cover,
    /// The name in the comment.
    span: Range<usize>,
    /// What to delete when the name ignores nothing.
    removal: Range<usize>,
    used: Cell<bool>,
}

/// What an entry covers, in bytes.
#[derive(Debug)]
enum Cover {
    /// Findings that begin or end in it: a line.
    Line(Range<usize>),
    /// Findings that begin in it.
    Span(Range<usize>),
}

impl Ignores {
    /// Reads the comments of a file. Costs one scan where there are none.
    pub fn of(src: &Source) -> Ignores {
        let mut out = Ignores::default();
        if memchr::memmem::find(src.bytes, comment::KEY).is_none() {
            return out;
        }
        let mut open: Vec<usize> = Vec::new();
        for c in &src.comments {
            let whole = c.start as usize..c.end as usize;
            for line in comment::read(src.bytes, &whole) {
                out.add(src, &whole, line, &mut open);
            }
        }
        for i in open {
            let e = &out.entries[i];
            let message = format!("`ignore-begin[{}]` has no `ignore-end`", e.code.name);
            out.faults.push(
                Diagnostic::new(&codes::UNKNOWN_IGNORE, e.span.clone(), message)
                    .help("it covers the rest of the file: end it, or write `ignore-file`"),
            );
        }
        out
    }

    /// Whether a comment silences a finding of that code at that place. The comment counts as used.
    pub fn covers(&self, code: &Code, span: &Range<usize>) -> bool {
        let mut covered = false;
        for e in self.entries.iter().filter(|e| e.code.code == code.code) {
            let here = match &e.cover {
                Cover::Line(r) => {
                    let within = |at: usize| r.start <= at && at <= r.end;
                    within(span.start) || within(span.end.max(span.start + 1) - 1)
                }
                Cover::Span(r) => r.start <= span.start && span.start < r.end.max(r.start + 1),
            };
            if here {
                e.used.set(true);
                covered = true;
            }
        }
        covered
    }

    /// Takes out the findings that are silenced, and adds those about the comments themselves. `seen` tells whether
    /// findings are to be expected at a place: elsewhere a comment without one is no fault.
    pub fn settle(&self, diagnostics: &mut Vec<Diagnostic>, seen: impl Fn(usize) -> bool) {
        if self.entries.is_empty() && self.faults.is_empty() {
            return;
        }
        diagnostics.retain(|d| !self.covers(d.code, &d.span));
        let about_comments = |c: &Code| c.code == codes::UNUSED_IGNORE.code || c.code == codes::UNKNOWN_IGNORE.code;
        let unused = self.entries.iter().filter(|e| !e.used.get() && !about_comments(e.code));
        let unused = unused.filter(|e| seen(e.span.start)).map(|e| {
            Diagnostic::new(
                &codes::UNUSED_IGNORE,
                e.span.clone(),
                format!("there is no `{}` here to ignore", e.code.name),
            )
            .help("delete the comment; a finding that only other targets have is met with their `--arch`")
            .fix(Fix {
                applicability: Applicability::Safe,
                edits: vec![(e.removal.clone(), Vec::new())],
            })
        });
        let own = unused.chain(self.faults.iter().cloned());
        diagnostics.extend(own.filter(|d| !self.covers(d.code, &d.span)).collect::<Vec<_>>());
    }

    fn add(&mut self, src: &Source, whole: &Range<usize>, line: comment::Line, open: &mut Vec<usize>) {
        let form = match line.form {
            Ok(form) => form,
            Err(fault) => {
                self.faults.push(malformed(line.span, &fault));
                return;
            }
        };
        for word in &line.words {
            let Some(code) = Code::find(&word.text) else {
                self.faults.push(unknown(word));
                continue;
            };
            if form == Form::End {
                let of = |i: &usize| self.entries[*i].code.code == code.code;
                match open.iter().rposition(of) {
                    Some(at) => {
                        let entry = &mut self.entries[open.remove(at)];
                        if let Cover::Span(r) = &mut entry.cover {
                            r.end = whole.start;
                        }
                    }
                    None => self.faults.push(malformed(
                        word.span.clone(),
                        &format!("`ignore-end[{}]` has no `ignore-begin` before it", code.name),
                    )),
                }
                continue;
            }
            let cover = match form {
                Form::Here => here(src, whole),
                Form::File => Cover::Span(0..src.bytes.len() + 1),
                Form::Begin | Form::End => Cover::Span(whole.end..src.bytes.len() + 1),
            };
            if form == Form::Begin {
                open.push(self.entries.len());
            }
            self.entries.push(Entry {
                code,
                cover,
                span: word.span.clone(),
                removal: removal(src.bytes, whole, &line.words, word, line.alone && form != Form::Begin),
                used: Cell::new(false),
            });
        }
    }
}

/// What `ignore` covers: the line when code stands before the comment, otherwise the next statement.
fn here(src: &Source, comment: &Range<usize>) -> Cover {
    let from = memchr::memrchr(b'\n', &src.bytes[..comment.start]).map_or(0, |n| n + 1);
    let next = src.token_at(comment.end);
    let before = next.checked_sub(1).map(|t| src.span(t));
    if before.is_some_and(|t| t.end > from) {
        let to = memchr::memchr(b'\n', &src.bytes[comment.end..]).map_or(src.bytes.len(), |n| comment.end + n);
        return Cover::Line(from..to);
    }
    Cover::Span(statement(src, next))
}

/// The bytes of the statement, definition or preprocessor line that starts at a token.
fn statement(src: &Source, first: usize) -> Range<usize> {
    if first >= src.tokens.len() {
        return src.bytes.len()..src.bytes.len();
    }
    let start = src.span(first).start;
    if let Some(d) = src.directive_of(first) {
        return start..d.span.end;
    }
    let mut i = first;
    while i < src.tokens.len() {
        let t = &src.tokens[i];
        if t.in_directive {
            i += 1;
            continue;
        }
        if t.is(b';') {
            return start..src.span(i).end;
        }
        if t.is(b'}') {
            // The block around the comment ends: no statement follows.
            return start..src.span(i).start;
        }
        if t.is(b'(') || t.is(b'[') || t.is(b'{') {
            let Some(close) = src.brackets.partner(i) else { break };
            let ends = t.is(b'{')
                && !src
                    .tokens
                    .get(close + 1)
                    .is_some_and(|n| n.is(b';') || n.is(b',') || n.is(b')'));
            if ends {
                return start..src.span(close).end;
            }
            i = close;
        }
        i += 1;
    }
    // An unclosed bracket: no further than the line.
    let end = memchr::memchr(b'\n', &src.bytes[start..]).map_or(src.bytes.len(), |n| start + n);
    start..end
}

/// The name with its comma; the whole comment where it is the only name and the comment says nothing else, with its
/// line where nothing else stands there.
fn removal(bytes: &[u8], comment: &Range<usize>, words: &[Word], word: &Word, alone: bool) -> Range<usize> {
    let at = words.iter().position(|w| w.span == word.span).unwrap_or(0);
    if words.len() > 1 {
        return match words.get(at + 1) {
            Some(next) => word.span.start..next.span.start,
            None => words[at - 1].span.end..word.span.end,
        };
    }
    if !alone {
        return word.span.clone();
    }
    // The lexer leaves the CR of a line end to a line comment.
    let comment = &(comment.start..comment.start + bytes[comment.clone()].trim_ascii_end().len());
    let blank = |b: &u8| *b == b' ' || *b == b'\t';
    let start = comment.start - bytes[..comment.start].iter().rev().take_while(|b| blank(b)).count();
    let tail = bytes[comment.end..]
        .iter()
        .take_while(|b| blank(b) || **b == b'\r')
        .count();
    let line_start = start == 0 || bytes[start - 1] == b'\n';
    match bytes.get(comment.end + tail) {
        Some(b'\n') if line_start => start..comment.end + tail + 1,
        None | Some(b'\n') => start..comment.end,
        // Code follows a block comment.
        _ => comment.start..comment.end + bytes[comment.end..].iter().take_while(|b| blank(b)).count(),
    }
}

fn unknown(word: &Word) -> Diagnostic {
    let known: Vec<&str> = codes::ALL.iter().flat_map(|c| [c.name, c.code]).collect();
    let d = Diagnostic::new(
        &codes::UNKNOWN_IGNORE,
        word.span.clone(),
        format!("there is no finding `{}`", word.text),
    );
    match crate::near::nearest(&word.text, &known) {
        Some(near) => d.help(format!("did you mean `{near}`?")).fix(Fix {
            applicability: Applicability::Unsafe,
            edits: vec![(word.span.clone(), near.as_bytes().to_vec())],
        }),
        None => d.help("`tranship explain --list` shows every name"),
    }
}

fn malformed(span: Range<usize>, fault: &str) -> Diagnostic {
    Diagnostic::new(&codes::UNKNOWN_IGNORE, span, fault).help(
        "write `// tranship: ignore[name] reason`, or ignore-file, ignore-begin, ignore-end with a name in brackets",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: &Code = &codes::INLINE_PTX;

    /// For each `asm` in the text: whether a finding there is silenced.
    fn covered(text: &str) -> Vec<bool> {
        let src = Source::new(text.as_bytes());
        let ignores = Ignores::of(&src);
        memchr::memmem::find_iter(text.as_bytes(), b"asm")
            .map(|at| ignores.covers(AT, &(at..at + 3)))
            .collect()
    }

    fn found(text: &str) -> Vec<String> {
        let src = Source::new(text.as_bytes());
        let mut out = Vec::new();
        Ignores::of(&src).settle(&mut out, |_| true);
        out.iter().map(|d| format!("{}: {}", d.code.name, d.message)).collect()
    }

    #[test]
    fn a_line_and_the_next_statement() {
        assert_eq!(
            covered("asm(); // tranship: ignore[inline-ptx] known\nasm();\n"),
            [true, false]
        );
        assert_eq!(
            covered("f(\n asm,\n b); // tranship: ignore[inline-ptx]\n"),
            [false],
            "the line only"
        );
        assert_eq!(
            covered("// tranship: ignore[TSP001]\nf(1,\n  asm);\nasm();\n"),
            [true, false]
        );
        assert_eq!(
            covered("/* tranship: ignore[inline-ptx] why */ asm();\nasm();\n"),
            [true, false]
        );
        assert_eq!(
            covered("// tranship: ignore[inline-ptx]\nvoid f() {\n  asm();\n  asm();\n}\nasm();\n"),
            [true, true, false]
        );
        assert_eq!(
            covered("// tranship: ignore[inline-ptx]\n#define A asm \\\n  asm\nasm\n"),
            [true, true, false]
        );
        assert_eq!(covered("{\n// tranship: ignore[inline-ptx]\n}\nasm();\n"), [false]);
        assert_eq!(
            covered("/*\n * tranship: ignore[inline-ptx] a long\n * reason\n */\nasm();\r\nasm();\n"),
            [true, false]
        );
    }

    #[test]
    fn a_region_and_a_file() {
        let region = "asm\n// tranship: ignore-begin[inline-ptx]\nasm\n// tranship: ignore-end[inline-ptx]\nasm\n";
        assert_eq!(covered(region), [false, true, false]);
        assert_eq!(
            covered("asm\nint x;\n// tranship: ignore-file[a-name, inline-ptx] vendored\nasm\n"),
            [true, true]
        );
        assert_eq!(covered("\"// tranship: ignore-file[inline-ptx]\" asm"), [false]);
    }

    #[test]
    fn faults_of_comments() {
        assert_eq!(
            found("f(); // tranship: ignore[inline-ptx]\n"),
            ["unused-ignore: there is no `inline-ptx` here to ignore"]
        );
        assert_eq!(
            found("f(); // tranship: ignore[inlin-ptx]\n"),
            ["unknown-ignore: there is no finding `inlin-ptx`"]
        );
        for (text, part) in [
            ("// tranship: ignore\n", "brackets"),
            ("// tranship: ignroe[inline-ptx]\n", "ignroe"),
            ("// tranship: ignore[]\n", "no name"),
            ("// tranship: ignore[inline-ptx\n", "`]`"),
            ("// tranship: ignore-end[inline-ptx]\n", "no `ignore-begin`"),
        ] {
            let all = found(text);
            assert!(
                all.len() == 1 && all[0].starts_with("unknown-ignore") && all[0].contains(part),
                "{text}: {all:?}"
            );
        }
        assert_eq!(found("// see tranship: it ports this\n// tranship's\n").len(), 0);
        assert_eq!(
            found("// tranship: ignore-begin[inline-ptx]\n").len(),
            2,
            "unused, and without end"
        );
    }

    #[test]
    fn unused_ones_are_deleted_whole() {
        let fixed = |text: &str| {
            let src = Source::new(text.as_bytes());
            let mut out = Vec::new();
            Ignores::of(&src).settle(&mut out, |_| true);
            let fixes: Vec<&Fix> = out.iter().filter_map(|d| d.fix.as_ref()).collect();
            String::from_utf8(crate::fix::apply(text.as_bytes(), fixes, Applicability::Safe).text).expect("UTF-8")
        };
        assert_eq!(fixed("f();  // tranship: ignore[inline-ptx] x\r\ng();"), "f();\r\ng();");
        assert_eq!(fixed("a;\n  // tranship: ignore[inline-ptx]\n  f();\n"), "a;\n  f();\n");
        assert_eq!(fixed("  /* tranship: ignore[inline-ptx] */ f();\n"), "  f();\n");
        assert_eq!(
            fixed("f(); // tranship: ignore[no-such, inline-ptx] r\n"),
            "f(); // tranship: ignore[no-such] r\n"
        );
    }
}
