//! Which findings count: configuration, options, ignore comments, the baseline; and what fixes change.

use super::{Dir, UNSUPPORTED};

/// An error and a note.
const TWO: &str = "#include <cuda_runtime.h>\n\
                   void f() { cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte); }\n\
                   int g() { return cudaArrayGetPlane(0, 0, 0); }\n";

/// The names of the findings in short form, in order.
fn names(out: &str) -> Vec<&str> {
    out.lines()
        .filter_map(|l| l.split_once('[')?.1.split_once(']').map(|p| p.0))
        .collect()
}

#[track_caller]
fn check(dir: &Dir, args: &str) -> (i32, String, String) {
    dir.run(&format!("check --output-format short -q {args}"))
}

#[test]
fn select_and_ignore() {
    let dir = Dir::new();
    dir.put("a.cu", TWO);
    let shown = |args: &str| {
        let (code, out, _) = check(&dir, args);
        (code, names(&out).join(" "))
    };
    assert_eq!(shown("a.cu"), (1, "no-effect unsupported-api".into()));
    assert_eq!(shown("a.cu --ignore unsupported-api"), (0, "no-effect".into()));
    assert_eq!(shown("a.cu --select TSA009,inline-ptx"), (0, "no-effect".into()));
    assert_eq!(shown("a.cu --select TSA --ignore tsa001"), (0, "no-effect".into()));
    assert_eq!(shown("a.cu --select TSP"), (0, "".into()));
    assert_eq!(shown("a.cu --ignore unsupported-api --fail-on note").0, 1);
    let (code, _, err) = check(&dir, "a.cu --select unsuported-api");
    assert!(code == 2 && err.contains("did you mean unsupported-api?"), "{err}");
}

#[test]
fn configuration_nearest_upward() {
    let dir = Dir::new();
    dir.put("p/src/a.cu", TWO).put("p/vendor/b.cu", TWO);
    dir.put(
        "p/tranship.toml",
        "arch = ['gfx1100']\nexclude = ['vendor']\nfail-on = 'never'\n[levels]\nno-effect = 'warning'\n\
         [per-file-ignores]\n'src/*' = ['unsupported-api']\n",
    );
    let (code, out, _) = check(&dir, "p");
    assert_eq!((code, out.lines().count()), (0, 1), "{out}");
    assert!(out.contains("p/src/a.cu:2:12: warning[no-effect]"), "{out}");
    // The same from within, and for one file.
    let (_, out, _) = check(&dir, "p/src/a.cu");
    assert!(
        out.contains("warning[no-effect]") && !out.contains("unsupported-api"),
        "{out}"
    );
    // The command line comes first; --select lets the file's `ignore` go, not its per-file ones.
    assert_eq!(check(&dir, "p --fail-on warning").0, 1);
    let (_, out, _) = check(&dir, "p --no-config");
    assert_eq!(out.lines().count(), 4, "{out}");
    dir.put("q.toml", "ignore = ['all']");
    assert_eq!(check(&dir, "p --config q.toml").1, "");
    let (_, out, _) = check(&dir, "p/src --config q.toml --select no-effect");
    assert_eq!(names(&out), ["no-effect"]);
}

#[test]
fn configuration_in_pyproject_and_its_faults() {
    let dir = Dir::new();
    dir.put("a.cu", TWO);
    dir.put("pyproject.toml", "[project]\nname = 'x'\n");
    assert_eq!(check(&dir, "a.cu").0, 1);
    dir.put(
        "pyproject.toml",
        "[project]\nname = 'x'\n\n[tool.tranship]\nignore = ['unsupported-api']\n",
    );
    assert_eq!(check(&dir, "a.cu").0, 0);
    dir.put(
        "pyproject.toml",
        "[project]\nname = 'x'\n\n[tool.tranship]\nignored = ['unsupported-api']\n",
    );
    let (code, out, err) = check(&dir, "a.cu");
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(
        err.contains("pyproject.toml:5:1: unknown key 'ignored'; did you mean 'ignore'?"),
        "{err}"
    );
    // tranship.toml comes first.
    dir.put("tranship.toml", "");
    assert_eq!(check(&dir, "a.cu").0, 1);
}

#[test]
fn configuration_steers_a_translation() {
    let dir = Dir::new();
    dir.put("t.cu", "__global__ void k() {}\nvoid f() { k<<<1, 2>>>(); }\n");
    dir.put("tranship.toml", "launch = 'ggl'\nkeep-names = true\n");
    assert_eq!(dir.run("translate t.cu -o out/").0, 0);
    assert!(dir.text("out/t.cu").contains("hipLaunchKernelGGL"));
    assert!(dir.run("translate t.cu --launch chevron").1.contains("k<<<1, 2>>>()"));
}

