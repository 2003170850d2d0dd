//! Folders in, folders out.

use super::{Dir, CUDA, UNSUPPORTED};

fn project() -> Dir {
    let dir = Dir::new();
    dir.put("p/main.cu", format!("#include \"ops/k.cuh\"\n{CUDA}"));
    dir.put(
        "p/ops/k.cuh",
        "#pragma once\n#include <cuda_runtime.h>\ninline void d(void *p) { cudaFree(p); }\n",
    );
    dir.put("p/Makefile", "all:\n\tnvcc main.cu\n");
    dir.put("p/data/x.bin", b"\x00\xffcudaMalloc");
    dir.put("p/.clang-format", "x\n").put("p/.git/HEAD", "x\n");
    dir
}

#[test]
fn the_whole_tree_is_written() {
    let dir = project();
    let (code, out, err) = dir.run("translate p -o out --keep-names");
    assert_eq!((code, out.as_str()), (0, ""), "{err}");
    assert_eq!(
        dir.names("out"),
        [".clang-format", "Makefile", "data/x.bin", "main.cu", "ops/k.cuh"]
    );
    assert!(dir.text("out/ops/k.cuh").contains("hipFree"));
    assert!(dir.text("out/main.cu").contains("hipMalloc"));
    assert_eq!(dir.bytes("out/data/x.bin"), dir.bytes("p/data/x.bin"));
    assert!(err.contains("5 files read, 2 changed, 3 copied as they are"), "{err}");
}

#[test]
fn cu_becomes_hip_and_clashes_are_refused() {
    let dir = project();
    assert_eq!(dir.run("translate p -o out").0, 0);
    assert!(dir.has("out/main.hip") && !dir.has("out/main.cu") && dir.has("out/ops/k.cuh"));
    dir.put("p/main.hip", "int x;\n");
    let (code, _, err) = dir.run("translate p -o out2");
    assert_eq!(code, 2);
    assert!(
        err.contains("would both be written") && err.contains("--keep-names"),
        "{err}"
    );
    assert!(!dir.has("out2"));
}

#[test]
fn twice_equals_once_and_touches_nothing() {
    let dir = project();
    dir.run("translate p -o one --keep-names");
    dir.run("translate one -o two --keep-names");
    assert_eq!(dir.all("one"), dir.all("two"));
    let stamp = |d: &Dir| {
        std::fs::metadata(d.path("one/ops/k.cuh"))
            .and_then(|m| m.modified())
            .expect("a time")
    };
    let before = stamp(&dir);
    dir.run("translate p -o one --keep-names");
    assert_eq!(stamp(&dir), before, "same contents are not written again");
}

#[test]
fn threads_do_not_show() {
    let dir = Dir::new();
    for i in 0..60 {
        dir.put(
            &format!("p/d{}/f{i}.cu", i % 7),
            format!("{UNSUPPORTED}// {i}\n{}", "int x;\n".repeat(i * 20)),
        );
    }
    let run = |jobs: &str| {
        let args = format!("translate p -o out{jobs} -j {jobs} --ledger l{jobs}.json --fail-on never");
        let human = dir.run(&args);
        let json = dir.run(&format!("{args} --output-format json"));
        (
            human,
            json,
            dir.all(&format!("out{jobs}")),
            dir.bytes(&format!("l{jobs}.json")),
        )
    };
    let (one, eight) = (run("1"), run("8"));
    assert_eq!(one.1 .1.lines().count(), 61);
    assert_eq!(one.1, eight.1);
    assert_eq!(one.0 .1, eight.0 .1);
    assert_eq!(one.0 .2.replace("out1", ""), eight.0 .2.replace("out8", ""));
    assert!(one.2 == eight.2 && one.3 == eight.3);
}

#[test]
fn output_inside_the_input() {
    let dir = project();
    let (code, _, err) = dir.run("translate p -o p/hip");
    assert_eq!(code, 2);
    assert!(
        err.contains("lies inside the input") && err.contains("--exclude 'hip/**'"),
        "{err}"
    );
    assert!(!dir.has("p/hip"));
    for _ in 0..2 {
        assert_eq!(dir.run("translate p -o p/hip --exclude hip/**").0, 0);
        assert!(dir.has("p/hip/main.hip") && !dir.has("p/hip/hip"));
    }
    dir.put("p/.gitignore", "build/\n");
    assert_eq!(dir.run("translate p -o p/build/x --exclude hip").0, 0);
    let (code, _, err) = dir.run("translate p -o p/../p");
    assert_eq!(code, 2);
    assert!(err.contains("is the input") && err.contains("--in-place"), "{err}");
}

#[test]
fn needs_a_place() {
    let dir = project();
    for args in ["translate p", "translate p/main.cu p/ops/k.cuh"] {
        let (code, _, err) = dir.run(args);
        assert_eq!(code, 2);
        assert!(err.contains("-o DIR"), "{err}");
    }
    dir.put("file", "");
    assert_eq!(dir.run("translate p -o file").0, 2);
}

