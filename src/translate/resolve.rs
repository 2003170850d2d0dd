//! Which identifiers are CUDA's: whole tokens, qualified paths and aliases resolved, members, locals and the user's
//! own functions told apart. Later passes ask [`Met`] only.

use super::context::Context;
use crate::ledger::Fate;
use crate::rules::{self, CALLS, NAMES, SHIM_NAMES};
use crate::syntax::directive::DirectiveKind;
use crate::syntax::lex::Kind;
use crate::syntax::overlay::is_cuda_word;
use crate::syntax::tree::{Declared, Region};
use crate::syntax::Source;
use std::collections::HashMap;
use std::ops::Range;

/// A CUDA name at one place.
#[derive(Clone, Debug)]
pub struct Met {
    /// Its tokens: one identifier, or the part of a qualified path that the rule's name covers.
    pub tokens: Range<usize>,
    /// The name under which the rules know it (aliases resolved).
    pub name: String,
}

/// All CUDA names of the code, in order. Names that only look like CUDA's get their ledger line here.
pub fn run(cx: &mut Context) -> Vec<Met> {
    let src = cx.src;
    let scopes = Namespaces::of(src);
    let mut out: Vec<Met> = Vec::new();
    let own = Own::of(src);
    let mut i = 0;
    while i < src.tokens.len() {
        let t = &src.tokens[i];
        if t.kind != Kind::Ident || skipped_line(src, i) {
            i += 1;
            continue;
        }
        let before = src.before(i).map(|p| src.tokens[p].kind);
        if matches!(before, Some(Kind::Arrow | Kind::Punct(b'.'))) {
            if is_call_name(src.str(i)) {
                cx.note_name(i, src.str(i), Context::library(src.str(i)), Fate::Ignored, None);
            }
            i += 1;
            continue;
        }
        let qualifier = (before == Some(Kind::Scope)).then(|| src.before(i - 1)).flatten();
        if qualifier.is_some_and(|q| (src.tokens[q].is_ident() && !not_a_type(src.str(q))) || src.tokens[q].is(b'>')) {
            // A component further along some path: looked at from its start.
            i += 1;
            continue;
        }
        match scopes.lookup(src, i) {
            Some(met) => {
                let name = met.name.as_str();
                // A function of the user's own under a name that HIP has as well is an overload: nothing changes.
                let overload = NAMES.get(name).is_some_and(|r| r.iter().any(|r| r.hip == Some(name)));
                if (cx.declared.contains(name) && !overload) || own.covers(src, &met) {
                    cx.note_name(i, name, Context::library(name), Fate::Ignored, None);
                } else {
                    out.push(met.clone());
                }
                i = met.tokens.end.max(i + 1);
            }
            None => i += 1,
        }
    }
    out
}

/// Lines in which names are no code: `#include`, `#pragma`, `#error` and the like.
fn skipped_line(src: &Source, token: usize) -> bool {
    src.directive_of(token).is_some_and(|d| {
        matches!(
            d.kind,
            DirectiveKind::Include | DirectiveKind::Pragma | DirectiveKind::Other
        ) || token < d.tokens.start + 2
    })
}

fn is_call_name(name: &str) -> bool {
    NAMES.get(name).is_some_and(|rows| {
        rows.iter()
            .any(|r| r.kind == rules::Kind::Function && r.hip != Some(name))
    })
}

fn known(name: &str) -> bool {
    rules::may_know(name) && (CALLS.contains_key(name) || SHIM_NAMES.contains_key(name) || rules::name(name).is_some())
}

/// Aliases and `using namespace` of a file, as far as they concern CUDA's namespaces.
struct Namespaces {
    alias: HashMap<String, String>,
    using: Vec<String>,
}

impl Namespaces {
    fn of(src: &Source) -> Self {
        let mut n = Namespaces {
            alias: HashMap::new(),
            using: Vec::new(),
        };
        for i in 0..src.tokens.len() {
            if src.text(i) != b"namespace" {
                continue;
            }
            if i > 0 && src.text(i - 1) == b"using" {
                let path = path_text(src, &path_at(src, i + 1));
                let path = n.expand(&path);
                if is_cuda_namespace(&path) && !n.using.contains(&path) {
                    n.using.push(path);
                }
            } else if src.tokens.get(i + 2).is_some_and(|t| t.is(b'=')) {
                let path = path_text(src, &path_at(src, i + 3));
                let path = n.expand(&path);
                if is_cuda_namespace(&path) {
                    n.alias.insert(src.str(i + 1).to_string(), path);
                }
            }
        }
        n
    }

