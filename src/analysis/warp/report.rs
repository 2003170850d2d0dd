//! The words of each finding: what was met, what 64 lanes make of it, what the shims do about it.

use super::flow::{Event, What};
use crate::diagnostics::{codes, Code, Diagnostic, Severity};
use crate::edit::Piece;
use crate::options::Warp;
use crate::rules::On;
use crate::translate::context::Context;

struct Words {
    code: &'static Code,
    message: String,
    /// What happens on 64 and on 32 lanes without the shims.
    bare: String,
    /// Why nothing is wrong under `--warp preserve`; none where the shims do not help.
    kept: Option<&'static str>,
    help: Option<&'static str>,
    origin: &'static str,
}

/// Adds the finding of an event.
pub fn emit(cx: &mut Context, e: &Event) {
    let wide = cx.options.concerned(On::Wavefront64);
    let w = words(&e.what);
    if wide.is_empty() && !matches!(e.what, What::Synchronous(_) | What::Spin) {
        return;
    }
    let src = cx.src;
    let Some(span) = src.span_of(&e.tokens) else { return };
    let preserved = cx.options.warp == Warp::Preserve;
    let right = match e.what {
        // The host's query is right where the translation reads it from the shim.
        What::WarpSizeMember => cx.edits.iter().any(|x| {
            let shim = |p: &Piece| matches!(p, Piece::Text(t) if memchr::memmem::find(t, b"tranship::").is_some());
            x.range.start < span.end && span.start < x.range.end && x.pieces.iter().any(shim)
        }),
        _ => preserved,
    };
    let severity = match (&e.what, &w.kept) {
        (What::BlockSize(_) | What::Specialised, _) => Severity::Note,
        (_, Some(_)) if right => Severity::Note,
        _ => Severity::Warning,
    };
    let mut d = Diagnostic::new(w.code, span, w.message).severity(severity).note(w.bare);
    match w.kept {
        Some(kept) if right => d = d.note(kept),
        _ => d.help = w.help.map(str::to_string),
    }
    if let Some(origin) = e.origin.as_ref().and_then(|o| src.span_of(o)) {
        d = d.label(origin, w.origin);
    }
    d.targets = wide;
    cx.report(e.tokens.start, d);
}

const LANES: &str = "a lane id comes from here";
const KEPT: &str = "nothing to do: --warp preserve keeps warps of 32 lanes, so this means the same on both";

