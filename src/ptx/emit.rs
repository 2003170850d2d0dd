//! Writing a statement as C++: one instruction becomes an expression, several become a block with a variable a register.

use super::forms::{self, Bindings, Form};
use super::parse::{self, Arg, Instruction};
use super::{Constraint, Refusal, Statement};
use crate::edit::Piece;
use crate::syntax::Source;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// A translated statement.
#[derive(Debug)]
pub struct Emitted {
    pub pieces: Vec<Piece>,
    pub units: BTreeSet<&'static str>,
    /// Mnemonics, with the special register for a `mov` of one.
    pub instructions: Vec<String>,
    /// What a user should know about them.
    pub notes: BTreeSet<&'static str>,
}

/// Translates a statement; the replacement is one C++ statement without its semicolon.
pub fn translate(src: &Source, statement: &Statement) -> Result<Emitted, Refusal> {
    if let Some(why) = &statement.fault {
        let first = parse::mnemonics(&statement.text).into_iter().next().unwrap_or_default();
        return Err(Refusal::new(&first, why.clone()));
    }
    let text = parse::parse(&statement.text)?;
    let mut writer = Writer {
        src,
        statement,
        kinds: BTreeMap::new(),
        units: BTreeSet::new(),
        notes: BTreeSet::new(),
        block: false,
    };
    for r in &text.registers {
        let held = Held::of(&r.kind)
            .ok_or_else(|| Refusal::new(".reg", format!("registers of type .{} are not translated", r.kind)))?;
        writer.kinds.insert(r.name.clone(), held);
    }
    if text.instructions.is_empty() {
        return Err(Refusal::new("", "the statement has no instruction"));
    }
    let chosen: Vec<(&Instruction, &'static Form, Bindings)> = text
        .instructions
        .iter()
        .map(|i| writer.choose(i).map(|(f, b)| (i, f, b)))
        .collect::<Result<_, _>>()?;
    if let Some(label) = text.labels.first() {
        return Err(Refusal::new(
            label,
            "labels and jumps inside the statement are not translated",
        ));
    }
    carries(&chosen)?;
    writer.block = text.instructions.len() > 1
        || !text.registers.is_empty()
        || chosen
            .iter()
            .any(|(i, f, _)| f.writes_carry || f.reads_carry || i.predicate.is_some())
        || text.instructions[0].args.iter().any(has_sink)
        || writer.evaluates_twice(&text.instructions[0], chosen[0].1);
    if statement
        .operands
        .iter()
        .any(|o| o.written && o.read && has_effects(src, o))
    {
        return Err(Refusal::new(
            &text.instructions[0].mnemonic,
            "an operand that is read and written has side effects",
        ));
    }
    let body = if writer.block {
        writer.block(&chosen)?
    } else {
        writer.instruction(chosen[0].0, chosen[0].1, &chosen[0].2)?
    };
    let instructions = text.instructions.iter().map(describe).collect();
    Ok(Emitted {
        pieces: pieces(src, statement, &body),
        units: writer.units,
        instructions,
        notes: writer.notes,
    })
}

/// The mnemonic, and the special registers read.
fn describe(i: &Instruction) -> String {
    let mut out = i.mnemonic.clone();
    for a in &i.args {
        if let Arg::Special(s) = a {
            let _ = write!(out, " %{s}");
        }
    }
    out
}

/// A carry must be set and used within the statement: C++ has no flag that lives on from one statement to the next.
fn carries(chosen: &[(&Instruction, &'static Form, Bindings)]) -> Result<(), Refusal> {
    const HELP: &str = "keep the whole chain in one asm statement, or use a wider integer type";
    let mut waiting: Option<&str> = None;
    for (i, form, _) in chosen {
        let refuse = |m: &str, why: &str| {
            Err(Refusal {
                instruction: m.to_string(),
                why: why.to_string(),
                help: Some(HELP.to_string()),
            })
        };
        if form.reads_carry && waiting.take().is_none() {
            return refuse(&i.mnemonic, "the carry that it reads was set in another statement");
        }
        if form.writes_carry {
            waiting = Some(&i.mnemonic);
        }
    }
    match waiting {
        None => Ok(()),
        Some(m) => Err(Refusal {
            instruction: m.to_string(),
            why: "its carry may be read by a later statement".to_string(),
            help: Some(HELP.to_string()),
        }),
    }
}

/// What a C++ variable or expression in a register's place holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Held {
    Bits16,
    Bits32,
    Bits64,
    Float,
    Double,
    Predicate,
}

impl Held {
    /// What holds a value of a PTX type.
    fn of(kind: &str) -> Option<Held> {
        Some(match kind {
            "b8" | "u8" | "s8" | "b16" | "u16" | "s16" | "f16" | "bf16" => Held::Bits16,
            "b32" | "u32" | "s32" | "f16x2" | "bf16x2" => Held::Bits32,
            "b64" | "u64" | "s64" => Held::Bits64,
            "f32" => Held::Float,
            "f64" => Held::Double,
            "pred" => Held::Predicate,
            _ => return None,
        })
    }

    fn of_constraint(c: Constraint) -> Held {
        match c {
            Constraint::Half => Held::Bits16,
            Constraint::Word | Constraint::Immediate => Held::Bits32,
            Constraint::Long => Held::Bits64,
            Constraint::Float => Held::Float,
            Constraint::Double => Held::Double,
        }
    }

    fn cpp(self) -> &'static str {
        match self {
            Held::Bits16 => "unsigned short",
            Held::Bits32 => "unsigned",
            Held::Bits64 => "unsigned long long",
            Held::Float => "float",
            Held::Double => "double",
            Held::Predicate => "bool",
        }
    }
}

/// The C++ type that has the bits and the sign of a PTX type.
fn cpp(kind: &str) -> &'static str {
    match kind {
        "b8" | "u8" => "unsigned char",
        "s8" => "signed char",
        "b16" | "u16" | "f16" | "bf16" => "unsigned short",
        "s16" => "short",
        "s32" => "int",
        "b64" | "u64" => "unsigned long long",
        "s64" => "long long",
        "f32" => "float",
        "f64" => "double",
        "pred" => "bool",
        _ => "unsigned",
    }
}

