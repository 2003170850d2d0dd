//! `rules/nvrtc.toml` -> `NVRTC_OPTIONS`.

use serde::Deserialize;
use std::path::Path;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    option: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    starts: String,
    hip: Option<String>,
}

pub fn compile(rules: &Path) -> String {
    let f: File = crate::toml(&rules.join("nvrtc.toml"));
    let rows: Vec<String> = f
        .option
        .iter()
        .map(|r| format!("NvrtcOption {{ starts: {:?}, hip: {:?} }}", r.starts, r.hip))
        .collect();
    format!(
        "/// Options of NVRTC, the first that fits counts.\npub static NVRTC_OPTIONS: &[NvrtcOption] = &[{}];\n",
        rows.join(", ")
    )
}
