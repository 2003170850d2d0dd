//! Preprocessor guards: which arms HIP compiles, and what conditions on CUDA's macros become.
//!
//! A group that tests a HIP macro is ported already: its condition stays, and so do the arms that belong to one
//! side only. In other groups a comparison of `__CUDA_ARCH__` or of a CUDA release is decided: AMD counts as newer
//! than every architecture named, unless the arm so chosen holds what AMD cannot compile and an older arm does not.

use super::context::{Context, State};
use crate::diagnostics::{codes, Diagnostic};
use crate::edit::Piece;
use crate::ledger::Fate;
use crate::rules::{Guard, GUARDS};
use crate::syntax::condition::{Assume, Expr, Op};
use crate::syntax::directive::{self, Group};
use crate::syntax::Source;
use std::ops::Range;

/// Beyond every architecture and release.
const NEWEST: i64 = 1_000_000_000;

/// Decides the groups of a file. `portable` tells whether AMD can compile what a token range holds.
pub fn run(cx: &mut Context, portable: &dyn Fn(&Range<usize>) -> bool) {
    let src = cx.src;
    if !src
        .directives
        .iter()
        .any(|d| d.body.clone().chain(d.name).any(|t| GUARDS.contains_key(src.str(t))))
    {
        return;
    }
    for group in directive::groups(&src.directives, src.bytes.len(), src.tokens.len()) {
        let conditions: Vec<Expr> = group
            .arms
            .iter()
            .map(|a| Expr::of(src, &src.directives[a.directive]).unwrap_or(Expr::Opaque))
            .collect();
        if conditions
            .iter()
            .any(|c| mentions(src, c, &[Guard::Hip, Guard::Switch, Guard::NotHip]))
        {
            ported(cx, &group, &conditions);
        } else if conditions
            .iter()
            .any(|c| mentions(src, c, &[Guard::Arch, Guard::Version]))
        {
            decide(cx, &group, &conditions, portable);
        }
    }
}

fn guard(src: &Source, token: usize) -> Option<Guard> {
    GUARDS.get(src.str(token)).copied()
}

fn mentions(src: &Source, e: &Expr, kinds: &[Guard]) -> bool {
    let mut found = false;
    e.walk(&mut |e| {
        if let Expr::Defined(t) | Expr::Name(t) = e {
            found |= guard(src, *t).is_some_and(|g| kinds.contains(&g));
        }
    });
    found
}

/// A switch between HIP and CUDA that the source already has.
fn ported(cx: &mut Context, group: &Group, conditions: &[Expr]) {
    let src = cx.src;
    let hip_view = |n: &str| match GUARDS.get(n) {
        Some(Guard::Hip | Guard::Switch) => Assume::Value(1),
        Some(_) => Assume::Undefined,
        None => Assume::Unknown,
    };
    let cuda_view = |n: &str| match GUARDS.get(n) {
        Some(Guard::Hip | Guard::Switch | Guard::NotHip) => Assume::Undefined,
        Some(Guard::Cuda) => Assume::Value(1),
        Some(_) => Assume::Defined,
        None => Assume::Unknown,
    };
    let (hip, cuda) = (taken(src, conditions, &hip_view), taken(src, conditions, &cuda_view));
    for (i, arm) in group.arms.iter().enumerate() {
        let state = match (hip[i], cuda[i]) {
            (Some(false), _) => State::Foreign,
            (_, Some(false)) => State::Hip,
            _ => continue,
        };
        cx.arms.push((arm.tokens.clone(), state));
    }
    tell_switch(cx, conditions);
    // The tests themselves are ported too.
    for arm in &group.arms {
        let d = &src.directives[arm.directive];
        cx.arms.push((d.tokens.clone(), State::Hip));
    }
}

