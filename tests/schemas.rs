//! What programs read has the form that is published: JSON lines that of `schemas/output-1.schema.json`, SARIF that of
//! the official 2.1.0 schema (taken from the package of the dev-dependency `serde-sarif`, which also reads it).

use jsonschema::Validator;
use serde_json::{json, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Standard output of a run in the root of the repository.
fn run(args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tranship"));
    let out = command
        .current_dir(root())
        .args(args)
        .output()
        .expect("the program starts");
    String::from_utf8(out.stdout).expect("UTF-8")
}

fn lines(text: &str) -> Vec<Value> {
    text.lines()
        .map(|l| serde_json::from_str(l).unwrap_or_else(|e| panic!("{e}: {l}")))
        .collect()
}

fn published() -> Validator {
    let text = std::fs::read_to_string(root().join("schemas/output-1.schema.json")).expect("the schema is there");
    let schema: Value = serde_json::from_str(&text).expect("JSON");
    jsonschema::validator_for(&schema).expect("a schema")
}

/// A folder with a file for each bad and good sample of the catalogue, and one that cannot be read.
fn samples() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    for entry in std::fs::read_dir(root().join("rules/diagnostics")).expect("pages") {
        let path = entry.expect("a page").path();
        let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let page = std::fs::read_to_string(&path).expect("UTF-8");
        for (i, part) in page.split("```cuda ").skip(1).enumerate() {
            let code = part.split_once('\n').expect("a fence").1;
            let code = code.split("\n```").next().expect("an end");
            std::fs::write(dir.path().join(format!("{stem}-{i}.cu")), code).expect("written");
        }
    }
    dir
}

#[test]
fn json_lines_have_the_published_form() {
    let schema = published();
    let dir = samples();
    let path = dir.path().to_str().expect("UTF-8");
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let (mut fixes, mut labels) = (0, 0);
    for args in [
        &[
            "check",
            path,
            "no-such-file.cu",
            "--output-format",
            "json",
            "--rocm",
            "6.4",
        ][..],
        &[
            "check",
            "fixtures",
            "--output-format",
            "json",
            "--arch",
            "gfx90a,gfx1100",
        ],
        &["explain", "--list", "--output-format", "json"],
        &["rules", "--output-format", "json"],
        &["targets", "--output-format", "json"],
    ] {
        for line in lines(&run(args)) {
            if let Err(e) = schema.validate(&line) {
                panic!("{e}: {line}");
            }
            fixes += usize::from(line["fix"].is_object());
            labels += line["labels"].as_array().map_or(0, Vec::len);
            *seen
                .entry(line["type"].as_str().expect("a type").to_string())
                .or_default() += 1;
        }
    }
    let kinds: Vec<&str> = seen.keys().map(String::as_str).collect();
    assert_eq!(
        kinds,
        ["diagnostic", "error", "explanation", "rule", "summary", "target"]
    );
    assert!(
        seen["diagnostic"] > 50 && fixes > 2 && labels > 0,
        "{seen:?}, {fixes} fixes, {labels} labels"
    );
}

#[test]
fn the_published_form_refuses_what_is_wrong() {
    let schema = published();
    let good = lines(&run(&["check", "fixtures/unsupported-api", "--output-format", "json"]));
    let good = good.into_iter().next().expect("a finding");
    assert!(schema.is_valid(&good));
    for (key, value) in [
        ("severity", json!("fatal")),
        ("line", json!(0)),
        ("code", json!("X1")),
        ("targets", json!([])),
        ("schema", json!(2)),
        ("fix", json!({"applicability": "safe"})),
    ] {
        let mut bad = good.clone();
        bad[key] = value;
        assert!(!schema.is_valid(&bad), "{key}");
        bad.as_object_mut().expect("an object").remove(key);
        assert!(!schema.is_valid(&bad), "without {key}");
    }
}

/// The schema file that `serde-sarif` is made from.
fn official() -> Value {
    let out = Command::new(env!("CARGO"))
        .current_dir(root())
        .args(["metadata", "--format-version", "1", "--locked", "--offline"])
        .output()
        .expect("cargo starts");
    let metadata: Value = serde_json::from_slice(&out.stdout).expect("metadata");
    let packages = metadata["packages"].as_array().expect("packages");
    let package = packages
        .iter()
        .find(|p| p["name"] == "serde-sarif")
        .expect("a dev-dependency");
    let manifest = PathBuf::from(package["manifest_path"].as_str().expect("a path"));
    let text = std::fs::read_to_string(manifest.with_file_name("src").join("schema.json")).expect("its schema");
    // The pattern of `language`, which tranship does not write, has a stray bracket that only lax engines take.
    let text = text.replace("[a-zA-Z]{2}]?$", "[a-zA-Z]{2}\\\\]?$");
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn sarif_has_the_official_form() {
    let schema = official();
    assert!(
        schema["title"].as_str().is_some_and(|t| t.contains("2.1.0")),
        "{}",
        schema["title"]
    );
    let schema = jsonschema::options()
        .should_validate_formats(true)
        .build(&schema)
        .expect("a schema");
    let dir = samples();
    let path = dir.path().to_str().expect("UTF-8");
    let text = run(&["check", path, "fixtures", "no-such-file.cu", "--output-format", "sarif"]);
    let value: Value = serde_json::from_str(&text).expect("JSON");
    let faults: Vec<String> = schema
        .iter_errors(&value)
        .map(|e| format!("{}: {e}", e.instance_path()))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(
        !schema.is_valid(&json!({"version": "2.1.0"})),
        "the schema refuses something"
    );

    let typed: serde_sarif::sarif::Sarif = serde_json::from_str(&text).expect("the types of SARIF");
    let run = &typed.runs[0];
    let results = run.results.as_ref().expect("results");
    let rules = run.tool.driver.rules.as_ref().expect("rules");
    assert_eq!(rules.len(), tranship::diagnostics::codes::ALL.len());
    assert!(rules.iter().all(|r| r.help.is_some()));
    for r in results {
        let rule = &rules[r.rule_index.expect("an index") as usize];
        assert_eq!(r.rule_id.as_ref(), Some(&rule.id));
    }
    assert!(results.iter().any(|r| r.fixes.is_some()));
    assert!(results.len() > 50);
    let uri = &value["runs"][0]["results"].as_array().expect("results").iter();
    let uris: BTreeSet<&str> = uri
        .clone()
        .filter_map(|r| r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str())
        .collect();
    assert!(uris.iter().any(|u| u.starts_with("fixtures/")), "{uris:?}");
}

#[test]
fn fingerprints_stay_when_lines_move() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = std::fs::read_to_string(root().join("fixtures/unsupported-api/input.cu")).expect("a fixture");
    let prints = |text: &str| -> Vec<String> {
        std::fs::write(dir.path().join("a.cu"), text).expect("written");
        let path = dir.path().join("a.cu");
        let out = run(&["check", path.to_str().expect("UTF-8"), "--output-format", "sarif"]);
        let value: Value = serde_json::from_str(&out).expect("JSON");
        let results = value["runs"][0]["results"].as_array().expect("results").clone();
        results
            .iter()
            .map(|r| r["partialFingerprints"]["tranship/v1"].to_string())
            .collect()
    };
    let before = prints(&text);
    assert!(before.len() > 2);
    assert_eq!(
        before.iter().collect::<BTreeSet<_>>().len(),
        before.len(),
        "each its own"
    );
    assert_eq!(prints(&format!("// one\n\n// two\n{text}")), before);
    assert_ne!(
        prints(&text.replace("int ", "long ").replace("cudaGraph", "cudaGraph ")),
        before
    );
}
