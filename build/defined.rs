//! `rules/defined.toml` -> `DEFINED`.

use std::collections::BTreeMap;
use std::path::Path;

pub fn compile(rules: &Path) -> String {
    let f: BTreeMap<String, Vec<String>> = crate::toml(&rules.join("defined.toml"));
    let mut map = phf_codegen::Map::new();
    for (name, types) in &f {
        map.entry(name.as_str(), format!("&{types:?}"));
    }
    format!(
        "/// Parameter types for which HIP defines a function that programs define themselves.\n\
         pub static DEFINED: phf::Map<&'static str, &'static [&'static str]> = {};\n",
        map.build()
    )
}