/// Says once a file that the build must set the macro on which its HIP arms hang.
fn tell_switch(cx: &mut Context, conditions: &[Expr]) {
    let src = cx.src;
    let mut switch = None;
    let mut other = false;
    for c in conditions {
        c.walk(&mut |e| {
            if let Expr::Defined(t) | Expr::Name(t) = e {
                match guard(src, *t) {
                    Some(Guard::Switch) => switch = switch.or(Some(*t)),
                    Some(Guard::Hip) => other = true,
                    _ => {}
                }
            }
        });
    }
    let Some(t) = switch.filter(|_| !other) else { return };
    let name = src.str(t);
    if !cx.diagnostics.iter().any(|d| d.code.code == codes::SWITCH_NOT_SET.code) {
        let d = Diagnostic::new(
            &codes::SWITCH_NOT_SET,
            src.span(t),
            format!("the AMD arms of this file need `{name}`"),
        )
        .help(format!("add -D{name} to the compile options of the HIP build"));
        cx.report(t, d);
    }
}

/// For each arm whether it is the one compiled: known yes, known no, or unknown.
fn taken(src: &Source, conditions: &[Expr], assume: &dyn Fn(&str) -> Assume) -> Vec<Option<bool>> {
    let mut before = Some(false);
    conditions
        .iter()
        .map(|c| {
            let own = c.value(src, assume).map(|v| v != 0);
            let this = match (before, own) {
                (Some(true), _) | (_, Some(false)) => Some(false),
                (Some(false), Some(true)) => Some(true),
                _ => None,
            };
            before = match (before, own) {
                (Some(true), _) | (_, Some(true)) if before == Some(true) || own == Some(true) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            };
            this
        })
        .collect()
}

/// What one group assumes of the device: the compute capability and the CUDA release.
#[derive(Clone, Copy, PartialEq)]
struct World {
    arch: i64,
    version: i64,
}

impl World {
    fn device(self) -> impl Fn(&str) -> Assume {
        move |n| match GUARDS.get(n) {
            Some(Guard::Arch) => Assume::Value(self.arch),
            Some(Guard::Version) => Assume::Value(self.version),
            Some(Guard::Cuda) => Assume::Value(1),
            _ => Assume::Unknown,
        }
    }
    fn host(self) -> impl Fn(&str) -> Assume {
        move |n| match GUARDS.get(n) {
            Some(Guard::Arch) => Assume::Undefined,
            Some(Guard::Version) => Assume::Value(self.version),
            Some(Guard::Cuda) => Assume::Value(1),
            _ => Assume::Unknown,
        }
    }
}

fn decide(cx: &mut Context, group: &Group, conditions: &[Expr], portable: &dyn Fn(&Range<usize>) -> bool) {
    let src = cx.src;
    if kept(cx, conditions) {
        return;
    }
    let newest = World {
        arch: NEWEST,
        version: NEWEST,
    };
    let chosen_arm = |w: World| {
        taken(src, conditions, &w.device())
            .iter()
            .position(|t| *t == Some(true))
    };
    let fits = |w: World| match chosen_arm(w) {
        Some(arm) => portable(&group.arms[arm].tokens) && !group.arms[arm].tokens.is_empty(),
        None => false,
    };
    let mut world = newest;
    if chosen_arm(newest).is_some_and(|a| !portable(&group.arms[a].tokens)) {
        world = older(src, conditions).into_iter().find(|&w| fits(w)).unwrap_or(newest);
    }

    let device = taken(src, conditions, &world.device());
    let host = taken(src, conditions, &world.host());
    for (i, arm) in group.arms.iter().enumerate() {
        if device[i] == Some(false) && host[i] == Some(false) {
            cx.arms.push((arm.tokens.clone(), State::Dead));
        }
    }
    let mut compared = None;
    for c in conditions {
        rewrite(cx, c, world, None, &mut compared);
    }
    if let Some(at) = compared {
        tell(cx, at, world == newest);
    }
}

