//! Argument-level rewrites: calls whose HIP form is more than another name, by `rules/calls/*.toml`.

use super::context::{Context, State};
use super::resolve::Met;
use crate::diagnostics::{codes, Diagnostic};
use crate::edit::Piece;
use crate::ledger::Fate;
use crate::options::Warp;
use crate::rules::{self, Call, Need, ShimName, CALLS};
use crate::syntax::{args, Source};
use regex::bytes::Regex;
use std::ops::Range;

/// Rewrites the calls met.
pub fn run(cx: &mut Context, met: &[Met]) {
    for m in met {
        let Some(entries) = CALLS.get(&m.name).copied() else {
            continue;
        };
        // A shim evaluates each argument once and is exact; a rewrite by text serves where there is none.
        let shimmed = rules::shim(&m.name, cx.options).is_some();
        if shimmed || !matches!(cx.state(m.tokens.start), State::Active | State::Dead) || cx.settled(m.tokens.start) {
            continue;
        }
        let Some(site) = Site::of(cx.src, m) else {
            unreadable(cx, m);
            continue;
        };
        if let Some(entry) = entries.iter().find(|e| fits(cx, e, &site)) {
            rewrite(cx, m, entry, &site);
        }
    }
}

/// Says that a call whose arguments may have to change could not be read whole; its name is still renamed.
fn unreadable(cx: &mut Context, m: &Met) {
    if !cx.src.tokens.get(m.tokens.end).is_some_and(|t| t.is(b'(')) {
        return;
    }
    let span = cx.src.span_of(&m.tokens).unwrap_or(0..0);
    let d = Diagnostic::new(&codes::PARTIAL_PARSE, span, format!("the arguments of `{}` could not be read whole", m.name))
        .note("a parenthesis is not closed, or a preprocessor line cuts through the call; the name was renamed, the arguments were not touched")
        .help("write the call whole in each arm of the #if, and translate again");
    cx.report(m.tokens.start, d);
}

/// A call in the source; all ranges are tokens.
struct Site {
    /// Name and `::` before it, to the closing parenthesis.
    whole: Range<usize>,
    /// The token after the name.
    name_end: usize,
    template: Option<Range<usize>>,
    arguments: Vec<Range<usize>>,
}

impl Site {
    fn of(src: &Source, m: &Met) -> Option<Site> {
        let mut open = m.tokens.end;
        let mut template = None;
        if src.tokens.get(open)?.is(b'<') {
            let close = args::template_close(src, open, src.tokens.len())?;
            template = Some(open..close + 1);
            open = close + 1;
        }
        if !src.tokens.get(open)?.is(b'(') {
            return None;
        }
        let close = src.brackets.partner(open)?;
        // A preprocessor line inside the call would be cut apart by a rewrite.
        if !src.tokens[open].in_directive && src.tokens[open..close].iter().any(|t| t.in_directive) {
            return None;
        }
        Some(Site {
            whole: m.tokens.start..close + 1,
            name_end: m.tokens.end,
            template,
            arguments: args::split(src, open + 1..close),
        })
    }
}

fn fits(cx: &Context, e: &Call, site: &Site) -> bool {
    let n = site.arguments.len();
    let variadic = site
        .arguments
        .last()
        .is_some_and(|a| cx.src.span_of(a).is_some_and(|s| &cx.src.bytes[s] == b"__VA_ARGS__"));
    let rocm = cx.options.rocm;
    (e.args.0 <= n && n <= e.args.1)
        && !e.to.is_some_and(|to| already(cx.src, to, site))
        && !(variadic && (e.args.0 > 0 || e.args.1 < usize::MAX))
        && e.from.is_none_or(|v| rocm >= v)
        && e.before.is_none_or(|v| rocm < v)
        && (!e.c || cx.path.extension().is_some_and(|x| x == "c" || x == "h"))
        && e.to.is_none_or(|to| keeps_warps(cx, to))
        && e.when.iter().all(|(i, pattern)| {
            let text = site
                .arguments
                .get(i - 1)
                .and_then(|a| cx.src.span_of(a))
                .map(|s| &cx.src.bytes[s]);
            text.is_some_and(|t| Regex::new(pattern).is_ok_and(|r| r.is_match(t)))
        })
}

