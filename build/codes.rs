//! `rules/diagnostics/<CODE>-<name>.md` -> a constant a code, and `ALL`.

use std::fmt::Write;
use std::path::Path;

pub fn compile(rules: &Path) -> String {
    let (mut out, mut all) = (
        String::new(),
        String::from("/// Every code, sorted.\npub static ALL: &[&Code] = &["),
    );
    for path in crate::files(&rules.join("diagnostics"), ".md") {
        let stem = crate::stem(&path);
        let (code, name) = stem
            .split_once('-')
            .unwrap_or_else(|| panic!("{stem}: name it <CODE>-<name>.md"));
        let text = crate::read(&path);
        let rest = text
            .strip_prefix("---\n")
            .unwrap_or_else(|| panic!("{stem}: starts with a head between --- lines"));
        let (head, page) = rest
            .split_once("\n---\n")
            .unwrap_or_else(|| panic!("{stem}: the head has no end"));
        let severity = match head.lines().find_map(|l| l.strip_prefix("severity: ")) {
            Some("error") => "Error",
            Some("warning") => "Warning",
            Some("note") => "Note",
            other => panic!("{stem}: severity is {other:?}, not error, warning or note"),
        };
        let confidence = match head.lines().find_map(|l| l.strip_prefix("confidence: ")) {
            None | Some("high") => "High",
            Some("medium") => "Medium",
            Some("low") => "Low",
            other => panic!("{stem}: confidence is {other:?}, not high, medium or low"),
        };
        if let Some(l) = head
            .lines()
            .find(|l| !l.starts_with("severity: ") && !l.starts_with("confidence: "))
        {
            panic!("{stem}: the head has severity and confidence, not: {l}");
        }
        let ident = name.replace('-', "_").to_uppercase();
        writeln!(
            out,
            "/// {code} `{name}`\npub static {ident}: Code = Code {{ code: {code:?}, name: {name:?}, severity: Severity::{severity}, confidence: Confidence::{confidence}, page: {page:?} }};"
        )
        .unwrap();
        write!(all, "&{ident}, ").unwrap();
    }
    out + &all + "];\n"
}