/// Whether a comment silences the finding that a group would be decided with: then the conditions stay, and every arm
/// counts as compiled.
fn kept(cx: &mut Context, conditions: &[Expr]) -> bool {
    let src = cx.src;
    let mut first = None;
    for c in conditions {
        c.walk(&mut |e| {
            if let (Some(_), Expr::Binary(_, _, _, tokens)) = (comparison(src, e), e) {
                first.get_or_insert(tokens.start);
            }
        });
    }
    let span = first.and_then(|t| src.span_of(&(t..t + 1)));
    if !span.is_some_and(|s| cx.ignored(&codes::GUARD_DECIDED, &s)) {
        return false;
    }
    for c in conditions {
        c.walk(&mut |e| {
            if let Expr::Defined(t) | Expr::Name(t) = e {
                if guard(src, *t).is_some() {
                    cx.note_name(*t, src.str(*t), "guards", Fate::Ignored, None);
                }
            }
        });
    }
    true
}

/// The worlds just below each threshold that the group names, newest first.
fn older(src: &Source, conditions: &[Expr]) -> Vec<World> {
    let mut out = Vec::new();
    for c in conditions {
        c.walk(&mut |e| {
            let Some((kind, op, n, _)) = comparison(src, e) else {
                return;
            };
            let below = if matches!(op, Op::Gt | Op::Le | Op::Eq | Op::Ne) {
                n
            } else {
                n - 1
            };
            out.push(match kind {
                Guard::Arch => World {
                    arch: below,
                    version: NEWEST,
                },
                _ => World {
                    arch: NEWEST,
                    version: below,
                },
            });
        });
    }
    out.sort_by_key(|w| std::cmp::Reverse((w.version, w.arch)));
    out
}

/// `GUARD op number`, either way round: what is compared, the operator with the guard on its left, the number.
fn comparison(src: &Source, e: &Expr) -> Option<(Guard, Op, i64, Range<usize>)> {
    let Expr::Binary(op, a, b, tokens) = e else { return None };
    if !op.is_comparison() {
        return None;
    }
    let nothing = |_: &str| Assume::Unknown;
    let (name, number, op) = match (
        leftmost(src, a),
        b.value(src, &nothing),
        leftmost(src, b),
        a.value(src, &nothing),
    ) {
        (Some(t), Some(n), _, _) => (t, n, *op),
        (_, _, Some(t), Some(n)) => (t, n, mirrored(*op)),
        _ => return None,
    };
    let g = guard(src, name).filter(|g| matches!(g, Guard::Arch | Guard::Version))?;
    Some((g, op, number, tokens.clone()))
}

/// The guard that an operand is, or is computed from (`__CUDA_ARCH__ / 100`).
fn leftmost(src: &Source, e: &Expr) -> Option<usize> {
    match e {
        Expr::Name(t) if guard(src, *t).is_some() => Some(*t),
        Expr::Binary(op, a, b, _) if !op.is_comparison() && *op != Op::And && *op != Op::Or => {
            leftmost(src, a).or_else(|| leftmost(src, b))
        }
        _ => None,
    }
}

fn mirrored(op: Op) -> Op {
    match op {
        Op::Lt => Op::Gt,
        Op::Le => Op::Ge,
        Op::Gt => Op::Lt,
        Op::Ge => Op::Le,
        other => other,
    }
}

/// Rewrites what a condition asks. `device`: what a sibling has already settled about being in device code.
fn rewrite(cx: &mut Context, e: &Expr, world: World, device: Option<bool>, compared: &mut Option<usize>) {
    let src = cx.src;
    match e {
        Expr::Defined(t) if guard(src, *t) == Some(Guard::Arch) => {
            let name = src.str(*t);
            cx.note_name(*t, name, "guards", Fate::Renamed, Some("__HIP_DEVICE_COMPILE__"));
            cx.replace(&(*t..*t + 1), "__HIP_DEVICE_COMPILE__");
        }
        Expr::Name(t) if guard(src, *t) == Some(Guard::Arch) => {
            let name = src.str(*t);
            cx.note_name(*t, name, "guards", Fate::Renamed, Some("__HIP_DEVICE_COMPILE__"));
            cx.replace(&(*t..*t + 1), "defined(__HIP_DEVICE_COMPILE__)");
        }
        Expr::Not(inner) => rewrite(cx, inner, world, device, compared),
        Expr::Binary(op, a, b, tokens) => {
            if comparison(src, e).is_some() {
                compare(cx, e, tokens, world, device);
                compared.get_or_insert(tokens.start);
                return;
            }
            if op.is_comparison() && (leftmost(src, a).is_some() || leftmost(src, b).is_some()) {
                undecided(cx, tokens);
                return;
            }
            // In `defined(__CUDA_ARCH__) && X` and `!defined(__CUDA_ARCH__) || X`, X is asked in device code only.
            let settled = match op {
                Op::And if [a, b].iter().any(|s| is_arch_defined(src, s, false)) => Some(true),
                Op::Or if [a, b].iter().any(|s| is_arch_defined(src, s, true)) => Some(true),
                _ => device,
            };
            rewrite(cx, a, world, settled, compared);
            rewrite(cx, b, world, settled, compared);
        }
        _ => {}
    }
}