/// The type that a word of a signature stands for.
fn bound(word: &str, bindings: &Bindings) -> &'static str {
    let word = word.strip_prefix("vec:").unwrap_or(word).trim_end_matches('?');
    let mut chars = word.chars();
    let name = chars
        .next()
        .filter(|c| c.is_ascii_uppercase())
        .map(|c| (c, chars.as_str()));
    match name.and_then(|(c, rest)| bindings.get(&c).map(|b| (b.0, rest))) {
        Some((kind, "*2")) => match kind {
            "u16" => "u32",
            "s16" => "s32",
            "u32" => "u64",
            "s32" => "s64",
            _ => kind,
        },
        Some((kind, _)) => kind,
        None => KINDS.iter().find(|k| **k == word).copied().unwrap_or("b32"),
    }
}

const KINDS: [&str; 19] = [
    "b8", "u8", "s8", "b16", "u16", "s16", "b32", "u32", "s32", "b64", "u64", "s64", "f16", "bf16", "f16x2", "bf16x2",
    "f32", "f64", "pred",
];

struct Writer<'a> {
    src: &'a Source<'a>,
    statement: &'a Statement,
    /// Registers of the text.
    kinds: BTreeMap<String, Held>,
    units: BTreeSet<&'static str>,
    notes: BTreeSet<&'static str>,
    /// Operands are copied to variables.
    block: bool,
}

