//! Expressions over tokens: a precedence parser that never fails. What it cannot read is [`Node::Opaque`], with the
//! expressions found inside as children.
//!
//! It knows no names, so `(a) - b` and `f < g` are read by what is likelier; a pass must be able to live with that.

use super::args;
use super::condition::integer;
use super::lex::Kind;
use super::Source;
use std::ops::Range;

/// An expression of an [`Arena`].
pub type Id = u32;

/// Operators that analyses tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    And,
    Xor,
    Or,
    LogAnd,
    LogOr,
    Comma,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum Node {
    /// An integer; `wide`: its suffix or size makes it 64 bits.
    Number {
        value: i64,
        wide: bool,
    },
    /// An identifier, or the last of a qualified path; its token.
    Name(usize),
    /// `object.name` or `object->name`; the name's token.
    Member(Id, usize),
    Index(Id, Id),
    /// Callee, template arguments between the angle brackets if written, arguments.
    Call(Id, Option<Range<usize>>, Vec<Id>),
    /// `-`, `~`, `!`, `*`, `&`, or `+` for what does not change the value.
    Unary(u8, Id),
    /// `++x`, `x--` and the like.
    Step(Id),
    Binary(Op, Id, Id),
    /// `=` or, with an operator, `+=` and the like.
    Assign(Option<Op>, Id, Id),
    Ternary(Id, Id, Id),
    /// A cast of any form; the type's tokens.
    Cast(Range<usize>, Id),
    /// Anything else, with the parts that could be read.
    Opaque(Vec<Id>),
}

/// An expression and its tokens.
#[derive(Clone, Debug)]
pub struct Expr {
    pub node: Node,
    pub tokens: Range<usize>,
}

/// Expressions of one function, by [`Id`].
#[derive(Clone, Debug, Default)]
pub struct Arena {
    pub exprs: Vec<Expr>,
    /// Bodies of lambdas met on the way, as tokens from `{` to before `}`.
    pub lambdas: Vec<Range<usize>>,
}

impl Arena {
    pub fn get(&self, id: Id) -> &Expr {
        &self.exprs[id as usize]
    }

    pub fn node(&self, id: Id) -> &Node {
        &self.exprs[id as usize].node
    }

    /// The children of an expression.
    pub fn children(&self, id: Id) -> Vec<Id> {
        match self.node(id) {
            Node::Number { .. } | Node::Name(_) => Vec::new(),
            Node::Member(a, _) | Node::Unary(_, a) | Node::Step(a) | Node::Cast(_, a) => vec![*a],
            Node::Index(a, b) | Node::Binary(_, a, b) | Node::Assign(_, a, b) => vec![*a, *b],
            Node::Call(f, _, args) => std::iter::once(*f).chain(args.iter().copied()).collect(),
            Node::Ternary(a, b, c) => vec![*a, *b, *c],
            Node::Opaque(all) => all.clone(),
        }
    }

    /// Visits an expression and all below it.
    pub fn walk(&self, id: Id, visit: &mut dyn FnMut(Id)) {
        visit(id);
        for c in self.children(id) {
            self.walk(c, visit);
        }
    }

    /// Reads one expression from a token range.
    pub fn parse(&mut self, src: &Source, range: Range<usize>) -> Id {
        let mut p = Parser {
            src,
            arena: self,
            at: range.start,
            end: range.end,
            depth: 0,
        };
        p.skip_directives();
        let first = p.level(0);
        if p.at >= p.end {
            return first;
        }
        // What is left over was not read; its parts still count.
        let mut parts = vec![first];
        while p.at < p.end {
            let before = p.at;
            parts.push(p.level(0));
            if p.at == before {
                p.at += 1;
            }
            p.skip_directives();
        }
        p.push(Node::Opaque(parts), range.start)
    }
}

/// Nesting beyond this is not read: no kernel has it, and the stack is finite.
const DEEPEST: usize = 120;

struct Parser<'s, 'a, 'r> {
    src: &'s Source<'a>,
    arena: &'r mut Arena,
    at: usize,
    end: usize,
    depth: usize,
}

