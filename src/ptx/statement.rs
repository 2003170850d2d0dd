//! The C side of an `asm` statement: `asm volatile ("text" : outputs : inputs : clobbers)`.

use crate::syntax::lex::Kind;
use crate::syntax::{args, Source};
use std::ops::Range;

/// What an operand holds, by its constraint letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constraint {
    /// `h`: a 16-bit register.
    Half,
    /// `r`: a 32-bit register.
    Word,
    /// `l`: a 64-bit register, also an address.
    Long,
    /// `f`
    Float,
    /// `d`
    Double,
    /// `n`: a constant.
    Immediate,
}

/// An operand of the statement.
#[derive(Clone, Debug)]
pub struct Operand {
    pub constraint: Constraint,
    pub written: bool,
    pub read: bool,
    /// Tokens of the C expression, without its parentheses.
    pub expression: Range<usize>,
}

/// An `asm` statement; ranges are tokens.
#[derive(Debug)]
pub struct Statement {
    /// From `asm` to the closing parenthesis.
    pub whole: Range<usize>,
    /// The text, escapes resolved. In a statement with operands `%0` is written `$0` and `%%` as `%`.
    pub text: String,
    pub operands: Vec<Operand>,
    /// Why the statement cannot be translated, whatever its text says.
    pub fault: Option<String>,
}

impl Statement {
    /// The `asm` statement that starts at a token, if one does.
    pub fn at(src: &Source, i: usize) -> Option<Statement> {
        if !src.tokens[i].is_ident() || !matches!(src.text(i), b"asm" | b"__asm__" | b"__asm") {
            return None;
        }
        let mut open = i + 1;
        while src
            .tokens
            .get(open)
            .is_some_and(|t| t.is_ident() && matches!(src.text(open), b"volatile" | b"__volatile__" | b"__volatile"))
        {
            open += 1;
        }
        if !src.tokens.get(open)?.is(b'(') {
            return None;
        }
        let close = src.brackets.partner(open)?;
        let mut statement = Statement {
            whole: i..close + 1,
            text: String::new(),
            operands: Vec::new(),
            fault: None,
        };
        // A preprocessor line inside the statement chooses between texts or operands.
        if !src.tokens[open].in_directive && src.tokens[open..close].iter().any(|t| t.in_directive) {
            statement.fault = Some("a preprocessor line cuts through the statement".into());
        }
        let sections = sections(src, open + 1..close);
        let extended = sections.len() > 1;
        for (k, section) in sections.iter().enumerate() {
            match k {
                0 => statement.read_text(src, section, extended),
                1 | 2 => statement.read_operands(src, section, k == 1),
                3 => {}
                _ => statement.fault = Some("asm goto".into()),
            }
        }
        Some(statement)
    }

    fn read_text(&mut self, src: &Source, section: &Range<usize>, extended: bool) {
        let mut raw = String::new();
        for t in section.clone() {
            match src.tokens[t].kind {
                Kind::Str => raw += &unescape(&String::from_utf8_lossy(src.text(t))),
                Kind::RawStr => raw += raw_content(&String::from_utf8_lossy(src.text(t))),
                _ => {
                    let word = String::from_utf8_lossy(src.text(t));
                    self.fault
                        .get_or_insert(format!("its text is put together from `{word}`"));
                }
            }
        }
        if !extended {
            self.text = raw;
            return;
        }
        let mut chars = raw.chars().peekable();
        while let Some(c) = chars.next() {
            match (c, chars.peek()) {
                ('%', Some('%')) => {
                    chars.next();
                    self.text.push('%');
                }
                ('%', Some(d)) if d.is_ascii_digit() => self.text.push('$'),
                _ => self.text.push(c),
            }
        }
    }

    fn read_operands(&mut self, src: &Source, section: &Range<usize>, outputs: bool) {
        for tokens in args::split(src, section.clone()) {
            match operand(src, &tokens, outputs) {
                Ok(o) => self.operands.push(o),
                Err(why) => {
                    self.fault.get_or_insert(why);
                }
            }
        }
    }
}

/// The parts between the colons; `::` is two of them.
fn sections(src: &Source, inner: Range<usize>) -> Vec<Range<usize>> {
    let (mut out, mut start, mut i) = (Vec::new(), inner.start, inner.start);
    while i < inner.end {
        match src.tokens[i].kind {
            Kind::Punct(b'(' | b'[' | b'{') => {
                if let Some(p) = src.brackets.partner(i).filter(|&p| p < inner.end) {
                    i = p;
                }
            }
            Kind::Punct(b':') => {
                out.push(start..i);
                start = i + 1;
            }
            Kind::Scope => {
                out.push(start..i);
                out.push(i..i);
                start = i + 1;
            }
            _ => {}
        }
        i += 1;
    }
    out.push(start..inner.end);
    out
}

fn operand(src: &Source, tokens: &Range<usize>, output: bool) -> Result<Operand, String> {
    let unknown = || {
        let text = src
            .span_of(tokens)
            .map_or(String::new(), |s| String::from_utf8_lossy(&src.bytes[s]).into_owned());
        format!("the operand `{text}` could not be read")
    };
    let mut at = tokens.start;
    let mut constraint = String::new();
    while at < tokens.end && src.tokens[at].kind == Kind::Str {
        constraint += &unescape(&String::from_utf8_lossy(src.text(at)));
        at += 1;
    }
    let close = tokens.end.checked_sub(1).ok_or_else(unknown)?;
    if constraint.is_empty()
        || at >= tokens.end
        || !src.tokens[at].is(b'(')
        || src.brackets.partner(at) != Some(close)
        || close == at + 1
    {
        return Err(unknown());
    }
    let letters = constraint.trim_start_matches(['=', '+', '&']);
    let kind = match letters {
        "h" => Constraint::Half,
        "r" => Constraint::Word,
        "l" => Constraint::Long,
        "f" => Constraint::Float,
        "d" => Constraint::Double,
        "n" | "i" => Constraint::Immediate,
        _ => return Err(format!("the constraint \"{constraint}\" is not known")),
    };
    let marked = constraint.starts_with(['=', '+']);
    if marked != output {
        return Err(unknown());
    }
    Ok(Operand {
        constraint: kind,
        written: output,
        read: !output || constraint.starts_with('+'),
        expression: at + 1..close,
    })
}

/// The text of a string literal with its quotes.
fn unescape(literal: &str) -> String {
    let inner = literal
        .split_once('"')
        .and_then(|(_, r)| r.strip_suffix('"'))
        .unwrap_or("");
    let (mut out, mut chars) = (String::new(), inner.chars());
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('t' | 'v' | 'r' | 'f') => out.push(' '),
            // A line splice inside the literal.
            Some('\n') | None => {}
            Some('\r') => {
                let mut rest = chars.clone();
                if rest.next() == Some('\n') {
                    chars = rest;
                }
            }
            Some(other) => out.push(other),
        }
    }
    out
}

fn raw_content(literal: &str) -> &str {
    match (literal.find('('), literal.rfind(')')) {
        (Some(a), Some(b)) if a < b => &literal[a + 1..b],
        _ => "",
    }
}
