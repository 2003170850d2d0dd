//! The command line from outside: exit codes, streams, files. Each test has a folder of its own.

mod control;
mod formats;
mod in_place;
mod single;
mod tree;

use assert_cmd::Command;
use std::path::{Path, PathBuf};

/// A file that changes.
const CUDA: &str = "#include <cuda_runtime.h>\nint f(void **p) { return cudaMalloc(p, 4); }\n";
/// A file with a name that HIP lacks: an error.
const UNSUPPORTED: &str = "#include <cuda_runtime.h>\nint g() { return cudaArrayGetPlane(0, 0, 0); }\n";

/// A temporary folder to run in.
struct Dir(tempfile::TempDir);

impl Dir {
    fn new() -> Self {
        Dir(tempfile::tempdir().expect("a temporary folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn put(&self, name: &str, text: impl AsRef<[u8]>) -> &Self {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
        self
    }

    #[track_caller]
    fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    #[track_caller]
    fn text(&self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).expect("UTF-8")
    }

    fn has(&self, name: &str) -> bool {
        self.path(name).symlink_metadata().is_ok()
    }

    #[cfg(unix)]
    fn link(&self, name: &str, to: impl AsRef<Path>) -> &Self {
        std::os::unix::fs::symlink(to, self.path(name)).expect("a link");
        self
    }

    fn command(&self, args: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tranship"));
        command.current_dir(self.0.path()).args(args.split_whitespace());
        command.env_remove("NO_COLOR").env_remove("FORCE_COLOR");
        command
    }

    /// Runs; returns exit code, standard output, standard error.
    #[track_caller]
    fn run(&self, args: &str) -> (i32, String, String) {
        let out = self.command(args).output().expect("the program starts");
        (
            out.status.code().expect("no signal"),
            String::from_utf8_lossy(&out.stdout).into_owned(),
            String::from_utf8_lossy(&out.stderr).into_owned(),
        )
    }

    fn git(&self, args: &str) {
        let mut git = std::process::Command::new("git");
        git.current_dir(self.0.path())
            .args(["-c", "user.name=t", "-c", "user.email=t@example.com"]);
        let out = git.args(args.split_whitespace()).output().expect("git starts");
        assert!(
            out.status.success(),
            "git {args}: {}",
            String::from_utf8_lossy(&out.stderr)
        );
    }

    /// Every file below a folder with its contents, sorted.
    fn all(&self, name: &str) -> Vec<(String, Vec<u8>)> {
        fn walk(dir: &Path, top: &Path, out: &mut Vec<(String, Vec<u8>)>) {
            for entry in std::fs::read_dir(dir).expect("a folder") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    walk(&path, top, out);
                } else {
                    let name = path.strip_prefix(top).expect("below").display().to_string();
                    out.push((name, std::fs::read(&path).expect("a file")));
                }
            }
        }
        let mut out = Vec::new();
        walk(&self.path(name), &self.path(name), &mut out);
        out.sort();
        out
    }

    fn names(&self, name: &str) -> Vec<String> {
        self.all(name).into_iter().map(|(n, _)| n).collect()
    }
}

#[test]
fn help_names_the_exit_codes() {
    let (code, out, _) = Dir::new().run("translate --help");
    assert_eq!(code, 0);
    assert!(out.contains("Exit codes:") && out.contains("--fail-on"), "{out}");
}

#[test]
fn version() {
    let (code, out, _) = Dir::new().run("--version");
    assert_eq!((code, out), (0, format!("tranship {}\n", env!("CARGO_PKG_VERSION"))));
}

#[test]
fn wrong_usage_is_2() {
    let dir = Dir::new();
    dir.put("a.cu", CUDA);
    for args in [
        "",
        "translate",
        "translate --no-such a.cu",
        "translate a.cu --backup",
        "translate a.cu --in-place -o b",
        "translate a.cu -j 0",
        "translate a.cu --exclude a[",
        "translate - a.cu",
        "translate - --in-place",
        "explain no-such-finding",
        "rules noSuchName",
        "shims emit no-such-unit -o .",
    ] {
        let (code, out, err) = dir.run(args);
        assert_eq!((code, out.as_str()), (2, ""), "{args}");
        assert!(!err.is_empty(), "{args}");
    }
}

#[test]
fn unknown_arch_names_the_nearest_and_the_known() {
    let dir = Dir::new();
    dir.put("a.cu", CUDA);
    let (code, _, err) = dir.run("check a.cu --arch gfx942,gfx1101x");
    assert_eq!(code, 2);
    assert!(err.contains("did you mean gfx1101?") && err.contains("gfx90a"), "{err}");
}

