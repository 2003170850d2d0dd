//! Occupancy: figures worked out by hand from the rules in `src/targets/occupancy.rs`, and the compiler's own remark.

#[allow(dead_code)] // only where ROCm is
#[path = "common/hipcheck.rs"]
mod hipcheck;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use tranship::targets::{code_object, find, occupancy};

/// `arch wave threads vgpr agpr sgpr lds | vgprs given, workgroups, waves per SIMD, limited by`. RDNA in WGP mode.
const WORKED: &str = "
gfx906 64 128 40 0 30 0        | 40 12 6 registers
gfx906 64 64 24 0 86 0         | 24 36 9 registers
gfx908 64 256 60 100 20 0      | 100 2 2 registers
gfx90a 64 256 90 0 50 0        | 96 5 5 registers
gfx90a 64 256 90 10 50 0       | 104 4 4 registers
gfx90a 64 128 16 0 20 100      | 16 16 8 registers, barriers, wave slots
gfx90a 64 192 16 0 20 0        | 16 10 7 registers, wave slots
gfx942 64 64 32 0 20 4097      | 32 14 3 lds
gfx942 64 512 64 0 50 16384    | 64 4 8 registers, lds, wave slots
gfx942 64 1024 128 0 50 512    | 128 1 4 registers
gfx950 64 256 60 0 50 20480    | 64 8 8 registers, lds, wave slots
gfx950 64 256 60 0 50 20481    | 64 7 7 lds
gfx950 64 512 200 0 50 131072  | 200 1 2 registers, lds
gfx1030 32 128 90 0 0 0        | 96 10 10 registers
gfx1030 64 128 90 0 0 0        | 96 10 5 registers
gfx1100 32 64 128 0 0 8192     | 144 16 8 lds
gfx1201 32 1024 97 0 0 65536   | 120 1 8 registers
";

#[test]
fn worked_examples() {
    for line in WORKED.lines().filter(|l| !l.is_empty()) {
        let (given, want) = line.split_once('|').expect("a bar");
        let words: Vec<&str> = given.split_whitespace().collect();
        let n = |i: usize| words[i].parse::<u32>().expect("a number");
        let target = find(words[0]).expect("a target");
        let usage = occupancy::Usage {
            wavefront: n(1),
            threads: n(2),
            vgprs: n(3),
            agprs: n(4),
            sgprs: n(5),
            lds: n(6),
            cu_mode: false,
        };
        let o = occupancy::of(target, &usage).unwrap_or_else(|e| panic!("{line}: {e}"));
        let limits: Vec<&str> = o.limited_by().iter().map(|l| l.name()).collect();
        let got = format!(
            "{} {} {} {}",
            o.vgprs_given,
            o.workgroups,
            o.waves_per_simd,
            limits.join(", ")
        );
        assert_eq!(got, want.trim(), "{line}");
    }
}

#[test]
fn the_next_step_lets_one_more_in_and_no_smaller_one_does() {
    let target = find("gfx942").expect("a target");
    for (vgprs, lds) in [(96, 20480), (120, 0), (64, 33000), (250, 60000), (128, 16385)] {
        let usage = occupancy::Usage {
            threads: 256,
            vgprs,
            agprs: 0,
            sgprs: 20,
            lds,
            wavefront: 64,
            cu_mode: false,
        };
        let before = occupancy::of(target, &usage).expect("it fits");
        let with = |more: u32| {
            let mut u = usage;
            for step in occupancy::next_step(target, &usage, &before) {
                let at_most = step.at_most.expect("there is a way") + more;
                match step.limit {
                    occupancy::Limit::Lds => u.lds = at_most,
                    _ => u.vgprs = at_most,
                }
            }
            occupancy::of(target, &u).expect("it fits").workgroups
        };
        assert!(with(0) > before.workgroups, "{vgprs} {lds}");
        assert_eq!(with(1), before.workgroups, "{vgprs} {lds}");
    }
}

#[test]
fn what_cannot_be_launched_is_refused() {
    let usage = |threads, vgprs, lds| occupancy::Usage {
        threads,
        vgprs,
        agprs: 0,
        sgprs: 0,
        lds,
        wavefront: 64,
        cu_mode: false,
    };
    let (mi300, mi350) = (find("gfx942").expect("known"), find("gfx950").expect("known"));
    assert!(occupancy::of(mi300, &usage(256, 32, 65537)).is_err());
    assert!(occupancy::of(mi350, &usage(256, 32, 65537)).is_ok());
    assert!(occupancy::of(mi350, &usage(256, 32, 163841)).is_err());
    assert!(occupancy::of(mi300, &usage(1025, 32, 0)).is_err());
    assert!(occupancy::of(mi300, &usage(0, 32, 0)).is_err());
    assert!(occupancy::of(mi300, &usage(64, 513, 0)).is_err());
    let mut wave32 = usage(64, 32, 0);
    wave32.wavefront = 32;
    assert!(occupancy::of(mi300, &wave32).is_err());
}

