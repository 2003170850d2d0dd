//! The PTX text of a statement: declarations, predicates, instructions and their operands.

use super::Refusal;

/// An operand as PTX writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arg {
    /// `%0`: an operand of the asm statement.
    Outer(usize),
    /// A register declared in the text.
    Local(String),
    /// `%laneid`, without the per cent sign.
    Special(String),
    /// A number or a constant's name.
    Immediate(String),
    /// `[address]` or `[address+offset]`.
    Memory(Box<Arg>, Option<String>),
    /// `{a, b}`
    Vector(Vec<Arg>),
    /// `!p`
    Not(Box<Arg>),
    /// `d|p`
    Pair(Box<Arg>, Box<Arg>),
    /// `_`
    Sink,
}

/// A register of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Register {
    pub name: String,
    /// Without the dot: `b32`, `pred`.
    pub kind: String,
}

/// One instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// The guarding predicate, and whether it is negated.
    pub predicate: Option<(String, bool)>,
    /// `add.cc.u32`
    pub mnemonic: String,
    pub args: Vec<Arg>,
}

/// A whole text.
#[derive(Debug, Default)]
pub struct Text {
    pub registers: Vec<Register>,
    pub instructions: Vec<Instruction>,
    /// Places that jumps go to.
    pub labels: Vec<String>,
}

/// Parses a text as [`super::Statement`] holds it.
pub fn parse(text: &str) -> Result<Text, Refusal> {
    let mut out = Text::default();
    for line in split(&without_comments(text))? {
        statement(&line, &mut out)?;
    }
    Ok(out)
}

/// The mnemonics of a text, read loosely: for a report of what could not be parsed.
pub fn mnemonics(text: &str) -> Vec<String> {
    let plain = without_comments(text).replace(['{', '}'], " ");
    let mut out: Vec<String> = Vec::new();
    for part in plain.split([';', '\n']) {
        let mut words = part
            .split_whitespace()
            .skip_while(|w| w.starts_with('@') || w.ends_with(':'));
        if let Some(w) = words.next() {
            if !out.iter().any(|o| o == w) {
                out.push(w.to_string());
            }
        }
    }
    out
}

fn without_comments(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(p) = rest.find('/') {
        out += &rest[..p];
        let tail = &rest[p..];
        if tail.starts_with("//") {
            rest = tail.find('\n').map_or("", |e| &tail[e..]);
        } else if tail.starts_with("/*") {
            rest = tail.find("*/").map_or("", |e| &tail[e + 2..]);
            out.push(' ');
        } else {
            out.push('/');
            rest = &tail[1..];
        }
    }
    out + rest
}

/// Splits at semicolons; braces that begin a statement are blocks, others are vectors.
fn split(text: &str) -> Result<Vec<String>, Refusal> {
    let (mut out, mut now, mut blocks, mut vectors) = (Vec::new(), String::new(), 0usize, 0usize);
    for c in text.chars() {
        match c {
            '{' if now.trim().is_empty() => blocks += 1,
            '{' => {
                vectors += 1;
                now.push(c);
            }
            '}' if vectors > 0 => {
                vectors -= 1;
                now.push(c);
            }
            '}' if blocks > 0 && (now.trim().is_empty() || now.trim_end().ends_with(':')) => {
                blocks -= 1;
                out.push(std::mem::take(&mut now));
            }
            ';' => out.push(std::mem::take(&mut now)),
            _ => now.push(c),
        }
    }
    if blocks > 0 || vectors > 0 {
        return Err(Refusal::new("", "a brace of the PTX text is not closed"));
    }
    // The last statement may lack its semicolon: ptxas wants it, a macro may add it.
    out.push(now);
    out.retain(|s| !s.trim().is_empty());
    Ok(out)
}

fn statement(line: &str, out: &mut Text) -> Result<(), Refusal> {
    let mut rest = line.trim();
    while let Some((label, after)) = label(rest) {
        out.labels.push(label.to_string());
        rest = after.trim_start();
    }
    if rest.is_empty() {
        return Ok(());
    }
    let mut predicate = None;
    if let Some(r) = rest.strip_prefix('@') {
        let r = r.trim_start();
        let (negated, r) = match r.strip_prefix('!') {
            Some(r) => (true, r),
            None => (false, r),
        };
        let end = r.find(char::is_whitespace).unwrap_or(r.len());
        predicate = Some((register_name(&r[..end]), negated));
        rest = r[end..].trim_start();
    }
    let end = rest
        .find(|c: char| !(c.is_ascii_alphanumeric() || "._:".contains(c)))
        .unwrap_or(rest.len());
    let (mnemonic, tail) = rest.split_at(end);
    if mnemonic.is_empty() {
        return Err(Refusal::new("", format!("`{rest}` is not understood")));
    }
    if mnemonic.starts_with('.') {
        return declaration(mnemonic, tail, out);
    }
    let mut args = Vec::new();
    for a in commas(tail) {
        args.push(
            arg(a.trim())
                .ok_or_else(|| Refusal::new(mnemonic, format!("its operand `{}` is not understood", a.trim())))?,
        );
    }
    out.instructions.push(Instruction {
        predicate,
        mnemonic: mnemonic.to_string(),
        args,
    });
    Ok(())
}

/// `NAME:` at the start of a line, and what follows; `shared::cta` is no label.
fn label(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.split_once(':')?;
    (is_name(name) && !name.contains('.') && !rest.starts_with(':')).then_some((name, rest))
}

