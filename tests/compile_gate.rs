//! The committed output of every fixture compiles as HIP: device code for AMD GPUs, host code checked.
//!
//! Needs the prefix of `scripts/rocm-setup.sh` ($TRANSHIP_ROCM, default ~/.cache/tranship/rocm). Where there is none,
//! only the text of the translations is compared, and a line says so; TRANSHIP_REQUIRE_ROCM=1 makes that a failure.

mod common;

use common::{Fixture, Run};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;

/// Architecture and HIP headers that every output compiles for, unless its file `compile` says otherwise.
const TARGETS: [&str; 3] = ["gfx942@6.4", "gfx1100@6.4", "gfx942@7.1"];
/// Compilers at a time.
const JOBS: usize = 2;

/// Calls of `hipcheck` for one fixture and one target.
struct Job {
    label: String,
    arguments: Vec<String>,
}

#[test]
fn committed_output_compiles() {
    let prefix = std::env::var_os("TRANSHIP_ROCM")
        .map(PathBuf::from)
        .unwrap_or_else(|| PathBuf::from(std::env::var_os("HOME").unwrap_or_default()).join(".cache/tranship/rocm"));
    let rocm = prefix.join("llvm/bin/clang++").exists();
    let required = std::env::var_os("TRANSHIP_REQUIRE_ROCM").is_some_and(|v| v == "1");
    assert!(
        rocm || !required,
        "no ROCm headers in {}: run scripts/rocm-setup.sh",
        prefix.display()
    );

    let (mut jobs, mut failures, mut left_out) = (Vec::new(), Vec::new(), 0);
    for fixture in common::all() {
        let run = fixture.translate("compile_gate");
        match fixture.expected() {
            None => failures.push(format!("{}: no committed output", fixture.name)),
            Some(expected) => failures.extend(
                common::difference(&expected, &run.files)
                    .map(|d| format!("{}: not the committed output\n{d}", fixture.name)),
            ),
        }
        let before = jobs.len();
        jobs.extend(jobs_of(&fixture, &run));
        left_out += usize::from(jobs.len() == before);
    }
    if rocm {
        failures.extend(compile(&prefix, &jobs));
        note(&format!(
            "compile gate: {} compilations, {left_out} fixtures are not for compiling",
            jobs.len()
        ));
    } else {
        note(
            "compile gate: NOTHING WAS COMPILED, only texts were compared: scripts/rocm-setup.sh gets the ROCm headers",
        );
    }
    assert!(
        failures.is_empty(),
        "{}\n{} failures",
        failures.join("\n"),
        failures.len()
    );
}

/// What `compile` lets through: lines `none REASON`, `only ARCH@HIP...`, `flag FLAG`.
fn jobs_of(fixture: &Fixture, run: &Run) -> Vec<Job> {
    let mut targets: Vec<String> = TARGETS.map(String::from).to_vec();
    let mut flags = Vec::new();
    for line in fixture.compile_lines() {
        match line.split_once(' ') {
            Some(("none", _reason)) => return Vec::new(),
            Some(("only", list)) => targets = list.split_whitespace().map(String::from).collect(),
            Some(("flag", flag)) => flags.push(format!("--flag={flag}")),
            _ => panic!(
                "{}/compile: `none REASON`, `only ARCH@HIP...` or `flag FLAG`, not: {line}",
                fixture.name
            ),
        }
    }
    let is_source = |path: &&String| [".hip", ".cu", ".cpp", ".cc"].iter().any(|end| path.ends_with(end));
    let sources: Vec<String> = run
        .files
        .keys()
        .filter(is_source)
        .map(|path| run.out.join(path).to_string_lossy().into_owned())
        .collect();
    assert!(
        !sources.is_empty(),
        "{}: no source file to compile; say `none REASON`",
        fixture.name
    );
    targets
        .iter()
        .map(|target| {
            let (arch, hip) = target
                .split_once('@')
                .unwrap_or_else(|| panic!("{}/compile: {target}", fixture.name));
            let mut arguments = vec![
                "--arch".into(),
                arch.into(),
                "--hip".into(),
                hip.into(),
                "-j".into(),
                "1".into(),
            ];
            arguments.extend(["-I".to_string(), run.out.to_string_lossy().into_owned()]);
            arguments.extend(flags.iter().cloned());
            arguments.extend(sources.iter().cloned());
            Job {
                label: format!("{} {target}", fixture.name),
                arguments,
            }
        })
        .collect()
}

/// Runs the jobs, [`JOBS`] at a time; the failures in the order of the jobs.
fn compile(prefix: &Path, jobs: &[Job]) -> Vec<String> {
    let hipcheck = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/hipcheck");
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    std::thread::scope(|scope| {
        for _ in 0..JOBS {
            scope.spawn(|| {
                while let Some((at, job)) =
                    Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|i| Some((i, jobs.get(i)?)))
                {
                    let output = Command::new("python3")
                        .arg(&hipcheck)
                        .args(&job.arguments)
                        .env("TRANSHIP_ROCM", prefix)
                        .output()
                        .unwrap_or_else(|e| panic!("python3 does not start: {e}"));
                    if !output.status.success() {
                        let text = [output.stdout, output.stderr].concat();
                        let lines: String = String::from_utf8_lossy(&text)
                            .lines()
                            .filter(|l| !l.starts_with("ok "))
                            .map(|l| format!("  {l}\n"))
                            .collect();
                        failures
                            .lock()
                            .expect("no thread panics")
                            .insert(at, format!("{}:\n{lines}", job.label));
                    }
                }
            });
        }
    });
    failures.into_inner().expect("no thread panics").into_values().collect()
}

/// A line that `cargo test` shows although the test passes: captured output would hide what was not done.
fn note(text: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr().lock(), "\n{text}");
}