    fn expand(&self, path: &str) -> String {
        let (first, rest) = path.split_once("::").map_or((path, None), |(a, b)| (a, Some(b)));
        match (self.alias.get(first), rest) {
            (Some(a), Some(r)) => format!("{a}::{r}"),
            (Some(a), None) => a.clone(),
            (None, _) => path.to_string(),
        }
    }

    /// The rule that fits the path starting at `first`, with the tokens that it covers.
    fn lookup(&self, src: &Source, first: usize) -> Option<Met> {
        let one = src.str(first);
        let path = path_at(src, first);
        if path.len() == 1 {
            if known(one) && !is_lone_namespace(src, first, one) && (is_called(src, first) || !is_common_word(one)) {
                return Some(Met {
                    tokens: first..first + 1,
                    name: one.to_string(),
                });
            }
            return self
                .using
                .iter()
                .map(|u| format!("{u}::{one}"))
                .find(|n| known(n))
                .map(|name| Met {
                    tokens: first..first + 1,
                    name,
                });
        }
        let mut prefixes = vec![String::new()];
        prefixes.extend(self.using.iter().map(|u| format!("{u}::")));
        for length in (1..=path.len()).rev() {
            let tokens = first..path[length - 1] + 1;
            let text = path_text(src, &path[..length]);
            let (head, tail) = text.split_once("::").map_or((text.as_str(), ""), |(h, t)| (h, t));
            let expanded = match self.alias.get(head) {
                // The alias itself keeps its meaning: what it stands for is renamed where it is declared.
                Some(_) if tail.is_empty() => return None,
                Some(a) => format!("{a}::{tail}"),
                None => text.clone(),
            };
            if let Some(name) = prefixes.iter().map(|p| format!("{p}{expanded}")).find(|n| known(n)) {
                // Under an alias a plain namespace rename is already done where the alias is declared.
                if self.alias.contains_key(head) && rules::name(&name).is_some_and(|r| r.kind == rules::Kind::Namespace)
                {
                    return None;
                }
                return Some(Met { tokens, name });
            }
        }
        None
    }
}

/// Whether a name is C++'s as much as CUDA's (`max`, `sqrt`): HIP keeps it, and it alone asks for no header of HIP's.
pub fn is_plain(name: &str) -> bool {
    let kept = |n: &str| NAMES.get(n).is_some_and(|rows| rows.iter().any(|r| r.hip == Some(n)));
    is_common_word(name) && kept(name)
}

/// A plain word (`umin`, `texture`, `saturate`) is as likely a name of the user's own; only a call or template
/// arguments make it CUDA's.
pub fn is_common_word(name: &str) -> bool {
    name.bytes().all(|b| b.is_ascii_lowercase()) && !name.starts_with("cu") && !name.starts_with("nv")
}

fn is_called(src: &Source, token: usize) -> bool {
    src.tokens.get(token + 1).is_some_and(|t| t.is(b'(') || t.is(b'<'))
}

/// A namespace's name by itself is one only where the grammar has a namespace.
fn is_lone_namespace(src: &Source, token: usize, name: &str) -> bool {
    let is_namespace = rules::name(name).is_some_and(|r| r.kind == rules::Kind::Namespace);
    is_namespace && !(token > 0 && matches!(src.text(token - 1), b"namespace" | b"=") && !opens_namespace(src, token))
}

/// `namespace cub {`: the user opens or declares it, which is not the library's business.
fn opens_namespace(src: &Source, token: usize) -> bool {
    src.text(token - 1) == b"namespace"
        && src.tokens.get(token + 1).is_some_and(|t| t.is(b'{'))
        && !(token > 1 && src.text(token - 2) == b"using")
}

fn is_cuda_namespace(path: &str) -> bool {
    let first = path.split("::").next().unwrap_or(path);
    matches!(first, "cub" | "thrust" | "nvcuda" | "cuda" | "cooperative_groups")
}

/// The identifier tokens of `a::b::c` from `first` on.
fn path_at(src: &Source, first: usize) -> Vec<usize> {
    let mut out = Vec::new();
    let mut i = first;
    if src.tokens.get(i).is_some_and(|t| t.kind == Kind::Scope) {
        i += 1;
    }
    while src.tokens.get(i).is_some_and(|t| t.is_ident()) {
        out.push(i);
        if src.tokens.get(i + 1).is_none_or(|t| t.kind != Kind::Scope) {
            break;
        }
        i += 2;
    }
    out
}

