//! Arguments between brackets: where the commas that separate them are.

use super::lex::Kind;
use super::Source;
use std::ops::Range;

/// Splits the tokens strictly between two matched brackets at their top-level commas. Commas inside brackets of any
/// kind, and inside angle brackets that read as template arguments, do not count. `f()` has no argument.
pub fn split(src: &Source, inner: Range<usize>) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut start = inner.start;
    let mut i = inner.start;
    while i < inner.end {
        let t = &src.tokens[i];
        match t.kind {
            Kind::Punct(b'(' | b'[' | b'{') => {
                if let Some(p) = src.brackets.partner(i).filter(|&p| p < inner.end) {
                    i = p;
                }
            }
            Kind::Punct(b'<') => {
                if let Some(p) = template_close(src, i, inner.end) {
                    i = p;
                }
            }
            Kind::Punct(b',') => {
                out.push(start..i);
                start = i + 1;
            }
            _ => {}
        }
        i += 1;
    }
    if start < inner.end || !out.is_empty() {
        out.push(start..inner.end);
    }
    out
}

/// If the `<` at `open` reads as the start of template arguments, the token of its `>`.
///
/// Taken as such when an identifier stands before it, the angle brackets balance before `end` over tokens that can
/// stand in template arguments, and what follows the `>` cannot follow a comparison's right-hand side as well.
pub fn template_close(src: &Source, open: usize, end: usize) -> Option<usize> {
    if open == 0 || !(src.tokens[open - 1].is_ident()) || is_value_keyword(src.text(open - 1)) {
        return None;
    }
    let mut depth = 0usize;
    let mut i = open;
    while i < end {
        let t = &src.tokens[i];
        match t.kind {
            Kind::Punct(b'<') => depth += 1,
            Kind::Punct(b'>') => {
                depth -= 1;
                if depth == 0 {
                    return follows_template(src, i + 1, end).then_some(i);
                }
            }
            Kind::Punct(b'(' | b'[' | b'{') => i = src.brackets.partner(i).filter(|&p| p < end)?,
            Kind::Punct(b';' | b')' | b']' | b'}' | b'?' | b'=' | b'#') | Kind::LaunchOpen => return None,
            Kind::Op => {
                // `<=`, `&&`, `||`, `==` make a comparison of it; `...`, `+`-like ones can stand in arguments.
                if matches!(
                    src.text(i),
                    b"&&" | b"||" | b"<=" | b">=" | b"==" | b"!=" | b"<<" | b"+=" | b"-="
                ) {
                    return None;
                }
            }
            _ => {}
        }
        i += 1;
    }
    None
}

fn is_value_keyword(word: &[u8]) -> bool {
    matches!(word, b"return" | b"case" | b"sizeof" | b"else")
}

fn follows_template(src: &Source, after: usize, end: usize) -> bool {
    if after >= end {
        return true;
    }
    let t = &src.tokens[after];
    match t.kind {
        Kind::Scope | Kind::Ident | Kind::LaunchOpen => true,
        Kind::Punct(b) => b"(){},>;*&]".contains(&b),
        Kind::Op => matches!(src.text(after), b"..." | b"&&"),
        _ => false,
    }
}