impl Parser<'_, '_, '_> {
    fn push(&mut self, node: Node, start: usize) -> Id {
        self.arena.exprs.push(Expr {
            node,
            tokens: start..self.at.max(start),
        });
        (self.arena.exprs.len() - 1) as Id
    }

    fn skip_directives(&mut self) {
        let inside = self.at > 0 && self.at < self.end && self.src.tokens[self.end - 1].in_directive;
        while self.at < self.end && self.src.tokens[self.at].in_directive && !inside {
            self.at += 1;
        }
    }

    fn punct(&self) -> u8 {
        match self
            .src
            .tokens
            .get(self.at)
            .filter(|_| self.at < self.end)
            .map(|t| t.kind)
        {
            Some(Kind::Punct(b)) => b,
            _ => 0,
        }
    }

    fn text(&self) -> &[u8] {
        if self.at < self.end {
            self.src.text(self.at)
        } else {
            b""
        }
    }

    fn partner(&self, open: usize) -> Option<usize> {
        self.src.brackets.partner(open).filter(|&p| p < self.end && p > open)
    }

    /// The binary operator here, its rank and how many tokens it takes; `None` rank 2 is `=` and its kin, 3 the `?`.
    fn operator(&self) -> Option<(Option<Op>, u8, usize)> {
        let t = self.src.tokens.get(self.at).filter(|_| self.at < self.end)?;
        let next = self
            .src
            .tokens
            .get(self.at + 1)
            .filter(|n| self.at + 1 < self.end && n.start == t.end);
        Some(match t.kind {
            Kind::Punct(b) => match b {
                b',' => (Some(Op::Comma), 1, 1),
                b'=' => (None, 2, 1),
                b'?' => (None, 3, 1),
                b'|' => (Some(Op::Or), 6, 1),
                b'^' => (Some(Op::Xor), 7, 1),
                b'&' => (Some(Op::And), 8, 1),
                b'<' => (Some(Op::Lt), 10, 1),
                b'>' if next.is_some_and(|n| n.is(b'>')) => (Some(Op::Shr), 11, 2),
                // `>>=` is lexed as `>` and `>=`.
                b'>' if next.is_some_and(|n| n.kind == Kind::Op) && self.src.text(self.at + 1) == b">=" => {
                    (Some(Op::Shr), 2, 2)
                }
                b'>' => (Some(Op::Gt), 10, 1),
                b'+' => (Some(Op::Add), 12, 1),
                b'-' => (Some(Op::Sub), 12, 1),
                b'*' => (Some(Op::Mul), 13, 1),
                b'/' => (Some(Op::Div), 13, 1),
                b'%' => (Some(Op::Rem), 13, 1),
                _ => return None,
            },
            Kind::Op => match self.src.text(self.at) {
                b"||" => (Some(Op::LogOr), 4, 1),
                b"&&" => (Some(Op::LogAnd), 5, 1),
                b"==" => (Some(Op::Eq), 9, 1),
                b"!=" => (Some(Op::Ne), 9, 1),
                b"<=" => (Some(Op::Le), 10, 1),
                b">=" => (Some(Op::Ge), 10, 1),
                b"<<" => (Some(Op::Shl), 11, 1),
                b"+=" => (Some(Op::Add), 2, 1),
                b"-=" => (Some(Op::Sub), 2, 1),
                b"*=" => (Some(Op::Mul), 2, 1),
                b"/=" => (Some(Op::Div), 2, 1),
                b"%=" => (Some(Op::Rem), 2, 1),
                b"&=" => (Some(Op::And), 2, 1),
                b"|=" => (Some(Op::Or), 2, 1),
                b"^=" => (Some(Op::Xor), 2, 1),
                b"<<=" => (Some(Op::Shl), 2, 1),
                _ => return None,
            },
            _ => return None,
        })
    }

    /// An expression of operators that bind more tightly than `floor`.
    fn level(&mut self, floor: u8) -> Id {
        let start = self.at;
        self.depth += 1;
        if self.depth > DEEPEST {
            self.at = self.end;
            self.depth -= 1;
            return self.push(Node::Opaque(Vec::new()), start);
        }
        let mut left = self.unary();
        loop {
            self.skip_directives();
            let Some((op, rank, width)) = self.operator().filter(|o| o.1 > floor) else {
                break;
            };
            self.at += width;
            self.skip_directives();
            left = match (op, rank) {
                (_, 2) => {
                    let right = self.level(1);
                    self.push(Node::Assign(op, left, right), start)
                }
                (_, 3) => {
                    let yes = self.level(1);
                    if self.punct() == b':' {
                        self.at += 1;
                    }
                    let no = self.level(1);
                    self.push(Node::Ternary(left, yes, no), start)
                }
                (Some(op), rank) => {
                    let right = self.level(rank);
                    self.push(Node::Binary(op, left, right), start)
                }
                (None, _) => break,
            };
        }
        self.depth -= 1;
        left
    }

    fn unary(&mut self) -> Id {
        let start = self.at;
        if self.at >= self.end {
            return self.push(Node::Opaque(Vec::new()), start);
        }
        match self.src.tokens[self.at].kind {
            Kind::Punct(b @ (b'-' | b'~' | b'!' | b'*' | b'&' | b'+')) => {
                self.at += 1;
                self.depth += 1;
                let e = if self.depth > DEEPEST {
                    self.at = self.end;
                    self.push(Node::Opaque(Vec::new()), start)
                } else {
                    self.unary()
                };
                self.depth -= 1;
                self.push(Node::Unary(b, e), start)
            }
            Kind::Op if matches!(self.text(), b"++" | b"--") => {
                self.at += 1;
                let e = self.unary();
                self.push(Node::Step(e), start)
            }
            Kind::Punct(b'(') => match self.cast(start) {
                Some(e) => e,
                None => self.postfix(),
            },
            Kind::Ident if matches!(self.text(), b"return" | b"co_return" | b"throw" | b"new" | b"delete") => {
                self.at += 1;
                self.unary()
            }
            Kind::Ident if self.text() == b"sizeof" || self.text() == b"alignof" => {
                self.at += 1;
                if self.punct() == b'(' {
                    self.at = self.partner(self.at).map_or(self.end, |p| p + 1);
                } else {
                    self.unary();
                }
                self.push(Node::Opaque(Vec::new()), start)
            }
            _ => self.postfix(),
        }
    }

    /// `(type) operand`, if the parentheses hold what reads as a type and an operand follows.
    fn cast(&mut self, start: usize) -> Option<Id> {
        let close = self.partner(self.at)?;
        let ty = self.at + 1..close;
        let follows = self.src.tokens.get(close + 1).filter(|_| close + 1 < self.end)?;
        let operand = match follows.kind {
            Kind::Ident | Kind::Number | Kind::Str | Kind::Char => true,
            Kind::Punct(b'(' | b'~' | b'!') => true,
            Kind::Punct(b'-' | b'*' | b'&' | b'+') => is_builtin_type(self.src, &ty) || pointer_type(self.src, &ty),
            _ => false,
        };
        if !operand || !reads_as_type(self.src, &ty) {
            return None;
        }
        self.at = close + 1;
        let e = self.unary();
        Some(self.push(Node::Cast(ty, e), start))
    }

    fn postfix(&mut self) -> Id {
        let start = self.at;
        let mut e = self.primary();
        let mut template: Option<Range<usize>> = None;
        loop {
            if self.at >= self.end {
                return e;
            }
            let t = &self.src.tokens[self.at];
            match t.kind {
                Kind::Punct(b'(') => {
                    let Some(close) = self.partner(self.at) else {
                        return e;
                    };
                    let args = self.arguments(self.at + 1..close);
                    self.at = close + 1;
                    let callee = self.arena.get(e).tokens.clone();
                    e = if args.len() == 1 && is_builtin_type(self.src, &callee) {
                        self.push(Node::Cast(callee, args[0]), start)
                    } else if let (Some(ty), 1, true) = (&template, args.len(), is_cast_word(self.src, &callee)) {
                        self.push(Node::Cast(ty.clone(), args[0]), start)
                    } else {
                        self.push(Node::Call(e, template.take(), args), start)
                    };
                }
                Kind::Punct(b'[') => {
                    let Some(close) = self.partner(self.at) else {
                        return e;
                    };
                    let index = self.inner(self.at + 1..close);
                    self.at = close + 1;
                    e = self.push(Node::Index(e, index), start);
                }
                Kind::Punct(b'{') if matches!(self.arena.node(e), Node::Name(_)) => {
                    // `dim3{32, 4}`
                    let Some(close) = self.partner(self.at) else {
                        return e;
                    };
                    let args = self.arguments(self.at + 1..close);
                    self.at = close + 1;
                    e = self.push(Node::Call(e, template.take(), args), start);
                }
                Kind::Punct(b'.') | Kind::Arrow => {
                    self.at += 1;
                    if self.text() == b"template" {
                        self.at += 1;
                    }
                    if self.at < self.end && self.src.tokens[self.at].is_ident() {
                        let name = self.at;
                        self.at += 1;
                        e = self.push(Node::Member(e, name), start);
                    } else {
                        return e;
                    }
                }
                Kind::Op if matches!(self.text(), b"++" | b"--") => {
                    self.at += 1;
                    e = self.push(Node::Step(e), start);
                }
                Kind::Punct(b'<') if matches!(self.arena.node(e), Node::Name(_) | Node::Member(..)) => {
                    let Some(close) = args::template_close(self.src, self.at, self.end) else {
                        return e;
                    };
                    template = Some(self.at + 1..close);
                    self.at = close + 1;
                    if self.at < self.end && self.src.tokens[self.at].kind == Kind::Scope {
                        self.at += 1;
                        if self.at < self.end && self.src.tokens[self.at].is_ident() {
                            let name = self.at;
                            self.at += 1;
                            e = self.push(Node::Name(name), start);
                            template = None;
                        }
                    }
                }
                Kind::LaunchOpen => {
                    // A launch: its operands are expressions of their own.
                    let Some(l) = super::launch::find_at(self.src, self.at) else {
                        return e;
                    };
                    let mut parts = vec![e];
                    for c in &l.config {
                        parts.push(self.inner(c.clone()));
                    }
                    self.at = l.close.end.min(self.end);
                    if let Some(a) = l.arguments.filter(|a| a.end < self.end) {
                        parts.extend(self.arguments(a.clone()));
                        self.at = a.end + 1;
                    }
                    e = self.push(Node::Opaque(parts), start);
                }
                _ => return e,
            }
        }
    }

    fn inner(&mut self, range: Range<usize>) -> Id {
        let (at, end) = (self.at, self.end);
        (self.at, self.end) = (range.start, range.end);
        self.skip_directives();
        let e = self.level(0);
        (self.at, self.end) = (at, end);
        e
    }

    fn arguments(&mut self, range: Range<usize>) -> Vec<Id> {
        args::split(self.src, range)
            .into_iter()
            .map(|a| self.inner(a))
            .collect()
    }

    fn primary(&mut self) -> Id {
        let start = self.at;
        if self.at >= self.end {
            return self.push(Node::Opaque(Vec::new()), start);
        }
        let t = self.src.tokens[self.at];
        match t.kind {
            Kind::Number => {
                self.at += 1;
                let text = self.src.text(start);
                match integer(text) {
                    Some(value) => {
                        let long = text.iter().any(|b| matches!(b, b'l' | b'L')) && !text.starts_with(b"0b");
                        let wide = long || !(-0x8000_0000..=0xffff_ffff).contains(&value);
                        self.push(Node::Number { value, wide }, start)
                    }
                    None => self.push(Node::Opaque(Vec::new()), start),
                }
            }
            Kind::Scope | Kind::Ident => {
                if t.kind == Kind::Scope {
                    self.at += 1;
                }
                let mut name = self.at;
                while self.at < self.end && self.src.tokens[self.at].is_ident() {
                    name = self.at;
                    self.at += 1;
                    let scope = self.src.tokens.get(self.at).is_some_and(|t| t.kind == Kind::Scope);
                    if scope && self.at + 1 < self.end && self.src.tokens[self.at + 1].is_ident() {
                        self.at += 1;
                    } else {
                        break;
                    }
                }
                match self.src.str(name) {
                    "true" => self.push(Node::Number { value: 1, wide: false }, start),
                    "false" | "nullptr" | "NULL" => self.push(Node::Number { value: 0, wide: false }, start),
                    _ => self.push(Node::Name(name), start),
                }
            }
            Kind::Punct(b'(') => {
                let Some(close) = self.partner(self.at) else {
                    self.at += 1;
                    return self.push(Node::Opaque(Vec::new()), start);
                };
                let e = self.inner(self.at + 1..close);
                self.at = close + 1;
                self.push(Node::Unary(b'+', e), start)
            }
            Kind::Punct(b'{') => {
                let Some(close) = self.partner(self.at) else {
                    self.at += 1;
                    return self.push(Node::Opaque(Vec::new()), start);
                };
                // A long table has nothing to tell.
                let parts = if close - self.at > 200 {
                    Vec::new()
                } else {
                    self.arguments(self.at + 1..close)
                };
                self.at = close + 1;
                self.push(Node::Opaque(parts), start)
            }
            Kind::Punct(b'[') => self.lambda(start),
            _ => {
                self.at += 1;
                self.push(Node::Opaque(Vec::new()), start)
            }
        }
    }

    fn lambda(&mut self, start: usize) -> Id {
        let Some(mut i) = self.partner(self.at) else {
            self.at += 1;
            return self.push(Node::Opaque(Vec::new()), start);
        };
        i += 1;
        while i < self.end && !self.src.tokens[i].is(b'{') {
            let t = &self.src.tokens[i];
            if t.is(b'(') {
                i = self.partner(i).unwrap_or(i);
            } else if !(t.is_ident() || matches!(t.kind, Kind::Arrow | Kind::Punct(b'*' | b'&' | b'<' | b'>'))) {
                break;
            }
            i += 1;
        }
        if i < self.end && self.src.tokens[i].is(b'{') {
            if let Some(close) = self.partner(i) {
                self.arena.lambdas.push(i + 1..close);
                self.at = close + 1;
                return self.push(Node::Opaque(Vec::new()), start);
            }
        }
        self.at = i.max(self.at + 1);
        self.push(Node::Opaque(Vec::new()), start)
    }
}

