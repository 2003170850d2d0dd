//! Arithmetic on `CUdeviceptr`: an integer in CUDA, `void *` in HIP, where a sum does not compile. A variable of that
//! type that is added to or subtracted from is read as `char *`, which counts bytes as the integer did.

use super::context::{Context, State};
use crate::edit::{Edit, Piece};
use crate::syntax::lex::Kind;
use crate::syntax::Source;
use std::collections::BTreeSet;

const TYPES: [&str; 3] = ["CUdeviceptr", "CUdeviceptr_v1", "CUdeviceptr_v2"];

pub fn run(cx: &mut Context) {
    let src = cx.src;
    let declared = declarations(src);
    if declared.is_empty() {
        return;
    }
    for i in 0..src.tokens.len() {
        let live = matches!(cx.state(i), State::Active | State::Dead);
        if !live || !src.tokens[i].is_ident() || declared.contains(&i) || !is_variable(src, &declared, i) {
            continue;
        }
        match src.tokens.get(i + 1).map(|t| (t.kind, src.text(i + 1))) {
            Some((Kind::Op, op @ (b"+=" | b"-="))) => compound(cx, i, op[0]),
            _ if is_operand(src, i) => cx.edits.push(Edit::insert(src.span(i).start, "(char *)")),
            _ => {}
        }
    }
}

/// The tokens that declare a variable of the type.
fn declarations(src: &Source) -> BTreeSet<usize> {
    let mut out = BTreeSet::new();
    for i in (0..src.tokens.len()).filter(|&i| TYPES.contains(&src.str(i))) {
        let parameter = src
            .before(i)
            .is_some_and(|b| src.tokens[b].is(b'(') || src.tokens[b].is(b','));
        let mut at = i + 1;
        while src
            .tokens
            .get(at)
            .is_some_and(|t| t.is(b'&') || src.text(at) == b"const")
        {
            at += 1;
        }
        while src.tokens.get(at).is_some_and(|t| t.is_ident()) {
            out.insert(at);
            if parameter || !src.tokens.get(at + 1).is_some_and(|t| t.is(b',')) {
                break;
            }
            at += 2;
        }
    }
    out
}

/// Whether the declaration in force is one of these: the nearest before that gives the name a type.
fn is_variable(src: &Source, declared: &BTreeSet<usize>, at: usize) -> bool {
    let member = |b: usize| matches!(src.tokens[b].kind, Kind::Punct(b'.') | Kind::Arrow | Kind::Scope);
    if src.before(at).is_some_and(member) || src.tokens.get(at + 1).is_some_and(|t| t.is(b'(') || t.is(b'.')) {
        return false;
    }
    let same = |&i: &usize| src.text(i) == src.text(at);
    let other = |i: usize| {
        let typed = |b: usize| src.tokens[b].is_ident() && !matches!(src.text(b), b"return" | b"else" | b"case");
        src.before(i).is_some_and(typed)
    };
    (0..at)
        .rev()
        .filter(same)
        .find(|&i| declared.contains(&i) || other(i))
        .is_some_and(|i| declared.contains(&i))
}

/// Whether the token is an operand of a sum or difference.
fn is_operand(src: &Source, at: usize) -> bool {
    let sum = |t: usize| src.tokens[t].is(b'+') || src.tokens[t].is(b'-');
    let ends_operand = |t: usize| {
        let t = &src.tokens[t];
        t.is_ident() || t.kind == Kind::Number || t.is(b')') || t.is(b']')
    };
    let after = src.tokens.get(at + 1).is_some() && sum(at + 1);
    after
        || src
            .before(at)
            .is_some_and(|b| sum(b) && src.before(b).is_some_and(ends_operand))
}

/// `p += n` becomes `p = (char *)p + (n)`.
fn compound(cx: &mut Context, at: usize, op: u8) {
    let src = cx.src;
    let mut end = at + 2;
    while let Some(t) = src.tokens.get(end) {
        match t.kind {
            Kind::Punct(b';' | b',' | b')' | b'}') => break,
            Kind::Punct(b'(' | b'[' | b'{') => match src.brackets.partner(end) {
                Some(p) => end = p + 1,
                None => return,
            },
            _ => end += 1,
        }
    }
    let Some(value) = src.span_of(&(at + 2..end)) else {
        return;
    };
    let name = String::from_utf8_lossy(src.text(at));
    cx.edits.push(Edit {
        range: src.span(at).end..value.end,
        pieces: vec![
            Piece::Text(format!(" = (char *){name} {} (", op as char).into_bytes()),
            Piece::Source(value),
            Piece::Text(b")".to_vec()),
        ],
    });
}