/// `.reg .b32 a, b<4>`
fn declaration(directive: &str, tail: &str, out: &mut Text) -> Result<(), Refusal> {
    let mut words = tail.trim().splitn(2, char::is_whitespace);
    let (kind, names) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
    let (".reg", Some(kind)) = (directive, kind.strip_prefix('.')) else {
        return Err(Refusal::new(directive, "the declaration is not of plain registers"));
    };
    for name in names.split(',').map(str::trim) {
        let (name, count) = match name.split_once('<') {
            Some((n, c)) => (n, c.trim_end_matches('>').trim().parse::<usize>().ok()),
            None => (name, None),
        };
        let names: Vec<String> = match count {
            Some(n) if n <= 256 => (0..n).map(|k| format!("{}{k}", register_name(name))).collect(),
            None if !name.is_empty() => vec![register_name(name)],
            _ => return Err(Refusal::new(directive, "the declaration is not understood")),
        };
        for name in names {
            if out.registers.iter().any(|r| r.name == name) {
                return Err(Refusal::new(
                    directive,
                    format!("the register {name} is declared twice"),
                ));
            }
            out.registers.push(Register {
                name,
                kind: kind.to_string(),
            });
        }
    }
    Ok(())
}

/// PTX allows names that begin with a per cent sign or hold a dollar sign.
fn register_name(name: &str) -> String {
    name.trim().trim_start_matches('%').to_string()
}

/// Splits at the commas that stand in no bracket.
fn commas(text: &str) -> Vec<&str> {
    let (mut out, mut depth, mut start) = (Vec::new(), 0usize, 0);
    for (i, c) in text.char_indices() {
        match c {
            '{' | '[' | '(' => depth += 1,
            '}' | ']' | ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                out.push(&text[start..i]);
                start = i + 1;
            }
            _ => {}
        }
    }
    if !text[start..].trim().is_empty() || !out.is_empty() {
        out.push(&text[start..]);
    }
    out
}

fn arg(text: &str) -> Option<Arg> {
    if let Some(inner) = text.strip_prefix('{') {
        let inner = inner.strip_suffix('}')?;
        let mut parts = commas(inner)
            .into_iter()
            .map(|a| arg(a.trim()))
            .collect::<Option<Vec<_>>>()?;
        // A vector of one is written as the value itself.
        return match parts.len() {
            1 => parts.pop(),
            _ => Some(Arg::Vector(parts)),
        };
    }
    if let Some(inner) = text.strip_prefix('[') {
        let inner = inner.strip_suffix(']')?.trim();
        let sign = inner.char_indices().skip(1).find(|(_, c)| matches!(c, '+' | '-'));
        return match sign {
            None => Some(Arg::Memory(Box::new(arg(inner)?), None)),
            Some((i, c)) => {
                let offset = inner[i + 1..].trim().trim_start_matches('+').trim();
                let outer = offset.strip_prefix('$').is_some_and(is_number);
                let offset = match c {
                    '-' => format!("-{offset}"),
                    _ => offset.to_string(),
                };
                (outer && c == '+' || is_number(offset.trim_start_matches('-')))
                    .then(|| arg(inner[..i].trim()))
                    .flatten()
                    .map(|a| Arg::Memory(Box::new(a), Some(offset)))
            }
        };
    }
    if let Some((a, b)) = text.split_once('|') {
        return Some(Arg::Pair(Box::new(arg(a.trim())?), Box::new(arg(b.trim())?)));
    }
    if let Some(p) = text.strip_prefix('!') {
        return Some(Arg::Not(Box::new(arg(p.trim())?)));
    }
    if let Some(n) = text.strip_prefix('$') {
        return n.parse().ok().map(Arg::Outer);
    }
    if text == "_" {
        return Some(Arg::Sink);
    }
    if let Some(name) = text.strip_prefix('%') {
        return is_name(name).then(|| Arg::Special(name.to_string()));
    }
    if is_number(text.trim_start_matches('-')) || text == "WARP_SZ" {
        return Some(Arg::Immediate(text.to_string()));
    }
    is_name(text).then(|| Arg::Local(text.to_string()))
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '$')
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.'))
}

fn is_number(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit()) && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_registers_predicates_and_vectors() {
        let t = parse("{ .reg .pred p; .reg .b32 %t<2>; // two\n setp.ne.b32 p, $0, 0;\n @!p ld.global.v2.u32 {$1, t1}, [$2+8]; }")
            .expect("whole");
        assert_eq!(
            t.registers.iter().map(|r| r.name.as_str()).collect::<Vec<_>>(),
            ["p", "t0", "t1"]
        );
        assert_eq!(t.instructions[1].predicate, Some(("p".into(), true)));
        assert_eq!(
            t.instructions[1].args,
            [
                Arg::Vector(vec![Arg::Outer(1), Arg::Local("t1".into())]),
                Arg::Memory(Box::new(Arg::Outer(2)), Some("8".into()))
            ]
        );
    }

    #[test]
    fn labels_and_foreign_declarations_are_refused() {
        assert_eq!(parse("{ L: bra L; DONE: }").expect("whole").labels, ["L", "DONE"]);
        assert!(parse(".shared .b32 x;").is_err());
        assert!(parse("{ add.u32 $0, $1, $2;").is_err());
    }
}
