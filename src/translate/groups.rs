//! Cooperative groups. A program that uses tiles, coalesced groups or reductions takes the whole namespace from the shim,
//! where a warp has 32 lanes; one that knows only blocks and grids keeps HIP's own.

use super::context::{Context, State};
use super::resolve::Met;
use crate::ledger::Fate;
use crate::options::Warp;

/// The shim's unit.
pub const UNIT: &str = "cooperative_groups";
const CUDA: &str = "cooperative_groups";
const SHIM: &str = "tranship::cg";

/// Whether this file's cooperative groups come from the shim.
fn shimmed(cx: &Context) -> bool {
    cx.options.warp != Warp::Bare && cx.project.uses_tiles(cx.path)
}

/// Whether a header of CUDA is one that the shim's stands for here.
pub fn serves_header(cx: &Context, path: &str) -> bool {
    (path == "cooperative_groups.h" || path.starts_with("cooperative_groups/")) && shimmed(cx)
}

pub fn run(cx: &mut Context, met: &[Met]) {
    if !shimmed(cx) {
        return;
    }
    let src = cx.src;
    for m in met
        .iter()
        .filter(|m| m.name == CUDA || m.name.strip_prefix(CUDA).is_some_and(|r| r.starts_with("::")))
    {
        let at = m.tokens.start;
        if !matches!(cx.state(at), State::Active | State::Dead) || cx.settled(at) {
            continue;
        }
        cx.need_shim(UNIT);
        let becomes = format!("{SHIM}{}", &m.name[CUDA.len()..]);
        cx.note_name(at, &m.name, "cooperative_groups", Fate::Shimmed, Some(&becomes));
        // Behind an alias or a using-directive only that one changes.
        if src.str(at) == CUDA {
            cx.replace(&(at..at + 1), SHIM);
        }
    }
}
