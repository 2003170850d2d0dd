//! Tensor-core fragments beyond their names: launches that give a kernel with fragments fewer threads than a wavefront
//! has.

use crate::diagnostics::{codes, Diagnostic};
use crate::rules::On;
use crate::syntax::condition::integer;
use crate::syntax::{args, launch, Source};
use crate::translate::context::Context;
use crate::translate::resolve::Met;
use std::collections::BTreeSet;
use std::ops::Range;

pub fn run(cx: &mut Context, met: &[Met]) {
    let src = cx.src;
    let targets = cx.options.concerned(On::Wavefront64);
    if targets.is_empty() || !met.iter().any(|m| m.name == "nvcuda::wmma::fragment") {
        return;
    }
    let kernels = kernels(src, met);
    for l in launch::find(src) {
        let Some(kernel) = l.kernel.clone().map(|t| src.str(t)).find(|n| kernels.contains(n)) else {
            continue;
        };
        let block = l.block().filter(|b| threads(src, b).is_some_and(|n| n < 64)).cloned();
        let Some(span) = block.and_then(|b| src.span_of(&b)) else {
            continue;
        };
        let d = Diagnostic::new(
            &codes::WMMA_FRAGMENT,
            span,
            format!("a block of one 32-lane warp: the fragments of `{kernel}` need a whole wavefront of 64 lanes"),
        )
        .help("launch 64 threads for each fragment that is computed at a time")
        .targets(&targets);
        cx.report(l.open, d);
    }
}

/// The names of the kernels in whose bodies a fragment stands.
fn kernels<'a>(src: &Source<'a>, met: &[Met]) -> BTreeSet<&'a str> {
    let mut out = BTreeSet::new();
    for i in (0..src.tokens.len()).filter(|&i| src.text(i) == b"__global__") {
        let open = (i..src.tokens.len()).find(|&t| src.tokens[t].is(b'{') || src.tokens[t].is(b';'));
        let Some(body) = open.and_then(|o| Some(o..src.brackets.partner(o)?)) else {
            continue;
        };
        let fragment = |m: &Met| m.name == "nvcuda::wmma::fragment" && body.contains(&m.tokens.start);
        if !met.iter().any(fragment) {
            continue;
        }
        // The name stands before the parenthesis that closes right before the body.
        let close = body.start.checked_sub(1).filter(|&t| src.tokens[t].is(b')'));
        let name = close
            .and_then(|c| src.brackets.partner(c))
            .and_then(|p| p.checked_sub(1));
        out.extend(name.map(|n| src.str(n)));
    }
    out
}

/// The threads of a block operand that is a number, or a `dim3` of numbers.
fn threads(src: &Source, operand: &Range<usize>) -> Option<i64> {
    if operand.len() == 1 {
        return integer(src.text(operand.start));
    }
    let open = operand.start + 1;
    let whole = src.str(operand.start) == "dim3" && src.brackets.partner(open) == Some(operand.end - 1);
    if !whole {
        return None;
    }
    let sizes = args::split(src, open + 1..operand.end - 1);
    let size = |r: &Range<usize>| (r.len() == 1).then(|| integer(src.text(r.start)))?;
    sizes.iter().map(size).try_fold(1i64, |n, s| n.checked_mul(s?))
}
