//! The rule files, checked as data: order, contradictions, dangling names; and, where the ROCm headers of
//! `scripts/rocm-setup.sh` are laid ($TRANSHIP_ROCM, default ~/.cache/tranship/rocm), that each HIP name exists.
//! TRANSHIP_REQUIRE_ROCM=1 makes a missing prefix a failure.

#[allow(dead_code)] // only where ROCm is
#[path = "common/hipcheck.rs"]
mod hipcheck;

use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// The ROCm release whose headers the set-up lays.
const LAID: (u32, u32) = (6, 4);

/// Rule files whose library no Debian package has: their HIP names cannot be looked up.
/// hipSPARSELt, hipTensor and rocWMMA are built by AMD alone.
const NOT_PACKAGED: [&str; 3] = ["sparselt", "tensor", "wmma"];

/// Names newer than the packaged RCCL (2.13): RCCL 2.22 of ROCm 6.4 has them.
const NEWER_RCCL: &str = "ncclCommDeregister ncclCommFinalize ncclCommInitRankConfig ncclCommRegister ncclCommSplit \
    ncclConfig_t ncclInProgress ncclMemAlloc ncclMemFree NCCL_COMM_NULL NCCL_CONFIG_INITIALIZER NCCL_CONFIG_UNDEF_INT \
    NCCL_CONFIG_UNDEF_PTR NCCL_SPLIT_NOCOLOR pncclCommDeregister pncclCommFinalize pncclCommInitRankConfig \
    pncclCommRegister pncclCommSplit pncclGetLastError pncclMemAlloc pncclMemFree";

/// What clang itself provides: no header declares it.
const COMPILER: [&str; 2] = ["__builtin_", "__hip_atomic_"];

/// A row of `rules/api`.
struct Row {
    library: String,
    kind: String,
    cuda: String,
    row: Table,
}

impl Row {
    fn hip(&self) -> Option<&str> {
        self.row.get("hip").and_then(Value::as_str)
    }

    /// The HIP name under the release that the set-up lays, if that release supports the row.
    fn laid(&self) -> Option<&str> {
        let since = self
            .row
            .get("since")
            .and_then(Value::as_str)
            .and_then(|s| s.split_once('.'));
        let since = since.and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
        if self.row.contains_key("status") || since.is_some_and(|s: (u32, u32)| s > LAID) {
            return None;
        }
        self.row.get("hip6").and_then(Value::as_str).or(self.hip())
    }
}

fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let folder = Path::new("rules").join(folder);
    let mut v: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap_or_else(|e| panic!("{}: {e}", folder.display()))
        .map(|f| f.expect("a file").path())
        .filter(|p| p.to_string_lossy().ends_with(ending))
        .collect();
    v.sort();
    v
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn table(path: &Path) -> Table {
    text(path).parse().unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn stem(path: &Path) -> String {
    path.file_stem().expect("a name").to_string_lossy().into_owned()
}

fn api() -> Vec<Row> {
    let mut out = Vec::new();
    for path in files("api", ".toml") {
        for (kind, rows) in table(&path) {
            for (cuda, row) in rows.as_table().expect("a table").clone() {
                let row = row.as_table().expect("a row").clone();
                let (library, kind) = (stem(&path), kind.clone());
                out.push(Row {
                    library,
                    kind,
                    cuda,
                    row,
                });
            }
        }
    }
    out
}

/// The entries of `rules/calls`, each with its file.
fn calls() -> Vec<(PathBuf, Table)> {
    let mut out = Vec::new();
    for path in files("calls", ".toml") {
        for call in table(&path)["call"].as_array().expect("entries").clone() {
            out.push((path.clone(), call.as_table().expect("an entry").clone()));
        }
    }
    out
}

/// The rows of `rules/shims/names.toml`: the CUDA name, what it becomes, the unit.
fn shim_names() -> Vec<(String, String, String)> {
    let mut out = Vec::new();
    for (_, rows) in table(Path::new("rules/shims/names.toml")) {
        for (name, row) in rows.as_table().expect("a table") {
            let text = |key: &str| row[key].as_str().expect("text").to_string();
            out.push((name.clone(), text("to"), text("unit")));
        }
    }
    out
}

#[track_caller]
fn none(faults: Vec<String>) {
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn rows_are_sorted() {
    let key = Regex::new(r#"^(?:"([^"]+)"|([\w-]+))\s*="#).expect("a regex");
    let mut faults = Vec::new();
    let single = ["shims/names.toml", "members.toml", "signatures.toml"].map(|f| Path::new("rules").join(f));
    for path in files("api", ".toml").into_iter().chain(single) {
        let mut last = String::new();
        for line in text(&path).lines() {
            if line.starts_with('[') {
                last.clear();
            } else if let Some(c) = key.captures(line) {
                let name = c.get(1).or(c.get(2)).expect("a name").as_str();
                if name <= last.as_str() {
                    faults.push(format!("{}: {name} stands after {last}", path.display()));
                }
                last = name.to_string();
            }
        }
    }
    let mut last = (PathBuf::new(), String::new());
    for (path, call) in calls() {
        let name = call["cuda"].as_str().expect("text").to_string();
        if path == last.0 && name < last.1 {
            faults.push(format!("{}: {name} stands after {}", path.display(), last.1));
        }
        last = (path, name);
    }
    none(faults);
}

#[test]
fn a_name_has_one_row() {
    let mut seen: BTreeMap<(bool, String), String> = BTreeMap::new();
    let mut faults = Vec::new();
    for r in api() {
        // A header's path and a namespace may read alike.
        let key = (r.kind == "header", r.cuda.clone());
        if let Some(other) = seen.insert(key, r.library.clone()) {
            faults.push(format!("{}: in {other}.toml and in {}.toml", r.cuda, r.library));
        }
    }
    let mut home: BTreeMap<String, PathBuf> = BTreeMap::new();
    for (path, call) in calls() {
        let name = call["cuda"].as_str().expect("text").to_string();
        let first = home.entry(name.clone()).or_insert_with(|| path.clone());
        if *first != path {
            faults.push(format!(
                "{name}: calls in {} and in {}",
                first.display(),
                path.display()
            ));
        }
    }
    none(faults);
}

/// What a translation writes, a second translation must leave alone.
#[test]
fn no_target_is_translated_again() {
    let rows = api();
    let mut targets: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for r in &rows {
        targets.entry(&r.cuda).or_default().extend(r.hip());
    }
    let again = |name: &str| targets.get(name).is_some_and(|t| !t.contains(name));
    let mut faults = Vec::new();
    for r in &rows {
        for key in ["hip", "hip6"] {
            if let Some(hip) = r
                .row
                .get(key)
                .and_then(Value::as_str)
                .filter(|h| *h != r.cuda && again(h))
            {
                faults.push(format!("{} becomes {hip}, which has a row of its own", r.cuda));
            }
        }
    }
    let word = Regex::new(r"[A-Za-z_][\w:]*").expect("a regex");
    for (path, call) in calls() {
        let Some(to) = call.get("to").and_then(Value::as_str) else {
            continue;
        };
        for w in word.find_iter(to).map(|m| m.as_str()).filter(|w| again(w)) {
            faults.push(format!("{}: {} writes the CUDA name {w}", path.display(), call["cuda"]));
        }
    }
    none(faults);
}

#[test]
fn conditions_of_calls_compile() {
    let mut faults = Vec::new();
    for (path, call) in calls() {
        let Some(when) = call.get("when").and_then(Value::as_table) else {
            continue;
        };
        for (_, pattern) in when {
            if let Err(e) = regex::bytes::Regex::new(pattern.as_str().expect("text")) {
                faults.push(format!("{}: {}: {e}", path.display(), call["cuda"]));
            }
        }
    }
    none(faults);
}

/// A unit's text with that of the units it includes.
fn unit(name: &str) -> Option<String> {
    let mut out = std::fs::read_to_string(format!("rules/shims/{name}.hpp")).ok()?;
    let needs = Regex::new(r#"(?m)^\s*#include "(\w+)\.hpp""#).expect("a regex");
    let needs: Vec<String> = needs.captures_iter(&out).map(|c| c[1].to_string()).collect();
    for n in needs {
        out += &unit(&n)?;
    }
    Some(out)
}

/// Whether a text declares a name, in full or by pasting macro arguments to a part of it.
fn provides(unit: &str, name: &str) -> bool {
    let whole = Regex::new(&format!(r"\b{name}\b")).expect("a regex");
    if whole.is_match(unit) {
        return true;
    }
    let define = Regex::new(r"#define\s+\w+\(([^)]*)\)").expect("a regex");
    let parameters: BTreeSet<&str> = define
        .captures_iter(unit)
        .flat_map(|c| c.get(1).expect("a group").as_str().split(',').map(str::trim))
        .collect();
    let pasted = Regex::new(r"\w+(?:\s*##\s*\w+)+").expect("a regex");
    let built = pasted.find_iter(unit).any(|m| {
        let part = |p: &str| {
            if parameters.contains(p) {
                r"\w+".to_string()
            } else {
                p.to_string()
            }
        };
        let pattern: String = m.as_str().split("##").map(|p| part(p.trim())).collect();
        Regex::new(&format!("^{pattern}$")).expect("a regex").is_match(name)
    });
    built
}

#[test]
fn units_provide_what_the_rules_take_from_them() {
    let name = Regex::new(r"tranship::((?:\w+::)*\w+)").expect("a regex");
    let mut units: BTreeMap<String, Option<String>> = BTreeMap::new();
    let mut faults = Vec::new();
    let shims = shim_names();
    for (cuda, to, of) in &shims {
        let Some(text) = units.entry(of.clone()).or_insert_with(|| unit(of)) else {
            faults.push(format!("{cuda}: there is no unit {of}"));
            continue;
        };
        for c in name.captures_iter(to) {
            let last = c[1].rsplit("::").next().expect("a part");
            if !provides(text, last) {
                faults.push(format!("{cuda}: {of}.hpp has no {last}"));
            }
        }
    }
    // A call finds its unit by the name it writes.
    let known: BTreeSet<&str> = shims.iter().map(|s| s.1.as_str()).collect();
    for (path, call) in calls() {
        let to = call.get("to").and_then(Value::as_str).unwrap_or("");
        for m in name.find_iter(to).filter(|m| !known.contains(m.as_str())) {
            faults.push(format!(
                "{}: {}: no unit is known for {}",
                path.display(),
                call["cuda"],
                m.as_str()
            ));
        }
    }
    none(faults);
}

#[test]
fn diagnostics_have_pages_and_uses() {
    let mut sources = String::new();
    let mut todo = vec![PathBuf::from("src")];
    while let Some(dir) = todo.pop() {
        for f in std::fs::read_dir(dir).expect("a folder") {
            let path = f.expect("a file").path();
            if path.is_dir() {
                todo.push(path);
            } else {
                sources += &text(&path);
            }
        }
    }
    let remarks = std::fs::read_to_string("rules/remarks.toml").unwrap_or_default();
    let form = Regex::new(r"^---\n(?s:.+?)\n---\n# \S[^\n]+\n\n\S").expect("a regex");
    let mut faults = Vec::new();
    for path in files("diagnostics", ".md") {
        let name = stem(&path);
        if !form.is_match(&text(&path)) {
            faults.push(format!(
                "{name}: a head between --- lines, a title, a blank line, then text"
            ));
        }
        let kebab = name.split_once('-').map_or("", |n| n.1);
        let constant = format!(r"codes::{}\b", kebab.replace('-', "_").to_uppercase());
        let used = Regex::new(&constant).expect("a regex").is_match(&sources);
        if !used && !remarks.contains(&format!("\"{kebab}\"")) {
            faults.push(format!("{name}: nothing reports it"));
        }
    }
    none(faults);
}

/// Every identifier of the files under a folder, comments left out.
fn identifiers(folder: &Path, out: &mut BTreeSet<String>) {
    let comment = regex::bytes::Regex::new(r"(?s-u)/\*.*?\*/|//[^\n]*").expect("a regex");
    let word = regex::bytes::Regex::new(r"(?-u)[A-Za-z_][A-Za-z_0-9]*").expect("a regex");
    let mut todo = vec![folder.to_path_buf()];
    while let Some(dir) = todo.pop() {
        for f in std::fs::read_dir(&dir).into_iter().flatten() {
            let path = f.expect("a file").path();
            if path.is_dir() {
                todo.push(path);
            } else if let Ok(bytes) = std::fs::read(&path) {
                let code = comment.replace_all(&bytes, &b" "[..]);
                for m in word.find_iter(&code) {
                    let w = std::str::from_utf8(m.as_bytes()).expect("ASCII");
                    if !out.contains(w) {
                        out.insert(w.to_string());
                    }
                }
            }
        }
    }
}

#[test]
fn hip_names_exist() {
    let Some(prefix) = hipcheck::prefix() else {
        eprintln!("no ROCm headers: HIP names were not looked up");
        return;
    };
    let include = prefix.join("include");
    let mut have = BTreeSet::new();
    identifiers(&include, &mut have);
    for release in std::fs::read_dir(prefix.join("llvm/lib/clang")).into_iter().flatten() {
        identifiers(&release.expect("a folder").path().join("include"), &mut have);
    }
    let newer: BTreeSet<&str> = NEWER_RCCL.split_whitespace().collect();
    let word = Regex::new(r"[A-Za-z_]\w*").expect("a regex");
    let mut faults = Vec::new();
    for r in api() {
        let Some(hip) = r.laid().filter(|_| !NOT_PACKAGED.contains(&r.library.as_str())) else {
            continue;
        };
        let lacking: Vec<&str> = if r.kind == "header" {
            Some(hip).filter(|h| !include.join(h).exists()).into_iter().collect()
        } else {
            let compiler = |w: &str| COMPILER.iter().any(|p| w.starts_with(p));
            let words = word.find_iter(hip).map(|m| m.as_str());
            words
                .filter(|w| !have.contains(*w) && !compiler(w) && !newer.contains(w))
                .collect()
        };
        if !lacking.is_empty() {
            faults.push(format!(
                "{}.toml: {} becomes {hip}: no {}",
                r.library,
                r.cuda,
                lacking.join(", ")
            ));
        }
    }
    none(faults);
}

/// Whatever HIP has under its name, an operation of the warp counts 64 lanes: its rows belong to `[warp]` or `[scope]`,
/// which hold on every ROCm.
#[test]
fn warp_operations_are_always_shimmed() {
    let rows = table(Path::new("rules/shims/names.toml"));
    let mut faults = Vec::new();
    for (section, rows) in &rows {
        for (name, row) in rows.as_table().expect("a table") {
            let warp = matches!(row["unit"].as_str(), Some("warp" | "cooperative_groups"));
            if warp != matches!(section.as_str(), "warp" | "scope") {
                faults.push(format!("{name}: in [{section}]"));
            }
        }
    }
    none(faults);
}

#[test]
fn units_say_what_they_are() {
    let mut faults = Vec::new();
    for path in files("shims", ".hpp") {
        let text = text(&path);
        let head: Vec<&str> = text.lines().take_while(|l| l.starts_with("//")).collect();
        if !head
            .first()
            .is_some_and(|l| l.contains(&format!("tranship/{}.hpp", stem(&path))))
        {
            faults.push(format!("{}: the first line names it", path.display()));
        }
        for key in ["provides:", "exactness:", "limits:", "unnecessary since:"] {
            if !head.iter().any(|l| l.starts_with(&format!("// {key}"))) {
                faults.push(format!("{}: the head has no `{key}`", path.display()));
            }
        }
    }
    none(faults);
}
