//! Inline PTX, run: each instruction of `rules/ptx.toml` is translated from CUDA, built for the CPU emulator with
//! wavefronts of 32 and 64 lanes, and compared with a plain model on random operands.
//!
//! `tests/ptx/cases.txt` has an instruction a line, `tests/ptx/kernels.cu` those that need memory or a warp.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use tranship::ptx::{forms, parse};
use tranship::{translate, Options, Project};

/// Random operands a line.
const TRIALS: usize = 200;

struct Case {
    /// The mnemonic, or the whole statement.
    text: String,
    signature: String,
    model: String,
}

/// The lines of `cases.txt` with their alternatives written out.
fn cases() -> Vec<Case> {
    let mut out = Vec::new();
    for line in include_str!("ptx/cases.txt")
        .lines()
        .filter(|l| !l.is_empty() && !l.starts_with('#'))
    {
        let mut parts = line.splitn(3, " | ");
        let mut next = || {
            parts
                .next()
                .unwrap_or_else(|| panic!("{line}: three parts"))
                .to_string()
        };
        let (text, signature, model) = (next(), next(), next());
        for text in alternatives(&text) {
            out.push(Case {
                text,
                signature: signature.clone(),
                model: model.clone(),
            });
        }
    }
    out
}

/// Writes out `{a,b}`: braces with spaces in them are PTX's.
fn alternatives(text: &str) -> Vec<String> {
    let mut from = 0;
    while let Some(open) = text[from..].find('{').map(|p| p + from) {
        let close = text[open..].find('}').map_or(text.len() - 1, |p| p + open);
        let inner = &text[open + 1..close];
        if inner.contains(',') && !inner.contains([' ', '%']) {
            return inner
                .split(',')
                .flat_map(|word| alternatives(&format!("{}{word}{}", &text[..open], &text[close + 1..])))
                .collect();
        }
        from = open + 1;
    }
    vec![text.to_string()]
}

/// The instruction that a line is about: the only one, or the one before the last `selp`.
fn mnemonic(text: &str) -> String {
    let all = parse::mnemonics(text);
    let first = |w: &&String| w.contains('.') && !w.starts_with(".reg");
    let mut candidates = all.iter().filter(first);
    candidates.next().unwrap_or(&all[0]).to_string()
}

fn cpp(kind: &str) -> &'static str {
    match kind {
        "u8" | "b8" => "unsigned char",
        "s8" => "signed char",
        "u16" | "b16" | "f16" | "bf16" => "unsigned short",
        "s16" => "short",
        "s32" => "int",
        "u64" | "b64" | "64" => "unsigned long long",
        "s64" => "long long",
        "f32" => "float",
        "f64" => "double",
        _ => "unsigned",
    }
}

fn constraint(kind: &str) -> char {
    match kind {
        "u16" | "b16" | "s16" => 'h',
        "u64" | "b64" | "s64" | "64" => 'l',
        "f32" => 'f',
        "f64" => 'd',
        _ => 'r',
    }
}

/// The C++ operator or function that a word of a mnemonic stands for in a model.
fn operation(mnemonic: &str) -> &'static str {
    for word in mnemonic.split('.') {
        return match word {
            "add" => "std::plus<>()",
            "sub" => "std::minus<>()",
            "mul" => "std::multiplies<>()",
            "and" => "std::bit_and<>()",
            "or" => "std::bit_or<>()",
            "xor" => "std::bit_xor<>()",
            "eq" => "std::equal_to<>()",
            "ne" => "std::not_equal_to<>()",
            "lt" | "lo" => "std::less<>()",
            "le" | "ls" => "std::less_equal<>()",
            "gt" | "hi" => "std::greater<>()",
            "ge" | "hs" => "std::greater_equal<>()",
            _ => continue,
        };
    }
    "nothing"
}

