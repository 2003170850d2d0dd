//! Execution spaces: which code runs on the device.

use super::Source;
use std::ops::Range;

/// The bodies of `__global__` and `__device__` functions, as tokens; `both`: also of those that are host functions too.
pub fn device_bodies(src: &Source, both: bool) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut i = 0;
    while i < src.tokens.len() {
        if !matches!(src.text(i), b"__global__" | b"__device__") || src.tokens[i].in_directive {
            i += 1;
            continue;
        }
        let mut j = i + 1;
        let mut host = false;
        while j < src.tokens.len() && !src.tokens[j].is(b';') && !src.tokens[j].is(b'{') && !src.tokens[j].is(b'=') {
            host |= src.text(j) == b"__host__";
            if src.tokens[j].is(b'(') {
                j = src.brackets.partner(j).unwrap_or(j);
            }
            j += 1;
        }
        host |= i > 0 && src.text(i - 1) == b"__host__";
        if src.tokens.get(j).is_some_and(|t| t.is(b'{')) && (both || !host) {
            if let Some(p) = src.brackets.partner(j) {
                out.push(j..p);
                j = p;
            }
        }
        i = j.max(i + 1);
    }
    out
}
