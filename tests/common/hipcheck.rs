//! The ROCm headers, and calls of `scripts/hipcheck`, several at a time.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;

/// Compilers at a time.
const JOBS: usize = 2;

/// Where the ROCm headers are; `None` where they are not laid, which TRANSHIP_REQUIRE_ROCM=1 makes a failure.
pub fn prefix() -> Option<PathBuf> {
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
    rocm.then_some(prefix)
}

/// One call.
pub struct Job {
    pub label: String,
    pub arguments: Vec<String>,
}

/// Runs the jobs, [`JOBS`] at a time; the failures in the order of the jobs.
pub fn compile(prefix: &Path, jobs: &[Job]) -> Vec<String> {
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
