//! Conditions of `#if` lines: an expression over tokens, and its value under assumptions.

use super::directive::{Directive, DirectiveKind};
use super::lex::Kind;
use super::Source;
use std::ops::Range;

/// A condition's expression; leaves know their tokens.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// `defined(NAME)`, `defined NAME`, or the name of `#ifdef`; the name's token.
    Defined(usize),
    /// A bare identifier.
    Name(usize),
    Number(i64),
    Not(Box<Expr>),
    /// Operator, operands, and the tokens of the whole.
    Binary(Op, Box<Expr>, Box<Expr>, Range<usize>),
    /// Anything else: function-like macros, arithmetic that guards seldom use.
    Opaque,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    And,
    Or,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    Add,
    Sub,
    Mul,
    Div,
}

/// What is assumed of a macro.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assume {
    Undefined,
    Value(i64),
    /// Defined, with a value not known.
    Defined,
    Unknown,
}

impl Expr {
    /// The condition of a directive: `#else` has `Number(1)`, other kinds of line none.
    pub fn of(src: &Source, d: &Directive) -> Option<Expr> {
        Some(match d.kind {
            DirectiveKind::If | DirectiveKind::Elif => {
                let mut p = Parser {
                    src,
                    at: d.body.start,
                    end: d.body.end,
                };
                let e = p.binary(0);
                if p.at < p.end {
                    Expr::Opaque
                } else {
                    e
                }
            }
            DirectiveKind::Ifdef | DirectiveKind::Elifdef => Expr::Defined(d.name?),
            DirectiveKind::Ifndef | DirectiveKind::Elifndef => Expr::Not(Box::new(Expr::Defined(d.name?))),
            DirectiveKind::Else => Expr::Number(1),
            _ => return None,
        })
    }

    /// The value under assumptions, where they settle it.
    pub fn value(&self, src: &Source, assume: &dyn Fn(&str) -> Assume) -> Option<i64> {
        match self {
            Expr::Number(n) => Some(*n),
            Expr::Defined(t) => match assume(src.str(*t)) {
                Assume::Undefined => Some(0),
                Assume::Value(_) | Assume::Defined => Some(1),
                Assume::Unknown => None,
            },
            Expr::Name(t) => match assume(src.str(*t)) {
                Assume::Undefined => Some(0),
                Assume::Value(v) => Some(v),
                Assume::Defined | Assume::Unknown => None,
            },
            Expr::Not(e) => e.value(src, assume).map(|v| (v == 0) as i64),
            Expr::Opaque => None,
            Expr::Binary(op, a, b, _) => {
                let (a, b) = (a.value(src, assume), b.value(src, assume));
                match (op, a, b) {
                    (Op::And, Some(0), _) | (Op::And, _, Some(0)) => Some(0),
                    (Op::Or, Some(x), _) | (Op::Or, _, Some(x)) if x != 0 => Some(1),
                    (_, Some(a), Some(b)) => op.apply(a, b),
                    _ => None,
                }
            }
        }
    }

    /// Visits this expression and all below it.
    pub fn walk(&self, visit: &mut dyn FnMut(&Expr)) {
        visit(self);
        match self {
            Expr::Not(e) => e.walk(visit),
            Expr::Binary(_, a, b, _) => {
                a.walk(visit);
                b.walk(visit);
            }
            _ => {}
        }
    }
}

impl Op {
    /// The value of `a op b`; none on division by zero or overflow.
    pub fn apply(self, a: i64, b: i64) -> Option<i64> {
        Some(match self {
            Op::And => (a != 0 && b != 0) as i64,
            Op::Or => (a != 0 || b != 0) as i64,
            Op::Lt => (a < b) as i64,
            Op::Le => (a <= b) as i64,
            Op::Gt => (a > b) as i64,
            Op::Ge => (a >= b) as i64,
            Op::Eq => (a == b) as i64,
            Op::Ne => (a != b) as i64,
            Op::Add => a.checked_add(b)?,
            Op::Sub => a.checked_sub(b)?,
            Op::Mul => a.checked_mul(b)?,
            Op::Div => a.checked_div(b)?,
        })
    }

    pub fn is_comparison(self) -> bool {
        matches!(self, Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::Eq | Op::Ne)
    }

