//! `tranship compat`: untouched CUDA sources and the generated header, compiled for AMD where the ROCm headers of
//! `scripts/rocm-setup.sh` are laid ($TRANSHIP_ROCM, default ~/.cache/tranship/rocm).

mod common;

use std::fs;
use std::path::Path;
use std::process::Command;

/// Most fixtures compiled: each takes seconds.
const MOST: usize = 8;

/// Runs `compat` on a file or folder; the exit code and the findings, one a line.
fn compat(input: &Path, out: &Path, more: &[&str]) -> (i32, String) {
    let run = Command::new(env!("CARGO_BIN_EXE_tranship"))
        .args(["compat", "--output-format", "short", "--quiet", "--rocm", "6.4", "-o"])
        .arg(out)
        .arg(input)
        .args(more)
        .output()
        .expect("the binary starts");
    let text = String::from_utf8_lossy(&run.stdout).into_owned();
    (run.status.code().unwrap_or(-1), text)
}

#[test]
fn only_the_names_used_and_the_sources_untouched() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let (source, out) = (dir.path().join("a.cu"), dir.path().join("out"));
    let text = "#include <cuda_runtime.h>\n__global__ void k(int *p) { p[0] = __popc(__ballot_sync(~0u, p[1])); }\n\
                void f(int *p) { cudaMalloc(&p, 4); k<<<1, 32>>>(p); }\n";
    fs::write(&source, text).expect("a file");
    let (code, said) = compat(&source, &out, &[]);
    assert_eq!((code, said.as_str()), (0, ""));
    assert_eq!(fs::read_to_string(&source).expect("the source"), text);
    let header = fs::read_to_string(out.join("tranship/compat.hpp")).expect("the header");
    for line in [
        "#define cudaMalloc hipMalloc",
        "#define __popc tranship::popc",
        "#define __ballot_sync tranship::ballot_sync",
        "#include \"warp.hpp\"",
    ] {
        assert!(header.contains(line), "no {line} in\n{header}");
    }
    assert_eq!(header.matches("#define").count(), 3, "{header}");
    let forward = fs::read_to_string(out.join("cuda_runtime.h")).expect("the forwarding header");
    assert!(forward.contains("tranship/compat.hpp"));
}

#[test]
fn what_no_header_can_fix_is_said() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let source = dir.path().join("a.cu");
    let text = "#include <cuda_runtime.h>\n__device__ unsigned f() { unsigned x; asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(x)); return x; }\n\
                __device__ int g() { return warpSize; }\nint h(cudaDeviceProp p) { return p.warpSize; }\n";
    fs::write(&source, text).expect("a file");
    let (code, said) = compat(&source, &dir.path().join("out"), &[]);
    assert_eq!(code, 1);
    assert!(said.contains("a.cu:2:") && said.contains("`asm`"), "{said}");
    assert!(said.contains("a.cu:3:") && said.contains("`warpSize`"), "{said}");
}

#[test]
fn a_file_of_ones_own_is_not_overwritten() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let source = dir.path().join("a.cu");
    fs::write(&source, "#include <cuda_runtime.h>\n").expect("a file");
    fs::write(dir.path().join("cuda_runtime.h"), "mine\n").expect("a file");
    let (code, _) = compat(&source, dir.path(), &[]);
    assert_eq!(code, 2);
    assert_eq!(fs::read(dir.path().join("cuda_runtime.h")).expect("mine"), b"mine\n");
}

/// Fixtures without an error finding compile from their untouched sources: those whose header includes what no compiled
/// header before it did, to keep the test short.
#[test]
fn untouched_fixtures_compile() {
    let prefix = common::hipcheck::prefix();
    let dir = tempfile::tempdir().expect("a temporary folder");
    let (mut failures, mut compiled) = (Vec::new(), 0);
    let mut seen = std::collections::BTreeSet::new();
    for fixture in common::all() {
        // Fixtures that are not for compiling, or not for this target, say so themselves.
        let lines = fixture.compile_lines();
        if lines.iter().any(|l| l.starts_with("none") || l.starts_with("only")) {
            continue;
        }
        let input = if fixture.is_tree() {
            fixture.dir.join("in")
        } else {
            fixture.dir.join("input.cu")
        };
        let out = dir.path().join(&fixture.name);
        let (_, said) = compat(&input, &out, &["--fail-on", "never"]);
        let Some(prefix) = prefix.as_ref().filter(|_| !said.contains(": error[")) else {
            continue;
        };
        let header = fs::read_to_string(out.join("tranship/compat.hpp")).expect("the header");
        let new = header
            .lines()
            .filter(|l| l.starts_with("#include"))
            .filter(|l| seen.insert(l.to_string()))
            .count();
        if new == 0 || compiled == MOST {
            continue;
        }
        let mut command = Command::new("python3");
        command
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/hipcheck"))
            .args(["--arch", "gfx942", "-j", "2", "--flag=-include"])
            .arg(format!("--flag={}", out.join("tranship/compat.hpp").display()))
            .arg("-I")
            .arg(&out)
            .env("TRANSHIP_ROCM", prefix);
        for flag in lines.iter().filter_map(|l| l.strip_prefix("flag ")) {
            command.arg(format!("--flag={flag}"));
        }
        if fixture.is_tree() {
            command.arg("-I").arg(&input);
        }
        let sources = fixture
            .inputs()
            .into_keys()
            .filter(|p| p.ends_with(".cu") || p.ends_with(".cpp"));
        for path in sources {
            command.arg(if fixture.is_tree() {
                input.join(path)
            } else {
                input.clone()
            });
        }
        let run = command.output().expect("python3 starts");
        compiled += 1;
        if !run.status.success() {
            failures.push(format!("{}: {}", fixture.name, String::from_utf8_lossy(&run.stdout)));
        }
    }
    assert!(
        failures.is_empty(),
        "{}\n{} of {compiled} failed",
        failures.join("\n"),
        failures.len()
    );
}
