//! Bodies of functions as statements: declarations, branches, loops, jumps. Never fails; conditional arms of the
//! preprocessor follow one another as if all were compiled.

use super::expr::{is_type_word, Arena, Id};
use super::lex::Kind;
use super::{args, Source};
use std::ops::Range;

/// A variable that a declaration introduces.
#[derive(Clone, Debug)]
pub struct Declaration {
    pub name: usize,
    /// Tokens of the type and its qualifiers, shared by all declarators of the statement.
    pub ty: Range<usize>,
    /// Declared with `*`.
    pub pointer: bool,
    pub dims: Vec<Id>,
    pub init: Option<Id>,
}

/// A statement; ranges are tokens.
#[derive(Clone, Debug)]
pub enum Stmt {
    Expr(Id),
    Declare(Vec<Declaration>),
    Block(Vec<Stmt>),
    If {
        cond: Id,
        then: Box<Stmt>,
        other: Option<Box<Stmt>>,
        whole: Range<usize>,
    },
    Loop {
        init: Option<Box<Stmt>>,
        cond: Option<Id>,
        step: Option<Id>,
        body: Box<Stmt>,
        whole: Range<usize>,
    },
    Switch {
        cond: Id,
        body: Box<Stmt>,
    },
    Return(Option<Id>, usize),
    /// `break`, `continue`, `goto`; the word's token.
    Jump(usize),
    /// `case x:`
    Case(Id),
    /// `asm(…)` and what else is passed over.
    Other(Range<usize>),
}

/// A function's body.
#[derive(Debug, Default)]
pub struct Body {
    pub arena: Arena,
    pub stmts: Vec<Stmt>,
}

impl Body {
    /// Reads the tokens between the braces of a function.
    pub fn parse(src: &Source, range: Range<usize>) -> Body {
        let mut b = Body::default();
        b.stmts = b.statements(src, range, 0);
        b
    }

    fn statements(&mut self, src: &Source, range: Range<usize>, depth: usize) -> Vec<Stmt> {
        let mut out = Vec::new();
        let mut i = range.start;
        while i < range.end {
            let before = i;
            if let Some(s) = self.statement(src, &mut i, range.end, depth) {
                out.push(s);
            }
            if i == before {
                i += 1;
            }
        }
        out
    }

    /// Reads the statement at `i`, and moves `i` behind it.
    fn statement(&mut self, src: &Source, i: &mut usize, end: usize, depth: usize) -> Option<Stmt> {
        while *i < end && (src.tokens[*i].in_directive || src.tokens[*i].is(b';')) {
            *i += 1;
        }
        if *i >= end || depth > 100 {
            *i = end;
            return None;
        }
        let start = *i;
        let t = &src.tokens[start];
        if t.is(b'{') {
            let close = src.brackets.partner(start).filter(|&p| p < end).unwrap_or(end);
            *i = (close + 1).min(end);
            return Some(Stmt::Block(self.statements(src, start + 1..close, depth + 1)));
        }
        if t.is_ident() {
            match src.str(start) {
                "if" => return self.branch(src, i, end, depth),
                "while" => {
                    let cond = self.condition(src, i, end)?;
                    let body = self.inner(src, i, end, depth);
                    return Some(Stmt::Loop {
                        init: None,
                        cond: Some(cond),
                        step: None,
                        body: Box::new(body),
                        whole: start..*i,
                    });
                }
                "do" => {
                    *i += 1;
                    let body = self.inner(src, i, end, depth);
                    let mut cond = None;
                    if *i < end && src.text(*i) == b"while" {
                        cond = self.condition(src, i, end);
                    }
                    return Some(Stmt::Loop {
                        init: None,
                        cond,
                        step: None,
                        body: Box::new(body),
                        whole: start..*i,
                    });
                }
                "for" => return self.for_loop(src, i, end, depth),
                "switch" => {
                    let cond = self.condition(src, i, end)?;
                    let body = self.inner(src, i, end, depth);
                    return Some(Stmt::Switch {
                        cond,
                        body: Box::new(body),
                    });
                }
                "return" => {
                    let stop = stop_of(src, start, end);
                    *i = stop + 1;
                    let value = (start + 1 < stop).then(|| self.arena.parse(src, start + 1..stop));
                    return Some(Stmt::Return(value, start));
                }
                "break" | "continue" | "goto" => {
                    *i = stop_of(src, start, end) + 1;
                    return Some(Stmt::Jump(start));
                }
                "case" => {
                    let colon = (start..end).find(|&k| src.tokens[k].is(b':'))?;
                    *i = colon + 1;
                    return Some(Stmt::Case(self.arena.parse(src, start + 1..colon)));
                }
                "default" if src.tokens.get(start + 1).is_some_and(|t| t.is(b':')) => {
                    *i = start + 2;
                    return None;
                }
                "else" | "try" => {
                    *i += 1;
                    return None;
                }
                "asm" | "__asm__" | "__asm" | "using" | "typedef" | "goto_" | "static_assert" => {
                    let stop = stop_of(src, start, end);
                    *i = stop + 1;
                    return Some(Stmt::Other(start..stop));
                }
                "struct" | "class" | "union" | "enum" => {
                    if let Some(open) = (start..end.min(start + 8)).find(|&k| src.tokens[k].is(b'{')) {
                        let close = src.brackets.partner(open).filter(|&p| p < end).unwrap_or(end);
                        *i = stop_of(src, close.min(end.saturating_sub(1)), end) + 1;
                        return Some(Stmt::Other(start..close.min(end)));
                    }
                }
                _ => {}
            }
            // A label.
            if src.tokens.get(start + 1).is_some_and(|t| t.is(b':')) && start + 1 < end {
                *i = start + 2;
                return None;
            }
        }
        let stop = stop_of(src, start, end);
        *i = stop + 1;
        if stop <= start {
            return None;
        }
        Some(self.simple(src, start..stop))
    }

