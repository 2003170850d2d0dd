//! `rules/api/*.toml` and `rules/shims/names.toml` -> `NAMES`, a perfect hash from a CUDA name to its rows.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    hip: Option<String>,
    hip6: Option<String>,
    since: Option<String>,
    status: Option<String>,
    help: Option<String>,
    drop: Option<bool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ShimRow {
    to: String,
    unit: String,
    since: Option<String>,
    help: Option<String>,
    why: Option<String>,
    /// Element types for which HIP's own function will not do.
    #[serde(default)]
    types: Vec<String>,
    also: Option<String>,
}

type Table<T> = BTreeMap<String, BTreeMap<String, T>>;

const KINDS: [&str; 7] = [
    "header",
    "namespace",
    "function",
    "type",
    "enumerator",
    "macro",
    "device",
];

/// `Rocm(6,4)` of "6.4"; panics on anything else.
pub fn rocm(text: &str, place: &str) -> String {
    let ok = text
        .split_once('.')
        .is_some_and(|(a, b)| a.parse::<u8>().is_ok() && b.parse::<u8>().is_ok());
    assert!(ok, "{place}: '{text}' is no ROCm release (major.minor)");
    format!("Rocm({})", text.replace('.', ","))
}

pub fn compile(rules: &Path) -> String {
    let mut names: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in crate::files(&rules.join("api"), ".toml") {
        let library = crate::stem(&path);
        let file: Table<Row> = crate::toml(&path);
        for (kind, rows) in &file {
            assert!(
                KINDS.contains(&kind.as_str()),
                "{}: [{kind}] is none of {KINDS:?}",
                path.display()
            );
            for (name, r) in rows {
                let place = format!("{}: {name}", path.display());
                let since = r
                    .since
                    .as_deref()
                    .map_or("None".into(), |s| format!("Some({})", rocm(s, &place)));
                let experimental = match r.status.as_deref() {
                    None => false,
                    Some("experimental") => true,
                    Some(s) => panic!("{place}: status '{s}' is not 'experimental'"),
                };
                names.entry(name.clone()).or_default().push(format!(
                    "Rule {{ kind: Kind::{}, library: {library:?}, hip: {:?}, hip6: {:?}, since: {since}, \
                     experimental: {experimental}, help: {:?}, drop: {} }}",
                    capital(kind),
                    r.hip,
                    r.hip6,
                    r.help,
                    r.drop.unwrap_or(false)
                ));
            }
        }
    }
    let mut out = String::new();
    let mut map = phf_codegen::Map::new();
    for (name, rows) in &names {
        map.entry(name.as_str(), format!("&[{}]", rows.join(", ")));
    }
    writeln!(
        out,
        "/// Every CUDA name that `rules/api` knows.\npub static NAMES: phf::Map<&'static str, &'static [Rule]> = {};",
        map.build()
    )
    .unwrap();

    let path = rules.join("shims/names.toml");
    let file: Table<ShimRow> = if path.exists() {
        crate::toml(&path)
    } else {
        Table::new()
    };
    let mut map = phf_codegen::Map::new();
    for (table, rows) in &file {
        let need = match table.as_str() {
            "warp" => "Warp",
            "scope" => "Scope",
            "missing" => "Missing",
            "differs" => "Differs",
            _ => panic!("{}: [{table}] is none of warp, scope, missing, differs", path.display()),
        };
        for (name, r) in rows {
            let place = format!("{}: {name}", path.display());
            let since = r
                .since
                .as_deref()
                .map_or("None".into(), |s| format!("Some({})", rocm(s, &place)));
            map.entry(
                name.as_str(),
                format!(
                    "ShimName {{ to: {:?}, unit: {:?}, need: Need::{}, since: {since}, types: &{:?}, also: {:?}, help: {:?} }}",
                    r.to,
                    r.unit,
                    need,
                    r.types,
                    r.also,
                    r.help.as_ref().or(r.why.as_ref())
                ),
            );
        }
    }
    writeln!(
        out,
        "/// Names that a shim unit serves.\npub static SHIM_NAMES: phf::Map<&'static str, ShimName> = {};",
        map.build()
    )
    .unwrap();
    out
}

fn capital(s: &str) -> String {
    s[..1].to_uppercase() + &s[1..]
}
