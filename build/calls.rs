//! `rules/calls/*.toml`, `rules/signatures.toml`, `rules/members.toml` -> `CALLS`, `SIGNATURES`, `MEMBERS`.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    call: Vec<Call>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    cuda: String,
    args: Option<String>,
    #[serde(default)]
    when: BTreeMap<String, String>,
    rocm: Option<String>,
    lang: Option<String>,
    to: Option<String>,
    note: Option<String>,
    error: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Signature {
    args: Option<String>,
    cuda: String,
    hip: String,
    why: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Member {
    of: String,
    to: Option<String>,
    help: Option<String>,
    #[serde(default)]
    call: bool,
}

/// An argument count range "3", "3..5", "3.." as `(3, 5)`.
fn count(args: Option<&str>, place: &str) -> (usize, usize) {
    let Some(text) = args else { return (0, usize::MAX) };
    let number = |s: &str| {
        s.parse()
            .unwrap_or_else(|_| panic!("{place}: args '{text}' is no range of counts"))
    };
    match text.split_once("..") {
        None => (number(text), number(text)),
        Some((a, "")) => (number(a), usize::MAX),
        Some((a, b)) => (number(a), number(b)),
    }
}

pub fn compile(rules: &Path) -> String {
    let mut calls: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in crate::files(&rules.join("calls"), ".toml") {
        let file: File = crate::toml(&path);
        for c in file.call {
            let place = format!("{}: {}", path.display(), c.cuda);
            assert!(
                c.to.is_some() != c.error.is_some(),
                "{place}: give `to` or `error`, one of them"
            );
            let when: Vec<(usize, String)> = c
                .when
                .into_iter()
                .map(|(k, v)| {
                    (
                        k.parse()
                            .unwrap_or_else(|_| panic!("{place}: when {k}: an argument's number")),
                        v,
                    )
                })
                .collect();
            let (low, high) = match c.rocm.as_deref() {
                None => ("None".to_string(), "None".to_string()),
                Some(r) => match (r.strip_prefix(">="), r.strip_prefix('<')) {
                    (Some(v), _) => (format!("Some({})", crate::api::rocm(v, &place)), "None".to_string()),
                    (_, Some(v)) => ("None".to_string(), format!("Some({})", crate::api::rocm(v, &place))),
                    _ => panic!("{place}: rocm '{r}' is neither '>=X.Y' nor '<X.Y'"),
                },
            };
            let c_only = match c.lang.as_deref() {
                None => false,
                Some("c") => true,
                Some(l) => panic!("{place}: lang '{l}' is not 'c'"),
            };
            let text = format!(
                "Call {{ args: {:?}, when: &{when:?}, from: {low}, before: {high}, c: {c_only}, to: {:?}, note: {:?}, error: {:?} }}",
                count(c.args.as_deref(), &place),
                c.to,
                c.note,
                c.error
            );
            calls.entry(c.cuda).or_default().push(text);
        }
    }
    let mut out = String::new();
    let mut map = phf_codegen::Map::new();
    for (name, rows) in &calls {
        map.entry(name.as_str(), format!("&[{}]", rows.join(", ")));
    }
    writeln!(out, "/// Rewrites of calls; the first entry that fits is taken.\npub static CALLS: phf::Map<&'static str, &'static [Call]> = {};", map.build()).unwrap();

    let path = rules.join("signatures.toml");
    let file: BTreeMap<String, Signature> = if path.exists() {
        crate::toml(&path)
    } else {
        BTreeMap::new()
    };
    let mut map = phf_codegen::Map::new();
    for (name, s) in &file {
        let args = count(s.args.as_deref(), name);
        map.entry(
            name.as_str(),
            format!(
                "Signature {{ args: {args:?}, cuda: {:?}, hip: {:?}, why: {:?} }}",
                s.cuda, s.hip, s.why
            ),
        );
    }
    writeln!(out, "/// Functions whose plain rename would be wrong.\npub static SIGNATURES: phf::Map<&'static str, Signature> = {};", map.build()).unwrap();

    let path = rules.join("members.toml");
    let file: BTreeMap<String, Member> = if path.exists() {
        crate::toml(&path)
    } else {
        BTreeMap::new()
    };
    let mut map = phf_codegen::Map::new();
    for (name, m) in &file {
        map.entry(
            name.as_str(),
            format!(
                "Member {{ of: {:?}, to: {:?}, help: {:?}, call: {} }}",
                m.of, m.to, m.help, m.call
            ),
        );
    }
    writeln!(out, "/// Struct members that HIP calls otherwise or lacks.\npub static MEMBERS: phf::Map<&'static str, Member> = {};", map.build()).unwrap();
    out
}
