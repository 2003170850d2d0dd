//! Kernel source in raw strings that the program compiles at run time: translated as device code, and said so.
//!
//! A string cannot include the shim headers by itself, so warp operations in it are reported, not rewritten.

use super::context::{Context, State};
use super::resolve::{self, Met};
use super::{attributes, calls, guards, includes, names, portable, ptx};
use crate::diagnostics::{codes, Applicability, Diagnostic, Fix};
use crate::edit::Piece;
use crate::options::{Options, Warp};
use crate::rules::{Need, NvrtcOption, NVRTC_OPTIONS, SHIM_NAMES};
use crate::syntax::lex::Kind;
use crate::syntax::Source;
use std::ops::Range;

/// Deals with the strings of a file that uses NVRTC.
pub fn run(cx: &mut Context, met: &[Met]) {
    if !met
        .iter()
        .any(|m| m.name.starts_with("nvrtc") || m.name == "cuModuleLoadData")
    {
        return;
    }
    let src = cx.src;
    for i in 0..src.tokens.len() {
        if !matches!(cx.state(i), State::Active | State::Dead) {
            continue;
        }
        match src.tokens[i].kind {
            Kind::RawStr if holds_kernel(src.text(i)) => raw(cx, i),
            Kind::Str if holds_kernel(src.text(i)) => {
                let d = Diagnostic::new(
                    &codes::KERNEL_STRING,
                    src.span(i),
                    "kernel source in an ordinary string was left as it is",
                )
                .help("make it a raw string R\"(...)\" so that it can be translated, or translate it by hand");
                cx.report(i, d);
            }
            Kind::Str => {
                let Some(option) = option(src.text(i)) else { continue };
                let mut d = Diagnostic::new(&codes::NVRTC_OPTION, src.span(i), "this compile option is NVRTC's")
                    .note("hiprtc takes clang's options: --offload-arch=gfx942, -O3, -ffast-math, -std=c++17")
                    .help("replace it; without an architecture option hiprtc compiles for the current device")
                    .rule("nvrtc", option.starts);
                d.fix = clangs(cx, i, option);
                cx.report(i, d);
            }
            _ => {}
        }
    }
}

fn holds_kernel(text: &[u8]) -> bool {
    memchr::memmem::find(text, b"__global__").is_some() || memchr::memmem::find(text, b"__device__").is_some()
}

/// The option of NVRTC that a string literal is.
fn option(text: &[u8]) -> Option<&'static NvrtcOption> {
    let s = text.strip_prefix(b"\"").unwrap_or(text);
    NVRTC_OPTIONS.iter().find(|o| s.starts_with(o.starts.as_bytes()))
}

/// clang's option in its place, unless more is to be put together at run time.
fn clangs(cx: &Context, token: usize, option: &NvrtcOption) -> Option<Fix> {
    let text = cx.src.text(token);
    let value = text.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    if value.contains(&b'%') || (option.starts.ends_with('=') && value.ends_with(b"=")) {
        return None;
    }
    let hip = option
        .hip?
        .replace("{arch}", cx.options.targets.first().map_or("", |t| t.name));
    Some(Fix {
        applicability: Applicability::Unsafe,
        edits: vec![(cx.src.span(token), format!("\"{hip}\"").into_bytes())],
    })
}

fn raw(cx: &mut Context, token: usize) {
    let span = cx.src.span(token);
    let text = &cx.src.bytes[span.clone()];
    let (Some(open), Some(close)) = (
        text.iter().position(|&b| b == b'('),
        text.iter().rposition(|&b| b == b')'),
    ) else {
        return;
    };
    if close <= open {
        return;
    }
    if cx.ignored(&codes::KERNEL_STRING, &span) {
        return;
    }
    let base = span.start + open + 1;
    let inner = Source::new(&cx.src.bytes[base..span.start + close]);
    let options = Options {
        warp: Warp::Bare,
        ..cx.options.clone()
    };
    let mut part = Context::new(&inner, cx.path, cx.project, &options);
    guards::run(&mut part, &|arm| portable(&inner, arm, &options));
    let met = resolve::run(&mut part);
    calls::run(&mut part, &met);
    attributes::run(&mut part);
    for m in &met {
        warp(&mut part, m);
    }
    names::run(&mut part, &met);
    ptx::run(&mut part, ptx::Shims::Missing);
    includes::headers(&mut part);
    let (edits, diagnostics, ledger, shims) = part.finish();

    let d = Diagnostic::new(
        &codes::KERNEL_STRING,
        span,
        "kernel source in this string is compiled at run time; it was translated as device code",
    )
    .help("compare it with the original: what it includes and its compile options belong to hiprtc now");
    cx.report(token, d);
    for mut e in edits {
        if e.pieces
            .iter()
            .any(|p| matches!(p, Piece::Text(t) if memchr::memmem::find(t, b"tranship::").is_some()))
        {
            continue;
        }
        e.range = moved(&e.range, base);
        for p in &mut e.pieces {
            if let Piece::Source(r) = p {
                *r = moved(r, base);
            }
        }
        cx.edits.push(e);
    }
    for mut d in diagnostics {
        d.span = moved(&d.span, base);
        for s in &mut d.secondary {
            s.0 = moved(&s.0, base);
        }
        cx.diagnostics.push(d);
    }
    if let Some(&unit) = shims.iter().next() {
        let d = Diagnostic::new(
            &codes::KERNEL_STRING,
            cx.src.span(token),
            format!("the kernel string needs the shim header tranship/{unit}.hpp"),
        )
        .help("pass the header's text to hiprtcCreateProgram, and include it in the string");
        cx.report(token, d);
    }
    for mut o in ledger {
        o.offset += base;
        cx.add_to_ledger(o);
    }
}

/// Reports a warp operation, whose meaning on a 64-lane wavefront no include can restore here.
fn warp(cx: &mut Context, m: &Met) {
    if !SHIM_NAMES.get(&m.name).is_some_and(|s| s.need == Need::Warp) || cx.settled(m.tokens.start) {
        return;
    }
    let at = m.tokens.start;
    cx.note_name(at, &m.name, "device", crate::ledger::Fate::Reported, None);
    let span = cx.src.span(at);
    let d = Diagnostic::new(&codes::KERNEL_STRING_WARP, span, format!("`{}` in a kernel string covers the whole wavefront on AMD", m.name))
        .note("a wavefront has 64 lanes on CDNA: ballots and masks have 64 bits, shuffles span 64 lanes")
        .help("pass tranship/warp.hpp to hiprtcCreateProgram as a header and call `tranship::` functions, or rewrite for 64 lanes");
    cx.report(at, d);
}

fn moved(r: &Range<usize>, by: usize) -> Range<usize> {
    r.start + by..r.end + by
}
