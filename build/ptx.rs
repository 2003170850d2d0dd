//! `rules/ptx.toml` -> `FORMS`, `REGISTERS`, `ADVICE`, `MATRIX`. A form's pattern and signature are taken apart here.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    form: BTreeMap<String, Rows>,
    register: BTreeMap<String, Register>,
    advice: BTreeMap<String, String>,
    matrix: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Rows {
    One(BTreeMap<String, String>),
    Many(Vec<BTreeMap<String, String>>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Register {
    r#type: String,
    to: String,
    unit: Option<String>,
    note: Option<String>,
}

pub fn compile(rules: &Path) -> String {
    let file: File = crate::toml(&rules.join("ptx.toml"));
    let mut by_opcode: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (pattern, rows) in file.form {
        let rows = match rows {
            Rows::One(r) => vec![r],
            Rows::Many(r) => r,
        };
        for row in rows {
            let opcode = pattern.split('.').next().unwrap_or("").to_string();
            by_opcode.entry(opcode).or_default().push(form(&pattern, row));
        }
    }
    let mut out = String::new();
    let mut map = phf_codegen::Map::new();
    for (opcode, rows) in &by_opcode {
        map.entry(opcode.as_str(), format!("&[{}]", rows.join(", ")));
    }
    writeln!(
        out,
        "/// Instructions that have a translation, by opcode.\npub static FORMS: phf::Map<&'static str, &'static [Form]> = {};",
        map.build()
    )
    .unwrap();
    let mut map = phf_codegen::Map::new();
    for (name, r) in &file.register {
        map.entry(
            name.as_str(),
            format!(
                "Special {{ kind: {:?}, to: {:?}, unit: {:?}, note: {:?} }}",
                r.r#type, r.to, r.unit, r.note
            ),
        );
    }
    writeln!(
        out,
        "/// Special registers.\npub static REGISTERS: phf::Map<&'static str, Special> = {};",
        map.build()
    )
    .unwrap();
    // Longest first: the most special advice is found first.
    for (name, what, rows) in [
        (
            "ADVICE",
            "What to do about an instruction, by the words it begins with.",
            file.advice,
        ),
        (
            "MATRIX",
            "AMD's matrix instruction for the types in a mnemonic.",
            file.matrix,
        ),
    ] {
        let mut rows: Vec<_> = rows.into_iter().collect();
        rows.sort_by_key(|(k, _)| std::cmp::Reverse(k.len()));
        writeln!(out, "/// {what}\npub static {name}: &[(&str, &str)] = &{rows:?};").unwrap();
    }
    out
}

fn form(pattern: &str, mut row: BTreeMap<String, String>) -> String {
    let to = row
        .remove("to")
        .unwrap_or_else(|| panic!("ptx.toml: {pattern}: no `to`"));
    let is = row.remove("is").unwrap_or_default();
    let (gives, takes) = is.split_once('=').unwrap_or(("", &is));
    let unit = row.remove("unit").unwrap_or_else(|| "ptx".into());
    let note = row.remove("note");
    let carry = row.remove("carry");
    assert!(
        carry.as_deref().is_none_or(|c| matches!(c, "out" | "in" | "inout")),
        "ptx.toml: {pattern}: carry is out, in or inout"
    );
    let (reads, writes) = (
        carry.as_deref().is_some_and(|c| c.starts_with("in")),
        carry.as_deref().is_some_and(|c| c.ends_with("out")),
    );
    let mut lists: BTreeMap<char, String> = BTreeMap::new();
    let parts: Vec<String> = pattern
        .split('.')
        .skip(1)
        .map(|part| {
            let single = part.len() == 1 && part.chars().all(|c| c.is_ascii_uppercase());
            if single {
                let name = part.chars().next().unwrap();
                if let Some(list) = row.remove(part) {
                    lists.insert(name, list);
                }
                let list = lists
                    .get(&name)
                    .unwrap_or_else(|| panic!("ptx.toml: {pattern}: no list for {part}"));
                let values: Vec<(&str, &str)> = list
                    .split_whitespace()
                    .map(|v| v.split_once('=').unwrap_or((v, v)))
                    .collect();
                return format!("Part::Variable({name:?}, &{values:?})");
            }
            let (words, optional) = match part.strip_suffix('?') {
                Some(w) => (w, true),
                None => (part, false),
            };
            let words: Vec<&str> = words.split('|').collect();
            format!("Part::Word(&{words:?}, {optional})")
        })
        .collect();
    assert!(row.is_empty(), "ptx.toml: {pattern}: unknown keys {:?}", row.keys());
    let gives: Vec<&str> = gives.split_whitespace().collect();
    let takes: Vec<&str> = takes.split_whitespace().collect();
    format!(
        "Form {{ pattern: &[{}], gives: &{gives:?}, takes: &{takes:?}, to: {to:?}, unit: {unit:?}, note: {note:?}, reads_carry: {reads}, writes_carry: {writes} }}",
        parts.join(", ")
    )
}
