//! Functions that HIP has, but not everywhere that CUDA has them: in device code only, or not for every type. A call
//! in host code, or whose first argument shows such a type, goes to the shim. The type is read from casts in the
//! argument and from the declaration of the variable it starts with.

use super::context::{Context, State};
use super::resolve::Met;
use crate::ledger::Fate;
use crate::rules::{Need, SHIM_NAMES};
use crate::syntax::lex::Kind;
use crate::syntax::{args, space, Source};
use std::cell::LazyCell;

pub fn run(cx: &mut Context, met: &[Met]) {
    let src = cx.src;
    let device = LazyCell::new(|| space::device_bodies(src, true));
    for m in met {
        let Some(s) = SHIM_NAMES.get(&m.name) else { continue };
        let at = m.tokens.start;
        let needed = match s.need {
            Need::Differs => !s.types.is_empty() && shows(src, m, s.types),
            // In a macro's body it cannot be told where the code runs; a function of the user's own stays.
            Need::Host => {
                is_called(src, m)
                    && !src.tokens[at].in_directive
                    && !cx.declared.contains(m.name.as_str())
                    && !device.iter().any(|b| b.contains(&at))
            }
            _ => false,
        };
        if !needed || !matches!(cx.state(at), State::Active | State::Dead) || cx.settled(at) {
            continue;
        }
        cx.note_name(at, &m.name, Context::library(&m.name), Fate::Shimmed, Some(s.to));
        cx.need_shim(s.unit);
        if let Some(unit) = s.also {
            cx.need_shim(unit);
        }
        cx.replace(&m.tokens, s.to);
    }
}

fn is_called(src: &Source, m: &Met) -> bool {
    src.tokens.get(m.tokens.end).is_some_and(|t| t.is(b'('))
}

/// Whether the first argument of the call is of one of the types, as far as the file shows.
fn shows(src: &Source, m: &Met, types: &[&str]) -> bool {
    let open = m.tokens.end;
    if !src.tokens.get(open).is_some_and(|t| t.is(b'(')) {
        return false;
    }
    let Some(close) = src.brackets.partner(open) else {
        return false;
    };
    let Some(first) = args::split(src, open + 1..close).into_iter().next() else {
        return false;
    };
    if first.clone().any(|t| types.contains(&src.str(t))) {
        return true;
    }
    let Some(root) = first.clone().find(|&t| src.tokens[t].is_ident()) else {
        return false;
    };
    // The nearest declaration before the call is the one in force.
    (0..root)
        .rev()
        .find_map(|t| (src.text(t) == src.text(root)).then(|| declared_type(src, t)).flatten())
        .is_some_and(|k| types.contains(&k))
}

/// The type of a declarator `T *name`, `T &name` or `T name[`, if the token is one.
fn declared_type<'a>(src: &Source<'a>, name: usize) -> Option<&'a str> {
    let mut i = name;
    let mut indirect = src.tokens.get(name + 1).is_some_and(|t| t.is(b'['));
    loop {
        i = src.before(i)?;
        match src.tokens[i].kind {
            Kind::Punct(b'*' | b'&') => indirect = true,
            Kind::Ident
                if matches!(
                    src.text(i),
                    b"const" | b"__restrict__" | b"__restrict" | b"volatile" | b"restrict"
                ) => {}
            Kind::Ident if indirect => return Some(src.str(i)),
            _ => return None,
        }
    }
}
