//! `rules/targets.toml` -> `TARGETS`, `NVIDIA`, `SOURCES`, `ROCM_RELEASES`.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    rocm: Vec<String>,
    sources: BTreeMap<String, String>,
    target: BTreeMap<String, Target>,
    nvidia: BTreeMap<String, Nvidia>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Target {
    family: String,
    wavefront: u32,
    wavefronts: Vec<u32>,
    lds_bytes: u32,
    fp8: String,
    images: bool,
    simds: u32,
    waves_per_simd: u32,
    vgprs: u32,
    vgpr_granule: u32,
    vgprs_per_wave: u32,
    agprs: String,
    sgprs: u32,
    barriers: u32,
    lds_pool: u32,
    lds_granule: u32,
    lds_banks: Option<u32>,
    lds_bank_bytes: u32,
    lds_bytes_per_clock: Option<u32>,
    #[serde(default = "one")]
    cus_per_pool: u32,
    features: String,
    part: Vec<Part>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Nvidia {
    family: String,
    wavefront: u32,
    simds: u32,
    warps_per_sm: u32,
    blocks_per_sm: u32,
    registers: u32,
    registers_per_thread: u32,
    shared_per_sm: u32,
    shared_per_block: u32,
    shared_optin: u32,
    shared_granule: u32,
    shared_banks: u32,
    shared_bytes_per_clock: u32,
    fp8: String,
    features: String,
    part: Vec<Part>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Part {
    product: String,
    compute_units: u32,
    clock_mhz: Option<u32>,
    l1_bytes: Option<u32>,
    l2_bytes: Option<u32>,
    llc_bytes: Option<u32>,
    memory_gb: Option<u32>,
    memory_gbps: Option<f64>,
    #[serde(default = "one")]
    chiplets: u32,
    #[serde(default)]
    peak: BTreeMap<String, f64>,
    sources: Vec<String>,
}

/// The names under which peaks are listed, in the order of tables.
const PEAKS: [&str; 11] = [
    "fp64_vector",
    "fp64_matrix",
    "fp32_vector",
    "fp32_matrix",
    "tf32",
    "fp16",
    "bf16",
    "fp8",
    "fp6",
    "fp4",
    "int8",
];

fn one() -> u32 {
    1
}

pub fn compile(rules: &Path) -> String {
    let f: File = crate::toml(&rules.join("targets.toml"));
    let mut out = String::from("/// Every known target, by name.\npub static TARGETS: &[Target] = &[\n");
    for (name, t) in &f.target {
        assert!(
            matches!(t.agprs.as_str(), "none" | "separate" | "unified"),
            "targets.toml: agprs of {name}"
        );
        let (agprs, product) = (title(&t.agprs), &first(name, &t.part).product);
        writeln!(
            out,
            "Target {{ name: {name:?}, product: {product:?}, family: {:?}, wavefront: {}, wavefronts: &{:?}, lds_bytes: {}, \
             fp8: {:?}, images: {}, simds: {}, waves_per_simd: {}, vgprs: {}, vgpr_granule: {}, vgprs_per_wave: {}, \
             agprs: Agprs::{agprs}, sgprs: {}, barriers: {}, lds_pool: {}, lds_granule: {}, lds_banks: {:?}, \
             lds_bank_bytes: {}, lds_bytes_per_clock: {:?}, cus_per_pool: {}, features: {:?}, parts: {} }},",
            t.family, t.wavefront, t.wavefronts, t.lds_bytes, t.fp8, t.images, t.simds, t.waves_per_simd, t.vgprs,
            t.vgpr_granule, t.vgprs_per_wave, t.sgprs, t.barriers, t.lds_pool, t.lds_granule, t.lds_banks,
            t.lds_bank_bytes, t.lds_bytes_per_clock, t.cus_per_pool, t.features, parts(name, &t.part, &f.sources)
        )
        .unwrap();
    }
    out += "];\n/// NVIDIA architectures to compare with, oldest first.\npub static NVIDIA: &[Nvidia] = &[\n";
    let mut nvidia: Vec<_> = f.nvidia.iter().collect();
    nvidia.sort_by_key(|(name, _)| name.trim_start_matches("sm_").parse::<u32>().unwrap_or(u32::MAX));
    for (name, n) in nvidia {
        writeln!(
            out,
            "Nvidia {{ name: {name:?}, product: {:?}, family: {:?}, wavefront: {}, simds: {}, warps_per_sm: {}, \
             blocks_per_sm: {}, registers: {}, registers_per_thread: {}, shared_per_sm: {}, shared_per_block: {}, \
             shared_optin: {}, shared_granule: {}, shared_banks: {}, shared_bytes_per_clock: {}, fp8: {:?}, \
             features: {:?}, parts: {} }},",
            first(name, &n.part).product,
            n.family,
            n.wavefront,
            n.simds,
            n.warps_per_sm,
            n.blocks_per_sm,
            n.registers,
            n.registers_per_thread,
            n.shared_per_sm,
            n.shared_per_block,
            n.shared_optin,
            n.shared_granule,
            n.shared_banks,
            n.shared_bytes_per_clock,
            n.fp8,
            n.features,
            parts(name, &n.part, &f.sources)
        )
        .unwrap();
    }
    out += "];\n/// The keys of sources and what they are.\npub static SOURCES: &[(&str, &str)] = &[";
    for (key, text) in &f.sources {
        write!(out, "({key:?}, {text:?}),").unwrap();
    }
    out += "];\n/// Every known ROCm release, oldest first.\npub const ROCM_RELEASES: &[Rocm] = &[";
    for r in &f.rocm {
        write!(out, "Rocm({}),", r.replace('.', ",")).unwrap();
    }
    out + "];\n"
}

fn first<'p>(name: &str, parts: &'p [Part]) -> &'p Part {
    parts
        .first()
        .unwrap_or_else(|| panic!("targets.toml: {name} has no part"))
}

fn title(word: &str) -> String {
    word[..1].to_uppercase() + &word[1..]
}

fn parts(name: &str, parts: &[Part], sources: &BTreeMap<String, String>) -> String {
    let mut out = String::from("&[");
    for p in parts {
        for s in &p.sources {
            assert!(sources.contains_key(s), "targets.toml: {name}: no source {s}");
        }
        for k in p.peak.keys() {
            assert!(PEAKS.contains(&k.as_str()), "targets.toml: {name}: no such peak: {k}");
        }
        let peaks: Vec<_> = PEAKS.iter().filter_map(|k| Some((*k, *p.peak.get(*k)?))).collect();
        write!(
            out,
            "Part {{ product: {:?}, compute_units: {}, clock_mhz: {:?}, l1_bytes: {:?}, l2_bytes: {:?}, llc_bytes: {:?}, \
             memory_gb: {:?}, memory_gbps: {:?}, chiplets: {}, peaks: &{peaks:?}, sources: &{:?} }},",
            p.product, p.compute_units, p.clock_mhz, p.l1_bytes, p.l2_bytes, p.llc_bytes, p.memory_gb, p.memory_gbps,
            p.chiplets, p.sources
        )
        .unwrap();
    }
    out + "]"
}