const TYPE_WORDS: [&str; 38] = [
    "int",
    "unsigned",
    "signed",
    "long",
    "short",
    "char",
    "float",
    "double",
    "bool",
    "void",
    "size_t",
    "int8_t",
    "uint8_t",
    "int16_t",
    "uint16_t",
    "int32_t",
    "uint32_t",
    "int64_t",
    "uint64_t",
    "uint",
    "uchar",
    "ushort",
    "ulong",
    "auto",
    "half",
    "__half",
    "half2",
    "__half2",
    "float2",
    "float4",
    "int2",
    "int4",
    "uint2",
    "uint4",
    "double2",
    "ptrdiff_t",
    "intptr_t",
    "uintptr_t",
];

/// Whether a word names a type of the language or of CUDA.
pub fn is_type_word(word: &str) -> bool {
    TYPE_WORDS.contains(&word)
}

/// Whether tokens are a type written with words that can be nothing else.
pub fn is_builtin_type(src: &Source, range: &Range<usize>) -> bool {
    !range.is_empty()
        && range.clone().all(|i| match src.tokens[i].kind {
            Kind::Ident => is_type_word(src.str(i)) || matches!(src.text(i), b"const" | b"volatile" | b"std"),
            Kind::Scope => true,
            _ => false,
        })
}