fn is_arch_defined(src: &Source, e: &Expr, negated: bool) -> bool {
    match e {
        Expr::Defined(t) => !negated && guard(src, *t) == Some(Guard::Arch),
        Expr::Not(inner) => negated && is_arch_defined(src, inner, false),
        Expr::Binary(op, a, b, _) if *op == if negated { Op::Or } else { Op::And } => {
            is_arch_defined(src, a, negated) || is_arch_defined(src, b, negated)
        }
        _ => false,
    }
}

fn compare(cx: &mut Context, e: &Expr, tokens: &Range<usize>, world: World, device: Option<bool>) {
    let src = cx.src;
    let on_device = e.value(src, &world.device()).unwrap_or(0) != 0;
    let on_host = e.value(src, &world.host()).unwrap_or(0) != 0;
    let becomes = match (on_device, on_host) {
        (true, true) => "1",
        (false, false) => "0",
        (true, false) if device == Some(true) => "1",
        (false, true) if device == Some(true) => "0",
        (true, false) => "defined(__HIP_DEVICE_COMPILE__)",
        (false, true) => "!defined(__HIP_DEVICE_COMPILE__)",
    };
    let Some(span) = src.span_of(tokens) else { return };
    for t in tokens.clone() {
        if guard(src, t).is_some() {
            cx.note_name(t, src.str(t), "guards", Fate::Rewritten, Some(becomes));
        }
    }
    let was = String::from_utf8_lossy(&src.bytes[span.clone()]).into_owned();
    // The condition stays readable beside its answer, unless it would close the comment.
    let text = if was.contains("*/") || was.contains("//") || was.contains('\n') {
        becomes.to_string()
    } else {
        format!("{becomes} /* {was} */")
    };
    cx.rewrite(tokens, vec![Piece::Text(text.into_bytes())]);
}

fn undecided(cx: &mut Context, tokens: &Range<usize>) {
    let Some(span) = cx.src.span_of(tokens) else { return };
    for t in tokens.clone() {
        if guard(cx.src, t).is_some() {
            cx.note_name(t, cx.src.str(t), "guards", Fate::Reported, None);
        }
    }
    let d = Diagnostic::new(
        &codes::GUARD_UNDECIDED,
        span,
        "this comparison cannot be decided for AMD",
    )
    .note("the other side is no number that this file shows")
    .help("test `__HIP_DEVICE_COMPILE__` or `HIP_VERSION` here");
    cx.report(tokens.start, d);
}

fn tell(cx: &mut Context, at: usize, newest: bool) {
    let span = cx.src.span_of(&(at..at + 1)).unwrap_or(0..0);
    let (message, note) = if newest {
        (
            "guard on a CUDA architecture or release decided for AMD",
            "AMD counts as newer than every one it names",
        )
    } else {
        (
            "guard decided for AMD: the older arm is compiled",
            "the newer arm holds PTX or calls that AMD cannot compile, the older one does not",
        )
    };
    let name = cx.src.str(at);
    let message = if name.starts_with('_') || name.starts_with('C') {
        format!("`{name}`: {message}")
    } else {
        message.to_string()
    };
    cx.report(at, Diagnostic::new(&codes::GUARD_DECIDED, span, message).note(note));
}