    /// What a branch or loop holds; a lone `;` is nothing.
    fn inner(&mut self, src: &Source, i: &mut usize, end: usize, depth: usize) -> Stmt {
        while *i < end && src.tokens[*i].in_directive {
            *i += 1;
        }
        if *i < end && src.tokens[*i].is(b';') {
            *i += 1;
            return Stmt::Block(Vec::new());
        }
        self.statement(src, i, end, depth + 1)
            .unwrap_or(Stmt::Block(Vec::new()))
    }

    fn branch(&mut self, src: &Source, i: &mut usize, end: usize, depth: usize) -> Option<Stmt> {
        let start = *i;
        if src.tokens.get(*i + 1).is_some_and(|_| src.text(*i + 1) == b"constexpr") {
            *i += 1;
        }
        let cond = self.condition(src, i, end)?;
        let then = self.inner(src, i, end, depth);
        let mut k = *i;
        while k < end && src.tokens[k].in_directive {
            k += 1;
        }
        let mut other = None;
        if k < end && src.text(k) == b"else" {
            *i = k + 1;
            other = self.statement(src, i, end, depth + 1).map(Box::new);
        }
        Some(Stmt::If {
            cond,
            then: Box::new(then),
            other,
            whole: start..*i,
        })
    }

    /// `word (expression)`; moves behind the parenthesis.
    fn condition(&mut self, src: &Source, i: &mut usize, end: usize) -> Option<Id> {
        let open = *i + 1;
        if open >= end || !src.tokens[open].is(b'(') {
            *i += 1;
            return None;
        }
        let Some(close) = src.brackets.partner(open).filter(|&p| p < end) else {
            *i = end;
            return None;
        };
        *i = close + 1;
        Some(self.arena.parse(src, open + 1..close))
    }

    fn for_loop(&mut self, src: &Source, i: &mut usize, end: usize, depth: usize) -> Option<Stmt> {
        let start = *i;
        let open = start + 1;
        if open >= end || !src.tokens[open].is(b'(') {
            *i += 1;
            return None;
        }
        let Some(close) = src.brackets.partner(open).filter(|&p| p < end) else {
            *i = end;
            return None;
        };
        let a = stop_of(src, open + 1, close);
        let (mut init, mut cond, mut step) = (None, None, None);
        if a < close {
            let b = stop_of(src, a + 1, close);
            if open + 1 < a {
                init = Some(Box::new(self.simple(src, open + 1..a)));
            }
            if a + 1 < b {
                cond = Some(self.arena.parse(src, a + 1..b));
            }
            if b + 1 < close {
                step = Some(self.arena.parse(src, b + 1..close));
            }
        }
        *i = close + 1;
        let body = self.inner(src, i, end, depth);
        Some(Stmt::Loop {
            init,
            cond,
            step,
            body: Box::new(body),
            whole: start..*i,
        })
    }

    /// A declaration or an expression without its `;`.
    fn simple(&mut self, src: &Source, range: Range<usize>) -> Stmt {
        match declared_type(src, &range) {
            Some(ty) => Stmt::Declare(self.declarators(src, ty, range.end)),
            None => Stmt::Expr(self.arena.parse(src, range)),
        }
    }

