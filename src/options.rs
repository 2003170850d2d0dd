//! What steers a translation: targets, ROCm release, launch form, warp mode.

use crate::rules::On;
use crate::targets::{Target, ROCM_NEWEST};
use std::fmt;
use std::str::FromStr;

/// A ROCm release, major and minor ("6.4").
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rocm(pub u8, pub u8);

impl fmt::Display for Rocm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0, self.1)
    }
}

/// Why a `--rocm` value was refused.
#[derive(Debug, thiserror::Error)]
#[error("unknown ROCm release '{0}': write major.minor, one of {known}", known = crate::targets::rocm_list())]
pub struct BadRocm(String);

impl FromStr for Rocm {
    type Err = BadRocm;
    fn from_str(s: &str) -> Result<Self, BadRocm> {
        let bad = || BadRocm(s.to_string());
        let (major, minor) = s.split_once('.').ok_or_else(bad)?;
        let r = Rocm(major.parse().map_err(|_| bad())?, minor.parse().map_err(|_| bad())?);
        if crate::targets::ROCM_RELEASES.contains(&r) {
            Ok(r)
        } else {
            Err(bad())
        }
    }
}

/// How kernel launches are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Launch {
    /// `kernel<<<grid, block>>>(args)`, as in the source.
    Chevron,
    /// `hipLaunchKernelGGL(kernel, grid, block, shared, stream, args)`.
    Ggl,
}

/// What becomes of code written for 32-lane warps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Warp {
    /// The program keeps logical warps of 32 lanes on every target.
    Preserve,
    /// As `Preserve`, and each place that holds the code to 32 lanes is a warning: the list for a port to the whole
    /// wavefront.
    Native,
    /// No shim can be reached, as in source that is compiled at run time: names of the warp stay.
    Bare,
}

/// The options of one translation; the same for every file of a run.
#[derive(Clone, Debug)]
pub struct Options {
    /// The AMD architectures to compile for; never empty.
    pub targets: Vec<&'static Target>,
    /// The ROCm release whose headers the output is compiled with.
    pub rocm: Rocm,
    pub launch: Launch,
    pub warp: Warp,
    /// Output files keep the names of their inputs; otherwise `x.cu` becomes `x.hip`, and includes
    /// follow. Headers keep their names either way.
    pub keep_names: bool,
}

impl Options {
    /// The names of the targets that something concerns.
    pub fn concerned(&self, on: On) -> Vec<&'static str> {
        self.targets.iter().filter(|t| on.concerns(t)).map(|t| t.name).collect()
    }
}

impl Default for Options {
    fn default() -> Self {
        Options {
            targets: crate::targets::default_targets(),
            rocm: ROCM_NEWEST,
            launch: Launch::Chevron,
            warp: Warp::Preserve,
            keep_names: true,
        }
    }
}