#[test]
fn comments_silence_and_survive() {
    let dir = Dir::new();
    let text = TWO.replace(
        "0, 0, 0); }",
        "0, 0, 0); }  // tranship: ignore[unsupported-api] see #12",
    );
    dir.put("a.cu", &text);
    let (code, out, _) = check(&dir, "a.cu");
    assert_eq!((code, names(&out)), (0, vec!["no-effect"]));
    let (_, out, _) = dir.run("translate a.cu");
    assert!(out.contains("// tranship: ignore[unsupported-api] see #12"), "{out}");
    // What was translated keeps comments whose findings are gone.
    dir.put(
        "b.cu",
        TWO.replace("Byte); }", "Byte); }  // tranship: ignore[no-effect]")
            .replace("cudaArrayGetPlane", "f"),
    );
    assert_eq!(dir.run("translate b.cu -o h/ --keep-names").0, 0);
    assert_eq!(check(&dir, "h/b.cu"), (0, String::new(), String::new()));
}

#[test]
fn baseline_lets_old_findings_alone() {
    let dir = Dir::new();
    dir.put("s/a.cu", TWO);
    let (code, out, err) = dir.run("check s --write-baseline");
    assert_eq!((code, out.as_str()), (0, ""));
    assert!(err.contains("2 findings written to tranship-baseline.json"), "{err}");
    let with = "--baseline tranship-baseline.json";
    assert_eq!(check(&dir, &format!("s {with}")), (0, String::new(), String::new()));
    // Lines move, one more comes.
    dir.put(
        "s/a.cu",
        format!("\n\n{TWO}{}", UNSUPPORTED.lines().nth(1).expect("a line")),
    );
    let (code, out, _) = check(&dir, &format!("s {with}"));
    assert_eq!((code, out.lines().count()), (1, 1), "{out}");
    assert!(out.starts_with("s/a.cu:6:"), "{out}");
    // From the configuration, and with findings that are gone.
    dir.put("tranship.toml", "baseline = 'tranship-baseline.json'\n")
        .put("s/a.cu", UNSUPPORTED.replace('g', "h"));
    let (_, out, err) = dir.run("check s/a.cu");
    assert!(out.contains("unsupported-api"), "{out}");
    assert!(err.contains("2 findings of the baseline are no more"), "{err}");
    let (code, _, err) = check(&dir, "s --baseline none.json");
    assert!(code == 2 && err.contains("--write-baseline"), "{err}");
    assert_eq!(dir.run("check s --write-baseline").0, 0);
    assert_eq!(check(&dir, "s").0, 0);
}

#[test]
fn fixes_are_shown_applied_and_leave_the_rest() {
    let dir = Dir::new();
    let stale = "void h() { int x; }  // tranship: ignore[inline-ptx]\r\n";
    let misspelt = TWO.replace("0, 0, 0); }", "0, 0, 0); }  // tranship: ignore[unsuported-api]");
    dir.put("a.cu", format!("{misspelt}{stale}"));
    let before = dir.text("a.cu");
    let (code, out, _) = dir.run("check a.cu --diff");
    assert_eq!(code, 1);
    assert!(
        out.contains("-void h() { int x; }  // tranship: ignore[inline-ptx]\r\n+void h() { int x; }\r\n"),
        "{out}"
    );
    assert!(!out.contains("ignore[unsupported-api]"), "safe fixes only: {out}");
    let (_, out, _) = dir.run("check a.cu --diff --unsafe-fixes");
    assert!(
        out.contains("+int g() { return cudaArrayGetPlane(0, 0, 0); }  // tranship: ignore[unsupported-api]\n"),
        "{out}"
    );
    assert_eq!(dir.text("a.cu"), before);
    let (code, out, _) = check(&dir, "a.cu --fix --fail-on never");
    assert_eq!(
        (code, names(&out)),
        (0, vec!["no-effect", "unsupported-api", "unknown-ignore"])
    );
    assert_eq!(
        dir.text("a.cu"),
        before.replace("  // tranship: ignore[inline-ptx]", "")
    );
    let (_, out, _) = check(&dir, "a.cu --fix --unsafe-fixes");
    assert_eq!(out, "", "all fixed or ignored");
    assert!(dir.text("a.cu").contains("void f() {  }\n"), "{}", dir.text("a.cu"));
    for args in ["check a.cu --unsafe-fixes", "check - --fix"] {
        assert_eq!(dir.run(args).0, 2, "{args}");
    }
}

#[test]
fn statistics_instead_of_findings() {
    let dir = Dir::new();
    dir.put("a.cu", TWO);
    let (code, out, err) = dir.run("check a.cu --statistics");
    assert_eq!(code, 1);
    assert!(
        out.contains("      2  findings\n      1    no-effect\n      1    unsupported-api\n"),
        "{out}"
    );
    assert!(
        out.contains("CUDA names translated, by library") && out.contains("    runtime\n"),
        "{out}"
    );
    assert!(!out.contains("-->") && err.contains("findings: 1 error"), "{err}");
}

#[test]
fn output_does_not_depend_on_the_number_of_threads() {
    let dir = Dir::new();
    for i in 0..40 {
        dir.put(
            &format!("d/{i:02}.cu"),
            format!("{TWO}{}", "// tranship: ignore[inline-ptx]\nint x;\n".repeat(i % 3)),
        );
    }
    for format in ["human", "short", "json", "sarif", "github", "gitlab", "junit"] {
        let run = |j: u8| dir.run(&format!("check d -j{j} --output-format {format}"));
        assert_eq!(run(1), run(8), "{format}");
        assert!(run(1).1.len() > 100, "{format}");
    }
}
