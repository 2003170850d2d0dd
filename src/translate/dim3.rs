//! `dim3` from a `uint3`: CUDA converts, HIP's `dim3` does not. Where a variable that the file declares as `dim3` is
//! given `make_uint3(…)`, the call becomes `dim3(…)`.

use super::context::{Context, State};
use crate::ledger::Fate;
use crate::syntax::lex::Kind;
use crate::syntax::Source;

pub fn run(cx: &mut Context) {
    let src = cx.src;
    for i in 0..src.tokens.len() {
        if src.text(i) != b"make_uint3" || !matches!(cx.state(i), State::Active | State::Dead) || !gives_dim3(src, i) {
            continue;
        }
        cx.note_name(i, "make_uint3", "device", Fate::Rewritten, Some("dim3"));
        cx.replace(&(i..i + 1), "dim3");
    }
}

/// Whether the value at the token is all that a `dim3` variable is assigned or initialised with.
fn gives_dim3(src: &Source, value: usize) -> bool {
    let whole = src.brackets.partner(value + 1).is_some_and(|close| {
        src.tokens.get(value + 1).is_some_and(|t| t.is(b'('))
            && src
                .tokens
                .get(close + 1)
                .is_some_and(|t| t.is(b';') || t.is(b')') || t.is(b','))
    });
    let Some(before) = src
        .before(value)
        .filter(|&b| whole && (src.tokens[b].is(b'=') || src.tokens[b].is(b'(')))
    else {
        return false;
    };
    let Some(variable) = src.before(before).filter(|&v| src.tokens[v].is_ident()) else {
        return false;
    };
    let named = |i: &usize| src.text(*i) == src.text(variable) && declares(src, *i);
    named(&variable) || src.tokens[before].is(b'=') && (0..variable).rev().any(|i| named(&i))
}

/// Whether a statement that starts with `dim3` declares the name at the token.
fn declares(src: &Source, name: usize) -> bool {
    let introduced = src
        .before(name)
        .is_some_and(|b| src.text(b) == b"dim3" || src.tokens[b].is(b','));
    let inside =
        |t: usize| !src.tokens[t].in_directive && !matches!(src.tokens[t].kind, Kind::Punct(b';' | b'{' | b'}'));
    let first = (0..name)
        .rev()
        .take_while(|&t| inside(t))
        .filter(|&t| !matches!(src.text(t), b"const" | b"static"));
    introduced && first.last().is_some_and(|t| src.text(t) == b"dim3")
}