#[test]
fn several_paths_keep_their_places() {
    let dir = project();
    dir.put("q/a.cu", CUDA);
    assert_eq!(dir.run("translate p/ops q -o out").0, 0);
    assert_eq!(dir.names("out"), ["p/ops/k.cuh", "q/a.hip"]);
}

#[test]
fn include_exclude_and_gitignore() {
    let dir = project();
    dir.put("p/third/t.cu", CUDA)
        .put("p/gone/g.cu", CUDA)
        .put("p/.gitignore", "gone\n");
    assert_eq!(dir.run("translate p -o out --exclude third").0, 0);
    assert_eq!(dir.text("out/third/t.cu"), CUDA, "copied as it is");
    assert!(!dir.has("out/gone"));
    assert_eq!(dir.run("translate p -o out2 --include *.cuh --keep-names").0, 0);
    assert_eq!(dir.text("out2/main.cu"), dir.text("p/main.cu"));
    assert!(dir.text("out2/ops/k.cuh").contains("hipFree"));
}

#[cfg(unix)]
#[test]
fn links_and_loops() {
    let dir = project();
    dir.link("p/ops/up", "..")
        .link("p/alias.cuh", "ops/k.cuh")
        .link("p/away", "/usr");
    let (code, _, err) = dir.run("translate p -o out --keep-names");
    assert_eq!(code, 0, "{err}");
    assert!(err.contains("warning: p/ops/up: link loop"), "{err}");
    assert!(err.contains("warning: p/away: link out of the tree"), "{err}");
    assert_eq!(dir.text("out/alias.cuh"), dir.text("out/ops/k.cuh"));
    assert!(!dir.has("out/ops/up") && !dir.has("out/away"));
}

#[cfg(unix)]
#[test]
fn links_from_the_output_to_the_input_are_refused() {
    let dir = project();
    dir.put("out/x", "")
        .link("out/main.cu", "../p/main.cu")
        .link("out/ops", "../p/ops");
    let before = dir.all("p");
    let (code, _, err) = dir.run("translate p -o out --keep-names");
    assert_eq!(code, 2);
    assert!(err.contains("over an input"), "{err}");
    assert_eq!(dir.all("p"), before);
}

#[cfg(unix)]
#[test]
fn an_unreadable_file_costs_only_itself() {
    let dir = project();
    dir.link("p/broken.cu", "nowhere.cu");
    let (code, _, err) = dir.run("translate p -o out");
    assert_eq!(code, 2);
    assert!(
        err.contains("error: cannot read p/broken.cu: no such file or directory"),
        "{err}"
    );
    assert_eq!(err.matches("broken.cu").count(), 1, "{err}");
    assert!(dir.text("out/main.hip").contains("hipMalloc"), "the others are done");
    let (code, out, _) = dir.run("check p --output-format json");
    assert_eq!(code, 0, "check passes over links: {out}");
    let (code, out, _) = dir.run("check p/broken.cu --output-format json");
    assert_eq!(code, 2);
    assert!(
        out.starts_with("{\"type\":\"error\",\"schema\":1,\"path\":\"p/broken.cu\",\"message\":\"cannot read "),
        "{out}"
    );
}

#[test]
fn a_blocked_place_costs_only_itself() {
    let dir = project();
    dir.put("out/main.cu/in-the-way", "");
    let (code, _, err) = dir.run("translate p -o out --keep-names");
    assert_eq!(code, 2);
    assert!(err.contains("cannot write out/main.cu"), "{err}");
    assert!(dir.text("out/ops/k.cuh").contains("hipFree"));
    assert!(
        dir.names("out").iter().all(|n| !n.contains(".tranship-")),
        "no temporary file stays"
    );
}

#[cfg(unix)]
#[test]
fn permissions_are_kept() {
    use std::os::unix::fs::PermissionsExt;
    let dir = project();
    dir.put("p/run.sh", "#!/bin/sh\n");
    let mode = |n: &str| std::fs::metadata(dir.path(n)).expect("there").permissions().mode() & 0o777;
    for (name, bits) in [("p/run.sh", 0o755), ("p/main.cu", 0o640)] {
        std::fs::set_permissions(dir.path(name), std::fs::Permissions::from_mode(bits)).expect("own file");
    }
    assert_eq!(dir.run("translate p -o out").0, 0);
    assert_eq!((mode("out/run.sh"), mode("out/main.hip")), (0o755, 0o640));
}

#[test]
fn dry_run_says_where() {
    let dir = project();
    let (code, out, _) = dir.run("translate p -o out --dry-run");
    assert_eq!(code, 0);
    assert!(out.contains("translate p/main.cu -> out/main.hip\n"), "{out}");
    assert!(out.contains("copy p/Makefile -> out/Makefile\n"), "{out}");
    assert!(!dir.has("out"));
}
