//! Operators that a program defines for CUDA's vector types (`helper_math.h` and its many copies). HIP's vector types
//! have them, so a second definition makes every use ambiguous. Those that do what HIP's do, element by element, are put
//! under a guard; others are reported.

use super::context::{Context, State};
use crate::diagnostics::{codes, Diagnostic};
use crate::edit::Edit;
use crate::syntax::lex::Kind;
use crate::syntax::{args, Source};
use std::ops::Range;

/// One operator definition at file or namespace scope; ranges are tokens.
struct Definition {
    whole: Range<usize>,
    operator: usize,
    elementwise: bool,
}

pub fn run(cx: &mut Context) {
    let src = cx.src;
    let mut found: Vec<Definition> = Vec::new();
    for i in 0..src.tokens.len() {
        if src.text(i) == b"operator" && !src.tokens[i].in_directive && cx.state(i) == State::Active {
            found.extend(definition(src, i));
        }
    }
    for d in found.iter().filter(|d| !d.elementwise) {
        let span = src.span_of(&(d.operator..d.operator + 2)).unwrap_or(0..0);
        let f = Diagnostic::new(
            &codes::VECTOR_OPERATOR,
            span,
            "HIP's vector types have this operator, and this one does something else",
        )
        .note("two definitions make every use ambiguous")
        .help("give the function a name and call it by that");
        cx.report(d.operator, f);
    }
    let mut same = found.into_iter().filter(|d| d.elementwise).peekable();
    while let Some(first) = same.next() {
        let mut whole = first.whole.clone();
        while let Some(next) = same.next_if(|n| n.whole.start == whole.end) {
            whole.end = next.whole.end;
        }
        if cx.ignored(&codes::VECTOR_OPERATOR_GUARDED, &src.span(whole.start)) {
            continue;
        }
        if guard(cx, &whole, "HIP's vector types have these operators") {
            let span = src.span(whole.start);
            let d = Diagnostic::new(
                &codes::VECTOR_OPERATOR_GUARDED,
                span,
                "operators of vector types put under a guard: HIP has them",
            )
            .note("each works element by element, as HIP's own does");
            cx.report(whole.start, d);
        }
    }
}

/// Puts definitions under a guard that AMD's compiler skips. False where they do not have their lines to themselves.
pub fn guard(cx: &mut Context, whole: &Range<usize>, why: &str) -> bool {
    let src = cx.src;
    let Some(span) = src.span_of(whole) else { return false };
    let line = memchr::memrchr(b'\n', &src.bytes[..span.start]).map_or(0, |p| p + 1);
    let eol = memchr::memchr(b'\n', &src.bytes[span.end..]).map_or(src.bytes.len(), |p| span.end + p);
    if !src.bytes[line..span.start].iter().all(u8::is_ascii_whitespace) || src.token_at(eol) != whole.end {
        return false;
    }
    let cr = if src.bytes[..eol].ends_with(b"\r") { "\r" } else { "" };
    cx.edits.push(Edit::insert(
        line,
        format!("#if !defined(__HIP_PLATFORM_AMD__) // {why}{cr}\n"),
    ));
    let after = (eol + 1).min(src.bytes.len());
    let lead = if after == eol { "\n" } else { "" };
    cx.edits.push(Edit::insert(after, format!("{lead}#endif{cr}\n")));
    true
}

/// The definition whose `operator` word is this token, if both its operands are vector types or scalars and one is a
/// vector.
fn definition(src: &Source, operator: usize) -> Option<Definition> {
    let open = operator + 2;
    if !src.tokens.get(open)?.is(b'(') {
        return None;
    }
    let close = src.brackets.partner(open)?;
    let body = close + 1;
    if !src.tokens.get(body)?.is(b'{') {
        return None;
    }
    let end = src.brackets.partner(body)?;
    let start = start_of(src, operator)?;
    let parameters: Vec<Parameter> = args::split(src, open + 1..close)
        .into_iter()
        .map(|r| Parameter::of(src, r))
        .collect::<Option<_>>()?;
    let elements = parameters.iter().map(|p| p.elements).max().filter(|&n| n > 0)?;
    if src.text(start) == b"template" {
        return None;
    }
    let statements: Vec<&[u8]> = (body + 1..end)
        .map(|t| src.text(t))
        .filter(|t| !matches!(*t, b"(" | b")"))
        .collect();
    let op = src.text(operator + 1);
    // The returned type's constructor may have any name; `return a;` may follow a compound assignment.
    let statements = without_return_of(&statements, parameters[0].name);
    let is = |p: &[&Parameter]| {
        expected(op, p, elements).is_some_and(|e| e.iter().map(|s| s.as_bytes()).eq(statements.iter().copied()))
    };
    let in_order: Vec<&Parameter> = parameters.iter().collect();
    let swapped: Vec<&Parameter> = parameters.iter().rev().collect();
    let elementwise = is(&in_order) || (matches!(op, b"+" | b"*") && is(&swapped));
    Some(Definition {
        whole: start..end + 1,
        operator,
        elementwise,
    })
}

