//! What a wavefront of 64 lanes changes in code for warps of 32: a dataflow over lane ids, warp ids, lane masks, warp counts
//! and warp-sized constants, through locals, parameters, return values, macros and files, and the findings it leads to.

mod asm;
mod flow;
mod gather;
mod library;
mod report;
#[cfg(test)]
mod tests;
mod words;

pub use flow::Facts;
pub use gather::facts;

use crate::syntax::body::Body;
use crate::syntax::{condition, function};
use crate::translate::context::Context;
use crate::translate::resolve::Met;
use flow::{Event, Flow, Known, What};
use std::collections::BTreeSet;

/// Adds the findings of a file.
pub fn run(cx: &mut Context, met: &[Met]) {
    let src = cx.src;
    library::run(cx, met);
    queries(cx, met);
    if !gather::is_relevant(src) {
        return;
    }
    asm::run(cx);
    let (own, program) = cx.project.warp_facts(cx.path);
    let known = Known { own, program };
    let mut events: Vec<Event> = Vec::new();
    let mut operations = false;
    for i in 0..src.tokens.len() {
        let word = src.str(i);
        operations |= src.tokens[i].is_ident() && (words::is_warp_op(word) || words::is_tile(word));
    }
    for f in function::find(src) {
        if !gather::reads(src, &f, known) {
            continue;
        }
        let body = Body::parse(src, f.body.clone());
        let mut flow = Flow::new(src, known, &body, Some(&f));
        flow.run();
        let evident = flow.evidence || flow.is_named();
        bounds(src, &f, &mut flow);
        // A host function shows no warps; that the file works by them is enough for their number.
        let counts = |e: &Event| operations && e.what == What::Arithmetic("number of warps");
        events.extend(
            flow.events
                .into_iter()
                .filter(|e| evident || !e.needs_evidence || counts(e)),
        );
    }
    for d in gather::macros(src) {
        let mut body = Body::default();
        let ids: Vec<_> = gather::pieces(src, &d.body)
            .into_iter()
            .map(|r| body.arena.parse(src, r))
            .collect();
        let mut flow = Flow::new(src, known, &body, None);
        flow.hide(d.params.iter().flatten().copied());
        for id in ids {
            flow.eval(id);
        }
        let name = d.name.map_or("", |n| src.str(n));
        let evident = flow.evidence || words::is_warp(name);
        events.extend(flow.events.into_iter().filter(|e| evident || !e.needs_evidence));
    }
    let defines = gather::macros(src)
        .filter(|d| d.params.is_none())
        .filter_map(|d| Some((d.name?, d.body.clone())));
    for (name, init) in defines.chain(gather::const_variables(src)) {
        let word = src.str(name);
        let number = (init.len() == 1)
            .then(|| condition::integer(src.text(init.start)))
            .flatten();
        if words::is_width(word) && number == Some(32) {
            events.push(Event {
                what: What::Constant(word.to_string()),
                tokens: init,
                origin: None,
                needs_evidence: false,
            });
        } else if number == Some(0xffff_ffff) && (words::is_full_mask(word) || (operations && words::is_mask(word))) {
            events.push(Event {
                what: What::FullMask,
                tokens: init,
                origin: None,
                needs_evidence: false,
            });
        }
    }
    events.sort_by(|a, b| (a.tokens.start, a.tokens.end, &a.what).cmp(&(b.tokens.start, b.tokens.end, &b.what)));
    let mut seen = BTreeSet::new();
    let covered = |e: &Event| {
        let inside = |o: &&Event| o.tokens.start <= e.tokens.start && e.tokens.end <= o.tokens.end;
        match e.what {
            What::WarpSize => events
                .iter()
                .filter(inside)
                .any(|o| matches!(o.what, What::Arithmetic(_) | What::Limit | What::LastLane)),
            What::Arithmetic(_) => events.iter().filter(inside).any(|o| o.what == What::Array),
            _ => false,
        }
    };
    for e in &events {
        // One finding for one thought: `tid / warpSize` is not also a read of warpSize.
        if !covered(e) && seen.insert((e.what.clone(), e.tokens.start, e.tokens.end)) {
            report::emit(cx, e);
        }
    }
}

/// Queries of the warp size by the name of the attribute.
fn queries(cx: &mut Context, met: &[Met]) {
    let asks = |m: &&Met| matches!(m.name.as_str(), "cudaDevAttrWarpSize" | "CU_DEVICE_ATTRIBUTE_WARP_SIZE");
    for m in met.iter().filter(asks) {
        let e = Event {
            what: What::WarpSizeMember,
            tokens: m.tokens.clone(),
            origin: None,
            needs_evidence: false,
        };
        report::emit(cx, &e);
    }
}

/// `__launch_bounds__(n)` with a block that does not fill wavefronts.
fn bounds(src: &crate::syntax::Source, f: &function::Function, flow: &mut Flow) {
    let Some(at) = f.head.clone().find(|&i| src.text(i) == b"__launch_bounds__") else {
        return;
    };
    let Some(close) = src
        .tokens
        .get(at + 1)
        .filter(|t| t.is(b'('))
        .and_then(|_| src.brackets.partner(at + 1))
    else {
        return;
    };
    let Some(first) = crate::syntax::args::split(src, at + 2..close)
        .into_iter()
        .next()
        .filter(|r| r.len() == 1)
    else {
        return;
    };
    if let Some(n) = condition::integer(src.text(first.start)).filter(|n| *n > 1 && n % 64 != 0) {
        flow.events.push(Event {
            what: What::BlockSize(n),
            tokens: first,
            origin: None,
            needs_evidence: false,
        });
    }
}
