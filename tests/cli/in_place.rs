//! `--in-place`: nothing is lost.

use super::{Dir, CUDA};

fn repository() -> Dir {
    let dir = Dir::new();
    dir.put("a.cu", CUDA).put("b.cu", CUDA).put("plain.h", "int x;\n");
    dir.git("init -q .");
    dir.git("add .");
    dir.git("commit -q -m start");
    dir
}

#[test]
fn only_what_changes_is_written() {
    let dir = repository();
    let before = std::fs::metadata(dir.path("plain.h"))
        .and_then(|m| m.modified())
        .expect("a time");
    let (code, out, err) = dir.run("translate --in-place .");
    assert_eq!((code, out.as_str()), (0, ""), "{err}");
    assert!(dir.text("a.cu").contains("hipMalloc") && dir.text("b.cu").contains("hipMalloc"));
    assert_eq!(
        std::fs::metadata(dir.path("plain.h"))
            .and_then(|m| m.modified())
            .expect("a time"),
        before
    );
    assert!(!dir.has("a.cu.orig"));
    // What was rewritten has uncommitted changes now, but nothing more would change: no refusal.
    assert_eq!(dir.run("translate --in-place .").0, 0);
}

#[test]
fn uncommitted_changes_are_refused() {
    let dir = repository();
    dir.put("b.cu", format!("{CUDA}// mine\n"));
    let (code, _, err) = dir.run("translate --in-place a.cu b.cu");
    assert_eq!(code, 2);
    assert!(
        err.contains("b.cu") && !err.contains("a.cu") && err.contains("--allow-dirty"),
        "{err}"
    );
    assert_eq!(dir.text("a.cu"), CUDA, "nothing is written");
    assert_eq!(
        dir.run("translate --in-place a.cu").0,
        0,
        "another file's changes do not matter"
    );
    assert_eq!(dir.run("translate --in-place --allow-dirty b.cu").0, 0);
    assert!(dir.text("b.cu").ends_with("// mine\n"));
}

#[test]
fn untracked_files_are_refused_too() {
    let dir = repository();
    dir.put("new file.cu", CUDA);
    let out = dir
        .command("translate --in-place")
        .arg("new file.cu")
        .output()
        .expect("started");
    assert_eq!(out.status.code(), Some(2));
    let out = dir
        .command("translate --in-place --backup")
        .arg("new file.cu")
        .output()
        .expect("started");
    assert_eq!(out.status.code(), Some(0));
    assert_eq!(dir.text("new file.cu.orig"), CUDA);
}

#[test]
fn backup_never_overwrites() {
    let dir = Dir::new();
    dir.put("a.cu", CUDA).put("b.cu", CUDA).put("a.cu.orig", "precious\n");
    let (code, _, err) = dir.run("translate --in-place --backup a.cu b.cu");
    assert_eq!(code, 2);
    assert!(err.contains("backup a.cu.orig exists"), "{err}");
    assert_eq!(
        (dir.text("a.cu.orig").as_str(), dir.text("a.cu").as_str()),
        ("precious\n", CUDA)
    );
    assert_eq!(dir.text("b.cu.orig"), CUDA);
    assert!(dir.text("b.cu").contains("hipMalloc"), "the other is done");
    assert_eq!(
        dir.run("translate --in-place --backup b.cu").0,
        0,
        "nothing to change, nothing to keep"
    );
}

#[test]
fn outside_a_repository() {
    let dir = Dir::new();
    dir.put("a.cu", CUDA);
    assert_eq!(dir.run("translate --in-place a.cu").0, 0);
    assert!(dir.text("a.cu").contains("hipMalloc"));
}

#[cfg(unix)]
#[test]
fn read_only_files_and_links() {
    use std::os::unix::fs::PermissionsExt;
    let dir = Dir::new();
    dir.put("d/a.cu", CUDA).put("d/b.cu", CUDA).link("d/alias.cu", "b.cu");
    std::fs::set_permissions(dir.path("d/a.cu"), std::fs::Permissions::from_mode(0o444)).expect("own file");
    let (code, _, err) = dir.run("translate --in-place d");
    assert_eq!(code, 2);
    assert!(err.contains("d/a.cu: the file is read-only"), "{err}");
    assert_eq!(dir.text("d/a.cu"), CUDA);
    assert!(dir.text("d/b.cu").contains("hipMalloc"));
    assert!(dir.path("d/alias.cu").symlink_metadata().expect("there").is_symlink());
}

#[test]
fn shims_go_to_the_top_of_the_repository() {
    let dir = repository();
    let text = "#include <cuda_runtime.h>\n__global__ void k(int *p) { *p = __shfl_sync(0xffffffffu, *p, 0); }\n";
    dir.put("deep/er/w.cu", text);
    assert_eq!(
        dir.run("translate --in-place --allow-dirty --rocm 6.4 deep/er/w.cu").0,
        0
    );
    assert!(dir.has("tranship/warp.hpp"));
}
