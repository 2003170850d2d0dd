//! Inline PTX that names lanes and warps.

use crate::diagnostics::{codes, Diagnostic};
use crate::rules::On;
use crate::syntax::lex::Kind;
use crate::translate::context::Context;

/// What PTX says of warps, and what stands for it.
const WORDS: [(&str, &str); 9] = [
    (
        "%laneid",
        "the lane id: `__lane_id()` goes to 63 on gfx942; `tranship::lane_id()` stays below 32",
    ),
    (
        "%lanemask",
        "a lane mask: it has 64 bits on gfx942; `tranship::lanemask_lt()` and its kin have 32",
    ),
    (
        "%warpid",
        "the warp id: `tranship::warp_id()` counts warps of 32 threads",
    ),
    ("shfl.", "a shuffle: `tranship::shfl_sync` and its kin keep 32 lanes"),
    ("vote.", "a vote: `tranship::ballot_sync` and its kin keep 32 lanes"),
    ("match.", "a match: `tranship::match_any_sync` keeps 32 lanes"),
    (
        "redux.",
        "a reduction: `tranship::reduce_add_sync` and its kin keep 32 lanes",
    ),
    (
        "activemask",
        "the active mask: `tranship::activemask()` has the 32 lanes of the own warp",
    ),
    ("bar.warp", "a warp barrier: `tranship::syncwarp()`"),
];

pub fn run(cx: &mut Context) {
    let src = cx.src;
    let wide = cx.options.concerned(On::Wavefront64);
    if wide.is_empty() {
        return;
    }
    for i in 0..src.tokens.len() {
        if !matches!(src.text(i), b"asm" | b"__asm__" | b"__asm") {
            continue;
        }
        let stop = src.tokens.len().min(i + 40);
        let Some(open) = (i + 1..stop.min(i + 4)).find(|&k| src.tokens[k].is(b'(')) else {
            continue;
        };
        let Some(close) = src.brackets.partner(open) else {
            continue;
        };
        for t in (open + 1..close).filter(|&t| matches!(src.tokens[t].kind, Kind::Str | Kind::RawStr)) {
            let text = src.text(t);
            let found = WORDS
                .iter()
                .find(|(w, _)| memchr::memmem::find(text, w.as_bytes()).is_some());
            let Some((word, help)) = found else { continue };
            let span = src.span(t);
            // A statement that the translation replaced is right already.
            if cx
                .edits
                .iter()
                .any(|e| e.range.start < span.end && span.start < e.range.end)
            {
                continue;
            }
            let d = Diagnostic::new(
                &codes::PTX_WARP,
                span,
                format!("PTX `{word}` speaks of warps of 32 lanes"),
            )
            .note("a wavefront has 64 lanes on gfx942 and 32 on gfx1100")
            .help(*help)
            .targets(&wide);
            cx.report(i, d);
            break;
        }
    }
}