fn path_text(src: &Source, path: &[usize]) -> String {
    path.iter().map(|&t| src.str(t)).collect::<Vec<_>>().join("::")
}

/// The user's own declarations under CUDA names, found by parsing the item around a place that looks like one.
struct Own {
    /// The bytes in which a name means the user's declaration.
    found: HashMap<String, Vec<Range<usize>>>,
}

impl Own {
    fn of(src: &Source) -> Own {
        let mut found: HashMap<String, Vec<Range<usize>>> = HashMap::new();
        let mut parsed: Option<(Range<usize>, Option<Region>)> = None;
        for i in 0..src.tokens.len() {
            if src.tokens[i].kind != Kind::Ident || !looks_declared(src, i) || !known(src.str(i)) {
                continue;
            }
            let at = src.span(i);
            if parsed.as_ref().is_none_or(|p| !p.0.contains(&at.start)) {
                let item = item_around(src, i);
                parsed = Some((item.clone(), Region::parse(src, item)));
            }
            let region = parsed.as_ref().and_then(|p| p.1.as_ref());
            let declared = region.and_then(|r| r.declared(at));
            // `CHECK f(x);` inside a function reads as a declaration of f, and is a call behind a macro.
            let call =
                matches!(declared, Some(Declared::Local(_))) && src.tokens.get(i + 1).is_some_and(|t| t.is(b'('));
            if let Some(Declared::Member(r) | Declared::Local(r)) = declared.filter(|_| !call) {
                found.entry(src.str(i).to_string()).or_default().push(r);
            }
        }
        Own { found }
    }

    /// Whether the name here is one that the file declares itself, as a member or a local.
    fn covers(&self, src: &Source, met: &Met) -> bool {
        let i = met.tokens.start;
        if met.tokens.len() != 1 || (i > 0 && src.tokens[i - 1].kind == Kind::Scope) {
            return false;
        }
        let at = src.span(i).start;
        self.found
            .get(&met.name)
            .is_some_and(|ranges| ranges.iter().any(|r| r.contains(&at)))
    }
}

/// A cheap first look: could the identifier be the name that a declaration introduces?
pub fn looks_declared(src: &Source, i: usize) -> bool {
    let (Some(before), Some(after)) = (src.before(i), src.tokens.get(i + 1)) else {
        return false;
    };
    let b = &src.tokens[before];
    let after_declarator = matches!(
        after.kind,
        Kind::Punct(b'(' | b';' | b'=' | b',' | b')' | b'[' | b'{' | b':')
    );
    let before_declarator = match b.kind {
        Kind::Punct(b'*' | b'&' | b'>') => true,
        Kind::Ident => !not_a_type(src.str(before)),
        _ => false,
    };
    after_declarator && before_declarator
}

fn not_a_type(word: &str) -> bool {
    is_cuda_word(word)
        || matches!(
            word,
            "return"
                | "else"
                | "do"
                | "case"
                | "goto"
                | "new"
                | "delete"
                | "throw"
                | "sizeof"
                | "const"
                | "volatile"
                | "static"
                | "inline"
                | "extern"
                | "constexpr"
                | "typedef"
                | "mutable"
                | "using"
                | "namespace"
                | "typename"
                | "struct"
                | "enum"
                | "union"
                | "class"
                | "operator"
                | "co_return"
                | "co_await"
                | "co_yield"
                | "and"
                | "or"
                | "not"
                | "register"
                | "defined"
                | "define"
        )
}

/// The top-level item that holds a token: from the end of the one before to its own end.
fn item_around(src: &Source, token: usize) -> Range<usize> {
    let mut start = 0;
    let mut i = 0;
    while i < src.tokens.len() {
        let t = &src.tokens[i];
        if t.in_directive {
            i += 1;
            continue;
        }
        let end = match t.kind {
            Kind::Punct(b'{') => match src.brackets.partner(i) {
                Some(p) => {
                    i = p;
                    p
                }
                None => break,
            },
            Kind::Punct(b';') => i,
            _ => {
                i += 1;
                continue;
            }
        };
        if token <= end {
            return src.span(start).start..src.span(end).end;
        }
        i += 1;
        start = i.min(src.tokens.len() - 1);
    }
    src.span(start).start..src.bytes.len()
}
