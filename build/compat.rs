//! `rules/compat.toml` -> `CALLS`, `DEFINES`, `MEMBERS` of the single-source header.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    call: BTreeMap<String, String>,
    define: BTreeMap<String, String>,
    member: BTreeMap<String, String>,
}

pub fn compile(rules: &Path) -> String {
    let file: File = crate::toml(&rules.join("compat.toml"));
    let mut out = String::new();
    for (name, what, rows) in [
        ("CALLS", "What a rewritten call's name becomes.", &file.call),
        ("DEFINES", "Words that get a value.", &file.define),
        ("MEMBERS", "Names that are also members, and of what.", &file.member),
    ] {
        let mut map = phf_codegen::Map::new();
        for (key, value) in rows {
            map.entry(key.as_str(), format!("{value:?}"));
        }
        writeln!(
            out,
            "/// {what}\nstatic {name}: phf::Map<&'static str, &'static str> = {};",
            map.build()
        )
        .unwrap();
    }
    out
}
