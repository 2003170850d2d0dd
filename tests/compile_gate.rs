//! The committed output of every fixture compiles as HIP, and so do the translations of the good samples on the pages
//! of `rules/diagnostics`: device code for AMD GPUs, host code checked.
//!
//! Needs the prefix of `scripts/rocm-setup.sh` ($TRANSHIP_ROCM, default ~/.cache/tranship/rocm). Where there is none,
//! only the text of the translations is compared, and a line says so; TRANSHIP_REQUIRE_ROCM=1 makes that a failure.

mod common;

use common::hipcheck::{compile, prefix, Job};
use common::{samples, Fixture, Run};
use std::path::Path;

/// Architecture and HIP headers that every output compiles for, unless its file `compile` says otherwise.
const TARGETS: [&str; 3] = ["gfx942@6.4", "gfx1100@6.4", "gfx942@7.1"];

#[test]
fn committed_output_compiles() {
    let prefix = prefix();
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
    if let Some(prefix) = &prefix {
        failures.extend(compile(prefix, &jobs));
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

#[test]
fn good_samples_compile() {
    let Some(prefix) = prefix() else { return };
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("samples");
    let _ = std::fs::remove_dir_all(&scratch);
    let mut jobs = Vec::new();
    for page in samples::pages() {
        for sample in page.samples.iter().filter(|s| s.kind == samples::Kind::Good) {
            let dir = scratch.join(format!("{}-{}", page.stem, sample.line));
            let done = sample.translate();
            let file = dir.join(sample.file());
            common::write(&file, done.text.as_deref().unwrap_or(&sample.text));
            let mut units: Vec<&str> = done.shims.into_iter().collect();
            while let Some(name) = units.pop() {
                let unit = tranship::shims::unit(name).expect("a unit that a translation needs");
                common::write(&dir.join(format!("tranship/{name}.hpp")), unit.text.as_bytes());
                units.extend(unit.needs);
            }
            let (arch, hip) = sample.target();
            let (dir, file) = (dir.to_string_lossy().into_owned(), file.to_string_lossy().into_owned());
            jobs.push(Job {
                label: format!("{}:{} {arch}@{hip}", page.path.display(), sample.line),
                arguments: ["--arch", arch, "--hip", hip, "-j", "1", "-I", &dir, &file]
                    .map(String::from)
                    .to_vec(),
            });
        }
    }
    let failures = compile(&prefix, &jobs);
    assert!(
        failures.is_empty(),
        "{}\n{} of {} good samples do not compile",
        failures.join("\n"),
        failures.len(),
        jobs.len()
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

/// A line that `cargo test` shows although the test passes: captured output would hide what was not done.
fn note(text: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr().lock(), "\n{text}");
}
