//! Inline assembly: PTX becomes C++ by [`crate::ptx`], or the statement stays and its instruction is named.

use super::context::{Context, State};
use crate::diagnostics::{codes, Diagnostic};
use crate::ledger::Fate;
use crate::ptx::{emit, forms, parse, Refusal, Statement};
use crate::syntax::lex::Kind;
use crate::syntax::Source;
use std::ops::Range;

/// Whether statements may be rewritten.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shims {
    /// The file can include shim headers.
    Available,
    /// It cannot (a kernel's source in a string): statements are reported.
    Missing,
}

/// Translates the PTX of a file and reports what it cannot translate.
pub fn run(cx: &mut Context, shims: Shims) {
    let src = cx.src;
    for i in 0..src.tokens.len() {
        let Some(statement) = at(src, i) else { continue };
        if cx.settled(i) || !matches!(cx.state(i), State::Active | State::Dead) {
            continue;
        }
        let outcome = emit::translate(src, &statement).and_then(|e| match shims {
            Shims::Missing if !e.units.is_empty() => Err(Refusal {
                instruction: e.instructions.first().cloned().unwrap_or_default(),
                why: "its shim header cannot be included in a kernel string".into(),
                help: None,
            }),
            _ => Ok(e),
        });
        match outcome {
            Ok(done) => translated(cx, &statement, done),
            Err(refusal) => refused(cx, &statement, &refusal),
        }
    }
    if shims == Shims::Available {
        masks(cx);
    }
}

fn translated(cx: &mut Context, statement: &Statement, done: emit::Emitted) {
    let at = statement.whole.start;
    let span = cx.src.span_of(&statement.whole).unwrap_or(0..0);
    let fate = if done.units.is_empty() {
        Fate::Rewritten
    } else {
        Fate::Shimmed
    };
    cx.note_name(at, "asm", "ptx", fate, None);
    for unit in &done.units {
        cx.need_shim(unit);
    }
    cx.rewrite(&statement.whole, done.pieces);
    let mut d = Diagnostic::new(
        &codes::PTX_TRANSLATED,
        span,
        format!("inline PTX `{}` was rewritten in C++", listed(&done.instructions)),
    );
    d.notes = done.notes.iter().map(|n| n.to_string()).collect();
    cx.report(at, d);
}

fn refused(cx: &mut Context, statement: &Statement, refusal: &Refusal) {
    let at = statement.whole.start;
    let span = cx.src.span_of(&statement.whole).unwrap_or(0..0);
    cx.note_name(at, "asm", "ptx", Fate::Reported, None);
    let all = parse::mnemonics(&statement.text);
    let named = match refusal.instruction.as_str() {
        "" => listed(&all),
        one => one.to_string(),
    };
    let mut d = Diagnostic::new(
        &codes::INLINE_PTX,
        span,
        format!("inline PTX `{named}` does not assemble for AMD: {}", refusal.why),
    );
    if all.len() > 1 {
        d = d.note(format!(
            "the statement was left whole; its instructions are `{}`",
            listed(&all)
        ));
    }
    d.help = refusal.help.clone();
    cx.report(at, d);
}

/// Names in backquotes with commas between, the first eight.
fn listed(names: &[String]) -> String {
    let shown: Vec<&str> = names.iter().take(8).map(String::as_str).collect();
    let more = if names.len() > 8 { "`, `..." } else { "" };
    shown.join("`, `") + more
}

/// Says at each `__popc` and `__ffs` of a lane mask that PTX read, that the mask has 32 bits.
fn masks(cx: &mut Context) {
    let src = cx.src;
    let readers = mask_readers(src);
    if readers.is_empty() {
        return;
    }
    for i in 0..src.tokens.len() {
        let count = src.text(i);
        if !src.tokens[i].is_ident() || !matches!(count, b"__popc" | b"__ffs" | b"__clz" | b"__popcll" | b"__ffsll") {
            continue;
        }
        let Some(close) = src
            .tokens
            .get(i + 1)
            .filter(|t| t.is(b'('))
            .and_then(|_| src.brackets.partner(i + 1))
        else {
            continue;
        };
        let Some(reader) = (i + 2..close).find(|&t| src.tokens[t].is_ident() && readers.contains(&src.text(t))) else {
            continue;
        };
        let (count, reader) = (src.str(i), src.str(reader));
        let d = Diagnostic::new(
            &codes::PTX_LANE_MASK,
            src.span(i),
            format!("`{count}` counts a lane mask that inline PTX reads in `{reader}`"),
        )
        .note("the mask has 32 bits and covers CUDA's warp, half of a 64-lane wavefront: right as long as the code keeps to warps of 32 lanes")
        .help("code rewritten for the whole wavefront needs a 64-bit mask, with __popcll and __ffsll");
        cx.report(i, d);
    }
}

/// Names of the functions whose body reads a `%lanemask_` register.
fn mask_readers<'a>(src: &Source<'a>) -> Vec<&'a [u8]> {
    let mut out = Vec::new();
    for i in 0..src.tokens.len() {
        let Some(s) = at(src, i).filter(|s| s.text.contains("%lanemask_")) else {
            continue;
        };
        out.extend(enclosing_function(src, s.whole.start).map(|t| src.text(t)));
    }
    out
}

/// The name of the function whose body a token lies in.
fn enclosing_function(src: &Source, token: usize) -> Option<usize> {
    let holds = |r: &Range<usize>| r.contains(&token);
    (0..token).rev().find_map(|open| {
        let body = open..src.brackets.partner(open).filter(|_| src.tokens[open].is(b'{'))?;
        let close = open.checked_sub(1).filter(|&c| src.tokens[c].is(b')'))?;
        let name = src.brackets.partner(close)?.checked_sub(1)?;
        let control = matches!(src.text(name), b"if" | b"for" | b"while" | b"switch");
        (holds(&body) && src.tokens[name].kind == Kind::Ident && !control).then_some(name)
    })
}

/// The PTX statement that starts at a token.
fn at(src: &Source, i: usize) -> Option<Statement> {
    let statement = Statement::at(src, i)?;
    parse::mnemonics(&statement.text)
        .iter()
        .any(|w| is_ptx(w))
        .then_some(statement)
}

/// Whether a PTX statement starts at a token that AMD cannot have in any form.
pub fn blocks(src: &Source, i: usize) -> bool {
    at(src, i).is_some_and(|s| emit::translate(src, &s).is_err())
}

/// PTX opcodes carry their types after dots (`add.s32`, `.reg`); a few stand alone. Host assembly does not look so.
fn is_ptx(word: &str) -> bool {
    matches!(word, "trap" | "exit" | "ret" | "brkpt" | "membar")
        || (word.contains('.') && forms::is_known(word))
        || (word.contains('.')
            && word.chars().all(|c| c.is_ascii_alphanumeric() || "._:%".contains(c))
            && !word.ends_with('.'))
}