    fn of(text: &[u8]) -> Option<(Op, u8)> {
        Some(match text {
            b"||" => (Op::Or, 1),
            b"&&" => (Op::And, 2),
            b"==" => (Op::Eq, 3),
            b"!=" => (Op::Ne, 3),
            b"<" => (Op::Lt, 4),
            b"<=" => (Op::Le, 4),
            b">" => (Op::Gt, 4),
            b">=" => (Op::Ge, 4),
            b"+" => (Op::Add, 5),
            b"-" => (Op::Sub, 5),
            b"*" => (Op::Mul, 6),
            b"/" => (Op::Div, 6),
            _ => return None,
        })
    }
}

/// The value of an integer literal, suffixes and separators allowed.
pub fn integer(text: &[u8]) -> Option<i64> {
    let s: String = text.iter().filter(|&&b| b != b'\'').map(|&b| b as char).collect();
    let s = s.trim_end_matches(['u', 'U', 'l', 'L', 'z', 'Z']);
    let parsed = match s.as_bytes() {
        [b'0', b'x' | b'X', ..] => u64::from_str_radix(&s[2..], 16),
        [b'0', b'b' | b'B', ..] => u64::from_str_radix(&s[2..], 2),
        [b'0', _, ..] => u64::from_str_radix(&s[1..], 8),
        _ => s.parse(),
    };
    parsed.ok().map(|v| v as i64)
}

struct Parser<'s, 'a> {
    src: &'s Source<'a>,
    at: usize,
    end: usize,
}

impl Parser<'_, '_> {
    fn next_is(&self, punct: u8) -> bool {
        self.at < self.end && self.src.tokens[self.at].is(punct)
    }

    fn binary(&mut self, floor: u8) -> Expr {
        let start = self.at;
        let mut left = self.unary();
        while self.at < self.end {
            let Some((op, rank)) = Op::of(self.src.text(self.at)).filter(|o| o.1 > floor) else {
                break;
            };
            self.at += 1;
            let right = self.binary(rank);
            left = Expr::Binary(op, Box::new(left), Box::new(right), start..self.at);
        }
        left
    }

    fn unary(&mut self) -> Expr {
        if self.at >= self.end {
            return Expr::Opaque;
        }
        let i = self.at;
        self.at += 1;
        match self.src.tokens[i].kind {
            Kind::Punct(b'!') => Expr::Not(Box::new(self.unary())),
            Kind::Punct(b'(') => {
                let e = self.binary(0);
                if self.next_is(b')') {
                    self.at += 1;
                    e
                } else {
                    Expr::Opaque
                }
            }
            Kind::Number => integer(self.src.text(i)).map_or(Expr::Opaque, Expr::Number),
            Kind::Ident if self.src.text(i) == b"defined" => self.defined(),
            Kind::Ident if self.next_is(b'(') => {
                match self.src.brackets.partner(self.at) {
                    Some(p) if p < self.end => self.at = p + 1,
                    _ => self.at = self.end,
                }
                Expr::Opaque
            }
            Kind::Ident => match self.src.text(i) {
                b"true" => Expr::Number(1),
                b"false" => Expr::Number(0),
                _ => Expr::Name(i),
            },
            _ => Expr::Opaque,
        }
    }

    fn defined(&mut self) -> Expr {
        let parens = self.next_is(b'(');
        self.at += parens as usize;
        let name = self.at;
        if name >= self.end || !self.src.tokens[name].is_ident() {
            return Expr::Opaque;
        }
        self.at += 1;
        if parens {
            if !self.next_is(b')') {
                return Expr::Opaque;
            }
            self.at += 1;
        }
        Expr::Defined(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(condition: &str, assume: &dyn Fn(&str) -> Assume) -> Option<i64> {
        let text = format!("#if {condition}\n#endif\n");
        let src = Source::new(text.as_bytes());
        Expr::of(&src, &src.directives[0]).unwrap().value(&src, assume)
    }

    #[test]
    fn values_where_assumptions_settle_them() {
        let arch = |n: &str| match n {
            "ARCH" => Assume::Value(700),
            "OFF" => Assume::Undefined,
            _ => Assume::Unknown,
        };
        assert_eq!(value("ARCH >= 700 && !defined(OFF)", &arch), Some(1));
        assert_eq!(value("defined OFF && WHO_KNOWS", &arch), Some(0));
        assert_eq!(value("WHO_KNOWS || ARCH < 600", &arch), None);
        assert_eq!(value("(ARCH / 100) == 7", &arch), Some(1));
        assert_eq!(value("F(1, 2) || 1", &arch), Some(1));
    }
}
