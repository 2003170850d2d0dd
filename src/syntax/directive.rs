//! Preprocessor lines and the groups of `#if` that they form.

use super::lex::{Kind, Token};
use std::ops::Range;

/// The kinds of line that passes ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DirectiveKind {
    Include,
    Define,
    Undef,
    If,
    Ifdef,
    Ifndef,
    Elif,
    Elifdef,
    Elifndef,
    Else,
    Endif,
    Pragma,
    Other,
}

/// One preprocessor line.
#[derive(Clone, Debug)]
pub struct Directive {
    pub kind: DirectiveKind,
    /// All its tokens, from the `#`.
    pub tokens: Range<usize>,
    /// What follows the directive's word; for `#define`, what follows the name and its parameters.
    pub body: Range<usize>,
    /// The name that `#define`, `#undef`, `#ifdef` or `#ifndef` speaks of, as a token.
    pub name: Option<usize>,
    /// Parameters of a function-like macro, as tokens.
    pub params: Option<Vec<usize>>,
    /// Bytes from the `#` to before the line end.
    pub span: Range<usize>,
}

/// Reads the lines that the lexer found.
pub fn parse(bytes: &[u8], tokens: &[Token], spans: &[(Range<usize>, Range<u32>)]) -> Vec<Directive> {
    spans
        .iter()
        .map(|(t, s)| line(bytes, tokens, t.clone(), s.start as usize..s.end as usize))
        .collect()
}

fn line(bytes: &[u8], tokens: &[Token], range: Range<usize>, span: Range<usize>) -> Directive {
    use DirectiveKind::*;
    let word = range.start + 1;
    let kind = match tokens.get(word).filter(|_| word < range.end).map(|t| &bytes[t.range()]) {
        Some(b"include" | b"include_next" | b"import") => Include,
        Some(b"define") => Define,
        Some(b"undef") => Undef,
        Some(b"if") => If,
        Some(b"ifdef") => Ifdef,
        Some(b"ifndef") => Ifndef,
        Some(b"elif") => Elif,
        Some(b"elifdef") => Elifdef,
        Some(b"elifndef") => Elifndef,
        Some(b"else") => Else,
        Some(b"endif") => Endif,
        Some(b"pragma") => Pragma,
        _ => Other,
    };
    let mut body = (word + 1).min(range.end)..range.end;
    let (mut name, mut params) = (None, None);
    if matches!(kind, Define | Undef | Ifdef | Ifndef | Elifdef | Elifndef) && !body.is_empty() {
        name = Some(body.start);
        body.start += 1;
    }
    if let (Define, Some(n)) = (kind, name) {
        // A macro takes parameters only when the parenthesis follows its name at once.
        if body.start < body.end && tokens[body.start].is(b'(') && tokens[body.start].start == tokens[n].end {
            let close = (body.start..body.end)
                .find(|&i| tokens[i].is(b')'))
                .unwrap_or(body.end - 1);
            params = Some((body.start..close).filter(|&i| tokens[i].kind == Kind::Ident).collect());
            body.start = close + 1;
        }
    }
    Directive {
        kind,
        tokens: range,
        body,
        name,
        params,
        span,
    }
}

/// One arm of a conditional group.
#[derive(Clone, Debug)]
pub struct Arm {
    /// The directive that opens it, as an index.
    pub directive: usize,
    /// The bytes between that line and the next of the group.
    pub bytes: Range<usize>,
    /// The tokens between, nested directives included.
    pub tokens: Range<usize>,
}

/// `#if` … `#endif`. Groups are listed outer first, in order of their `#if`.
#[derive(Clone, Debug)]
pub struct Group {
    pub arms: Vec<Arm>,
    /// The `#endif`, or `None` where the file ends before it.
    pub endif: Option<usize>,
}

/// The conditional groups of a file. An `#else` or `#endif` without its `#if` is passed over.
pub fn groups(directives: &[Directive], end: usize, token_count: usize) -> Vec<Group> {
    use DirectiveKind::*;
    let mut done: Vec<Group> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let close_arm = |g: &mut Group, at: usize, token: usize| {
        if let Some(a) = g.arms.last_mut() {
            a.bytes.end = at;
            a.tokens.end = token;
        }
    };
    for (i, d) in directives.iter().enumerate() {
        let arm = Arm {
            directive: i,
            bytes: d.span.end..end,
            tokens: d.tokens.end..token_count,
        };
        match d.kind {
            If | Ifdef | Ifndef => {
                open.push(done.len());
                done.push(Group {
                    arms: vec![arm],
                    endif: None,
                });
            }
            Elif | Elifdef | Elifndef | Else => {
                if let Some(&g) = open.last() {
                    close_arm(&mut done[g], d.span.start, d.tokens.start);
                    done[g].arms.push(arm);
                }
            }
            Endif => {
                if let Some(g) = open.pop() {
                    close_arm(&mut done[g], d.span.start, d.tokens.start);
                    done[g].endif = Some(i);
                }
            }
            _ => {}
        }
    }
    done
}
