//! What makes a finding the same one when lines above it come or go: its code, the text of its line, and which of its
//! like in the file it is.

use super::Diagnostic;
use crate::source::LineIndex;
use std::collections::HashMap;

/// Bytes before and after a finding that stand for its line where that is longer than [`LONG_LINE`].
const NEAR: usize = 64;
/// A line of more bytes is not read whole.
pub const LONG_LINE: usize = 16 << 10;

/// Numbers the findings of one file.
#[derive(Debug, Default)]
pub struct Fingerprints {
    seen: HashMap<u64, usize>,
}

/// One finding's identity within its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fingerprint {
    /// Of code and line text.
    pub hash: u64,
    /// How many of that hash came before in the file.
    pub nth: usize,
}

impl std::fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}:{}", self.hash, self.nth)
    }
}

impl Fingerprints {
    /// The fingerprint of the file's next finding; findings come in their order.
    pub fn next(&mut self, d: &Diagnostic, bytes: &[u8], lines: &LineIndex) -> Fingerprint {
        let mut line = lines.range(lines.position(d.span.start).0, bytes);
        if line.len() > LONG_LINE {
            line = line.start.max(d.span.start.saturating_sub(NEAR))..line.end.min(d.span.end + NEAR);
        }
        let hash = fnv(&[d.code.code.as_bytes(), bytes[line].trim_ascii()]);
        let nth = *self.seen.entry(hash).and_modify(|n| *n += 1).or_insert(0);
        Fingerprint { hash, nth }
    }
}

/// FNV-1a over parts: small, and the same on every machine and release.
pub fn fnv(parts: &[&[u8]]) -> u64 {
    let bytes = parts.iter().flat_map(|p| p.iter().chain(&[0]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |h, b| {
        (h ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3)
    })
}
