//! `rules/targets.toml` -> `TARGETS`, `ROCM_RELEASES`.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    rocm: Vec<String>,
    target: BTreeMap<String, Target>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Target {
    product: String,
    family: String,
    wavefront: u32,
    lds_bytes: u32,
    fp8: String,
    images: bool,
}

pub fn compile(rules: &Path) -> String {
    let f: File = crate::toml(&rules.join("targets.toml"));
    let mut out = String::from("/// Every known target, by name.\npub static TARGETS: &[Target] = &[\n");
    for (name, t) in &f.target {
        writeln!(
            out,
            "Target {{ name: {name:?}, product: {:?}, family: {:?}, wavefront: {}, lds_bytes: {}, fp8: {:?}, images: {} }},",
            t.product, t.family, t.wavefront, t.lds_bytes, t.fp8, t.images
        )
        .unwrap();
    }
    out += "];\n/// Every known ROCm release, oldest first.\npub const ROCM_RELEASES: &[Rocm] = &[";
    for r in &f.rocm {
        write!(out, "Rocm({}),", r.replace('.', ",")).unwrap();
    }
    out + "];\n"
}
