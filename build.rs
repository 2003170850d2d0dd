//! Compiles `rules/` into static tables, so that nothing is parsed at start-up. Each submodule reads one kind of
//! rule file and writes one Rust file into `OUT_DIR`; a malformed rule file stops the build with its path.

#[path = "build/api.rs"]
mod api;
#[path = "build/calls.rs"]
mod calls;
#[path = "build/codes.rs"]
mod codes;
#[path = "build/compat.rs"]
mod compat;
#[path = "build/defined.rs"]
mod defined;
#[path = "build/guards.rs"]
mod guards;
#[path = "build/nvrtc.rs"]
mod nvrtc;
#[path = "build/ptx.rs"]
mod ptx;
#[path = "build/remarks.rs"]
mod remarks;
#[path = "build/shims.rs"]
mod shims;
#[path = "build/targets.rs"]
mod targets;

use std::path::{Path, PathBuf};

fn main() {
    println!("cargo:rerun-if-changed=rules");
    println!("cargo:rerun-if-changed=build");
    let rules = Path::new("rules");
    write("api.rs", &api::compile(rules));
    write("calls.rs", &calls::compile(rules));
    write("compat.rs", &compat::compile(rules));
    write("defined.rs", &defined::compile(rules));
    write("guards.rs", &guards::compile(rules));
    write("ptx.rs", &ptx::compile(rules));
    write("nvrtc.rs", &nvrtc::compile(rules));
    write("remarks.rs", &remarks::compile(rules));
    write("targets.rs", &targets::compile(rules));
    write("codes.rs", &codes::compile(rules));
    write("shims.rs", &shims::compile(rules));
}

fn write(name: &str, text: &str) {
    let dir = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    std::fs::write(dir.join(name), text).unwrap_or_else(|e| panic!("{name}: {e}"));
}

/// The files of a folder with that ending, sorted; none where there is no such folder.
fn files(dir: &Path, ending: &str) -> Vec<PathBuf> {
    let mut v: Vec<PathBuf> = std::fs::read_dir(dir)
        .map(|d| d.filter_map(|e| e.ok()).map(|e| e.path()).collect())
        .unwrap_or_default();
    v.retain(|p| p.file_name().is_some_and(|n| n.to_string_lossy().ends_with(ending)));
    v.sort();
    v
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Reads a TOML file into `T`, or stops the build naming the file.
fn toml<T: serde::de::DeserializeOwned>(path: &Path) -> T {
    ::toml::from_str(&read(path)).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn stem(path: &Path) -> String {
    path.file_stem()
        .expect("a file has a name")
        .to_string_lossy()
        .into_owned()
}