impl Writer<'_> {
    /// The form whose pattern and operand shapes an instruction fits.
    fn choose(&self, i: &Instruction) -> Result<(&'static Form, Bindings), Refusal> {
        let forms = forms::matching(&i.mnemonic);
        let none = forms.is_empty();
        forms
            .into_iter()
            .find(|(f, _)| self.shaped(i, f))
            .ok_or_else(|| {
                if !none {
                    return Refusal::new(&i.mnemonic, "its operands have a form that is not translated");
                }
                let mut r = Refusal::new(&i.mnemonic, "it has no translation");
                let tensor = ["mma", "wmma", "wgmma", "tcgen05"].contains(&i.mnemonic.split('.').next().unwrap_or(""));
                if let Some(m) = forms::matrix(&i.mnemonic).filter(|_| tensor) {
                    r.help = Some(format!(
                        "{m} multiplies these types; fragments lie differently over the lanes: rocWMMA or composable_kernel hide that"
                    ));
                }
                r
            })
    }

    fn shaped(&self, i: &Instruction, f: &Form) -> bool {
        let destinations = usize::from(!f.gives.is_empty());
        let least = f.takes.iter().filter(|t| !t.ends_with('?')).count();
        let sources = match i.args.len().checked_sub(destinations) {
            Some(n) => n,
            None => return false,
        };
        if sources < least || sources > f.takes.len() {
            return false;
        }
        let destination = match (i.args.first(), f.gives) {
            (_, []) => true,
            (Some(Arg::Vector(v)), [t]) => t.starts_with("vec:") && !v.is_empty(),
            (Some(Arg::Pair(..)), g) => g.len() == 2,
            (Some(Arg::Outer(_) | Arg::Local(_) | Arg::Special(_)), [t]) => !t.starts_with("vec:"),
            _ => false,
        };
        destination
            && i.args[destinations..].iter().zip(f.takes).all(|(a, t)| {
                let is_memory = matches!(a, Arg::Memory(..));
                let is_vector = matches!(a, Arg::Vector(_));
                is_memory == t.starts_with("mem")
                    && is_vector == t.starts_with("vec:")
                    && (*t != "zero" || matches!(a, Arg::Immediate(n) if n == "0"))
                    && (!t.starts_with("imm")
                        || matches!(a, Arg::Immediate(_))
                        || self.constraint(a) == Some(Constraint::Immediate))
            })
    }

    fn constraint(&self, a: &Arg) -> Option<Constraint> {
        match a {
            Arg::Outer(n) => self.statement.operands.get(*n).map(|o| o.constraint),
            _ => None,
        }
    }

    /// Whether an expression would have to be written twice.
    fn evaluates_twice(&self, i: &Instruction, f: &Form) -> bool {
        let mut seen = BTreeSet::new();
        let mut twice = false;
        fn walk(a: &Arg, seen: &mut BTreeSet<usize>, twice: &mut bool) {
            match a {
                Arg::Outer(n) => *twice |= !seen.insert(*n),
                Arg::Memory(a, _) | Arg::Not(a) => walk(a, seen, twice),
                Arg::Vector(v) => v.iter().for_each(|a| walk(a, seen, twice)),
                Arg::Pair(a, b) => {
                    walk(a, seen, twice);
                    walk(b, seen, twice);
                }
                _ => {}
            }
        }
        for a in &i.args {
            walk(a, &mut seen, &mut twice);
        }
        let repeats = (1..=f.takes.len()).any(|k| f.to.matches(&format!("${k}")).count() > 1);
        // An operand that is left out of the C++ text must still be evaluated; so must one that no instruction names.
        let left_out = (1..=f.takes.len()).any(|k| !f.to.contains(&format!("${k}")));
        let unnamed = seen.len() < self.statement.operands.len();
        let effects = self.statement.operands.iter().any(|o| has_effects(self.src, o));
        (twice || repeats || left_out || unnamed) && effects
    }

    fn block(&mut self, chosen: &[(&Instruction, &'static Form, Bindings)]) -> Result<String, Refusal> {
        let inner = self.indent(1);
        let mut out = String::from("do {");
        for (n, o) in self.statement.operands.iter().enumerate() {
            let held = Held::of_constraint(o.constraint);
            let initial = match (o.read, held) {
                (false, _) => "0".to_string(),
                (true, Held::Bits64) => {
                    self.units.insert("ptx");
                    format!("tranship::ptx::bits64({})", self.expression(n))
                }
                (true, _) => self.expression(n),
            };
            let constant = match (o.written, o.constraint) {
                (true, _) => "",
                (_, Constraint::Immediate) => "constexpr ",
                _ => "const ",
            };
            let _ = write!(out, "{inner}{constant}{} ptx_{n} = {initial};", held.cpp());
        }
        for (name, held) in &self.kinds {
            let _ = write!(out, "{inner}{} {} = 0;", held.cpp(), local(name));
        }
        if chosen.iter().any(|c| c.0.args.iter().any(has_sink)) {
            let _ = write!(out, "{inner}unsigned ptx_sink = 0;");
        }
        if chosen.iter().any(|c| c.1.writes_carry) {
            let _ = write!(out, "{inner}bool ptx_cc = false;");
        }
        for (i, form, bindings) in chosen {
            let text = self.instruction(i, form, bindings)?;
            let guard = match &i.predicate {
                None => String::new(),
                Some((p, negated)) => {
                    if self.kinds.get(p) != Some(&Held::Predicate) {
                        return Err(Refusal::new(&i.mnemonic, format!("its predicate {p} is not declared")));
                    }
                    format!("if ({}{}) ", if *negated { "!" } else { "" }, local(p))
                }
            };
            let _ = write!(out, "{inner}{guard}{text};");
        }
        for (n, o) in self.statement.operands.iter().enumerate().filter(|o| o.1.written) {
            let value = format!("ptx_{n}");
            let text = self.assign(&self.target(n), &value, o.constraint == Constraint::Long, true);
            let _ = write!(out, "{inner}{text};");
        }
        let _ = write!(out, "{}}} while (0)", self.indent(0));
        Ok(out)
    }

    /// The line break and indentation of a block; in a macro's body it stays one line.
    fn indent(&self, depth: usize) -> String {
        let at = self.statement.whole.start;
        if self.src.tokens[at].in_directive {
            return " ".into();
        }
        let start = self.src.span(at).start;
        let line = self.src.bytes[..start]
            .iter()
            .rposition(|&b| b == b'\n')
            .map_or(0, |p| p + 1);
        let blank = self.src.bytes[line..start]
            .iter()
            .take_while(|b| matches!(b, b' ' | b'\t'))
            .map(|&b| b as char)
            .collect::<String>();
        let end = if line >= 2 && self.src.bytes[line - 2] == b'\r' {
            "\r\n"
        } else {
            "\n"
        };
        let step = if blank.contains('\t') { "\t" } else { "  " };
        format!("{end}{blank}{}", step.repeat(depth))
    }

    fn instruction(&mut self, i: &Instruction, f: &'static Form, b: &Bindings) -> Result<String, Refusal> {
        let refuse = |why: String| Refusal::new(&i.mnemonic, why);
        let destinations = usize::from(!f.gives.is_empty());
        let mut sources = Vec::new();
        for (k, a) in i.args[destinations..].iter().enumerate() {
            sources.push(self.source(a, f.takes[k], b).map_err(refuse)?);
        }
        if f.unit != "none" {
            self.units.insert(f.unit);
        }
        self.notes.extend(f.note);
        let list = match i.args.first().filter(|_| destinations == 1) {
            None => Vec::new(),
            Some(Arg::Vector(v)) => v.clone(),
            Some(Arg::Pair(a, p)) => vec![(**a).clone(), (**p).clone()],
            Some(a) => vec![a.clone()],
        };
        let mut places = Vec::new();
        for a in &list {
            places.push(self.place(a).map_err(refuse)?);
        }
        let value = fill(f.to, &sources, &places, b);
        if f.to.contains("$d") || places.is_empty() {
            return Ok(value);
        }
        let (target, held, outer) = &places[0];
        let kind = bound(f.gives[0], b);
        let value = convert(&value, Held::of(kind).unwrap_or(Held::Bits32), *held)
            .ok_or_else(|| refuse(format!("its result of type .{kind} does not fit the destination")))?;
        let address = *held == Held::Bits64 && matches!(i.mnemonic.split('.').next(), Some("ld" | "cvta"));
        Ok(self.assign(target, &value, address && *outer, *outer))
    }

    fn assign(&mut self, target: &str, value: &str, address: bool, outer: bool) -> String {
        // A pointer takes 64 bits only through a cast, which needs its type.
        if address && outer {
            self.units.insert("ptx");
            return format!("tranship::ptx::set({target}, {value})");
        }
        format!("{target} = {value}")
    }

    /// Where a result goes: the text, what it holds, and whether it is an expression of the program.
    fn place(&self, a: &Arg) -> Result<(String, Held, bool), String> {
        match a {
            Arg::Outer(n) => {
                let o = self
                    .statement
                    .operands
                    .get(*n)
                    .ok_or(format!("there is no operand %{n}"))?;
                if !o.written {
                    return Err(format!("it writes %{n}, which is no output"));
                }
                let held = Held::of_constraint(o.constraint);
                Ok(if self.block {
                    (format!("ptx_{n}"), held, false)
                } else {
                    (self.target(*n), held, true)
                })
            }
            Arg::Sink => Ok(("ptx_sink".into(), Held::Bits32, false)),
            Arg::Local(name) | Arg::Special(name) => match self.kinds.get(name) {
                Some(held) => Ok((local(name), *held, false)),
                None => Err(format!("the register {name} is not declared")),
            },
            _ => Err("its destination is not understood".into()),
        }
    }

    fn source(&mut self, a: &Arg, takes: &str, b: &Bindings) -> Result<String, String> {
        if takes.starts_with("mem") {
            let Arg::Memory(base, offset) = a else {
                return Err("it wants an address".into());
            };
            let base = self.value(base, "b64")?;
            let offset = match offset {
                None => String::new(),
                Some(o) => match o.strip_prefix('$').and_then(|n| n.parse::<usize>().ok()) {
                    Some(n) => format!(", {}", self.value(&Arg::Outer(n), "s32")?),
                    None => format!(", {}", immediate(o, "s32").ok_or("its offset is not understood")?),
                },
            };
            self.units.insert("ptx_memory");
            let space = match takes.trim_end_matches('?') {
                "mem" => b.get(&'S').map_or("", |s| s.1),
                "mem:shared" => "_shared",
                _ => "",
            };
            return Ok(format!("tranship::ptx::at{space}({base}{offset})"));
        }
        let kind = bound(takes, b);
        if let Arg::Vector(v) = a {
            let parts: Result<Vec<String>, String> = v.iter().map(|a| self.value(a, kind)).collect();
            return parts.map(|p| p.join(", "));
        }
        self.value(a, kind)
    }

    /// A source as an expression that converts to the C++ type of `kind`.
    fn value(&mut self, a: &Arg, kind: &str) -> Result<String, String> {
        let want = Held::of(kind).ok_or(format!("the type .{kind} is not known"))?;
        let (text, held) = match a {
            Arg::Outer(n) => {
                let o = self
                    .statement
                    .operands
                    .get(*n)
                    .ok_or(format!("there is no operand %{n}"))?;
                let held = Held::of_constraint(o.constraint);
                if o.constraint == Constraint::Immediate {
                    let text = if self.block {
                        format!("ptx_{n}")
                    } else {
                        self.expression(*n)
                    };
                    return matches!(want, Held::Bits16 | Held::Bits32 | Held::Bits64)
                        .then_some(text)
                        .ok_or("a constant stands where a float is wanted".into());
                }
                match (self.block, held) {
                    (true, _) => (format!("ptx_{n}"), held),
                    (false, Held::Bits64) => {
                        self.units.insert("ptx");
                        (format!("tranship::ptx::bits64({})", self.expression(*n)), held)
                    }
                    (false, _) => (self.expression(*n), held),
                }
            }
            Arg::Local(name) | Arg::Special(name) => match self.kinds.get(name) {
                Some(held) => (local(name), *held),
                None => match (a, forms::REGISTERS.get(name.as_str())) {
                    (Arg::Special(_), Some(s)) => {
                        self.units.extend(s.unit);
                        self.notes.extend(s.note);
                        (s.to.to_string(), Held::of(s.kind).unwrap_or(Held::Bits32))
                    }
                    (Arg::Special(_), None) => return Err(format!("the register %{name} has no translation")),
                    _ => return Err(format!("`{name}` is not declared in the statement")),
                },
            },
            Arg::Immediate(text) => {
                return immediate(text, kind).ok_or(format!("the constant {text} is not understood"))
            }
            Arg::Not(inner) if want == Held::Predicate => return Ok(format!("!{}", self.value(inner, kind)?)),
            _ => return Err("an operand is not understood".into()),
        };
        convert(&text, held, want).ok_or(format!("an operand does not hold a .{kind}"))
    }

    /// An operand's expression, to be put in by [`pieces`]; in parentheses where it has a comma of its own.
    fn expression(&self, n: usize) -> String {
        let tokens = &self.statement.operands[n].expression;
        let comma = crate::syntax::args::split(self.src, tokens.clone()).len() > 1;
        if comma {
            format!("({})", mark(n))
        } else {
            mark(n)
        }
    }

    /// An output's expression as the left side of an assignment.
    fn target(&self, n: usize) -> String {
        use crate::syntax::lex::Kind;
        let tokens = &self.statement.operands[n].expression;
        let plain = tokens.clone().enumerate().all(|(k, t)| match self.src.tokens[t].kind {
            Kind::Ident | Kind::Scope | Kind::Arrow | Kind::Number => true,
            Kind::Punct(b'.' | b'[' | b']' | b'(' | b')') => true,
            Kind::Punct(b'*') => k == 0,
            _ => self.inside_bracket(tokens.start, t),
        });
        // In a macro's body a name may be a parameter, which stands for any expression.
        if plain && !self.src.tokens[tokens.start].in_directive {
            mark(n)
        } else {
            format!("({})", mark(n))
        }
    }

    fn inside_bracket(&self, from: usize, token: usize) -> bool {
        let mut t = from;
        while t < token {
            match self.src.brackets.partner(t) {
                Some(p) if p > token => return true,
                Some(p) if p > t => t = p + 1,
                _ => t += 1,
            }
        }
        false
    }
}

/// Whether a result is thrown away.
fn has_sink(a: &Arg) -> bool {
    match a {
        Arg::Sink => true,
        Arg::Vector(v) => v.iter().any(has_sink),
        Arg::Pair(a, b) => has_sink(a) || has_sink(b),
        _ => false,
    }
}

fn local(name: &str) -> String {
    format!("ptx_r_{}", name.replace(['$', '.'], "_"))
}

/// A value held one way as it must be held.
fn convert(text: &str, from: Held, to: Held) -> Option<String> {
    use Held::*;
    Some(match (from, to) {
        _ if from == to => text.to_string(),
        (Float, Bits32) => format!("__float_as_uint({text})"),
        (Bits32, Float) => format!("__uint_as_float({text})"),
        (Double, Bits64) => format!("static_cast<unsigned long long>(__double_as_longlong({text}))"),
        (Bits64, Double) => format!("__longlong_as_double(static_cast<long long>({text}))"),
        // Loads, stores and conversions may use wider registers; C++ widens and cuts integers as they do.
        (Bits16 | Bits32 | Bits64, Bits16 | Bits32 | Bits64) => text.to_string(),
        _ => return None,
    })
}

/// A constant of the PTX text in C++.
fn immediate(text: &str, kind: &str) -> Option<String> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(d) => ("-", d),
        None => ("", text),
    };
    let float = matches!(kind, "f32" | "f64");
    let hex = |p: &str, n: usize| {
        digits
            .strip_prefix(p)
            .or_else(|| digits.strip_prefix(&p.to_uppercase()))
            .filter(|h| h.len() == n && h.chars().all(|c| c.is_ascii_hexdigit()))
    };
    if let Some(h) = hex("0f", 8).filter(|_| sign.is_empty()) {
        return match kind {
            "f32" => Some(format!("__uint_as_float(0x{h}u)")),
            "b32" | "u32" => Some(format!("0x{h}u")),
            _ => None,
        };
    }
    if let Some(h) = hex("0d", 16).filter(|_| sign.is_empty()) {
        return (kind == "f64").then(|| format!("__longlong_as_double(0x{h}ll)"));
    }
    if float {
        let value: f64 = digits.parse().ok()?;
        let suffix = if kind == "f32" { "f" } else { "" };
        return Some(format!("{sign}{value:?}{suffix}"));
    }
    if kind == "pred" {
        return match digits {
            "0" => Some("false".into()),
            "1" => Some("true".into()),
            _ => None,
        };
    }
    if text == "WARP_SZ" {
        return Some("32".into());
    }
    let digits = digits.trim_end_matches(['u', 'U']);
    let lower = digits.to_ascii_lowercase();
    let value = match lower.as_bytes() {
        [b'0', b'x', ..] => u64::from_str_radix(&lower[2..], 16),
        [b'0', b'b', ..] => u64::from_str_radix(&lower[2..], 2),
        [b'0', _, ..] => u64::from_str_radix(&lower[1..], 8),
        _ => lower.parse(),
    }
    .ok()?;
    let suffix = match value {
        0..=0x7fff_ffff => "",
        0x8000_0000..=0xffff_ffff => "u",
        _ => "ull",
    };
    Some(format!("{sign}{digits}{suffix}"))
}

