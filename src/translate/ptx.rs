//! Inline assembly: PTX has no meaning on AMD, so each statement is reported by its instructions.

use super::context::Context;
use crate::diagnostics::{codes, Diagnostic};
use crate::ledger::Fate;
use crate::syntax::lex::Kind;
use crate::syntax::Source;
use std::ops::Range;

/// An `asm` statement that holds PTX; ranges are tokens.
pub struct Asm {
    /// From `asm` to the closing parenthesis.
    pub whole: Range<usize>,
    /// The instruction words, for instance `mov.u32`.
    pub instructions: Vec<String>,
}

/// Reports PTX that no pass has translated.
pub fn run(cx: &mut Context) {
    let src = cx.src;
    for i in 0..src.tokens.len() {
        let Some(asm) = at(src, i) else { continue };
        if cx.settled(i) {
            continue;
        }
        let names = asm.instructions.join("`, `");
        cx.note_name(i, "asm", "ptx", Fate::Reported, None);
        let span = src.span_of(&asm.whole).unwrap_or(0..0);
        let mut d = Diagnostic::new(
            &codes::INLINE_PTX,
            span,
            format!("inline PTX `{names}` does not assemble for AMD"),
        );
        d.help = hint(&src.bytes[src.span_of(&asm.whole).unwrap_or(0..0)]).map(str::to_string);
        cx.report(i, d);
    }
}

/// What helps with the special registers and barriers that people meet most.
fn hint(text: &[u8]) -> Option<&'static str> {
    let has = |w: &str| memchr::memmem::find(text, w.as_bytes()).is_some();
    Some(match () {
        _ if has("%laneid") || has("%%laneid") => "`__lane_id()` gives the lane of the 64-lane wavefront; & 31 for a lane of CUDA's warp",
        _ if has("lanemask") => "a lane mask has 64 bits on a 64-lane wavefront; compute it from the lane id",
        _ if has("bar.") || has("barrier.") => {
            "AMD has no named barriers for a part of a workgroup; a full __syncthreads here deadlocks when not all threads come"
        }
        _ if has("trap") => "`__builtin_trap()` or `abort()`",
        _ if has("clock") => "`clock64()` or `wall_clock64()`",
        _ => return None,
    })
}

/// The PTX statement that starts at a token.
pub fn at(src: &Source, i: usize) -> Option<Asm> {
    if !src.tokens[i].is_ident() || !matches!(src.text(i), b"asm" | b"__asm__" | b"__asm") {
        return None;
    }
    let mut open = i + 1;
    while src
        .tokens
        .get(open)
        .is_some_and(|t| t.is_ident() && matches!(src.text(open), b"volatile" | b"__volatile__" | b"__volatile"))
    {
        open += 1;
    }
    if !src.tokens.get(open)?.is(b'(') {
        return None;
    }
    let close = src.brackets.partner(open)?;
    let mut text = Vec::new();
    let mut t = open + 1;
    while t < close
        && matches!(
            src.tokens[t].kind,
            Kind::Str | Kind::RawStr | Kind::Ident | Kind::Punct(b'#')
        )
    {
        if src.tokens[t].kind == Kind::Str {
            let s = src.text(t);
            text.extend_from_slice(s.get(1..s.len().saturating_sub(1)).unwrap_or(b""));
        }
        t += 1;
    }
    let instructions = instructions(&String::from_utf8_lossy(&text));
    instructions.iter().any(|w| is_ptx(w)).then_some(Asm {
        whole: i..close + 1,
        instructions,
    })
}

/// The first word of each statement of an assembly text, predicates and labels skipped.
fn instructions(text: &str) -> Vec<String> {
    let plain = text.replace("\\n", "\n").replace("\\t", " ").replace(['{', '}'], " ");
    let mut out = Vec::new();
    for statement in plain.split([';', '\n']) {
        let mut words = statement
            .split_whitespace()
            .skip_while(|w| w.starts_with('@') || w.ends_with(':'));
        if let Some(w) = words.next() {
            if !out.contains(&w.to_string()) {
                out.push(w.to_string());
            }
        }
    }
    out
}

/// PTX opcodes carry their types after dots (`add.s32`, `.reg`); a few stand alone. Host assembly does not look so.
fn is_ptx(word: &str) -> bool {
    matches!(word, "trap" | "exit" | "ret" | "brkpt" | "membar")
        || (word.contains('.')
            && word.chars().all(|c| c.is_ascii_alphanumeric() || "._:%".contains(c))
            && !word.ends_with('.'))
}
