//! `rules/shims/*.hpp` -> `UNITS`. A unit needs what it includes with quotes.

use std::fmt::Write;
use std::path::Path;

pub fn compile(rules: &Path) -> String {
    let mut out = String::from("/// Every unit, by name.\npub static UNITS: &[Unit] = &[\n");
    for path in crate::files(&rules.join("shims"), ".hpp") {
        let text = crate::read(&path);
        let needs: Vec<&str> = text
            .lines()
            .filter_map(|l| l.trim().strip_prefix("#include \"")?.strip_suffix(".hpp\""))
            .collect();
        writeln!(
            out,
            "Unit {{ name: {:?}, text: {text:?}, needs: &{needs:?} }},",
            crate::stem(&path)
        )
        .unwrap();
    }
    out + "];\n"
}
