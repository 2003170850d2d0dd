//! What names say. A name alone proves nothing; together with arithmetic on thread indices it tells a lane from a column.

/// The words of an identifier in lower case: `kWarpSize`, `WARP_SIZE` and `warpSize` are `warp`, `size`.
fn words(name: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut lower = false;
    for c in name.chars() {
        if c == '_' || c.is_ascii_digit() {
            out.push(String::new());
            lower = false;
            continue;
        }
        if c.is_ascii_uppercase() && lower {
            out.push(String::new());
        }
        lower = c.is_ascii_lowercase();
        if let Some(w) = out.last_mut() {
            w.push(c.to_ascii_lowercase());
        }
    }
    out.retain(|w| !w.is_empty());
    out
}

/// Whether a name is one that people give to the number of lanes of a warp.
pub fn is_width(name: &str) -> bool {
    let joined = words(name).concat();
    [
        "warpsize",
        "warpsz",
        "warpwidth",
        "threadsperwarp",
        "lanesperwarp",
        "warpthreads",
        "warplanes",
        "wavesize",
        "threadsinwarp",
        "sizeofwarp",
    ]
    .iter()
    .any(|w| joined.contains(w))
}

/// Whether a name speaks of lanes or warps at all.
pub fn is_warp(name: &str) -> bool {
    words(name).iter().any(|w| {
        matches!(
            w.as_str(),
            "lane" | "lanes" | "laneid" | "laneidx" | "warpid" | "warpidx" | "wid" | "lid" | "tidinwarp"
        ) || w.starts_with("warp")
    })
}

/// Whether a name is one of a lane id.
pub fn is_lane(name: &str) -> bool {
    words(name)
        .iter()
        .any(|w| matches!(w.as_str(), "lane" | "laneid" | "laneidx"))
        && !words(name).iter().any(|w| w == "mask")
}

/// Whether a name is one of a lane mask.
pub fn is_mask(name: &str) -> bool {
    words(name)
        .iter()
        .any(|w| w == "mask" || w == "fullmask" || w == "tmask")
}

/// Whether a name can only be that of the mask of a full warp.
pub fn is_full_mask(name: &str) -> bool {
    let joined = words(name).concat();
    ["fullmask", "warpmask", "alllanes", "fullwarp", "allmask", "lanemask"]
        .iter()
        .any(|w| joined.contains(w))
}

/// Whether a name is one of a number of threads of a block.
pub fn is_block_size(name: &str) -> bool {
    let w = words(name);
    let joined = w.concat();
    [
        "blocksize",
        "blockdim",
        "tpb",
        "numthreads",
        "nthreads",
        "threadsperblock",
        "blockthreads",
        "nthread",
        "ctasize",
    ]
    .iter()
    .any(|n| joined.contains(n))
        || joined == "threads"
}

/// Whether a name is one of a number of warps.
pub fn is_warp_count(name: &str) -> bool {
    let joined = words(name).concat();
    joined.contains("warps") && !is_width(name)
}

/// CUDA's operations among the lanes of a warp.
pub fn is_warp_op(name: &str) -> bool {
    let Some(rest) = name.strip_prefix("__") else {
        return false;
    };
    rest.starts_with("shfl")
        || is_vote(name)
        || rest.starts_with("match_")
        || rest.starts_with("reduce_")
        || rest == "syncwarp"
        || rest == "activemask"
}

pub fn is_vote(name: &str) -> bool {
    matches!(
        name,
        "__any" | "__all" | "__ballot" | "__any_sync" | "__all_sync" | "__ballot_sync" | "__uni_sync"
    )
}

/// Operations that return a mask of lanes.
pub fn gives_mask(name: &str) -> bool {
    matches!(
        name,
        "__ballot" | "__ballot_sync" | "__activemask" | "__match_any_sync" | "__match_all_sync"
    )
}

/// Operations whose first argument is a mask of lanes.
pub fn takes_mask(name: &str) -> bool {
    is_warp_op(name) && (name.ends_with("_sync") || name == "__syncwarp")
}

/// 32-bit functions that count or find bits.
pub fn is_bit_function(name: &str) -> bool {
    matches!(
        name,
        "__popc"
            | "__ffs"
            | "__clz"
            | "__brev"
            | "__fns"
            | "popcount"
            | "__builtin_popcount"
            | "__builtin_ctz"
            | "__builtin_clz"
            | "__builtin_ffs"
    )
}

/// Cooperative-groups words below the block.
pub fn is_tile(name: &str) -> bool {
    matches!(
        name,
        "tiled_partition"
            | "thread_block_tile"
            | "coalesced_threads"
            | "coalesced_group"
            | "labeled_partition"
            | "binary_partition"
    )
}

/// Barriers and fences that order shared memory.
pub fn is_barrier(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    lower.contains("sync") || lower.contains("barrier") || lower.contains("fence")
}

#[cfg(test)]
mod tests {
    #[test]
    fn names() {
        for n in [
            "WARP_SIZE",
            "kWarpSize",
            "warpsize",
            "C10_WARP_SIZE",
            "THREADS_PER_WARP",
            "WARP_SZ",
        ] {
            assert!(super::is_width(n), "{n}");
        }
        assert!(!super::is_width("TILE_SIZE"));
        assert!(super::is_lane("lane_id") && super::is_lane("laneId") && !super::is_lane("planes"));
        assert!(super::is_warp("warpId") && !super::is_warp("width") && super::is_warp_count("WARPS_PER_BLOCK"));
    }
}
