//! What findings look like, and on which stream.

use super::{Dir, UNSUPPORTED};
use serde_json::Value;

fn bad() -> Dir {
    let dir = Dir::new();
    dir.put("d/a.cu", UNSUPPORTED);
    dir
}

fn lines(text: &str) -> Vec<Value> {
    text.lines()
        .map(|l| serde_json::from_str(l).unwrap_or_else(|e| panic!("{e}: {l}")))
        .collect()
}

#[test]
fn json_lines() {
    let dir = bad();
    for args in ["check d", "translate d -o out"] {
        let (code, out, err) = dir.run(&format!("{args} --output-format json --arch gfx90a,gfx942"));
        assert_eq!((code, err.as_str()), (1, ""), "{args}");
        let lines = lines(&out);
        let (last, findings) = lines.split_last().expect("a summary");
        let error = findings.iter().find(|f| f["severity"] == "error").expect("an error");
        for key in [
            "type", "schema", "code", "name", "path", "message", "notes", "help", "targets", "fix",
        ] {
            assert!(error.get(key).is_some(), "{key}");
        }
        assert_eq!(
            (&error["type"], &error["path"]),
            (&"diagnostic".into(), &"d/a.cu".into())
        );
        assert_eq!((error["line"].as_u64(), error["column"].as_u64()), (Some(2), Some(18)));
        assert_eq!(
            (error["end_line"].as_u64(), error["schema"].as_u64()),
            (Some(2), Some(1))
        );
        assert_eq!(last["type"], "summary");
        assert_eq!(
            (last["files"].as_u64(), last["diagnostics"]["error"].as_u64()),
            (Some(1), Some(1))
        );
    }
}

#[test]
fn sarif_is_one_document_with_relative_uris() {
    let dir = bad();
    dir.put("d/b.cu", UNSUPPORTED).put("d/c.h", "int x;\n");
    let (code, out, _) = dir.run("check d --output-format sarif");
    assert_eq!(code, 1);
    let value: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(value["version"], "2.1.0");
    let run = &value["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    let results = run["results"].as_array().expect("results");
    assert_eq!(results.len(), 2);
    for result in results {
        assert!(rules.iter().any(|r| r["id"] == result["ruleId"]), "{result}");
    }
    let place = &results[1]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "d/b.cu");
    assert_eq!(place["region"]["startLine"], 2);
}

#[test]
fn sarif_without_findings_and_with_a_failure() {
    let dir = Dir::new();
    let (code, out, _) = dir.run("check none.cu --output-format sarif");
    assert_eq!(code, 2);
    let value: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(value["runs"][0]["results"].as_array().map(Vec::len), Some(0));
    assert_eq!(value["runs"][0]["invocations"][0]["executionSuccessful"], false);
}

#[test]
fn github_annotations() {
    let (code, out, _) = bad().run("check d --output-format github");
    assert_eq!(code, 1);
    assert!(out.starts_with("::error file=d/a.cu,line=2,col=18,endColumn="), "{out}");
    assert!(out.contains(",title="), "{out}");
}

#[test]
fn people_read_check_on_standard_output() {
    let dir = bad();
    let (code, out, err) = dir.run("check d");
    assert_eq!(code, 1);
    assert!(
        out.contains("--> d/a.cu:2:18") && out.contains("more: tranship explain "),
        "{out}"
    );
    assert!(
        err.contains("findings: 1 error") && err.contains("next: tranship explain "),
        "{err}"
    );
    let (_, out, err) = dir.run("translate d/a.cu");
    assert!(!out.contains("-->") && err.contains("--> d/a.cu:2:18"), "{err}");
    let (_, out, err) = dir.run("check d --output-format short --quiet");
    assert!(out.starts_with("d/a.cu:2:18: error["), "{out}");
    assert_eq!(err, "");
}

#[test]
fn colour_follows_flag_and_environment() {
    let dir = bad();
    let escape = |args: &str, key: &str| {
        let out = dir.command(args).env(key, "1").output().expect("started");
        out.stdout.contains(&0x1b)
    };
    assert!(!escape("check d", "X"), "no terminal");
    assert!(escape("check d", "FORCE_COLOR"));
    assert!(escape("check d --color always", "NO_COLOR"));
    assert!(!escape("check d --color never", "FORCE_COLOR"));
    assert!(!escape("check d", "NO_COLOR"));
}

#[test]
fn repeats_are_grouped_unless_all() {
    let dir = Dir::new();
    dir.put("a.cu", UNSUPPORTED.repeat(3));
    let (_, out, _) = dir.run("check a.cu");
    assert_eq!(out.matches("-->").count(), 1, "{out}");
    assert!(
        out.contains("and 2 more in this file (lines 4, 6); --all shows each"),
        "{out}"
    );
    let (_, out, _) = dir.run("check a.cu --all");
    assert_eq!(out.matches("-->").count(), 3, "{out}");
}

#[test]
fn one_cause_is_shown_once_a_run() {
    let dir = Dir::new();
    let npp = |name: &str| format!("#include <cuda_runtime.h>\nvoid f({name} x);\n");
    dir.put("d/a.cu", npp("Npp8u"))
        .put("d/b.cu", npp("Npp8u"))
        .put("d/c.cu", npp("Npp16u"));
    let (_, out, _) = dir.run("check d");
    assert_eq!(out.matches("-->").count(), 1, "{out}");
    assert!(
        out.contains("= and 2 more in 2 other files (d/b.cu:2, d/c.cu:2), also of `Npp16u`; --all shows each\n"),
        "{out}"
    );
    let (_, out, _) = dir.run("check d --all");
    assert_eq!(out.matches("-->").count(), 3, "{out}");
}

#[test]
fn ledger_names_every_cuda_name() {
    let dir = bad();
    dir.put("d/b.cu", super::CUDA);
    assert_eq!(dir.run("check d --ledger l.json --fail-on never").0, 0);
    let value: Value = serde_json::from_str(&dir.text("l.json")).expect("JSON");
    assert_eq!(value["schema"], 1);
    let names = value["names"].as_array().expect("names");
    let find = |name: &str| {
        names
            .iter()
            .find(|n| n["name"] == name)
            .unwrap_or_else(|| panic!("{name}"))
    };
    let malloc = find("cudaMalloc");
    assert_eq!(
        (&malloc["fate"], &malloc["becomes"]),
        (&"renamed".into(), &"hipMalloc".into())
    );
    assert_eq!(
        (malloc["path"].as_str(), malloc["line"].as_u64()),
        (Some("d/b.cu"), Some(2))
    );
    assert_eq!(find("cudaArrayGetPlane")["fate"], "reported");
}

#[test]
fn a_line_of_many_megabytes() {
    let dir = Dir::new();
    let mut text = UNSUPPORTED.replace('\n', " ").replace("h> ", "h>\n");
    text.push_str(&"y".repeat(3 << 20));
    dir.put("a.cu", text);
    let (code, out, _) = dir.run("check a.cu");
    assert_eq!(code, 1);
    assert!(out.len() < 4000, "{} bytes", out.len());
}
