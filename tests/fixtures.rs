//! Each folder of `fixtures/`: its translation is the committed one, and it keeps what its file `must` demands.
//!
//! `TRANSHIP_BLESS=1 cargo test --test fixtures` rewrites the committed output; `must` is written by hand from what
//! HIP really offers, so that a wrong output cannot be blessed unseen. The format is in `fixtures/README.md`.

mod common;

use common::{Fixture, Run};
use std::collections::BTreeMap;
use std::fs;

#[test]
fn fixtures_translate_as_committed() {
    let bless = std::env::var_os("TRANSHIP_BLESS").is_some_and(|v| v == "1");
    let mut failures = Vec::new();
    let fixtures = common::all();
    for fixture in &fixtures {
        let run = fixture.translate("fixtures");
        if bless {
            commit(fixture, &run);
        }
        failures.extend(against_committed(fixture, &run).map(|f| format!("== {}\n{f}", fixture.name)));
        failures.extend(
            against_must(fixture, &run)
                .into_iter()
                .map(|f| format!("== {}/must: {f}", fixture.name)),
        );
    }
    assert!(
        failures.is_empty(),
        "{}\n{} failures in {} fixtures",
        failures.join("\n"),
        failures.len(),
        fixtures.len()
    );
}

fn against_committed(fixture: &Fixture, run: &Run) -> Option<String> {
    let Some(expected) = fixture.expected() else {
        return Some("no committed output: run with TRANSHIP_BLESS=1 and read what it writes".to_string());
    };
    let mut text = common::difference(&expected, &run.files).unwrap_or_default();
    let findings = common::read_text(&fixture.dir.join("expected.stderr"));
    if findings != run.short() {
        let (was, now) = (
            BTreeMap::from([("findings".to_string(), findings.into_bytes())]),
            BTreeMap::from([("findings".to_string(), run.short().into_bytes())]),
        );
        text += &common::difference(&was, &now).unwrap_or_default();
    }
    (!text.is_empty()).then_some(text)
}

fn commit(fixture: &Fixture, run: &Run) {
    if fixture.is_tree() {
        let _ = fs::remove_dir_all(fixture.dir.join("expected"));
        for (path, bytes) in &run.files {
            common::write(&fixture.dir.join("expected").join(path), bytes);
        }
    } else if let Some(bytes) = run.files.get("input.hip") {
        common::write(&fixture.dir.join("expected.hip"), bytes);
    }
    let stderr = fixture.dir.join("expected.stderr");
    if run.findings.is_empty() {
        let _ = fs::remove_file(stderr);
    } else {
        common::write(&stderr, run.short().as_bytes());
    }
}

/// The demands of `must` that do not hold.
fn against_must(fixture: &Fixture, run: &Run) -> Vec<String> {
    let text = common::read_text(&fixture.dir.join("must"));
    let inputs = fixture.inputs();
    let first = if fixture.is_tree() { "" } else { "input.hip" };
    let (mut file, mut demands) = (first.to_string(), Vec::<(String, bool)>::new());
    for line in text.lines().filter(|l| !l.trim().is_empty() && !l.starts_with('#')) {
        if let Some(path) = line.strip_prefix("in ") {
            file = path.to_string();
        } else if let Some(other) = line.strip_prefix("or ") {
            let last = demands
                .last_mut()
                .unwrap_or_else(|| panic!("{}: `or` comes first", fixture.name));
            last.1 = last.1 || holds(other, &file, &inputs, run);
            last.0 += &format!("  or  {other}");
        } else {
            demands.push((line.to_string(), holds(line, &file, &inputs, run)));
        }
    }
    assert!(!demands.is_empty(), "{}: the file `must` demands nothing", fixture.name);
    demands
        .into_iter()
        .filter(|(_, holds)| !holds)
        .map(|(line, _)| line)
        .collect()
}

fn holds(demand: &str, file: &str, inputs: &BTreeMap<String, Vec<u8>>, run: &Run) -> bool {
    let source = if file == "input.hip" { "input.cu" } else { file };
    let Some(output) = run.files.get(file) else {
        return false;
    };
    let (word, rest) = demand.split_once(' ').unwrap_or((demand, ""));
    let counted = |rest: &str| {
        let (number, text) = rest.split_once(' ').expect("count N TEXT");
        (number.parse::<usize>().expect("count N TEXT"), text.to_string())
    };
    match word {
        "contains" => occurrences(output, rest.as_bytes()) > 0,
        "lacks" => occurrences(output, rest.as_bytes()) == 0,
        "count" => {
            let (n, text) = counted(rest);
            occurrences(output, text.as_bytes()) == n
        }
        "begins" => output.starts_with(rest.as_bytes()),
        "contains-hex" => occurrences(output, &hex(rest)) > 0,
        "count-hex" => {
            let (n, text) = counted(rest);
            occurrences(output, &hex(&text)) == n
        }
        "begins-hex" => output.starts_with(&hex(rest)),
        "line-ends" => {
            assert_eq!(rest, "crlf");
            occurrences(output, b"\n") == occurrences(output, b"\r\n")
        }
        "unchanged" => inputs.get(source) == Some(output),
        "finding" => {
            let (name, line) = rest.split_once(' ').expect("finding NAME LINE");
            let line: u64 = line.parse().expect("finding NAME LINE");
            run.findings
                .iter()
                .any(|f| f.path == source && (f.line..=f.end_line).contains(&line) && (name == "*" || f.name == name))
        }
        "exit" => rest == run.exit.to_string(),
        _ => panic!("no such demand: {demand}"),
    }
}

fn occurrences(text: &[u8], what: &[u8]) -> usize {
    memchr::memmem::find_iter(text, what).count()
}

fn hex(text: &str) -> Vec<u8> {
    let digits: String = text.split_whitespace().collect();
    (0..digits.len())
        .step_by(2)
        .map(|i| u8::from_str_radix(&digits[i..i + 2], 16).expect("pairs of hexadecimal digits"))
        .collect()
}
