//! `warpSize` under `--warp preserve`: CUDA's 32, by a using-declaration at the top of each function that says it, so
//! that the text of the uses stays. Outside functions the shim's name is written out.

use super::context::{Context, State};
use super::resolve::Met;
use crate::edit::Edit;
use crate::ledger::Fate;
use crate::options::Warp;
use crate::syntax::lex::Kind;
use crate::syntax::Source;
use std::collections::BTreeSet;

const NAME: &str = "tranship::warpSize";
const QUERY: &str = "tranship::warp_size";

pub fn run(cx: &mut Context, met: &[Met]) {
    if cx.options.warp == Warp::Bare {
        return;
    }
    let src = cx.src;
    let mut bodies: BTreeSet<usize> = BTreeSet::new();
    for m in met.iter().filter(|m| m.name == "warpSize") {
        let i = m.tokens.start;
        if !matches!(cx.state(i), State::Active | State::Dead) || cx.settled(i) {
            continue;
        }
        cx.note_name(i, "warpSize", "device", Fate::Shimmed, Some(NAME));
        cx.need_shim("warp");
        let body = if src.tokens[i].in_directive {
            None
        } else {
            function_body(src, i)
        };
        match body {
            Some(open) => {
                bodies.insert(open);
            }
            None => cx.replace(&m.tokens, NAME),
        }
    }
    queries(cx, met);
    for open in bodies {
        if has_using(src, open) {
            continue;
        }
        let at = src.span(open).end;
        cx.edits
            .push(Edit::insert(at, format!("{}using {NAME};", line_break(src.bytes, at))));
    }
}

/// `properties.warpSize` on the host, where the file names CUDA's struct: the program's warps have 32 lanes.
fn queries(cx: &mut Context, met: &[Met]) {
    let src = cx.src;
    if !met.iter().any(|m| m.name == "cudaDeviceProp") {
        return;
    }
    for i in 2..src.tokens.len() {
        let read = !src.tokens.get(i + 1).is_some_and(|t| t.is(b'=') || t.is(b'('));
        if src.text(i) != b"warpSize" || !read || !matches!(cx.state(i), State::Active | State::Dead) {
            continue;
        }
        let Some(object) = object_start(src, i) else { continue };
        cx.note_name(i, "warpSize", "runtime", Fate::Shimmed, Some(QUERY));
        cx.need_shim("warp");
        cx.replace(&(object..i + 1), QUERY);
    }
}

/// Where the object of a member begins: names, members and subscripts, but no calls.
fn object_start(src: &Source, member: usize) -> Option<usize> {
    let mut at = member;
    while src
        .before(at)
        .is_some_and(|b| matches!(src.tokens[b].kind, Kind::Arrow | Kind::Punct(b'.')))
    {
        at = src.before(at - 1)?;
        while src.tokens[at].is(b']') {
            at = src.before(src.brackets.partner(at)?)?;
        }
        if !src.tokens[at].is_ident() {
            return None;
        }
    }
    (at != member).then_some(at)
}

/// The `{` of the outermost function body around a token.
fn function_body(src: &Source, token: usize) -> Option<usize> {
    let mut i = 0;
    while i < token {
        if src.tokens[i].is(b'{') && !src.tokens[i].in_directive {
            let close = src.brackets.partner(i)?;
            if close > token && opens_function(src, i) {
                return Some(i);
            }
            if close < token {
                i = close;
            }
        }
        i += 1;
    }
    None
}

/// A body follows the parameter list, perhaps with words (`const`, `noexcept`, `override`) between.
fn opens_function(src: &Source, brace: usize) -> bool {
    let mut i = brace;
    while i > 0 {
        i -= 1;
        let t = &src.tokens[i];
        if t.is(b')') {
            return true;
        }
        if !(t.is_ident()
            && matches!(
                src.text(i),
                b"const" | b"noexcept" | b"override" | b"final" | b"volatile"
            ))
        {
            return false;
        }
    }
    false
}

/// What separates the declaration from the `{`: a line of its own, indented as the next one, or a space where the body
/// goes on in the same line.
fn line_break(bytes: &[u8], after_brace: usize) -> String {
    let rest = &bytes[after_brace..];
    let Some(eol) = memchr::memchr(b'\n', rest) else {
        return " ".into();
    };
    if !rest[..eol].iter().all(u8::is_ascii_whitespace) {
        return " ".into();
    }
    let cr = if rest[..eol].ends_with(b"\r") { "\r" } else { "" };
    let indent = rest[eol + 1..]
        .iter()
        .take_while(|b| matches!(b, b' ' | b'\t'))
        .map(|&b| b as char);
    format!("{cr}\n{}", indent.collect::<String>())
}

fn has_using(src: &Source, open: usize) -> bool {
    (1..=4)
        .map(|k| src.tokens.get(open + k).map_or(&b""[..], |_| src.text(open + k)))
        .eq([&b"using"[..], b"tranship", b"::", b"warpSize"])
}