fn words(what: &What) -> Words {
    match what {
        What::FullMask => Words {
            code: &codes::WARP_FULL_MASK,
            message: "a mask of 32 lanes stands for the full warp".into(),
            bare: "on gfx942 a wavefront has 64 lanes and HIP asks for a 64-bit mask, of which this is the lower half; on gfx1100 it is all 32 lanes".into(),
            kept: Some("nothing to do: the functions of tranship/warp.hpp take 32-bit masks"),
            help: Some("use a 64-bit mask with a bit for each lane of the wavefront"),
            origin: "the mask comes from here",
        },
        What::Narrow => Words {
            code: &codes::BALLOT_IN_32_BITS,
            message: "a ballot is kept in 32 bits".into(),
            bare: "HIP's ballot has 64 bits: on gfx942 the votes of lanes 32 to 63 are lost; on gfx1100 32 bits hold all".into(),
            kept: Some("nothing to do: the ballot of tranship/warp.hpp has the 32 votes of the own warp"),
            help: Some("keep it in `unsigned long long`"),
            origin: "the ballot is here",
        },
        What::Bits(name) => Words {
            code: &codes::MASK_BIT_ARITHMETIC,
            message: format!("`{name}` of a lane mask looks at 32 bits"),
            bare: "a lane mask has 64 bits on gfx942 (the 64-bit form is needed) and 32 on gfx1100".into(),
            kept: Some("nothing to do: masks keep 32 bits with tranship/warp.hpp"),
            help: Some("use the 64-bit form (`__popcll`, `__ffsll`, `__clzll`)"),
            origin: "the lane mask comes from here",
        },
        What::LaneBit => Words {
            code: &codes::MASK_BIT_ARITHMETIC,
            message: "a 32-bit shift by a lane id makes a lane mask".into(),
            bare: "on gfx942 lane ids go to 63, and a 32-bit shift by 32 or more is undefined; on gfx1100 32 bits hold every lane".into(),
            kept: Some("nothing to do: lane ids stay below 32 and masks keep 32 bits"),
            help: Some("shift `1ull`"),
            origin: LANES,
        },
        What::Arithmetic(gives) => Words {
            code: &codes::LANE_ARITHMETIC,
            message: match *gives {
                "stride" => "a stride of 32 goes from one warp's lanes to the next".into(),
                g => format!("arithmetic by 32 gives the {g}{}", if matches!(g, "lane" | "warp") { " id" } else { "" }),
            },
            bare: "on gfx942 a wavefront has 64 lanes, so two of these warps share one and lane ids repeat in it; on gfx1100 a wavefront is one such warp".into(),
            kept: Some(KEPT),
            help: Some("use the wavefront's width, `warpSize`"),
            origin: "the fact comes from here",
        },
        What::LastLane => Words {
            code: &codes::LANE_ARITHMETIC,
            message: "lane 31 is taken for the last of the warp".into(),
            bare: "on gfx942 the last lane of a wavefront is 63; on gfx1100 it is 31".into(),
            kept: Some(KEPT),
            help: Some("use `warpSize - 1`"),
            origin: LANES,
        },
        What::Limit => Words {
            code: &codes::LANE_ARITHMETIC,
            message: "something is bounded by the 32 lanes of a warp".into(),
            bare: "a wavefront has 64 lanes on gfx942 and 32 on gfx1100".into(),
            kept: Some(KEPT),
            help: Some("use the wavefront's width, `warpSize`"),
            origin: "the warp size comes from here",
        },
        What::Array => Words {
            code: &codes::PER_WARP_ARRAY,
            message: "a shared array with a slot for each warp of 32 threads".into(),
            bare: "on gfx942 a workgroup has half as many wavefronts, so half the slots stay unset if warps become wavefronts; on gfx1100 the counts agree".into(),
            kept: Some(KEPT),
            help: Some("size it and read it by the number of wavefronts"),
            origin: "the warp id comes from here",
        },
        What::Constant(name) => Words {
            code: &codes::WARP_SIZE_CONSTANT,
            message: format!("`{name}` fixes the warp at 32 lanes"),
            bare: "a wavefront has 64 lanes on gfx942 and 32 on gfx1100; `warpSize` is no constant expression since ROCm 7.0".into(),
            kept: Some("nothing to do: --warp preserve keeps warps of 32 lanes, and this constant agrees with it"),
            help: Some("make it depend on the target, and look at every use"),
            origin: "",
        },
        What::ShuffleWidth(name) => Words {
            code: &codes::SHUFFLE_WIDTH,
            message: format!("`{name}` without a width spans the whole warp"),
            bare: "HIP's default width is the wavefront: 64 lanes on gfx942, 32 on gfx1100; steps that start at 16 reach half of 64".into(),
            kept: Some("nothing to do: tranship/warp.hpp shuffles among 32 lanes on every wavefront"),
            help: Some("give the width 32, or start at half of `warpSize`"),
            origin: "",
        },
        What::WarpSize => Words {
            code: &codes::WARP_SIZE_QUERY,
            message: "`warpSize` is read".into(),
            bare: "HIP's is 64 on gfx942 and 32 on gfx1100, CUDA's is 32 always".into(),
            kept: Some("nothing to do: --warp preserve puts tranship's `warpSize`, 32, in its place"),
            help: Some("check what is sized or divided by it"),
            origin: "",
        },
        What::WarpSizeMember => Words {
            code: &codes::WARP_SIZE_QUERY,
            message: "the device's `warpSize` is read".into(),
            bare: "HIP reports 64 on gfx942 and 32 on gfx1100; kernels that keep warps of 32 lanes need 32".into(),
            kept: Some("nothing to do: the translation uses 32, as the kernels do"),
            help: Some("use 32 where the figure sizes blocks or arrays for kernels with 32-lane warps"),
            origin: "",
        },
        What::BlockSize(n) => Words {
            code: &codes::BLOCK_SIZE_WAVEFRONT,
            message: format!("a block size of {n} threads does not fill wavefronts of 64"),
            bare: "on gfx942 the last wavefront of each block runs with idle lanes; on gfx1100 a multiple of 32 fills all".into(),
            kept: None,
            help: Some("a multiple of 64 uses all lanes on both"),
            origin: "the size comes from here",
        },
        What::Synchronous(volatile) => Words {
            code: &codes::WARP_SYNCHRONOUS,
            message: if *volatile {
                "lanes read each other's shared values with only `volatile` to order them".into()
            } else {
                "lanes read each other's shared values with no barrier between".into()
            },
            bare: "on gfx942 and gfx1100 the compiler may reorder LDS accesses between lanes, and on gfx1100 64 threads are two wavefronts that run apart".into(),
            kept: None,
            help: Some("put `__syncwarp()` between the steps, or use shuffles"),
            origin: "the last of the steps",
        },
        What::Spin => Words {
            code: &codes::INTRA_WAVEFRONT_SPIN,
            message: "lanes of one wavefront may wait here for each other".into(),
            bare: "the lanes of a wavefront (64 on gfx942, 32 on gfx1100) do not progress independently: a lane that spins keeps the one that holds the lock from releasing it".into(),
            kept: None,
            help: Some("let one lane take the lock, or do the work and the release inside the loop of the lane that got it"),
            origin: "the loop",
        },
        What::Specialised => Words {
            code: &codes::WARP_SPECIALISATION,
            message: "warps of 32 take different branches".into(),
            bare: "on gfx942 two such warps share a wavefront, which runs both branches one after the other: right, but slower, and a wait of one for the other hangs; on gfx1100 they are wavefronts of their own".into(),
            kept: Some("the results are the same; give the roles to whole wavefronts (64 threads) for speed"),
            help: Some("give the roles to whole wavefronts: 64 threads on gfx942"),
            origin: "the warp id comes from here",
        },
        What::Divergent(name) => Words {
            code: &codes::DIVERGENT_SYNC,
            message: format!("`{name}` names all lanes in a branch that only some take"),
            bare: "CUDA leaves this undefined; on gfx942 and gfx1100 only the lanes that are here take part".into(),
            kept: None,
            help: Some("move the call out of the branch, or name only the lanes that reach it"),
            origin: "",
        },
        What::EarlyReturn => Words {
            code: &codes::EARLY_EXIT_BARRIER,
            message: "a row of 32 threads may return here, before a barrier of the block".into(),
            bare: "on gfx942 two rows share a wavefront, which comes to the barrier with half of its lanes gone; on gfx1100 whole wavefronts leave".into(),
            kept: None,
            help: Some("keep the threads until the barrier and guard the work instead of returning"),
            origin: "the barrier",
        },
    }
}