#[test]
fn unknown_rocm_names_the_known() {
    let dir = Dir::new();
    dir.put("a.cu", CUDA);
    let (code, _, err) = dir.run("check a.cu --rocm 5.0");
    assert_eq!(code, 2);
    assert!(
        err.contains("unknown ROCm release '5.0'") && err.contains("6.4"),
        "{err}"
    );
}

#[test]
fn targets_table_and_json() {
    let dir = Dir::new();
    let (code, out, _) = dir.run("targets");
    assert_eq!(code, 0);
    assert!(out.contains("gfx942") && out.contains("ROCm releases: 6.4"), "{out}");
    let (_, out, _) = dir.run("targets --output-format json");
    for line in out.lines() {
        let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(value["type"], "target");
        assert!(value["wavefront"].as_u64().is_some_and(|w| w == 32 || w == 64));
    }
}

#[test]
fn explain_by_name_code_and_list() {
    let dir = Dir::new();
    let (code, by_name, _) = dir.run("explain partial-parse");
    assert_eq!(code, 0);
    assert!(by_name.starts_with("TSX001 partial-parse (warning)\n\n# "), "{by_name}");
    assert_eq!(dir.run("explain tsx001").1, by_name);
    assert!(dir
        .run("explain --list")
        .1
        .contains("TSX001  warning  partial-parse              A region that does not parse\n"));
    let (_, symbol, _) = dir.run("explain tex2D");
    assert!(symbol.contains("texture-unsupported, gfx942, gfx950: "), "{symbol}");
    let (code, family, _) = dir.run("explain TSX");
    assert!(code == 0 && family.lines().all(|l| l.starts_with("TSX00")), "{family}");
    let (_, json, _) = dir.run("explain TSX001 --output-format json");
    let value: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(value["name"], "partial-parse");
    let (code, _, err) = dir.run("explain partial-pares");
    assert_eq!(code, 2);
    assert!(err.contains("Did you mean partial-parse?"), "{err}");
}

#[test]
fn shims_emit_says_who_made_them() {
    let dir = Dir::new();
    assert!(dir.run("shims list").1.contains("warp"));
    let (code, out, _) = dir.run("shims emit warp -o inc");
    assert_eq!((code, out.contains("inc/tranship/warp.hpp")), (0, true), "{out}");
    let text = dir.text("inc/tranship/warp.hpp");
    let version = env!("CARGO_PKG_VERSION");
    assert!(text.starts_with(&format!(
        "// generated by tranship {version}; regenerate with: tranship shims emit warp"
    )));
    dir.put("own/tranship/warp.hpp", "mine\n");
    let (code, _, err) = dir.run("shims emit warp -o own");
    assert_eq!(code, 2);
    assert!(err.contains("was not generated by tranship"), "{err}");
    assert_eq!(dir.text("own/tranship/warp.hpp"), "mine\n");
}

#[test]
fn targets_side_by_side() {
    let dir = Dir::new();
    let (code, out, _) = dir.run("targets MI355X sm_100");
    assert_eq!(code, 0);
    assert!(out.contains("Instinct MI355X") && out.contains("B200"), "{out}");
    let (_, out, _) = dir.run("targets gfx950 b200 --output-format json");
    let values: Vec<serde_json::Value> = out.lines().map(|l| serde_json::from_str(l).expect("JSON")).collect();
    assert_eq!(values[0]["lds_bytes"], 163840);
    assert_eq!(
        (&values[1]["vendor"], &values[1]["name"]),
        (&"NVIDIA".into(), &"sm_100".into())
    );
    assert!(values
        .iter()
        .all(|v| v["sources"].as_array().is_some_and(|s| !s.is_empty())));
    let (code, _, err) = dir.run("targets MI355Y");
    assert_eq!(code, 2);
    assert!(err.contains("Did you mean"), "{err}");
}

#[test]
fn occupancy_in_both_formats() {
    let dir = Dir::new();
    let (code, out, _) = dir.run("occupancy --arch gfx942 --block 256 --vgpr 96 --lds 20480");
    assert_eq!(code, 0);
    assert!(
        out.contains("3 per CU") && out.contains("at most 16384 bytes of LDS"),
        "{out}"
    );
    let (_, out, _) = dir.run("occupancy --arch gfx942 --block 256 --vgpr 96 --lds 20480 --output-format json");
    let value: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(value["waves_per_simd"], 3);
    assert_eq!(value["workgroups_per_cu"], 3);
    assert_eq!(value["limited_by"], "lds");
    assert_eq!(value["next_step"][0]["at_most"], 16384);
    let (code, _, err) = dir.run("occupancy --arch gfx942 --block 256 --vgpr 96 --lds 70000");
    assert_eq!(code, 2);
    assert!(err.contains("70000") && err.contains("65536"), "{err}");
}
