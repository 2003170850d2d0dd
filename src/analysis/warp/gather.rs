//! The facts of one file that other files and its own functions need: constants, what functions return and get.

use super::flow::{Facts, Flow, Kind, Known};
use super::words;
use crate::syntax::body::Body;
use crate::syntax::directive::{Directive, DirectiveKind};
use crate::syntax::function::Function;
use crate::syntax::lex::Kind as Lex;
use crate::syntax::Source;
use std::ops::Range;

/// Whether anything of the file can carry a fact about warps.
pub fn is_relevant(src: &Source) -> bool {
    (0..src.tokens.len()).any(|i| triggers(src, i))
}

/// Whether a token alone makes a function worth reading.
fn triggers(src: &Source, i: usize) -> bool {
    match src.tokens[i].kind {
        Lex::LaunchOpen => true,
        Lex::Ident => {
            let t = src.text(i);
            t == b"threadIdx" || t == b"asm" || t == b"thread_rank" || t == b"atomicCAS" || (t.len() > 3 && speaks(t))
        }
        _ => false,
    }
}

/// A cheap look for warp, lane, shuffle, vote, match and reduce words.
fn speaks(t: &[u8]) -> bool {
    let has = |w: &[u8]| t.windows(w.len()).any(|x| x == w);
    (t.starts_with(b"__") && words::is_warp_op(std::str::from_utf8(t).unwrap_or("")))
        || has(b"arp")
        || has(b"ARP")
        || has(b"lane")
        || has(b"Lane")
        || has(b"LANE")
}

/// Whether a function is worth reading.
pub fn reads(src: &Source, f: &Function, known: Known) -> bool {
    f.head.clone().chain(f.body.clone()).any(|i| triggers(src, i)) || known.is_called(src.str(f.name))
}

/// Macros whose body is worth reading: objects and functions.
pub fn macros<'s>(src: &'s Source) -> impl Iterator<Item = &'s Directive> {
    src.directives
        .iter()
        .filter(|d| d.kind == DirectiveKind::Define && d.name.is_some() && !d.body.is_empty() && d.body.len() < 400)
}

/// The expressions of a macro's body, one a statement.
pub fn pieces(src: &Source, body: &Range<usize>) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut start = body.start;
    for i in body.clone() {
        if matches!(src.tokens[i].kind, Lex::Punct(b';' | b'{' | b'}')) {
            if start < i {
                out.push(start..i);
            }
            start = i + 1;
        }
    }
    if start < body.end {
        out.push(start..body.end);
    }
    out
}

/// The facts of a file.
pub fn facts(src: &Source) -> Facts {
    let none = Facts::default();
    let mut facts = Facts::default();
    constants(src, &mut facts);
    if !is_relevant(src) {
        return facts;
    }
    let functions = crate::syntax::function::find(src);
    // Twice, so that a function's return value and arguments reach those that stand before it.
    for _ in 0..2 {
        let mut next = facts.clone();
        for f in &functions {
            let known = Known {
                own: &facts,
                program: &none,
            };
            if !reads(src, f, known) {
                continue;
            }
            let body = Body::parse(src, f.body.clone());
            let mut flow = Flow::new(src, known, &body, Some(f));
            flow.run();
            if let Some(kind) = flow.returned {
                next.returns.insert(src.str(f.name).to_string(), kind);
            }
            for (name, n, kind) in flow.called {
                next.arguments.entry(name).or_default().insert(n, kind);
            }
            next.launched.extend(flow.launched);
        }
        // Only functions that someone can have written are worth carrying on.
        next.arguments
            .retain(|name, _| !name.starts_with("__") && !name.starts_with("atomic"));
        // A second reading pays only where the first one learned of this file's own functions.
        let own =
            |f: &Function| next.returns.contains_key(src.str(f.name)) || next.arguments.contains_key(src.str(f.name));
        let done = !functions.iter().any(own);
        facts = next;
        if done {
            break;
        }
    }
    facts
}

/// Integer constants: object-like macros, `const` variables, enumerators.
fn constants(src: &Source, facts: &mut Facts) {
    let none = Facts::default();
    for d in macros(src) {
        let Some(name) = d.name.filter(|_| d.params.is_none() && d.body.len() <= 24) else {
            continue;
        };
        let v = value(src, facts, &none, d.body.clone());
        let name = src.str(name).to_string();
        if let Some(n) = v.0 {
            facts.constants.insert(name, Some(n));
        } else if v.1 > Kind::Threads && v.1 != Kind::Width {
            facts.returns.insert(name, v.1);
        }
    }
    for (name, init) in const_variables(src) {
        if let (Some(n), _) = value(src, facts, &none, init) {
            facts.constants.insert(src.str(name).to_string(), Some(n));
        }
    }
}

fn value(src: &Source, facts: &Facts, none: &Facts, range: Range<usize>) -> (Option<i64>, Kind) {
    let mut body = Body::default();
    let id = body.arena.parse(src, range);
    let known = Known {
        own: facts,
        program: none,
    };
    let mut flow = Flow::new(src, known, &body, None);
    let v = flow.eval(id);
    (v.number, v.kind)
}

/// Names and initialisers of `const` and `constexpr` integers anywhere, and of enumerators.
pub fn const_variables(src: &Source) -> Vec<(usize, Range<usize>)> {
    let mut out = Vec::new();
    for i in 0..src.tokens.len() {
        let t = &src.tokens[i];
        if t.in_directive || !t.is_ident() || !src.tokens.get(i + 1).is_some_and(|n| n.is(b'=')) {
            continue;
        }
        let Some(end) = (i + 2..src.tokens.len().min(i + 26))
            .find(|&k| matches!(src.tokens[k].kind, Lex::Punct(b';' | b',' | b'}')))
        else {
            continue;
        };
        let back = i.saturating_sub(8)..i;
        let start = back
            .clone()
            .rev()
            .find(|&k| matches!(src.tokens[k].kind, Lex::Punct(b';' | b'{' | b'}' | b'(' | b')')))
            .map_or(back.start, |k| k + 1);
        let constant = (start..i).any(|k| matches!(src.text(k), b"const" | b"constexpr"));
        let enumerator = i > 0
            && matches!(src.tokens[i - 1].kind, Lex::Punct(b'{' | b','))
            && src.tokens[end].is(b',') | src.tokens[end].is(b'}');
        if (constant || enumerator) && i + 2 < end {
            out.push((i, i + 2..end));
        }
    }
    out
}
