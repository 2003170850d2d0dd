//! Warp collectives of CUB: their default width is the hardware's wavefront in hipCUB.

use super::flow::template_arguments;
use crate::diagnostics::{codes, Diagnostic};
use crate::rules::On;
use crate::syntax::condition::integer;
use crate::translate::context::Context;
use crate::translate::resolve::Met;

/// The collectives, and where their template argument for the logical width stands.
const COLLECTIVES: [(&str, usize); 3] = [("cub::WarpReduce", 1), ("cub::WarpScan", 1), ("cub::WarpMergeSort", 2)];

pub fn run(cx: &mut Context, met: &[Met]) {
    let src = cx.src;
    let wide = cx.options.concerned(On::Wavefront64);
    if wide.is_empty() {
        return;
    }
    for m in met {
        let Some(&(_, at)) = COLLECTIVES.iter().find(|(n, _)| *n == m.name) else {
            continue;
        };
        let Some(args) = template_arguments(src, m.tokens.end - 1) else {
            continue;
        };
        let Some(span) = src.span_of(&m.tokens) else { continue };
        match args.get(at) {
            None => {
                let d = Diagnostic::new(
                    &codes::LIBRARY_WARP_WIDTH,
                    span,
                    format!("`{}` without a width takes the whole wavefront", m.name),
                )
                .note("hipCUB's default is 64 lanes on gfx942 and 32 on gfx1100; CUB's is 32")
                .help("write the width: `, 32` as the template argument after the type")
                .targets(&wide);
                cx.report(m.tokens.start, d);
            }
            Some(a) if a.len() == 1 && integer(src.text(a.start)) == Some(32) => {
                let d = Diagnostic::new(
                    &codes::LIBRARY_WARP_WIDTH,
                    src.span_of(a).unwrap_or(span),
                    "a warp collective of 32 lanes",
                )
                .severity(crate::diagnostics::Severity::Note)
                .note("nothing to do: on gfx942 it works on halves of the wavefront, on gfx1100 on all of it")
                .targets(&wide);
                cx.report(a.start, d);
            }
            Some(_) => {}
        }
    }
}
