//! AMD architectures and ROCm releases that tranship knows; facts in `rules/targets.toml`.

use crate::options::Rocm;

/// One AMD GPU architecture. Figures from `rules/targets.toml`, each with its source there.
#[derive(Debug)]
pub struct Target {
    /// LLVM's name, for instance `gfx942`.
    pub name: &'static str,
    /// What people call it, for instance `MI300X`.
    pub product: &'static str,
    /// `CDNA3`, `RDNA3`, ...
    pub family: &'static str,
    /// Lanes of a wavefront in compute code: 64 or 32.
    pub wavefront: u32,
    /// LDS that one workgroup may use, in bytes.
    pub lds_bytes: u32,
    /// The fp8 format of the matrix units: `fnuz`, `ocp` or `none`.
    pub fp8: &'static str,
    /// Whether texture fetches have hardware (MI300 and later lack it).
    pub images: bool,
}

include!(concat!(env!("OUT_DIR"), "/targets.rs"));

/// The architecture of that LLVM name.
pub fn find(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|t| t.name == name)
}

/// The architecture of that LLVM name, or a sentence with the nearest and all known ones.
pub fn named(name: &str) -> Result<&'static Target, String> {
    find(name).ok_or_else(|| {
        let known: Vec<&str> = TARGETS.iter().map(|t| t.name).collect();
        let guess = crate::near::nearest(name, &known).map_or(String::new(), |n| format!("; did you mean {n}?"));
        format!("unknown architecture{guess} Known: {}", known.join(", "))
    })
}

/// What is translated for when no `--arch` is given.
pub fn default_targets() -> Vec<&'static Target> {
    TARGETS.iter().filter(|t| t.name == "gfx942").collect()
}

/// The newest ROCm release that the rules know: the default of `--rocm`.
pub const ROCM_NEWEST: Rocm = ROCM_RELEASES[ROCM_RELEASES.len() - 1];

/// The known releases as text for messages.
pub fn rocm_list() -> String {
    ROCM_RELEASES
        .iter()
        .map(|r| r.to_string())
        .collect::<Vec<_>>()
        .join(", ")
}