struct Parameter<'a> {
    name: &'a [u8],
    /// Elements of its vector type; 0 for a scalar.
    elements: usize,
}

impl<'a> Parameter<'a> {
    fn of(src: &Source<'a>, range: Range<usize>) -> Option<Self> {
        let words: Vec<&[u8]> = range
            .clone()
            .map(|t| src.text(t))
            .filter(|t| !matches!(*t, b"const" | b"&"))
            .collect();
        let [kind, name] = words[..] else { return None };
        let kind = std::str::from_utf8(kind).ok()?;
        let base = kind.trim_end_matches(|c: char| c.is_ascii_digit());
        const SCALARS: [&str; 13] = [
            "char",
            "uchar",
            "short",
            "ushort",
            "int",
            "uint",
            "long",
            "ulong",
            "longlong",
            "ulonglong",
            "float",
            "double",
            "unsigned",
        ];
        if !SCALARS.contains(&base) {
            return None;
        }
        let elements = match &kind[base.len()..] {
            "" => 0,
            "1" => 1,
            "2" => 2,
            "3" => 3,
            "4" => 4,
            _ => return None,
        };
        Some(Parameter { name, elements })
    }
}

/// The body's tokens, without parentheses, of the definition that works element by element.
fn expected(op: &[u8], parameters: &[&Parameter], elements: usize) -> Option<Vec<String>> {
    let op = std::str::from_utf8(op).ok()?;
    let part = |p: &Parameter, c: char| -> Vec<String> {
        let name = String::from_utf8_lossy(p.name).into_owned();
        if p.elements == 0 {
            vec![name]
        } else {
            vec![name, ".".into(), c.to_string()]
        }
    };
    let mut out: Vec<String> = Vec::new();
    let compound = op.len() == 2 && op.ends_with('=') && !matches!(op, "==" | "!=" | "<=" | ">=");
    for (i, c) in "xyzw".chars().take(elements).enumerate() {
        match parameters {
            [a] if op == "-" => {
                out.extend((i > 0).then(|| ",".to_string()));
                out.push("-".into());
                out.extend(part(a, c));
            }
            [a, b] if compound => {
                out.extend(part(a, c));
                out.push(op.into());
                out.extend(part(b, c));
                out.push(";".into());
            }
            [a, b] if matches!(op, "+" | "-" | "*" | "/") => {
                out.extend((i > 0).then(|| ",".to_string()));
                out.extend(part(a, c));
                out.push(op.into());
                out.extend(part(b, c));
            }
            _ => return None,
        }
    }
    if !compound {
        out.push(";".into());
    }
    Some(out)
}

/// The statements without `return make_x` at the start and without `return a ;` at the end.
fn without_return_of<'t>(tokens: &[&'t [u8]], name: &[u8]) -> Vec<&'t [u8]> {
    match tokens {
        [b"return", maker, rest @ ..] if maker.starts_with(b"make_") => rest.to_vec(),
        [rest @ .., b"return", n, b";"] if *n == name => rest.to_vec(),
        _ => tokens.to_vec(),
    }
}

/// The first token of the definition: after the `;`, the brace or the preprocessor line before it. None inside a class.
pub fn start_of(src: &Source, operator: usize) -> Option<usize> {
    let mut i = operator;
    while i > 0 {
        let t = &src.tokens[i - 1];
        if t.in_directive || matches!(t.kind, Kind::Punct(b';' | b'}')) {
            break;
        }
        if t.is(b'{') {
            let namespace = i >= 2 && (src.text(i - 2) == b"namespace" || (i >= 3 && src.text(i - 3) == b"namespace"));
            let linkage = i >= 2 && src.tokens[i - 2].kind == Kind::Str;
            if !namespace && !linkage {
                return None;
            }
            break;
        }
        if t.is(b'(') || t.is(b',') || src.text(i - 1) == b"friend" {
            return None;
        }
        i -= 1;
    }
    Some(i)
}
