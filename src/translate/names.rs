//! Renames: each CUDA name that no other pass has dealt with becomes its HIP name, or a shim's, or is reported.

use super::context::{Context, State};
use super::resolve::Met;
use crate::diagnostics::{codes, Diagnostic};
use crate::ledger::Fate;
use crate::rules::{self, Need, Rule, SIGNATURES};
use crate::syntax::directive::DirectiveKind;
use crate::syntax::{args, condition, Source};

/// Deals with every name met.
pub fn run(cx: &mut Context, met: &[Met]) {
    for m in met {
        name(cx, m);
    }
}

fn name(cx: &mut Context, m: &Met) {
    let at = m.tokens.start;
    if cx.settled(at) {
        return;
    }
    match cx.state(at) {
        State::Hip => return,
        State::Foreign => return cx.note_name(at, &m.name, Context::library(&m.name), Fate::Inactive, None),
        State::Active | State::Dead => {}
    }
    if let Some(s) = rules::shim(&m.name, cx.options) {
        if is_tested(cx.src, at) {
            return;
        }
        cx.note_name(at, &m.name, Context::library(&m.name), Fate::Shimmed, Some(s.to));
        cx.need_shim(s.unit);
        cx.replace(&m.tokens, s.to);
        if s.need == Need::Warp {
            full_mask(cx, m);
        }
        return;
    }
    let Some(rule) = rules::name(&m.name) else { return };
    if rule.drop {
        cx.note_name(at, &m.name, rule.library, Fate::Rewritten, None);
        return cx.remove_word(at);
    }
    match rule.target(cx.options.rocm) {
        Some(hip) => rename(cx, m, rule, hip),
        None => unsupported(cx, m, rule),
    }
}

/// A literal mask of all 32 lanes gets its name: a reader who knows AMD must not take it for half a wavefront.
fn full_mask(cx: &mut Context, m: &Met) {
    let src = cx.src;
    let open = m.tokens.end;
    let sync = m.name.ends_with("_sync") || m.name == "__syncwarp";
    if !sync || !src.tokens.get(open).is_some_and(|t| t.is(b'(')) {
        return;
    }
    let Some(close) = src.brackets.partner(open) else {
        return;
    };
    let Some(first) = args::split(src, open + 1..close).into_iter().next() else {
        return;
    };
    let full = match first.len() {
        1 => condition::integer(src.text(first.start)) == Some(0xffff_ffff),
        2 => {
            let digit = condition::integer(src.text(first.start + 1));
            (src.tokens[first.start].is(b'-') && digit == Some(1))
                || (src.tokens[first.start].is(b'~') && digit == Some(0))
        }
        _ => false,
    };
    if full {
        cx.replace(&first, "tranship::full_mask");
    }
}

fn rename(cx: &mut Context, m: &Met, rule: &'static Rule, hip: &'static str) {
    let at = m.tokens.start;
    if hip == m.name {
        return cx.note_name(at, &m.name, rule.library, Fate::Kept, None);
    }
    if let Some(s) = SIGNATURES.get(&m.name) {
        let count = argument_count(cx.src, m);
        if count.is_none_or(|n| s.args.0 <= n && n <= s.args.1) && !(count.is_none() && is_tested(cx.src, at)) {
            cx.note_name(at, &m.name, rule.library, Fate::Reported, None);
            let span = span(cx, m);
            let d = Diagnostic::new(
                &codes::CHANGED_SIGNATURE,
                span,
                format!("`{}`: HIP's `{hip}` takes other arguments", m.name),
            )
            .note(format!("CUDA: {}{}", m.name, s.cuda))
            .note(format!("HIP:  {hip}{}", s.hip))
            .help(s.why)
            .rule("signatures", &m.name);
            return cx.report(at, d);
        }
    }
    cx.note_name(at, &m.name, rule.library, Fate::Renamed, Some(hip));
    // `struct cudaDeviceProp p`: HIP's name is a typedef, so the keyword must go; a forward declaration keeps it.
    let mut tokens = m.tokens.clone();
    let next = cx.src.tokens.get(m.tokens.end);
    if rule.kind == rules::Kind::Type
        && at > 0
        && matches!(cx.src.text(at - 1), b"struct" | b"union" | b"class" | b"enum")
        && next.is_some_and(|t| !t.is(b';') && !t.is(b'{') && !t.is(b':'))
    {
        tokens.start -= 1;
    }
    cx.replace(&tokens, hip);
}

fn unsupported(cx: &mut Context, m: &Met, rule: &'static Rule) {
    let at = m.tokens.start;
    if is_tested(cx.src, at) {
        return;
    }
    cx.note_name(at, &m.name, rule.library, Fate::Reported, None);
    let mut message = format!("`{}` has no counterpart in HIP", m.name);
    let mut d_help = rule.help.map(str::to_string);
    if let (Some(hip), Some(since)) = (rule.hip, rule.since) {
        message = format!("`{}` needs ROCm {since} or later", m.name);
        d_help = Some(format!("ROCm {since} has it as `{hip}`; translate with --rocm {since}"));
    }
    let mut d =
        Diagnostic::new(&codes::UNSUPPORTED_API, span(cx, m), message).rule(&format!("api/{}", rule.library), &m.name);
    d.help = d_help;
    cx.report(at, d);
}

fn span(cx: &Context, m: &Met) -> std::ops::Range<usize> {
    cx.src.span_of(&m.tokens).unwrap_or(0..0)
}

/// How many arguments the name is called with, if it is called.
fn argument_count(src: &Source, m: &Met) -> Option<usize> {
    let open = m.tokens.end;
    if !src.tokens.get(open)?.is(b'(') {
        return None;
    }
    Some(args::split(src, open + 1..src.brackets.partner(open)?).len())
}

/// Whether the token is only asked about by the preprocessor or named by `#define`: nothing calls it there.
fn is_tested(src: &Source, token: usize) -> bool {
    src.directive_of(token)
        .is_some_and(|d| d.kind != DirectiveKind::Define || d.name == Some(token))
}