fn function(k: usize, case: &Case) -> String {
    let name = mnemonic(&case.text);
    let words: Vec<&str> = name.split('.').collect();
    let types: Vec<&str> = words
        .iter()
        .rev()
        .copied()
        .filter(|w| cpp(w) != "unsigned" || ["u32", "b32"].contains(w))
        .collect();
    let (t, u) = (
        types.first().copied().unwrap_or("u32"),
        types.get(1).copied().unwrap_or("u32"),
    );
    let resolve = |word: &str| match word {
        "T" => t.to_string(),
        "U" => u.to_string(),
        "64U" if u.ends_with('8') => "u32".to_string(),
        "64U" => u.to_string(),
        "32" => "u32".to_string(),
        other => other.to_string(),
    };
    let (gives, takes) = case.signature.split_once(" = ").expect("a signature");
    let gives = resolve(gives);
    let takes: Vec<String> = takes.split(' ').map(resolve).collect();
    let mut out = format!(
        "__device__ void case_{k}() {{\n  using T = {}; using U = {};\n  (void)sizeof(T), (void)sizeof(U);\n  for (int trial = 0; trial < {TRIALS}; ++trial) {{\n",
        cpp(t),
        cpp(u)
    );
    for (name, kind) in ["a", "b", "c", "e"].iter().zip(&takes) {
        let value = match kind.strip_prefix('n') {
            Some(n) => format!("unsigned(rng() % {n})"),
            None => format!("pick<{}>()", cpp(kind)),
        };
        writeln!(out, "    const {} {name} = {value};", cpp(kind)).unwrap();
    }
    let text = if case.text.contains(' ') {
        case.text.clone()
    } else {
        let list: Vec<String> = (0..=takes.len()).map(|n| format!("%{n}")).collect();
        format!("{} {};", case.text, list.join(", "))
    };
    let inputs: Vec<String> = ["a", "b", "c", "e"]
        .iter()
        .zip(&takes)
        .map(|(n, kind)| format!("\"{}\"({n})", constraint(kind)))
        .collect();
    let special = |w: &str| {
        [
            "rn", "rz", "rni", "rzi", "rmi", "rpi", "add", "sub", "mul", "min", "max", "eq", "ne", "lt", "le", "gt",
            "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan",
        ]
        .contains(&w)
    };
    let named = words.iter().copied().find(|w| special(w)).unwrap_or("");
    let mode = match words.iter().copied().find(|w| ["rz", "rm", "rp"].contains(w)) {
        Some("rz") => "FE_TOWARDZERO",
        Some("rm") => "FE_DOWNWARD",
        _ => "FE_UPWARD",
    };
    let model = case
        .model
        .replace("NAME", &format!("{named:?}"))
        .replace("MODE", mode)
        .replace("O(", &format!("{}(", operation(&name)));
    let held = if gives.ends_with("16") && constraint(&gives) == 'h' {
        "unsigned short"
    } else {
        cpp(&gives)
    };
    let others = |n: usize| if takes.len() > n { ["a", "b", "c"][n] } else { "0" };
    writeln!(
        out,
        "    using D = {held};\n    D d = 0;\n    asm(\"{text}\" : \"={}\"(d) : {});\n    check(\"{name}\", d, D({model}), uint64_t({}), uint64_t({}), uint64_t({}));\n  }}\n}}",
        constraint(&gives),
        inputs.join(", "),
        others(0),
        others(1),
        others(2)
    )
    .unwrap();
    out
}

fn source() -> String {
    let mut text =
        String::from("#include <cuda_runtime.h>\n#include <functional>\n#include <new>\n#include \"models.hpp\"\n");
    let cases = cases();
    for (k, case) in cases.iter().enumerate() {
        text += &function(k, case);
    }
    text += include_str!("ptx/kernels.cu");
    text += "\nint main() {\n  kernels();\n";
    for k in 0..cases.len() {
        writeln!(text, "  case_{k}();").unwrap();
    }
    text + "  std::printf(\"%ld passed, %ld failed\\n\", passed, failed);\n  return failed != 0;\n}\n"
}

#[test]
fn instructions_give_what_ptx_says() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let text = source();
    std::fs::write(dir.path().join("ptx.cu"), &text).expect("a file");
    let binary = env!("CARGO_BIN_EXE_tranship");
    let out = dir.path().join("out/ptx.hip");
    let run = Command::new(binary)
        .args([
            "translate",
            "ptx.cu",
            "-o",
            "out/ptx.hip",
            "--launch",
            "ggl",
            "--fail-on",
            "error",
            "--output-format",
            "short",
        ])
        .current_dir(dir.path())
        .output()
        .expect("the binary starts");
    let said = String::from_utf8_lossy(&run.stderr);
    let errors: Vec<&str> = said.lines().filter(|l| l.contains(": error")).take(20).collect();
    assert!(run.status.success(), "{}", errors.join("\n"));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    for wave in ["32", "64"] {
        let exe = dir.path().join(format!("run{wave}"));
        let build = Command::new("sh")
            .arg(root.join("emulator/emucc"))
            .arg(wave)
            .arg(&exe)
            .arg(&out)
            .arg(format!("-I{}", root.join("ptx").display()))
            .output()
            .expect("sh starts");
        let said = String::from_utf8_lossy(&build.stderr);
        let said = said.get(..said.len().min(3000)).unwrap_or("");
        assert!(build.status.success(), "{said}");
        let run = Command::new(&exe).output().expect("the program starts");
        let said = String::from_utf8_lossy(&run.stdout);
        assert!(
            run.status.success(),
            "{wave} lanes:\n{said}{}",
            String::from_utf8_lossy(&run.stderr)
        );
        assert!(said.contains(" 0 failed"), "{said}");
    }
}

#[test]
fn every_form_has_a_test() {
    let mut covered: BTreeSet<usize> = BTreeSet::new();
    let mut note = |mnemonic: &str| {
        for (form, _) in forms::matching(mnemonic) {
            covered.insert(std::ptr::from_ref(form) as usize);
        }
    };
    let project = Project::default();
    let text = source();
    let done = translate(Path::new("ptx.cu"), text.as_bytes(), &project, &Options::default());
    for d in done.diagnostics.iter().filter(|d| d.code.name == "ptx-translated") {
        d.message
            .split('`')
            .skip(1)
            .step_by(2)
            .for_each(|w| note(w.split(' ').next().unwrap_or("")));
    }
    let mut missing = Vec::new();
    for (opcode, rows) in forms::FORMS.entries() {
        for f in rows
            .iter()
            .filter(|f| !covered.contains(&(std::ptr::from_ref(*f) as usize)))
        {
            missing.push(format!("{opcode}: {} -> {}", f.takes.join(" "), f.to));
        }
    }
    missing.sort();
    assert!(missing.is_empty(), "no test of\n{}", missing.join("\n"));
}
