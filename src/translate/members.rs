//! Struct members that HIP calls otherwise, by `rules/members.toml`: only in files that name the struct, and only
//! after `.` or `->`.

use super::context::{Context, State};
use super::resolve::Met;
use crate::diagnostics::{codes, Diagnostic};
use crate::ledger::Fate;
use crate::rules::MEMBERS;
use crate::syntax::lex::Kind;

pub fn run(cx: &mut Context, met: &[Met]) {
    let src = cx.src;
    for i in 0..src.tokens.len() {
        if !src.tokens[i].is_ident()
            || !src
                .before(i)
                .is_some_and(|p| matches!(src.tokens[p].kind, Kind::Arrow | Kind::Punct(b'.')))
        {
            continue;
        }
        let name = src.str(i);
        let Some(m) = MEMBERS.get(name) else { continue };
        let named = |s: &&str| met.iter().any(|x| x.name == *s);
        let Some(of) = m.of.split('|').find(named) else {
            continue;
        };
        if !matches!(cx.state(i), State::Active | State::Dead) || cx.settled(i) {
            continue;
        }
        if src.tokens.get(i + 1).is_some_and(|t| t.is(b'(')) != m.call {
            continue;
        }
        match m.to {
            Some(to) => {
                cx.note_name(i, name, "runtime", Fate::Renamed, Some(to));
                cx.replace(&(i..i + 1), to);
            }
            None => {
                cx.note_name(i, name, "runtime", Fate::Reported, None);
                let message = if m.call {
                    format!("`{name}`, of `{of}`, has no counterpart in HIP")
                } else {
                    format!("HIP's counterpart of `{of}` has no member `{name}`")
                };
                let mut d = Diagnostic::new(&codes::UNSUPPORTED_API, src.span(i), message);
                d.help = m.help.map(str::to_string);
                d = d.rule("members", name);
                cx.report(i, d);
            }
        }
    }
}
