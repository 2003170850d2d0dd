//! `rules/guards.toml` -> `GUARDS`.

use serde::Deserialize;
use std::path::Path;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    hip: Vec<String>,
    switch: Vec<String>,
    not_hip: Vec<String>,
    cuda: Vec<String>,
    arch: Vec<String>,
    version: Vec<String>,
}

pub fn compile(rules: &Path) -> String {
    let f: File = crate::toml(&rules.join("guards.toml"));
    let kinds = [
        ("Hip", f.hip),
        ("Switch", f.switch),
        ("NotHip", f.not_hip),
        ("Cuda", f.cuda),
        ("Arch", f.arch),
        ("Version", f.version),
    ];
    let mut map = phf_codegen::Map::new();
    for (kind, names) in &kinds {
        for n in names {
            map.entry(n.as_str(), format!("Guard::{kind}"));
        }
    }
    format!(
        "/// What guard macros tell.\npub static GUARDS: phf::Map<&'static str, Guard> = {};\n",
        map.build()
    )
}