fn pointer_type(src: &Source, range: &Range<usize>) -> bool {
    range.len() > 1 && src.tokens[range.end - 1].is(b'*') && src.tokens[range.start].is_ident()
}

fn is_cast_word(src: &Source, range: &Range<usize>) -> bool {
    range.len() == 1
        && matches!(
            src.text(range.start),
            b"static_cast" | b"reinterpret_cast" | b"const_cast" | b"bit_cast"
        )
}

/// Whether tokens could be a type: a path with template arguments, qualifiers and `*`.
fn reads_as_type(src: &Source, range: &Range<usize>) -> bool {
    if range.is_empty() || !src.tokens[range.start].is_ident() {
        return false;
    }
    if is_builtin_type(src, range) || pointer_type(src, range) {
        return true;
    }
    let mut i = range.start;
    let mut after_name = false;
    while i < range.end {
        match src.tokens[i].kind {
            Kind::Ident => {
                if after_name
                    && !is_type_word(src.str(i))
                    && !is_type_word(src.str(i - 1))
                    && src.text(i - 1) != b"const"
                {
                    return false;
                }
                after_name = true;
            }
            Kind::Scope => after_name = false,
            Kind::Punct(b'*' | b'&') => {}
            Kind::Punct(b'<') => match args::template_close(src, i, range.end) {
                Some(p) => i = p,
                None => return false,
            },
            _ => return false,
        }
        i += 1;
    }
    // One plain word in parentheses is a type only if it looks like one: `(T)x`, `(scalar_t)x`, not `(n)(x)`.
    let word = src.str(range.end - 1);
    range.len() > 1
        || word.ends_with("_t")
        || word.ends_with("_type")
        || word.chars().next().is_some_and(char::is_uppercase)
        || src
            .tokens
            .get(range.end + 1)
            .is_some_and(|t| matches!(t.kind, Kind::Ident | Kind::Number))
}
