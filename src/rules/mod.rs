//! The rules, compiled in from `rules/` by `build.rs`: what each CUDA name becomes.

use crate::options::{Options, Rocm, Warp};
use std::sync::OnceLock;

/// What sort of thing a CUDA name is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Header,
    Namespace,
    Function,
    Type,
    Enumerator,
    Macro,
    Device,
}

/// One row of `rules/api/<library>.toml`.
#[derive(Debug)]
pub struct Rule {
    pub kind: Kind,
    /// The file's name: `runtime`, `blas`, ...
    pub library: &'static str,
    /// The HIP name for the newest ROCm; `None`: there is none.
    pub hip: Option<&'static str>,
    /// The HIP name before ROCm 7.0, where it differs.
    pub hip6: Option<&'static str>,
    /// The first ROCm that has the HIP name; `None`: every supported one.
    pub since: Option<Rocm>,
    pub experimental: bool,
    /// What to use instead.
    pub help: Option<&'static str>,
    /// The name is removed: HIP needs nothing in its place (a header's line, a calling convention).
    pub drop: bool,
}

impl Rule {
    /// The HIP name under the chosen ROCm, if it has one.
    pub fn target(&self, rocm: Rocm) -> Option<&'static str> {
        if rocm < Rocm(7, 0) {
            if let Some(name) = self.hip6 {
                return Some(name);
            }
        }
        if self.since.is_some_and(|s| rocm < s) {
            return None;
        }
        self.hip
    }
}

/// When a shim's name stands in for CUDA's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Under `--warp preserve`, whatever HIP has.
    Warp,
    /// No function: `warpSize` and the namespace of cooperative groups, each with a pass of its own.
    Scope,
    /// Where HIP lacks the name.
    Missing,
    /// HIP has the name, but not for the types listed.
    Differs,
    /// HIP has the name for device code only.
    Host,
}

/// A name of `rules/shims/names.toml`.
#[derive(Debug)]
pub struct ShimName {
    /// The name in the shim.
    pub to: &'static str,
    /// The unit that defines it.
    pub unit: &'static str,
    pub need: Need,
    /// The first ROCm that has the CUDA name with the same meaning.
    pub since: Option<Rocm>,
    /// Element types for which HIP's own function will not do.
    pub types: &'static [&'static str],
    /// A unit that must come with `unit`.
    pub also: Option<&'static str>,
    /// Limits a user should know.
    pub help: Option<&'static str>,
}

/// An argument-level rewrite of `rules/calls/*.toml`.
#[derive(Debug)]
pub struct Call {
    /// Fewest and most arguments it fits.
    pub args: (usize, usize),
    /// Regular expressions that numbered arguments must match.
    pub when: &'static [(usize, &'static str)],
    /// ROCm releases it fits: at or after, and before.
    pub from: Option<Rocm>,
    pub before: Option<Rocm>,
    /// Fits only files that a C compiler may read: HIP's default arguments are C++.
    pub c: bool,
    /// The replacement with `$1`, `$2..`, `$T`.
    pub to: Option<&'static str>,
    pub note: Option<&'static str>,
    /// Why the call is left alone.
    pub error: Option<&'static str>,
}

/// A function whose counterpart takes other arguments (`rules/signatures.toml`).
#[derive(Debug)]
pub struct Signature {
    /// Argument counts for which the plain rename is wrong.
    pub args: (usize, usize),
    pub cuda: &'static str,
    pub hip: &'static str,
    pub why: &'static str,
}

/// A struct member with another name or none (`rules/members.toml`).
#[derive(Debug)]
pub struct Member {
    pub of: &'static str,
    pub to: Option<&'static str>,
    pub help: Option<&'static str>,
    /// A member function.
    pub call: bool,
}

/// What a guard macro tells (`rules/guards.toml`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    Hip,
    /// As `Hip`, but set by the build and by no compiler.
    Switch,
    NotHip,
    Cuda,
    Arch,
    Version,
}

/// Which targets a remark concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    All,
    NoImages,
    Fp8Fnuz,
    Wavefront64,
}

