//! Findings that a name alone raises, by `rules/remarks.toml`; once a line.

use crate::diagnostics::Diagnostic;
use crate::rules::{On, Remark, REMARKS};
use crate::targets::Target;
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
        for r in REMARKS.iter().filter(|r| r.names.iter().any(|n| fits(n, &name))) {
            let line = memchr::memrchr(b'\n', &src.bytes[..span.start]).unwrap_or(0);
            if last != Some((r, line)) {
                last = Some((r, line));
                remark(cx, r, &name, span.clone(), token);
            }
        }
    }
}

fn fits(pattern: &str, name: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == pattern,
    }
}

fn remark(cx: &mut Context, r: &Remark, name: &str, span: Range<usize>, token: usize) {
    let concerned: Vec<&'static str> = cx
        .options
        .targets
        .iter()
        .filter(|t| concerns(r.on, t))
        .map(|t| t.name)
        .collect();
    if concerned.is_empty() {
        return;
    }
    let mut d = Diagnostic::new(r.code, span, r.message).rule("remarks", name);
    d.notes.extend(r.note.map(str::to_string));
    d.help = r.help.map(str::to_string);
    if r.on != On::All {
        d.targets = concerned;
    }
    cx.report(token, d);
}

fn concerns(on: On, t: &Target) -> bool {
    match on {
        On::All => true,
        On::NoImages => !t.images,
        On::Fp8Fnuz => t.fp8 == "fnuz",
        On::Wavefront64 => t.wavefront == 64,
    }
}
