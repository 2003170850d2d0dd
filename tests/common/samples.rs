//! The samples on the pages of `rules/diagnostics`: code fences whose first words are `cuda bad` or `cuda good`.

use std::fmt;
use std::path::{Path, PathBuf};
use tranship::model::FileFacts;
use tranship::options::{Options, Rocm, Warp};
use tranship::{Project, Translation};

/// Ends a line of a bad sample at which the finding must stand. It is cut off, with the blanks before it.
pub const MARK: &str = "// <--";

/// Pages of findings that no input can raise, each with the reason. All others have samples.
const NO_SAMPLES: [(&str, &str); 2] = [
    ("edit-overlap", "raised by a fault of tranship itself"),
    ("no-header-can-fix", "raised by `compat`, whose tests have its samples"),
];

/// One page.
pub struct Page {
    pub path: PathBuf,
    /// `TSA001-unsupported-api`.
    pub stem: String,
    pub name: String,
    pub samples: Vec<Sample>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Bad,
    Good,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Bad => "bad",
            Kind::Good => "good",
        })
    }
}

/// One code fence.
pub struct Sample {
    pub kind: Kind,
    /// The line of the page where the fence opens.
    pub line: usize,
    /// The code without marks.
    pub text: Vec<u8>,
    /// 1-based lines of `text` that were marked, in order.
    pub marked: Vec<usize>,
    /// Names of findings that may stand beside the page's own.
    also: Vec<String>,
    file: String,
    arch: String,
    rocm: String,
    warp: Warp,
}

/// All pages, in the order of their codes.
pub fn pages() -> Vec<Page> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/diagnostics");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(&dir)
        .expect("rules/diagnostics is there")
        .map(|entry| entry.expect("it can be listed").path())
        .filter(|path| path.extension().is_some_and(|e| e == "md"))
        .collect();
    paths.sort();
    paths.into_iter().map(page).collect()
}

fn page(path: PathBuf) -> Page {
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    parse(path, &text)
}

/// Reads a page's text.
pub fn parse(path: PathBuf, text: &str) -> Page {
    let stem = path
        .file_stem()
        .expect("a page has a name")
        .to_string_lossy()
        .into_owned();
    let (_, name) = stem
        .split_once('-')
        .unwrap_or_else(|| panic!("{stem}: name it <CODE>-<name>.md"));
    let name = name.to_string();
    let mut samples: Vec<Sample> = Vec::new();
    let mut open = false;
    for (i, line) in text.lines().enumerate() {
        if open && line == "```" {
            open = false;
        } else if open {
            let sample = samples.last_mut().expect("a fence is open");
            let code = match line.strip_suffix(MARK) {
                Some(code) => {
                    let number = sample.text.split(|b| *b == b'\n').count();
                    sample.marked.push(number);
                    code.trim_end()
                }
                None => line,
            };
            sample.text.extend_from_slice(code.as_bytes());
            sample.text.push(b'\n');
        } else if let Some(words) = line.strip_prefix("```cuda") {
            samples.push(Sample::open(words, i + 1, &stem));
            open = true;
        }
    }
    assert!(!open, "{stem}: a fence is not closed");
    Page {
        path,
        stem,
        name,
        samples,
    }
}

impl Page {
    /// Why the page needs no samples.
    pub fn no_samples(&self) -> Option<&'static str> {
        NO_SAMPLES
            .iter()
            .find(|(name, _)| *name == self.name)
            .map(|(_, why)| *why)
    }
}

impl Sample {
    fn open(words: &str, line: usize, stem: &str) -> Sample {
        let mut words = words.split_whitespace();
        let kind = match words.next() {
            Some("bad") => Kind::Bad,
            Some("good") => Kind::Good,
            other => panic!("{stem}:{line}: ```cuda bad or ```cuda good, not {other:?}"),
        };
        let mut sample = Sample {
            kind,
            line,
            text: Vec::new(),
            marked: Vec::new(),
            also: Vec::new(),
            file: "sample.cu".to_string(),
            arch: "gfx942".to_string(),
            rocm: "6.4".to_string(),
            warp: Warp::Preserve,
        };
        for word in words {
            match word.split_once('=') {
                Some(("arch", v)) => sample.arch = v.to_string(),
                Some(("rocm", v)) => sample.rocm = v.to_string(),
                Some(("file", v)) => sample.file = v.to_string(),
                Some(("also", v)) => sample.also = v.split(',').map(String::from).collect(),
                Some(("warp", "native")) => sample.warp = Warp::Native,
                _ => panic!("{stem}:{line}: arch=, rocm=, file=, also= or warp=native, not {word}"),
            }
        }
        sample
    }

    /// Whether a finding of another page may stand in this sample.
    pub fn allows(&self, name: &str) -> bool {
        self.also.iter().any(|a| a == name)
    }

    /// Its translation, as a program of this one file.
    pub fn translate(&self) -> Translation {
        let options = Options {
            targets: self
                .arch
                .split(',')
                .map(|a| tranship::targets::find(a).unwrap_or_else(|| panic!("no target {a}")))
                .collect(),
            rocm: self.rocm.parse::<Rocm>().unwrap_or_else(|e| panic!("{e}")),
            warp: self.warp,
            ..Options::default()
        };
        let path = Path::new(&self.file);
        let mut project = Project::default();
        project.add(path, FileFacts::gather(path, &self.text));
        tranship::translate(path, &self.text, &project, &options)
    }

    /// Architecture and HIP headers to compile the translation with.
    pub fn target(&self) -> (&str, &str) {
        let hip = if self.rocm == "6.4" { "6.4" } else { "7.1" };
        (self.arch.split(',').next().unwrap_or("gfx942"), hip)
    }

    pub fn file(&self) -> &str {
        &self.file
    }
}
