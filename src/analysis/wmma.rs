//! Tensor-core fragments: blocks too small for the wavefront that a fragment is spread over.

use crate::diagnostics::{codes, Diagnostic};
use crate::syntax::lex::Kind;
use crate::syntax::{args, launch, Source};
use crate::translate::context::{Context, State};
use crate::translate::resolve::Met;
use std::ops::Range;

/// Reports launches of a file with fragments whose block, written in numbers, does not fill wavefronts.
pub fn run(cx: &mut Context, met: &[Met]) {
    if !met.iter().any(|m| m.name.starts_with("nvcuda::wmma::")) {
        return;
    }
    let src = cx.src;
    let wide: Vec<&'static str> = cx
        .options
        .targets
        .iter()
        .filter(|t| t.wavefront == 64)
        .map(|t| t.name)
        .collect();
    if wide.is_empty() {
        return;
    }
    for l in launch::find(src) {
        let Some(block) = l.block().filter(|_| cx.state(l.open) == State::Active) else {
            continue;
        };
        let Some(threads) = threads(src, block).filter(|n| n % 64 != 0) else {
            continue;
        };
        let span = src.span_of(block).unwrap_or(0..0);
        let mut d = Diagnostic::new(
            &codes::WMMA_FRAGMENT,
            span,
            format!("a block of {threads} threads does not fill the wavefront of 64 that a fragment is spread over"),
        )
        .note("this file uses wmma: CUDA spreads a fragment over 32 threads, rocWMMA over the whole wavefront")
        .help("launch a multiple of 64 threads, 64 for each fragment, if this kernel uses fragments");
        d.targets = wide.clone();
        cx.report(l.open, d);
    }
}

/// The threads of a block written in numbers: `32`, `dim3(32, 4)`, `{32, 4}`.
fn threads(src: &Source, block: &Range<usize>) -> Option<u64> {
    let number = |r: &Range<usize>| {
        let only = r.len() == 1 && src.tokens[r.start].kind == Kind::Number;
        only.then(|| src.str(r.start).trim_end_matches(['u', 'U']).parse::<u64>().ok())
            .flatten()
    };
    if let Some(n) = number(block) {
        return Some(n);
    }
    let open = match src.text(block.start) {
        b"dim3" => block.start + 1,
        b"{" => block.start,
        _ => return None,
    };
    let close = src.brackets.partner(open).filter(|&c| c + 1 == block.end)?;
    args::split(src, open + 1..close)
        .iter()
        .map(number)
        .try_fold(1, |product: u64, n| product.checked_mul(n?))
}