impl On {
    /// Whether it concerns a target.
    pub fn concerns(self, t: &crate::targets::Target) -> bool {
        match self {
            On::All => true,
            On::NoImages => !t.images,
            On::Fp8Fnuz => t.fp8 == "fnuz",
            On::Wavefront64 => t.wavefront == 64,
        }
    }
}

/// A finding that a name alone raises (`rules/remarks.toml`).
#[derive(Debug)]
pub struct Remark {
    pub code: &'static crate::diagnostics::Code,
    /// CUDA names; a trailing `*` stands for any ending.
    pub names: &'static [&'static str],
    pub on: On,
    pub message: &'static str,
    pub note: Option<&'static str>,
    pub help: Option<&'static str>,
    /// Where the call is a statement of its own, deleting it is a fix that a person should look at.
    pub removable: bool,
}

impl Remark {
    /// Whether it speaks of that CUDA name.
    pub fn fits(&self, name: &str) -> bool {
        self.names.iter().any(|pattern| match pattern.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => name == *pattern,
        })
    }
}

/// A compile option of NVRTC (`rules/nvrtc.toml`).
#[derive(Debug)]
pub struct NvrtcOption {
    /// How it begins.
    pub starts: &'static str,
    /// clang's option of the same effect; `{arch}` stands for the target.
    pub hip: Option<&'static str>,
}

include!(concat!(env!("OUT_DIR"), "/api.rs"));
include!(concat!(env!("OUT_DIR"), "/nvrtc.rs"));
include!(concat!(env!("OUT_DIR"), "/remarks.rs"));
include!(concat!(env!("OUT_DIR"), "/defined.rs"));
include!(concat!(env!("OUT_DIR"), "/guards.rs"));
include!(concat!(env!("OUT_DIR"), "/calls.rs"));

/// Whether a word may be in the tables of names, shims, calls or guards; most words of a program are not, and this costs
/// less than to look them up.
pub fn may_know(word: &str) -> bool {
    static FILTER: OnceLock<Vec<u64>> = OnceLock::new();
    let filter = FILTER.get_or_init(|| {
        let mut bits = vec![0u64; FILTER_BITS / 64];
        let words = NAMES.keys().chain(SHIM_NAMES.keys()).chain(CALLS.keys());
        for word in words.chain(GUARDS.keys()) {
            let at = filter_place(word);
            bits[at / 64] |= 1 << (at % 64);
        }
        bits
    });
    let at = filter_place(word);
    filter[at / 64] >> (at % 64) & 1 == 1
}

const FILTER_BITS: usize = 1 << 18;

/// FNV-1a over the word's length, its ends and some of its middle.
fn filter_place(word: &str) -> usize {
    let b = word.as_bytes();
    let n = b.len();
    let part = |i: usize| b.get(i).copied().unwrap_or(0);
    let some = [
        part(0),
        part(2),
        part(4),
        part(n / 2),
        part(n / 3 * 2),
        part(n.wrapping_sub(2)),
        part(n.wrapping_sub(1)),
    ];
    let start = 0x811c_9dc5u32 ^ n as u32;
    let hash = some
        .iter()
        .fold(start, |h, &b| (h ^ u32::from(b)).wrapping_mul(0x0100_0193));
    (hash ^ hash >> 15) as usize % FILTER_BITS
}

/// The rows of a CUDA name.
pub fn rows(name: &str) -> &'static [Rule] {
    NAMES.get(name).copied().unwrap_or(&[])
}

/// The row of a CUDA name that is not a header's.
pub fn name(name: &str) -> Option<&'static Rule> {
    rows(name).iter().find(|r| r.kind != Kind::Header)
}

/// The row of a header.
pub fn header(path: &str) -> Option<&'static Rule> {
    rows(path).iter().find(|r| r.kind == Kind::Header)
}

/// The shim that serves every use of a name under these options, if one is needed.
pub fn shim(name: &str, options: &Options) -> Option<&'static ShimName> {
    let s = SHIM_NAMES.get(name)?;
    let needed = match s.need {
        Need::Warp => options.warp != Warp::Bare,
        Need::Missing => s.since.is_none_or(|v| options.rocm < v),
        Need::Scope | Need::Differs | Need::Host => false,
    };
    needed.then_some(s)
}
