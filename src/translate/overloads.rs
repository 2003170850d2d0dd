//! Device functions that a program defines because CUDA lacks them, and HIP has them: `atomicMin(float *, float)`. A
//! second definition does not compile, so it is put under a guard, by `rules/defined.toml`.

use super::context::{Context, State};
use super::vector_operators::{guard, start_of};
use crate::diagnostics::{codes, Diagnostic};
use crate::rules::DEFINED;
use crate::syntax::{args, Source};
use std::ops::Range;

pub fn run(cx: &mut Context) {
    let src = cx.src;
    for i in 0..src.tokens.len() {
        if !src.tokens[i].is_ident() || !src.tokens.get(i + 1).is_some_and(|t| t.is(b'(')) {
            continue;
        }
        let Some(forms) = DEFINED.get(src.str(i)) else { continue };
        if src.tokens[i].in_directive || cx.state(i) != State::Active {
            continue;
        }
        let Some(whole) = definition(src, i, forms) else {
            continue;
        };
        let name = src.str(i);
        let d = Diagnostic::new(
            &codes::OVERLOAD_GUARDED,
            src.span(i),
            format!("HIP defines `{name}` for these types: this definition was put under a guard"),
        )
        .help("check that it does the same: HIP's takes the smaller or larger value, or adds, and returns the old one");
        if !cx.ignored(d.code, &d.span) && guard(cx, &whole, &format!("HIP defines {name} for these types")) {
            cx.report(i, d);
        }
    }
}

/// The tokens of the definition whose name is this token, if its parameters are of one of the forms.
fn definition(src: &Source, name: usize, forms: &[&str]) -> Option<Range<usize>> {
    let open = name + 1;
    if !src.tokens.get(open)?.is(b'(') {
        return None;
    }
    let close = src.brackets.partner(open)?;
    if !src.tokens.get(close + 1)?.is(b'{') {
        return None;
    }
    let types: Vec<String> = args::split(src, open + 1..close)
        .into_iter()
        .map(|p| parameter_type(src, p))
        .collect();
    if !forms.contains(&types.join(", ").as_str()) {
        return None;
    }
    let start = start_of(src, name)?;
    if src.text(start) == b"template" {
        return None;
    }
    Some(start..src.brackets.partner(close + 1)? + 1)
}

/// A parameter's type without qualifiers and name, its words separated by spaces.
fn parameter_type(src: &Source, range: Range<usize>) -> String {
    let words: Vec<&str> = range
        .map(|t| src.str(t))
        .filter(|w| !matches!(*w, "const" | "volatile" | "__restrict__" | "__restrict"))
        .collect();
    let last_is_name = words.len() > 1 && words.last().is_some_and(|w| *w != "*");
    words[..words.len() - last_is_name as usize].join(" ")
}
