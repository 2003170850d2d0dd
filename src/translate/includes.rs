//! `#include` lines: CUDA's headers become HIP's, those that fall together collapse to one, and a file that relies on
//! nvcc's automatic include of the runtime gets it written out.

use super::context::{Context, State};
use super::groups;
use super::resolve::{self, Met};
use crate::diagnostics::{codes, Diagnostic};
use crate::edit::Edit;
use crate::ledger::Fate;
use crate::model;
use crate::rules;
use crate::syntax::directive::{Directive, DirectiveKind};
use crate::syntax::guard::{conditional, include_guard, is_pragma_once};
use crate::syntax::lex::Kind;
use crate::syntax::Source;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

const RUNTIME: &str = "hip/hip_runtime.h";

/// Deals with every include line; adds the runtime's where it is needed, then the shims'.
pub fn run(cx: &mut Context, met: &[Met]) {
    let seen = headers(cx);
    let mut lines: Vec<String> = Vec::new();
    if wants_runtime(cx, met, &seen) {
        lines.push(format!("#include <{RUNTIME}>"));
    }
    add(cx, lines);
}

/// Rewrites the include lines that are there; the HIP headers they name, each with its token.
pub fn headers(cx: &mut Context) -> Vec<(String, usize)> {
    let mut seen: Vec<(String, usize)> = Vec::new();
    for d in cx.src.directives.iter().filter(|d| d.kind == DirectiveKind::Include) {
        line(cx, d, &mut seen);
    }
    seen
}

/// Adds the includes of the shim units that the passes asked for, after the last include of a HIP header.
pub fn shims(cx: &mut Context) {
    let up = "../".repeat(cx.path.components().count().saturating_sub(1));
    let have: BTreeSet<&'static str> = cx
        .src
        .directives
        .iter()
        .filter_map(|d| header(cx.src, d))
        .filter(|h| model::is_shim(h.0))
        .filter_map(|h| crate::shims::unit(Path::new(h.0).file_stem()?.to_str()?))
        .flat_map(with_needs)
        .collect();
    let wanted: BTreeSet<&'static str> = cx.shims.iter().copied().filter(|u| !have.contains(u)).collect();
    let lines = outermost(&wanted)
        .iter()
        .map(|u| format!("#include \"{up}tranship/{u}.hpp\""))
        .collect();
    add(cx, lines);
}

