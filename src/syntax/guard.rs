//! A header's include guard, and the parts of a file that stand under any other condition.

use super::directive::{self, Directive, DirectiveKind};
use super::Source;
use std::ops::Range;

/// The directive of the file's include guard, if it has one: `#ifndef X` before all else, and `#define X` before any
/// code.
pub fn include_guard(src: &Source) -> Option<usize> {
    let once = |d: &Directive| is_pragma_once(src, d);
    let first = src.directives.iter().position(|d| !once(d))?;
    let guard = &src.directives[first];
    let heads = src.tokens[..guard.tokens.start].iter().all(|t| t.in_directive);
    let name = src.text(guard.name.filter(|_| guard.kind == DirectiveKind::Ifndef && heads)?);
    let define = src.directives[first + 1..].iter().find(|d| !once(d))?;
    let sets = define.kind == DirectiveKind::Define && define.name.map(|t| src.text(t)) == Some(name);
    (sets && src.tokens[..define.tokens.start].iter().all(|t| t.in_directive)).then_some(first)
}

/// Whether a directive is `#pragma once`.
pub fn is_pragma_once(src: &Source, d: &Directive) -> bool {
    d.kind == DirectiveKind::Pragma && d.body.clone().any(|t| src.text(t) == b"once")
}

/// The token ranges under a condition other than the include guard; they may nest.
pub fn conditional(src: &Source) -> Vec<Range<usize>> {
    let guard = include_guard(src);
    directive::groups(&src.directives, src.bytes.len(), src.tokens.len())
        .into_iter()
        .filter(|g| Some(g.arms[0].directive) != guard)
        .flat_map(|g| g.arms.into_iter().map(|a| a.tokens))
        .collect()
}