/// Bytes that are no code object, cut or changed ones too, are refused and never a panic.
#[test]
fn broken_files_are_refused() {
    let bundle = b"__CLANG_OFFLOAD_BUNDLE__\xff\xff\xff\xff\xff\xff\xff\xff\x01".to_vec();
    for bytes in [
        &b""[..],
        b"\x7fELF",
        b"CCOB\x01",
        b"text",
        &bundle,
        &[0x7f, b'E', b'L', b'F', 2, 1, 1, 0, 9],
    ] {
        let kernels = code_object::kernels(bytes);
        assert!(kernels.is_err() || kernels.is_ok_and(|k| k.is_empty()));
    }
}

/// The compiler's remark and metadata of `tests/occupancy/kernels.hip` against the figures computed here. Where there
/// are no ROCm headers nothing is compiled and a line says so; TRANSHIP_REQUIRE_ROCM=1 makes that a failure.
#[test]
fn figures_are_the_compilers() {
    let Some(prefix) = hipcheck::prefix() else {
        eprintln!("occupancy: NOTHING WAS COMPILED: scripts/rocm-setup.sh gets the ROCm headers");
        return;
    };
    let mut compared = 0;
    for arch in ["gfx90a", "gfx942", "gfx950", "gfx1100"] {
        let target = find(arch).expect("a target");
        let (object, remarks) = compile(&prefix, arch, target.wavefront);
        let kernels = code_object::kernels(&object).unwrap_or_else(|e| panic!("{arch}: {e}"));
        assert_eq!(kernels.len(), remarks.len());
        for k in &kernels {
            let remark = &remarks[&k.name];
            let got = occupancy::compiler(target, &k.usage(target, k.most_threads, 0), 1, k.most_threads);
            assert_eq!(remark["Occupancy [waves/SIMD]"], got, "{arch} {}", k.name);
            assert_eq!(remark["LDS Size [bytes/block]"], k.lds, "{arch} {}", k.name);
            assert_eq!(k.arch, arch);
            compared += 1;
        }
    }
    assert!(compared >= 40, "{compared} kernels");
}

/// The code object, and the remark's figures by kernel.
fn compile(prefix: &Path, arch: &str, wave: u32) -> (Vec<u8>, BTreeMap<String, BTreeMap<String, u32>>) {
    let object = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("occupancy.{arch}.o"));
    let output = Command::new(prefix.join("llvm/bin/clang++"))
        .args([
            "-x",
            "hip",
            "--cuda-device-only",
            "-c",
            "-O1",
            "-w",
            "-fno-caret-diagnostics",
        ])
        .arg("-Rpass-analysis=kernel-resource-usage")
        .arg(format!("--offload-arch={arch}"))
        .arg(format!("--rocm-path={}", prefix.display()))
        .arg(format!(
            "--rocm-device-lib-path={}",
            prefix.join("amdgcn/bitcode").display()
        ))
        .arg("-isystem")
        .arg(prefix.join("include"))
        .arg(format!("-D__AMDGCN_WAVEFRONT_SIZE={wave}"))
        .arg(format!("-D__AMDGCN_WAVEFRONT_SIZE__={wave}"))
        .arg("-o")
        .arg(&object)
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/occupancy/kernels.hip"))
        .output()
        .expect("the compiler starts");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arch}: {text}");
    let (mut remarks, mut name) = (BTreeMap::new(), String::new());
    for line in text.lines().filter_map(|l| l.split_once("remark: ")) {
        let Some((key, value)) = line.1.split_once(": ") else {
            continue;
        };
        let value = value.split(' ').next().unwrap_or("");
        if key == "Function Name" {
            name = value.to_string();
            remarks.insert(name.clone(), BTreeMap::new());
        } else if let (Ok(n), Some(of)) = (value.parse(), remarks.get_mut(&name)) {
            of.insert(key.trim().to_string(), n);
        }
    }
    (std::fs::read(object).expect("the compiler wrote it"), remarks)
}
