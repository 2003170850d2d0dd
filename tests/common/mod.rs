//! The fixtures: where they are, how they are translated, what they expect. `fixtures/README.md` has the format.

#![allow(dead_code)] // each test target uses its part

pub mod hipcheck;
pub mod samples;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One folder of `fixtures/`.
pub struct Fixture {
    pub name: String,
    pub dir: PathBuf,
    /// Options of the translation; `--arch gfx942 --rocm 6.4` where the file `args` names no other.
    pub args: Vec<String>,
}

/// A finding, as the JSON lines of the binary tell it.
#[derive(Debug)]
pub struct Finding {
    pub path: String,
    pub line: u64,
    pub end_line: u64,
    pub column: u64,
    pub severity: String,
    pub name: String,
    pub message: String,
}

/// What one run of the binary made of a fixture.
pub struct Run {
    pub exit: i32,
    pub findings: Vec<Finding>,
    /// The folder with the output, shim headers included.
    pub out: PathBuf,
    /// The translated files by relative path, without the shim headers.
    pub files: BTreeMap<String, Vec<u8>>,
}

/// All fixtures by name.
pub fn all() -> Vec<Fixture> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut found: Vec<Fixture> = fs::read_dir(&root)
        .expect("fixtures/ is there")
        .map(|entry| entry.expect("fixtures/ can be listed").path())
        .filter(|path| path.is_dir())
        .map(Fixture::open)
        .collect();
    found.sort_by(|a, b| a.name.cmp(&b.name));
    assert!(!found.is_empty(), "no fixture in {}", root.display());
    found
}

impl Fixture {
    fn open(dir: PathBuf) -> Fixture {
        let mut args: Vec<String> = read_text(&dir.join("args"))
            .split_whitespace()
            .map(String::from)
            .collect();
        for (option, value) in [("--arch", "gfx942"), ("--rocm", "6.4")] {
            if !args.iter().any(|a| a == option) {
                args.extend([option.to_string(), value.to_string()]);
            }
        }
        let name = dir
            .file_name()
            .expect("a folder has a name")
            .to_string_lossy()
            .into_owned();
        Fixture { name, dir, args }
    }

    pub fn is_tree(&self) -> bool {
        self.dir.join("in").is_dir()
    }

    /// The input files by relative path.
    pub fn inputs(&self) -> BTreeMap<String, Vec<u8>> {
        if self.is_tree() {
            read_tree(&self.dir.join("in"))
        } else {
            let path = self.dir.join("input.cu");
            let bytes = fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            BTreeMap::from([("input.cu".to_string(), bytes)])
        }
    }

    /// The committed output under the names of [`Run::files`]; `None` when there is none yet.
    pub fn expected(&self) -> Option<BTreeMap<String, Vec<u8>>> {
        if self.is_tree() {
            let dir = self.dir.join("expected");
            dir.is_dir().then(|| read_tree(&dir))
        } else {
            let bytes = fs::read(self.dir.join("expected.hip")).ok()?;
            Some(BTreeMap::from([("input.hip".to_string(), bytes)]))
        }
    }

    /// Translates the fixture with the binary, in a folder of its own under `scratch`.
    pub fn translate(&self, scratch: &str) -> Run {
        let work = Path::new(env!("CARGO_TARGET_TMPDIR")).join(scratch).join(&self.name);
        let _ = fs::remove_dir_all(&work);
        let out = work.join("out");
        fs::create_dir_all(&out).expect("the scratch folder can be made");
        for (path, bytes) in self.inputs() {
            let to = if self.is_tree() {
                work.join("in").join(path)
            } else {
                work.join(path)
            };
            write(&to, &bytes);
        }
        let mut command = Command::new(env!("CARGO_BIN_EXE_tranship"));
        command.current_dir(&work).arg("translate").args(&self.args);
        if self.is_tree() {
            command.args(["in", "-o", "out", "--keep-names"]);
        } else {
            command.args(["input.cu", "-o", "out/input.hip"]);
        }
        let output = command
            .args(["--output-format", "json"])
            .output()
            .expect("tranship starts");
        let exit = output.status.code().unwrap_or(-1);
        assert!(
            exit == 0 || exit == 1,
            "{}: exit {exit}\n{}",
            self.name,
            String::from_utf8_lossy(&output.stderr)
        );
        let mut files = read_tree(&out);
        files.retain(|path, _| !path.split('/').any(|part| part == "tranship"));
        Run {
            exit,
            findings: findings(&output.stdout),
            out,
            files,
        }
    }

    /// Whether the file `compile` says that the output is not for compiling.
    pub fn compile_lines(&self) -> Vec<String> {
        let text = read_text(&self.dir.join("compile"));
        text.lines()
            .map(str::trim)
            .filter(|l| !l.is_empty() && !l.starts_with('#'))
            .map(String::from)
            .collect()
    }
}

impl Run {
    /// The findings in short form, as `expected.stderr` keeps them.
    pub fn short(&self) -> String {
        self.findings
            .iter()
            .map(|f| {
                format!(
                    "{}:{}:{}: {}[{}]: {}\n",
                    f.path, f.line, f.column, f.severity, f.name, f.message
                )
            })
            .collect()
    }
}

fn findings(json_lines: &[u8]) -> Vec<Finding> {
    String::from_utf8_lossy(json_lines)
        .lines()
        .filter(|line| line.starts_with('{'))
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap_or_else(|e| panic!("{e}: {line}")))
        .filter(|value| value["type"] == "diagnostic")
        .map(|value| {
            let text = |key: &str| value[key].as_str().unwrap_or_default().to_string();
            let number = |key: &str| value[key].as_u64().unwrap_or_default();
            Finding {
                path: text("path")
                    .trim_start_matches("./")
                    .trim_start_matches("in/")
                    .to_string(),
                line: number("line"),
                end_line: number("end_line").max(number("line")),
                column: number("column"),
                severity: text("severity"),
                name: text("name"),
                message: text("message"),
            }
        })
        .collect()
}

/// The files under `dir` by relative path, with forward slashes.
pub fn read_tree(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let (mut files, mut folders) = (BTreeMap::new(), vec![dir.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
            let path = entry.expect("the folder can be listed").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path
                .strip_prefix(dir)
                .expect("it is under dir")
                .to_string_lossy()
                .replace('\\', "/");
            files.insert(
                name,
                fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display())),
            );
        }
    }
    files
}

/// Writes a file, making its folder.
pub fn write(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("the folder can be made");
    fs::write(path, bytes).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
}

/// A text file, or nothing where there is none.
pub fn read_text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

/// Why the output differs from the expectation, or `None`.
pub fn difference(expected: &BTreeMap<String, Vec<u8>>, got: &BTreeMap<String, Vec<u8>>) -> Option<String> {
    if expected == got {
        return None;
    }
    let mut text = String::new();
    for path in expected.keys().chain(got.keys().filter(|p| !expected.contains_key(*p))) {
        match (expected.get(path), got.get(path)) {
            (Some(a), Some(b)) if a == b => {}
            (Some(_), None) => text += &format!("{path}: expected, not written\n"),
            (None, Some(_)) => text += &format!("{path}: written, not expected\n"),
            (a, b) => {
                let (a, b) = (a.map_or(&[][..], |v| v), b.map_or(&[][..], |v| v));
                let (a, b) = (String::from_utf8_lossy(a), String::from_utf8_lossy(b));
                text += &similar::TextDiff::from_lines(&*a, &*b)
                    .unified_diff()
                    .header(&format!("expected {path}"), "now")
                    .to_string();
            }
        }
    }
    Some(text)
}