    fn declarators(&mut self, src: &Source, ty: Range<usize>, end: usize) -> Vec<Declaration> {
        let mut out = Vec::new();
        for part in args::split(src, ty.end..end) {
            let mut i = part.start;
            let mut pointer = false;
            while i < part.end
                && (matches!(src.tokens[i].kind, Kind::Punct(b'*' | b'&'))
                    || matches!(
                        src.text(i),
                        b"&&" | b"const" | b"__restrict__" | b"__restrict" | b"volatile"
                    ))
            {
                pointer |= src.tokens[i].is(b'*');
                i += 1;
            }
            if i >= part.end || !src.tokens[i].is_ident() {
                continue;
            }
            let name = i;
            i += 1;
            let mut dims = Vec::new();
            while i < part.end && src.tokens[i].is(b'[') {
                let Some(close) = src.brackets.partner(i).filter(|&c| c < part.end) else {
                    break;
                };
                if close > i + 1 {
                    dims.push(self.arena.parse(src, i + 1..close));
                }
                i = close + 1;
            }
            let mut init = None;
            if i < part.end {
                let inner = match src.tokens[i].kind {
                    Kind::Punct(b'=') => Some(i + 1..part.end),
                    Kind::Punct(b'(' | b'{') => src.brackets.partner(i).filter(|&c| c < part.end).map(|c| i + 1..c),
                    _ => None,
                };
                init = inner.filter(|r| !r.is_empty()).map(|r| self.arena.parse(src, r));
            }
            out.push(Declaration {
                name,
                ty: ty.clone(),
                pointer,
                dims,
                init,
            });
        }
        out
    }
}

/// The `;` that ends what starts here, brackets passed over; `end` where there is none.
fn stop_of(src: &Source, start: usize, end: usize) -> usize {
    let mut i = start;
    while i < end {
        let t = &src.tokens[i];
        if !t.in_directive {
            match t.kind {
                Kind::Punct(b';') => return i,
                Kind::Punct(b'(' | b'[' | b'{') => {
                    i = src.brackets.partner(i).filter(|&p| p < end && p > i).unwrap_or(i)
                }
                _ => {}
            }
        }
        i += 1;
    }
    end
}

/// The tokens of the type with which a declaration starts; none for an expression.
fn declared_type(src: &Source, range: &Range<usize>) -> Option<Range<usize>> {
    let mut i = range.start;
    let mut certain = false;
    let mut named = false;
    while i < range.end {
        let t = &src.tokens[i];
        match t.kind {
            Kind::Ident => {
                let word = src.str(i);
                let qualifier = matches!(
                    word,
                    "const"
                        | "constexpr"
                        | "static"
                        | "volatile"
                        | "extern"
                        | "register"
                        | "__shared__"
                        | "__constant__"
                        | "__device__"
                        | "typename"
                        | "struct"
                        | "inline"
                        | "mutable"
                        | "thread_local"
                        | "__restrict__"
                        | "__align__"
                        | "alignas"
                        | "__managed__"
                );
                if qualifier {
                    certain |= word != "const" || named || i == range.start;
                    i += 1;
                    if matches!(word, "__align__" | "alignas") && i < range.end && src.tokens[i].is(b'(') {
                        i = src.brackets.partner(i).map_or(range.end, |p| p + 1);
                    }
                    continue;
                }
                if is_type_word(word) && src.tokens.get(i + 1).is_none_or(|n| !n.is(b'(')) {
                    certain = true;
                    named = true;
                    i += 1;
                    continue;
                }
                if named {
                    // The declarator's name.
                    return follows_name(src, i, range.end).then_some(range.start..i);
                }
                named = true;
                i += 1;
                while i + 1 < range.end && src.tokens[i].kind == Kind::Scope && src.tokens[i + 1].is_ident() {
                    i += 2;
                }
                if i < range.end && src.tokens[i].is(b'<') {
                    let close = args::template_close(src, i, range.end)?;
                    i = close + 1;
                    while i + 1 < range.end && src.tokens[i].kind == Kind::Scope && src.tokens[i + 1].is_ident() {
                        i += 2;
                    }
                }
            }
            Kind::Scope if !named => i += 1,
            Kind::Punct(b'*' | b'&') if named => {
                // `T *name`: a declaration when what follows the name can only follow a declarator, or the type is sure.
                let mut k = i;
                while k < range.end
                    && (matches!(src.tokens[k].kind, Kind::Punct(b'*' | b'&'))
                        || matches!(src.text(k), b"const" | b"__restrict__" | b"volatile" | b"__restrict"))
                {
                    k += 1;
                }
                let name = k < range.end && src.tokens[k].is_ident();
                let tail =
                    k + 1 >= range.end || matches!(src.tokens[k + 1].kind, Kind::Punct(b'=' | b',' | b'[' | b'('));
                return (name && tail && (certain || src.tokens.get(k + 1).is_none_or(|t| !t.is(b'('))))
                    .then_some(range.start..i);
            }
            _ => return None,
        }
    }
    None
}

fn follows_name(src: &Source, name: usize, end: usize) -> bool {
    name + 1 >= end
        || matches!(
            src.tokens[name + 1].kind,
            Kind::Punct(b'=' | b'[' | b'(' | b'{' | b',' | b':')
        )
}
