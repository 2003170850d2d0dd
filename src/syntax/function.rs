//! The functions of a file: name, parameters, template parameters, body. Found by brackets, so that code which does not
//! parse costs nothing but itself.

use super::lex::Kind;
use super::{args, Source};
use std::ops::Range;

/// A parameter of a function or template.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// The name's token; none where it has no name.
    pub name: Option<usize>,
    /// Tokens of the type, as far as they stand before the name.
    pub ty: Range<usize>,
    /// Tokens of the default argument.
    pub default: Option<Range<usize>>,
}

/// A function with a body.
#[derive(Clone, Debug)]
pub struct Function {
    /// The name's token.
    pub name: usize,
    /// From the first token of the declaration to the name.
    pub head: Range<usize>,
    pub templates: Vec<Parameter>,
    pub params: Vec<Parameter>,
    /// Between the braces.
    pub body: Range<usize>,
}

impl Function {
    /// Whether a word stands in the head, before the name.
    pub fn has(&self, src: &Source, word: &str) -> bool {
        self.head.clone().any(|i| src.str(i) == word)
    }
}

/// All functions of a file that have a body, in order; members of classes included, lambdas not.
pub fn find(src: &Source) -> Vec<Function> {
    let mut out = Vec::new();
    let mut i = 0;
    while i < src.tokens.len() {
        let t = &src.tokens[i];
        if t.in_directive || !t.is(b'{') {
            i += 1;
            continue;
        }
        let Some(close) = src.brackets.partner(i) else {
            i += 1;
            continue;
        };
        if let Some(f) = function(src, i, close) {
            out.push(f);
            i = close + 1;
        } else if i > 0 && matches!(src.tokens[i - 1].kind, Kind::Punct(b'=' | b'(' | b',' | b'{')) {
            i = close + 1;
        } else {
            i += 1;
        }
    }
    out
}

fn previous(src: &Source, mut i: usize) -> Option<usize> {
    loop {
        i = i.checked_sub(1)?;
        if !src.tokens[i].in_directive {
            return Some(i);
        }
    }
}

/// The function whose body opens at this brace.
fn function(src: &Source, brace: usize, close: usize) -> Option<Function> {
    let mut i = previous(src, brace)?;
    let name = loop {
        let t = &src.tokens[i];
        match t.kind {
            Kind::Punct(b')') => {
                let open = src.brackets.partner(i).filter(|&o| o < i)?;
                let before = previous(src, open)?;
                let word = src.str(before);
                let about = matches!(
                    word,
                    "noexcept"
                        | "__launch_bounds__"
                        | "__attribute__"
                        | "requires"
                        | "decltype"
                        | "__declspec"
                        | "alignas"
                );
                if about {
                    i = previous(src, before)?;
                    continue;
                }
                if matches!(word, "if" | "while" | "for" | "switch" | "catch") {
                    return None;
                }
                // The operand of an initializer list of a constructor: the list starts after the parameters.
                let list = previous(src, before).filter(|&p| src.tokens[p].is(b',') || src.tokens[p].is(b':'));
                match list {
                    Some(p) if src.tokens[before].is_ident() => {
                        let before_list = previous(src, p)?;
                        let after_params = src.tokens[p].is(b':') || src.tokens[before_list].is(b')');
                        if !after_params || !matches!(src.tokens[before_list].kind, Kind::Punct(b')' | b'}')) {
                            break before;
                        }
                        i = before_list;
                        continue;
                    }
                    _ => break before,
                }
            }
            Kind::Ident
                if !matches!(
                    src.str(i),
                    "else" | "do" | "try" | "struct" | "class" | "union" | "enum" | "namespace" | "extern" | "return"
                ) => {}
            Kind::Arrow | Kind::Scope | Kind::Punct(b'*' | b'&' | b'<' | b'>' | b'}') => {
                if t.is(b'}') {
                    // A member initializer `a{1}` before the body.
                    let open = src.brackets.partner(i).filter(|&o| o < i)?;
                    let before = previous(src, open)?;
                    let list = previous(src, before)?;
                    if !src.tokens[before].is_ident() || !matches!(src.tokens[list].kind, Kind::Punct(b',' | b':')) {
                        return None;
                    }
                    i = previous(src, list)?;
                    continue;
                }
            }
            _ => return None,
        }
        i = previous(src, i)?;
    };
    if !src.tokens[name].is_ident() && !matches!(src.tokens[name].kind, Kind::Punct(_) | Kind::Op) {
        return None;
    }
    let open = (name + 1..brace).find(|&t| src.tokens[t].is(b'(') && !src.tokens[t].in_directive)?;
    let shut = src.brackets.partner(open).filter(|&s| s < brace)?;
    let start = head_start(src, name);
    Some(Function {
        name,
        head: start..name,
        templates: templates(src, start..name),
        params: parameters(src, open + 1..shut),
        body: brace + 1..close,
    })
}

/// The first token of the declaration that this name belongs to.
fn head_start(src: &Source, name: usize) -> usize {
    let mut i = name;
    while let Some(p) = previous(src, i) {
        match src.tokens[p].kind {
            Kind::Punct(b';' | b'{' | b'}') => break,
            Kind::Punct(b':') if p > 0 && matches!(src.str(p - 1), "public" | "private" | "protected") => break,
            Kind::Punct(b')') => match src.brackets.partner(p) {
                Some(o) if o < p => i = o,
                _ => break,
            },
            _ => i = p,
        }
    }
    i
}

fn templates(src: &Source, head: Range<usize>) -> Vec<Parameter> {
    let mut out = Vec::new();
    let mut i = head.start;
    while i < head.end && src.text(i) == b"template" && src.tokens.get(i + 1).is_some_and(|t| t.is(b'<')) {
        let mut depth = 0usize;
        let mut j = i + 1;
        while j < head.end {
            match src.tokens[j].kind {
                Kind::Punct(b'<') => depth += 1,
                Kind::Punct(b'>') => {
                    depth -= 1;
                    if depth == 0 {
                        break;
                    }
                }
                Kind::Punct(b'(') => j = src.brackets.partner(j).unwrap_or(j),
                _ => {}
            }
            j += 1;
        }
        out.extend(parameters(src, i + 2..j.min(head.end)));
        i = j + 1;
    }
    out
}

/// The parameters between brackets.
pub fn parameters(src: &Source, inner: Range<usize>) -> Vec<Parameter> {
    args::split(src, inner).into_iter().map(|p| parameter(src, p)).collect()
}

fn parameter(src: &Source, range: Range<usize>) -> Parameter {
    let equals = range.clone().find(|&i| src.tokens[i].is(b'='));
    let declarator = range.start..equals.unwrap_or(range.end);
    // `T (&a)[N]` and `T a[N]`: the name is the last identifier before the first `[`, or before a closing `)`.
    let stop = declarator
        .clone()
        .find(|&i| src.tokens[i].is(b'['))
        .unwrap_or(declarator.end);
    let name = (declarator.start..stop)
        .rev()
        .find(|&i| src.tokens[i].is_ident())
        .filter(|&i| i > declarator.start);
    Parameter {
        name,
        ty: declarator.start..name.unwrap_or(declarator.end),
        default: equals.map(|e| e + 1..range.end).filter(|d| !d.is_empty()),
    }
}