/// Whether the call has the form that the template gives: its text starts with all that the template writes before the
/// first argument, and that is more than the name.
fn already(src: &Source, to: &str, site: &Site) -> bool {
    let fixed = to.split('$').next().unwrap_or(to);
    let more_than_name = fixed.split_once('(').is_some_and(|(_, rest)| !rest.is_empty());
    more_than_name
        && src
            .span_of(&site.whole)
            .is_some_and(|s| src.bytes[s].starts_with(fixed.as_bytes()))
}

fn rewrite(cx: &mut Context, m: &Met, e: &Call, site: &Site) {
    let at = m.tokens.start;
    let library = Context::library(&m.name);
    let span = cx.src.span_of(&m.tokens).unwrap_or(0..0);
    if let Some(why) = e.error {
        cx.note_name(at, &m.name, library, Fate::Reported, None);
        let d = Diagnostic::new(
            &codes::CHANGED_SIGNATURE,
            span,
            format!("`{}` with these arguments has no HIP form", m.name),
        );
        return cx.report(at, d.help(why).rule("calls", &m.name));
    }
    let Some(to) = e.to else { return };
    if let Some(note) = e.note {
        if cx.ignored(&codes::CHANGED_CALL, &span) {
            return cx.note_name(at, &m.name, library, Fate::Ignored, None);
        }
        cx.report(
            at,
            Diagnostic::new(&codes::CHANGED_CALL, span, format!("`{}` was rewritten", m.name))
                .note(note)
                .rule("calls", &m.name),
        );
    }
    let name = to.split(['(', '<', '$']).next().unwrap_or(to);
    let shim = to.contains("tranship::");
    cx.note_name(
        at,
        &m.name,
        library,
        if shim { Fate::Shimmed } else { Fate::Rewritten },
        Some(name),
    );
    if let Some(row) = shim.then(|| shim_of(to)).flatten() {
        cx.need_shim(row.unit);
    }
    let pieces = fill(cx.src, to, site);
    cx.rewrite(&site.whole, pieces);
}

/// Whether a template that stands for CUDA's warps may be used: they are kept under `--warp preserve` only.
fn keeps_warps(cx: &Context, to: &str) -> bool {
    cx.options.warp != Warp::Bare || shim_of(to).is_none_or(|s| s.need != Need::Scope)
}

/// The shim row of a template's `tranship::` name.
fn shim_of(to: &str) -> Option<&'static ShimName> {
    let start = to.find("tranship::")?;
    let name: String = to[start..]
        .chars()
        .take_while(|c| c.is_alphanumeric() || *c == '_' || *c == ':')
        .collect();
    crate::rules::SHIM_NAMES.values().find(|s| s.to == name)
}

/// Puts the call's parts into a template: `$1` an argument, `$2..` the rest with its separators, `$T` the template
/// arguments. Where arguments that follow each other in the source do so in the template, what separates them stays:
/// line ends, comments, spaces inside the parentheses.
fn fill(src: &Source, to: &str, site: &Site) -> Vec<Piece> {
    let Some((open, slots)) = slots(to) else {
        return substitute(src, to, site);
    };
    let close = src.span(site.whole.end - 1).start;
    let end_of = |argument: usize| src.span_of(&site.arguments[argument - 1]).map(|s| s.end);
    let start_of = |argument: usize| src.span_of(&site.arguments[argument - 1]).map(|s| s.start);
    let count = site.arguments.len();
    let text = |s: &str| Piece::Text(s.as_bytes().to_vec());

    let mut out = substitute(src, &to[..open], site);
    let mut last = None;
    let mut written = 0;
    let mut tail = (1..=count).next_back().and_then(end_of).map(|e| e..close);
    for slot in &slots {
        let holds = slot.arguments(count);
        if holds.as_ref().is_some_and(|h| h.is_empty()) && slot.is_bare() {
            continue;
        }
        let first = holds.as_ref().map(|h| h.start);
        let gap = match (written, last, first) {
            (0, _, Some(1)) => {
                let paren = site.template.as_ref().map_or(site.name_end, |t| t.end);
                start_of(1).map(|s| src.span(paren).end..s)
            }
            (1.., Some(l), Some(f)) if f == l + 1 => end_of(l).zip(start_of(f)).map(|(a, b)| a..b),
            _ => None,
        };
        match gap {
            Some(range) if written == 0 => out.extend([text("("), Piece::Source(range)]),
            Some(range) => out.push(Piece::Source(range)),
            None => out.push(text(if written == 0 { "(" } else { slot.separator })),
        }
        out.extend(substitute(src, slot.text, site));
        written += 1;
        last = holds.map(|h| h.end - 1).filter(|l| (1..=count).contains(l));
        // A comment after the last argument stays beside it.
        if last == Some(count) && tail.as_ref().is_some_and(|t| !is_blank(&src.bytes[t.clone()])) {
            out.extend(tail.take().map(Piece::Source));
        }
    }
    if written == 0 {
        out.push(text("("));
    }
    out.extend(tail.filter(|t| is_blank(&src.bytes[t.clone()])).map(Piece::Source));
    out.push(text(")"));
    out
}

fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(|b| b.is_ascii_whitespace() || *b == b'\\')
}

/// One argument of a template that is a call.
struct Slot<'t> {
    /// The comma before it and the white space after that.
    separator: &'t str,
    text: &'t str,
}

impl Slot<'_> {
    /// The arguments of the source that it holds, counted from 1, if they are one `$n` or `$n..`.
    fn arguments(&self, count: usize) -> Option<Range<usize>> {
        let (_, rest) = self.text.split_once('$')?;
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let n: usize = rest[..digits].parse().ok()?;
        let rest = &rest[digits..];
        let many = rest.starts_with("..");
        let end = if many { count + 1 } else { n + 1 };
        (!rest.contains('$') && (many || n <= count)).then_some(n..end.max(n))
    }

    /// Whether it is `$n..` and nothing else.
    fn is_bare(&self) -> bool {
        self.text.starts_with('$') && self.text.ends_with("..")
    }
}

/// The place of the parenthesis and the arguments of a template `name(a, b)`; `None` for other forms.
fn slots(to: &str) -> Option<(usize, Vec<Slot<'_>>)> {
    let open = to.find('(')?;
    let mut depth = 0usize;
    let mut out = Vec::new();
    let (mut separator, mut start) = ("", open + 1);
    for (i, c) in to.char_indices().skip_while(|c| c.0 < open) {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    out.push(Slot {
                        separator,
                        text: &to[start..i],
                    });
                    let name = to[..open].strip_suffix("$T").unwrap_or(&to[..open]);
                    let plain = |c: char| c.is_ascii_alphanumeric() || "_:<>, ".contains(c);
                    let call = name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(plain);
                    return (call && i + 1 == to.len() && i > open + 1).then_some((open, out));
                }
            }
            ',' if depth == 1 => {
                out.push(Slot {
                    separator,
                    text: &to[start..i],
                });
                let next = i + 1 + to[i + 1..].len() - to[i + 1..].trim_start().len();
                (separator, start) = (&to[i..next], next);
            }
            _ => {}
        }
    }
    None
}

/// Replaces the `$` of a text.
fn substitute(src: &Source, to: &str, site: &Site) -> Vec<Piece> {
    let mut out = Vec::new();
    let mut rest = to;
    let source = |tokens: &Range<usize>| src.span_of(tokens).map(Piece::Source);
    while let Some(p) = rest.find('$') {
        out.push(Piece::Text(rest.as_bytes()[..p].to_vec()));
        rest = &rest[p + 1..];
        if let Some(r) = rest.strip_prefix('T') {
            out.extend(site.template.as_ref().and_then(source));
            rest = r;
            continue;
        }
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let n: usize = rest[..digits].parse().unwrap_or(0);
        rest = &rest[digits..];
        let argument = n.checked_sub(1).and_then(|i| site.arguments.get(i));
        if let Some(r) = rest.strip_prefix("..") {
            rest = r;
            match (argument, site.arguments.last()) {
                (Some(a), Some(z)) => out.extend(source(&(a.start..z.end))),
                // Nothing is left: the separator before it goes too.
                _ => {
                    if let Some(Piece::Text(t)) = out.last_mut() {
                        let keep = t.len()
                            - t.iter()
                                .rev()
                                .take_while(|b| b.is_ascii_whitespace() || **b == b',')
                                .count();
                        t.truncate(keep);
                    }
                }
            }
        } else if let Some(a) = argument {
            out.extend(source(a));
        }
    }
    out.push(Piece::Text(rest.as_bytes().to_vec()));
    out
}
