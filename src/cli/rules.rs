//! `tranship rules`: what the rule tables say.

use super::args::TextFormat;
use anyhow::bail;
use clap::Args;
use tranship::rules::{self, Remark, Rule, CALLS, NAMES, REMARKS, SHIM_NAMES, SIGNATURES};
use tranship::targets::TARGETS;

#[derive(Args)]
pub struct Rules {
    /// A CUDA name; without it, every rule is listed
    name: Option<String>,
    /// Format of the text
    #[arg(long, value_enum, default_value_t = TextFormat::Human)]
    output_format: TextFormat,
}

impl Rules {
    pub fn run(&self) -> anyhow::Result<u8> {
        let json = self.output_format == TextFormat::Json;
        let text = match &self.name {
            None => listing(json),
            Some(name) => match symbol(name, json) {
                Some(text) => text,
                None => {
                    let guess = nearest(name).map_or(String::new(), |n| format!(". Did you mean {n}?"));
                    bail!("no rule knows '{name}'{guess}")
                }
            },
        };
        super::print(text.as_bytes())?;
        Ok(0)
    }
}

/// The CUDA name that a mistyped one may have meant.
pub fn nearest(wrong: &str) -> Option<&'static str> {
    let head = |n: &str| n.get(..2).map(str::to_ascii_lowercase);
    let mut near: Vec<&str> = NAMES
        .keys()
        .chain(SHIM_NAMES.keys())
        .copied()
        .filter(|n| n.len().abs_diff(wrong.len()) <= 3 && head(n) == head(wrong))
        .collect();
    near.sort_unstable();
    super::nearest(wrong, &near)
}

/// Every rule, a line each; JSON lines where asked.
fn listing(json: bool) -> String {
    let mut names: Vec<&str> = NAMES.keys().chain(SHIM_NAMES.keys()).copied().collect();
    names.sort_unstable();
    names.dedup();
    names
        .iter()
        .filter_map(|n| if json { symbol(n, true) } else { Some(short(n)) })
        .collect()
}

/// `name  library  what it becomes`.
fn short(name: &str) -> String {
    let row = rules::rows(name).first();
    let becomes = match (SHIM_NAMES.get(name), row) {
        (Some(s), _) => format!("{} (tranship/{}.hpp)", s.to, s.unit),
        (None, Some(Rule { hip: Some(h), .. })) => h.to_string(),
        _ if CALLS.contains_key(name) => "(rewritten)".to_string(),
        _ => "-".to_string(),
    };
    format!("{name:<56} {:<14} {becomes}\n", row.map_or("device", |r| r.library))
}

/// What becomes of a CUDA name, by which rule; `None` where no rule knows it.
pub fn symbol(name: &str, json: bool) -> Option<String> {
    let rows = rules::rows(name);
    let (shim, calls, signature) = (SHIM_NAMES.get(name), CALLS.get(name), SIGNATURES.get(name));
    if rows.is_empty() && shim.is_none() && calls.is_none() {
        return None;
    }
    let row = rows.first();
    if json {
        let line = serde_json::json!({
            "type": "rule",
            "schema": 1,
            "name": name,
            "library": row.map(|r| r.library),
            "kind": row.map(|r| format!("{:?}", r.kind).to_lowercase()),
            "hip": row.and_then(|r| r.hip),
            "hip_before_7": row.and_then(|r| r.hip6),
            "since": row.and_then(|r| r.since).map(|v| v.to_string()),
            "experimental": row.is_some_and(|r| r.experimental),
            "help": row.and_then(|r| r.help),
            "shim": shim.map(|s| serde_json::json!({ "name": s.to, "unit": s.unit, "help": s.help })),
            "calls": calls.map(|c| c.iter().filter_map(|c| c.to).collect::<Vec<_>>()),
            "limits": limits(name).iter().map(|r| serde_json::json!({
                "name": r.code.name, "targets": concerned(r), "message": r.message, "help": r.help,
            })).collect::<Vec<_>>(),
            "signature": signature.map(|s| serde_json::json!({ "cuda": s.cuda, "hip": s.hip, "why": s.why })),
        });
        return Some(format!("{line}\n"));
    }
    let mut out = format!("{name}\n");
    for r in rows {
        let kind = format!("{:?}", r.kind).to_lowercase();
        let hip = match r.hip {
            _ if r.drop => "removed: HIP needs nothing in its place",
            Some(hip) if hip == name => "the same in HIP",
            Some(hip) => hip,
            None => "no counterpart in HIP",
        };
        let kind = if kind == r.library {
            format!("{kind} name")
        } else {
            format!("{kind} of {}", r.library)
        };
        out += &format!("  {kind}: {hip}\n");
        let lines = [
            r.hip6.map(|h| format!("before ROCm 7.0: {h}")),
            r.since.map(|v| format!("since ROCm {v}")),
            r.experimental.then(|| "experimental".to_string()),
            r.help.map(|h| format!("help: {h}")),
        ];
        for l in lines.into_iter().flatten() {
            out += &format!("    {l}\n");
        }
    }
    if let Some(s) = shim {
        out += &format!("  shim: {} of tranship/{}.hpp\n", s.to, s.unit);
        if let Some(h) = s.help {
            out += &format!("    {h}\n");
        }
    }
    for c in calls.into_iter().copied().flatten() {
        let arguments = match c.args {
            (0, usize::MAX) => String::new(),
            (a, b) if a == b => format!(" with {a} arguments"),
            (a, usize::MAX) => format!(" with {a} arguments or more"),
            (a, b) => format!(" with {a} to {b} arguments"),
        };
        let tests: String = c
            .when
            .iter()
            .map(|(i, w)| format!(", argument {i} like /{w}/"))
            .collect();
        let release = match (c.from, c.before) {
            (Some(v), _) => format!(", ROCm {v} or later"),
            (_, Some(v)) => format!(", before ROCm {v}"),
            _ => String::new(),
        };
        let c_only = if c.c { ", in .c and .h files" } else { "" };
        let becomes = match (c.to, c.error) {
            (Some(to), _) => to.to_string(),
            (_, why) => format!("left alone: {}", why.unwrap_or("")),
        };
        out += &format!("  call{arguments}{tests}{release}{c_only}: {becomes}\n");
        out += &c.note.map_or(String::new(), |n| format!("    {n}\n"));
    }
    if let Some(s) = signature {
        out += &format!(
            "  signatures differ: {}\n    CUDA: {}\n    HIP:  {}\n",
            s.why, s.cuda, s.hip
        );
    }
    for r in limits(name) {
        out += &format!("  {}, {}: {}\n", r.code.name, concerned(r).join(", "), r.message);
        out += &r.help.map_or(String::new(), |h| format!("    {h}\n"));
    }
    Some(out)
}

/// What must be known of a name beyond its counterpart.
fn limits(name: &str) -> Vec<&'static Remark> {
    REMARKS.iter().filter(|r| r.fits(name)).collect()
}

/// The targets that a remark concerns.
fn concerned(r: &Remark) -> Vec<&'static str> {
    TARGETS.iter().filter(|t| r.on.concerns(t)).map(|t| t.name).collect()
}