/// A unit and all that it includes.
fn with_needs(unit: &'static crate::shims::Unit) -> BTreeSet<&'static str> {
    let mut out = BTreeSet::new();
    let mut todo = vec![unit];
    while let Some(u) = todo.pop() {
        if out.insert(u.name) {
            todo.extend(u.needs.iter().filter_map(|n| crate::shims::unit(n)));
        }
    }
    out
}

/// Units that no other unit in the set includes.
fn outermost(units: &BTreeSet<&'static str>) -> Vec<&'static str> {
    let needed: BTreeSet<&str> = units
        .iter()
        .filter_map(|u| crate::shims::unit(u))
        .flat_map(|u| u.needs.iter().copied())
        .collect();
    units.iter().copied().filter(|u| !needed.contains(u)).collect()
}

/// The header that a line names, and its delimiters with it.
pub fn header<'a>(src: &Source<'a>, d: &Directive) -> Option<(&'a str, Range<usize>)> {
    if d.kind != DirectiveKind::Include || d.body.is_empty() {
        return None;
    }
    let t = d.body.start;
    if !matches!(src.tokens[t].kind, Kind::HeaderName | Kind::Str) {
        return None;
    }
    let text = src.str(t);
    Some((text.get(1..text.len().checked_sub(1)?)?, src.span(t)))
}

fn line(cx: &mut Context, d: &Directive, seen: &mut Vec<(String, usize)>) {
    let src = cx.src;
    let Some((path, span)) = header(src, d) else { return };
    let token = d.body.start;
    if cx.state(token) != State::Foreign && (path.starts_with("hip/") || model::brings_runtime(path)) {
        seen.push((path.to_string(), token));
    }
    if !matches!(cx.state(token), State::Active | State::Dead) {
        return;
    }
    let quoted = src.tokens[token].kind == Kind::Str;
    if cx.project.has_file(cx.path, path) {
        if !cx.options.keep_names && path.ends_with(".cu") {
            cx.edits.push(Edit::replace(span.end - 4..span.end - 1, ".hip"));
        }
        return;
    }
    if groups::serves_header(cx, path) {
        cx.note_name(
            token,
            path,
            "cooperative_groups",
            Fate::Shimmed,
            Some("tranship/cooperative_groups.hpp"),
        );
        cx.need_shim(groups::UNIT);
        let range = whole_line(src, d);
        cx.edits.push(Edit::replace(range, ""));
        return;
    }
    // A quoted `"x/cuda_runtime_helpers.h"` is the project's own; CUDA's headers are known by their whole path.
    let Some(rule) = rules::header(path) else { return };
    let to = rule.target(cx.options.rocm);
    let duplicate = |seen: &[(String, usize)], hip: &str| seen.iter().any(|(h, t)| h == hip && reaches(cx, *t, token));
    match to {
        _ if rule.drop => {
            cx.note_name(token, path, rule.library, Fate::Rewritten, None);
            let range = whole_line(src, d);
            cx.edits.push(Edit::replace(range, ""));
        }
        Some(hip) if hip != path && duplicate(seen, hip) => {
            cx.note_name(token, path, rule.library, Fate::Renamed, Some(hip));
            let range = whole_line(src, d);
            cx.edits.push(Edit::replace(range, ""));
        }
        Some(hip) => {
            seen.push((hip.to_string(), token));
            if hip == path {
                return cx.note_name(token, path, rule.library, Fate::Kept, None);
            }
            cx.note_name(token, path, rule.library, Fate::Renamed, Some(hip));
            let (open, close) = if quoted { ('"', '"') } else { ('<', '>') };
            cx.edits.push(Edit::replace(span, format!("{open}{hip}{close}")));
        }
        None => {
            cx.note_name(token, path, rule.library, Fate::Reported, None);
            let mut f = Diagnostic::new(
                &codes::MISSING_HEADER,
                span,
                format!("ROCm has no counterpart of `{path}`"),
            );
            f.help = rule.help.map(str::to_string);
            f = f.rule(&format!("api/{}", rule.library), path);
            cx.report(token, f);
        }
    }
}

/// Whether an include at token `a` is always compiled when the one at `b` is: no conditional that `a` is in ends
/// before `b`.
fn reaches(cx: &Context, a: usize, b: usize) -> bool {
    let src = cx.src;
    crate::syntax::directive::groups(&src.directives, src.bytes.len(), src.tokens.len())
        .iter()
        .flat_map(|g| &g.arms)
        .filter(|arm| arm.tokens.contains(&a))
        .all(|arm| arm.tokens.contains(&b))
}

/// A line with its line end, unless a comment shares it: then the directive only.
fn whole_line(src: &Source, d: &Directive) -> Range<usize> {
    let start = src.bytes[..d.span.start]
        .iter()
        .rposition(|&b| b == b'\n')
        .map_or(0, |p| p + 1);
    let start = if src.bytes[start..d.span.start].iter().all(|b| b.is_ascii_whitespace()) {
        start
    } else {
        d.span.start
    };
    let start = if src.bytes[start..].starts_with(b"\xef\xbb\xbf") {
        start + 3
    } else {
        start
    };
    let last = src.tokens[d.tokens.end - 1].end as usize;
    let end = src.bytes[d.span.end..]
        .iter()
        .position(|&b| b == b'\n')
        .map_or(src.bytes.len(), |p| d.span.end + p + 1);
    if src.bytes[last..d.span.end].iter().all(|b| b.is_ascii_whitespace()) {
        start..end
    } else {
        d.span.start..last
    }
}

/// Whether the runtime's header must be added. nvcc includes it by itself at the top of every file that it compiles as
/// CUDA; HIP's compiler does not. A `.cu` file of CUDA always gets the include written out, whatever else may bring it;
/// another file when it uses CUDA before anything brings it. Of such a file, what stands under a condition does not
/// count: a header that hides its device code from the host's compiler must stay free of the runtime there.
fn wants_runtime(cx: &Context, met: &[Met], seen: &[(String, usize)]) -> bool {
    let src = cx.src;
    let implicit = model::compiled_as_cuda(cx.path, src);
    let hidden = if implicit { Vec::new() } else { conditional(src) };
    let uses = met
        .iter()
        .filter(|m| !resolve::is_plain(&m.name))
        .map(|m| m.tokens.start)
        .chain((0..src.tokens.len()).filter(|&i| is_cuda_syntax(src, i)))
        .filter(|&t| !src.is_directive_head(t) && !hidden.iter().any(|c| c.contains(&t)))
        .filter(|&t| matches!(cx.state(t), State::Active | State::Dead));
    let code = src
        .tokens
        .iter()
        .position(|t| !t.in_directive)
        .unwrap_or(src.tokens.len());
    let Some(first_use) = uses.min().or(implicit.then_some(code)) else {
        return false;
    };
    let brings = |header: &str| header == RUNTIME || !implicit && model::brings_runtime(header);
    let runtime = seen.iter().filter(|(h, _)| brings(h)).map(|s| s.1).min();
    let before = runtime.unwrap_or(first_use).min(first_use);
    let includes = src.directives.iter().filter(|d| d.kind == DirectiveKind::Include);
    let first = includes
        .map(|d| d.body.start)
        .take_while(|&i| i < before)
        .find_map(|i| cx.project.brings_runtime(cx.path, src, i));
    first.map_or(runtime.is_none_or(|r| r >= first_use), |brings| !brings)
}

/// CUDA that is no name of the rules: execution space words and launches.
fn is_cuda_syntax(src: &Source, token: usize) -> bool {
    match src.tokens[token].kind {
        Kind::LaunchOpen => true,
        Kind::Ident => matches!(
            src.text(token),
            b"__global__" | b"__device__" | b"__shared__" | b"__constant__" | b"threadIdx" | b"blockIdx"
        ),
        _ => false,
    }
}

/// Inserts lines where includes belong: the runtime's before all that could need it, others after the last include, else
/// at the same place.
fn add(cx: &mut Context, lines: Vec<String>) {
    if lines.is_empty() {
        return;
    }
    let src = cx.src;
    let eol = if src.bytes.windows(2).take(4096).any(|w| w == b"\r\n") {
        "\r\n"
    } else {
        "\n"
    };
    let is_runtime = lines[0].contains(RUNTIME);
    let at = if is_runtime {
        top(cx)
    } else {
        after_includes(cx).unwrap_or_else(|| top(cx))
    };
    let mut text: String = lines.iter().map(|l| format!("{l}{eol}")).collect();
    if at > 0 && at == src.bytes.len() && src.bytes[at - 1] != b'\n' {
        text = format!("{eol}{text}");
    }
    cx.include_lines.push(Edit::insert(at, text));
}

/// The start of the line after the last include that stands under no condition (but the file's own guard) and before
/// any code.
fn after_includes(cx: &Context) -> Option<usize> {
    let src = cx.src;
    let code = (0..src.tokens.len())
        .find(|&i| !src.tokens[i].in_directive)
        .unwrap_or(src.tokens.len());
    let conditional = conditional(src);
    let last = src.directives.iter().rfind(|d| {
        let at = d.tokens.start;
        d.kind == DirectiveKind::Include && at < code && !conditional.iter().any(|c| c.contains(&at))
    })?;
    Some(whole_line_end(src, last))
}

fn whole_line_end(src: &Source, d: &Directive) -> usize {
    src.bytes[d.span.end..]
        .iter()
        .position(|&b| b == b'\n')
        .map_or(src.bytes.len(), |p| d.span.end + p + 1)
}

/// Where the first include of a file belongs: after the guard or `#pragma once`, else before the include that starts the
/// file, else below the comment that leads it.
fn top(cx: &Context) -> usize {
    let src = cx.src;
    let mut at = if src.bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let mut lines = src.directives.iter().take_while(|d| is_pragma_once(src, d)).count();
    if let Some(guard) = include_guard(src).filter(|&g| g == 0) {
        // Below the `#define` where it follows at once; else right below the `#ifndef`, before what stands between.
        lines = guard + 1;
        if src.directives[lines].kind == DirectiveKind::Define {
            lines += 1;
            lines += src.directives.get(lines).is_some_and(|d| is_pragma_once(src, d)) as usize;
        }
    }
    if let Some(d) = lines.checked_sub(1).map(|i| &src.directives[i]) {
        if src.tokens[..d.tokens.start].iter().all(|t| t.in_directive) {
            at = whole_line_end(src, d);
        }
    }
    if let Some(d) = src
        .directives
        .get(lines)
        .filter(|d| d.kind == DirectiveKind::Include && lines == 0)
    {
        if src.tokens[..d.tokens.start].is_empty() {
            return whole_line(src, d).start;
        }
    }
    // A comment at the very start is the file's head (licence): stay below it, and below the blank line after it.
    let first_code = src.tokens.first().map_or(src.bytes.len(), |t| t.start as usize);
    if at <= 3 {
        let mut head = at;
        for c in src.comments.iter().take_while(|c| (c.end as usize) <= first_code) {
            let gap = &src.bytes[head..c.start as usize];
            if gap.iter().filter(|&&b| b == b'\n').count() > 1 || !gap.iter().all(|b| b.is_ascii_whitespace()) {
                break;
            }
            head = c.end as usize;
        }
        if head > at {
            at = src.bytes[head..]
                .iter()
                .position(|&b| b == b'\n')
                .map_or(src.bytes.len(), |p| head + p + 1);
        }
    }
    at
}
