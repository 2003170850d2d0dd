//! Findings that a name alone raises, by `rules/remarks.toml`; once a line.

use crate::diagnostics::{Applicability, Diagnostic, Fix};
use crate::rules::{On, Remark, REMARKS};
use crate::syntax::lex::Kind;
use crate::translate::context::Context;
use crate::translate::header_of;
use crate::translate::resolve::Met;
use std::ops::Range;

pub fn run(cx: &mut Context, met: &[Met]) {
    let src = cx.src;
    let headers = src
        .directives
        .iter()
        .filter_map(|d| Some((header_of(src, d)?, d.body.start)));
    let headers: Vec<_> = headers
        .map(|((path, span), token)| (path.to_string(), span, token))
        .collect();
    let names = met
        .iter()
        .filter_map(|m| Some((m.name.clone(), src.span_of(&m.tokens)?, m.tokens.start)));
    let mut last: Option<(*const Remark, usize)> = None;
    for (name, span, token) in headers.into_iter().chain(names) {
        for r in REMARKS.iter().filter(|r| r.fits(&name)) {
            let line = memchr::memrchr(b'\n', &src.bytes[..span.start]).unwrap_or(0);
            if last != Some((r, line)) {
                last = Some((r, line));
                remark(cx, r, &name, span.clone(), token);
            }
        }
    }
}

fn remark(cx: &mut Context, r: &Remark, name: &str, span: Range<usize>, token: usize) {
    let concerned = cx.options.concerned(r.on);
    if concerned.is_empty() {
        return;
    }
    let mut d = Diagnostic::new(r.code, span, r.message).rule("remarks", name);
    d.notes.extend(r.note.map(str::to_string));
    d.help = r.help.map(str::to_string);
    if r.removable {
        d.fix = removal(cx, token);
    }
    if r.on != On::All {
        d.targets = concerned;
    }
    cx.report(token, d);
}

/// Deletes the call that the token names, where it is a statement of its own: with its line, where nothing else stands
/// there.
fn removal(cx: &Context, token: usize) -> Option<Fix> {
    let src = cx.src;
    let starts = src
        .before(token)
        .is_none_or(|p| matches!(src.tokens[p].kind, Kind::Punct(b';' | b'{' | b'}')));
    let close = src
        .brackets
        .partner(token + 1)
        .filter(|_| src.tokens[token + 1].is(b'('))?;
    let ends = src.tokens.get(close + 1).is_some_and(|t| t.is(b';'));
    if !starts || !ends || src.tokens[token].in_directive {
        return None;
    }
    let (start, end) = (src.span(token).start, src.span(close + 1).end);
    let blank = |b: &&u8| **b == b' ' || **b == b'\t';
    let line = start - src.bytes[..start].iter().rev().take_while(blank).count();
    let tail = src.bytes[end..].iter().take_while(|b| blank(b) || **b == b'\r').count();
    let whole_line = (line == 0 || src.bytes[line - 1] == b'\n') && src.bytes.get(end + tail) == Some(&b'\n');
    let range = if whole_line { line..end + tail + 1 } else { start..end };
    Some(Fix {
        applicability: Applicability::Unsafe,
        edits: vec![(range, Vec::new())],
    })
}