/// Puts sources, destinations and variables into a form's text.
fn fill(to: &str, sources: &[String], places: &[(String, Held, bool)], b: &Bindings) -> String {
    let mut out = String::new();
    let mut chars = to.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '@' => out += "tranship::ptx::",
            '$' => match chars.next() {
                Some('d') => {
                    let list: Vec<&str> = places.iter().map(|p| p.0.as_str()).collect();
                    out += &list.join(", ");
                }
                Some('c') => {
                    chars.next();
                    out += "ptx_cc";
                }
                Some(d) if d.is_ascii_digit() => {
                    let n = d.to_digit(10).unwrap_or(1) as usize;
                    match sources.get(n - 1) {
                        Some(s) => out += s,
                        // A source that is missing takes its comma along.
                        None => out.truncate(out.trim_end_matches([' ', ',']).len()),
                    }
                }
                Some(name) => {
                    let text = b.get(&name).map_or(("", ""), |v| *v);
                    out += if text.0 == text.1 && KINDS.contains(&text.0) {
                        cpp(text.0)
                    } else {
                        text.1
                    };
                }
                None => {}
            },
            _ => out.push(c),
        }
    }
    out
}

fn mark(n: usize) -> String {
    format!("\u{1}{n}\u{2}")
}

/// Whether evaluating an operand does more than read or name a place.
fn has_effects(src: &Source, o: &super::Operand) -> bool {
    o.expression.clone().any(|t| match src.text(t) {
        b"++" | b"--" | b"=" => true,
        // A call; `sizeof(`, casts and parentheses around an expression are none.
        b"(" => t > o.expression.start && src.tokens[t - 1].is_ident() && src.text(t - 1) != b"sizeof",
        text => text.len() > 1 && text.ends_with(b"=") && !matches!(text, b"==" | b"!=" | b"<=" | b">="),
    })
}

/// Cuts a text at the marks of the operands.
fn pieces(src: &Source, statement: &Statement, text: &str) -> Vec<Piece> {
    let mut out = Vec::new();
    for (k, part) in text.split('\u{1}').enumerate() {
        let rest = match part.split_once('\u{2}').filter(|_| k > 0) {
            None => part,
            Some((n, rest)) => {
                let range = n
                    .parse::<usize>()
                    .ok()
                    .and_then(|n| statement.operands.get(n))
                    .and_then(|o| src.span_of(&o.expression));
                out.extend(range.map(Piece::Source));
                rest
            }
        };
        out.push(Piece::Text(rest.as_bytes().to_vec()));
    }
    out
}
