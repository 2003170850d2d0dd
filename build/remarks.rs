//! `rules/remarks.toml` -> `REMARKS`.

use serde::Deserialize;
use std::fmt::Write;
use std::path::Path;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    remark: Vec<Remark>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Remark {
    code: String,
    names: Vec<String>,
    on: Option<String>,
    message: String,
    note: Option<String>,
    help: Option<String>,
    #[serde(default)]
    removable: bool,
}

pub fn compile(rules: &Path) -> String {
    let f: File = crate::toml(&rules.join("remarks.toml"));
    let mut out = String::from("/// Every remark, in the file's order.\npub static REMARKS: &[Remark] = &[\n");
    for r in &f.remark {
        let on = match r.on.as_deref() {
            None | Some("all") => "All",
            Some("no-images") => "NoImages",
            Some("fp8-fnuz") => "Fp8Fnuz",
            Some("wavefront-64") => "Wavefront64",
            Some(o) => panic!("rules/remarks.toml: on = '{o}' is not known"),
        };
        let code = r.code.replace('-', "_").to_uppercase();
        writeln!(
            out,
            "Remark {{ code: &crate::diagnostics::codes::{code}, names: &{:?}, on: On::{on}, message: {:?}, note: {:?}, help: {:?}, removable: {} }},",
            r.names, r.message, r.note, r.help, r.removable
        )
        .unwrap();
    }
    out + "];\n"
}
