//! AMD architectures and ROCm releases that tranship knows; facts in `rules/targets.toml`.

use crate::options::Rocm;

pub mod code_object;
pub mod occupancy;

/// Accumulation registers of the matrix units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agprs {
    None,
    /// A file of its own, as large as that of the VGPRs (gfx908).
    Separate,
    /// Part of the VGPR file (gfx90a and later).
    Unified,
}

/// One AMD GPU architecture. Figures from `rules/targets.toml`, each with its source there.
#[derive(Debug)]
pub struct Target {
    /// LLVM's name, for instance `gfx942`.
    pub name: &'static str,
    /// What people call its first part, for instance `Instinct MI300X`.
    pub product: &'static str,
    /// `CDNA3`, `RDNA3`, ...
    pub family: &'static str,
    /// Lanes of a wavefront in compute code: 64 or 32.
    pub wavefront: u32,
    /// All widths that a kernel may be compiled for.
    pub wavefronts: &'static [u32],
    /// LDS that one workgroup may use, in bytes.
    pub lds_bytes: u32,
    /// The fp8 format of the matrix units: `fnuz`, `ocp` or `none`.
    pub fp8: &'static str,
    /// Whether texture fetches have hardware (MI300 and later lack it).
    pub images: bool,
    /// SIMDs that a workgroup's waves are spread over: those of a compute unit, on RDNA of a WGP.
    pub simds: u32,
    /// Wave slots of a SIMD.
    pub waves_per_simd: u32,
    /// Vector registers a lane of a SIMD, at the default wavefront.
    pub vgprs: u32,
    /// Vector registers are given to a wave in multiples of this, at the default wavefront.
    pub vgpr_granule: u32,
    /// Most vector registers of a wave, AGPRs of a unified file included.
    pub vgprs_per_wave: u32,
    pub agprs: Agprs,
    /// Scalar registers of a SIMD; 0 where they never limit.
    pub sgprs: u32,
    /// Workgroups of more than one wave that a compute unit (WGP) can hold.
    pub barriers: u32,
    /// LDS of a compute unit (WGP), in bytes.
    pub lds_pool: u32,
    /// LDS is given to a workgroup in multiples of this, in bytes.
    pub lds_granule: u32,
    pub lds_banks: Option<u32>,
    /// Width of a bank in bytes.
    pub lds_bank_bytes: u32,
    /// Bytes that a compute unit reads from LDS in a clock.
    pub lds_bytes_per_clock: Option<u32>,
    /// Compute units that share SIMDs and LDS: 1, on RDNA 2 (a WGP).
    pub cus_per_pool: u32,
    /// Units and instructions of note.
    pub features: &'static str,
    /// Products, the best known first.
    pub parts: &'static [Part],
}

/// An NVIDIA architecture, for comparison.
#[derive(Debug)]
pub struct Nvidia {
    /// `sm_90`.
    pub name: &'static str,
    pub product: &'static str,
    pub family: &'static str,
    pub wavefront: u32,
    pub simds: u32,
    pub warps_per_sm: u32,
    pub blocks_per_sm: u32,
    /// 32-bit registers of a multiprocessor.
    pub registers: u32,
    pub registers_per_thread: u32,
    /// Shared memory in bytes: of a multiprocessor, of a block by default, of a block that opts in.
    pub shared_per_sm: u32,
    pub shared_per_block: u32,
    pub shared_optin: u32,
    pub shared_granule: u32,
    pub shared_banks: u32,
    pub shared_bytes_per_clock: u32,
    pub fp8: &'static str,
    pub features: &'static str,
    pub parts: &'static [Part],
}

/// A product. `None`: no public source gives the figure.
#[derive(Debug)]
pub struct Part {
    pub product: &'static str,
    /// Compute units, or multiprocessors.
    pub compute_units: u32,
    pub clock_mhz: Option<u32>,
    pub l1_bytes: Option<u32>,
    /// All L2 caches together, in bytes.
    pub l2_bytes: Option<u32>,
    /// The last-level cache behind L2, in bytes.
    pub llc_bytes: Option<u32>,
    /// Device memory in units of 10^9 bytes.
    pub memory_gb: Option<u32>,
    /// Its bandwidth in 10^9 bytes a second.
    pub memory_gbps: Option<f64>,
    pub chiplets: u32,
    /// Dense peak rates in 10^12 operations a second, by type.
    pub peaks: &'static [(&'static str, f64)],
    /// Keys of [`SOURCES`].
    pub sources: &'static [&'static str],
}

impl Target {
    /// What shares LDS and barriers: `CU`, on RDNA `WGP`.
    pub fn pool_name(&self) -> &'static str {
        if self.cus_per_pool == 1 {
            "CU"
        } else {
            "WGP"
        }
    }
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
