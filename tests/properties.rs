//! What must hold for every input: no panic, bytes outside the edits kept, twice is once.
//!
//! The seed is fixed, so that a run says the same everywhere; PROPTEST_RNG_SEED and PROPTEST_CASES search further.

mod common;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};
use std::path::Path;
use std::sync::OnceLock;
use tranship::model::FileFacts;
use tranship::options::{Launch, Warp};
use tranship::{translate, Options, Project, Translation};

const FILE: &str = "input.cu";

fn config(cases: u32) -> Config {
    let mut config = Config::default(); // reads the environment
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = cases;
    }
    if std::env::var_os("PROPTEST_RNG_SEED").is_none() {
        config.rng_seed = RngSeed::Fixed(0x7261_6e73);
    }
    config.failure_persistence = None;
    config
}

fn run(bytes: &[u8], options: &Options) -> Translation {
    let path = Path::new(FILE);
    let mut project = Project::default();
    project.add(path, FileFacts::gather(path, bytes));
    translate(path, bytes, &project, options)
}

/// The output, also where nothing changed.
fn output(bytes: &[u8], options: &Options) -> Vec<u8> {
    run(bytes, options).text.unwrap_or_else(|| bytes.to_vec())
}

/// Options that lead through different passes.
fn any_options() -> impl Strategy<Value = Options> {
    (any::<bool>(), any::<bool>()).prop_map(|(ggl, native)| Options {
        launch: if ggl { Launch::Ggl } else { Launch::Chevron },
        warp: if native { Warp::Native } else { Warp::Preserve },
        ..Options::default()
    })
}

/// Every input file of the fixtures.
fn sources() -> &'static [Vec<u8>] {
    static SOURCES: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    SOURCES.get_or_init(|| common::all().iter().flat_map(|f| f.inputs().into_values()).collect())
}

/// Pieces that C++ and CUDA give a meaning; strung together they make half-typed code.
const PIECES: &[&str] = &[
    "__global__ ",
    "void ",
    "k",
    "<<<",
    ">>>",
    "(",
    ")",
    "{",
    "}",
    ", ",
    ";",
    "\n",
    "\r\n",
    "#if X\n",
    "#else\n",
    "#endif\n",
    "#define A(x) ",
    "cuda##x",
    "\\\n",
    "R\"(",
    ")\"",
    "\"",
    "'",
    "//",
    "/*",
    "*/",
    "cudaMalloc",
    "cudaFree(p)",
    "::",
    "a.",
    "cudaSuccess",
    "__shfl_sync(0xffffffff, v, 0)",
    "template <",
    "asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(x))",
    "__shared__ ",
    "#include <cuda_runtime.h>\n",
    "__CUDA_ARCH__ ",
    "#if __CUDA_ARCH__ >= 700\n",
    "0x",
    "1'000",
    "é",
    "warpSize",
    "// tranship: ignore[inline-ptx] why\n",
    "/* tranship: ignore-begin[TSG001, ",
    "no-effect]",
    "tranship: ignore-file[kernel-string",
    "// tranship: ignore-end[inline-ptx]\n",
    "cudaDeviceSetCacheConfig(c);",
];

/// A change such as a person makes while typing, or worse.
#[derive(Debug, Clone)]
enum Change {
    Cut(prop::sample::Index, usize),
    Double(prop::sample::Index, usize),
    Put(prop::sample::Index, &'static str),
    Byte(prop::sample::Index, u8),
    Truncate(prop::sample::Index),
}

fn any_change() -> impl Strategy<Value = Change> {
    let at = any::<prop::sample::Index>;
    prop_oneof![
        (at(), 1..60usize).prop_map(|(i, n)| Change::Cut(i, n)),
        (at(), 1..60usize).prop_map(|(i, n)| Change::Double(i, n)),
        (at(), prop::sample::select(PIECES)).prop_map(|(i, s)| Change::Put(i, s)),
        (at(), any::<u8>()).prop_map(|(i, b)| Change::Byte(i, b)),
        at().prop_map(Change::Truncate),
    ]
}

fn apply(mut text: Vec<u8>, changes: &[Change]) -> Vec<u8> {
    for change in changes {
        let size = text.len() + 1;
        match change {
            Change::Cut(i, n) => {
                let from = i.index(size);
                text.drain(from..(from + n).min(size - 1));
            }
            Change::Double(i, n) => {
                let from = i.index(size);
                let piece = text[from..(from + n).min(size - 1)].to_vec();
                text.splice(from..from, piece);
            }
            Change::Put(i, s) => {
                let at = i.index(size);
                text.splice(at..at, s.bytes());
            }
            Change::Byte(i, b) => {
                if let Some(byte) = text.get_mut(i.index(size)) {
                    *byte = *b;
                }
            }
            Change::Truncate(i) => text.truncate(i.index(size)),
        }
    }
    text
}

/// Input that a failing run prints as text.
struct Text(Vec<u8>);

impl std::fmt::Debug for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.0.escape_ascii().to_string())
    }
}

fn mutated() -> impl Strategy<Value = Text> {
    (
        prop::sample::select(sources()),
        prop::collection::vec(any_change(), 1..6),
    )
        .prop_map(|(text, changes)| Text(apply(text, &changes)))
}

/// Spans are inside the input, and findings and ledger come in its order.
fn well_formed(bytes: &[u8], t: &Translation) {
    for d in &t.diagnostics {
        assert!(
            d.span.start <= d.span.end && d.span.end <= bytes.len(),
            "{} at {:?}",
            d.code.name,
            d.span
        );
    }
    assert!(
        t.diagnostics.windows(2).all(|w| w[0].span.start <= w[1].span.start),
        "findings out of order"
    );
    assert!(
        t.ledger.windows(2).all(|w| w[0].offset <= w[1].offset),
        "ledger out of order"
    );
    // Each fix can go in by itself.
    for fix in t.diagnostics.iter().filter_map(|d| d.fix.as_ref()) {
        let done = tranship::fix::apply(bytes, [fix], tranship::diagnostics::Applicability::Manual);
        assert_eq!(done.applied, 1, "{fix:?}");
    }
    assert!(
        t.ledger.iter().all(|o| o.offset <= bytes.len()),
        "ledger outside the input"
    );
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn random_bytes_do_not_panic(bytes in prop::collection::vec(any::<u8>(), 0..600), options in any_options()) {
        well_formed(&bytes, &run(&bytes, &options));
    }

    #[test]
    fn random_pieces_do_not_panic(
        pieces in prop::collection::vec(prop::sample::select(PIECES), 0..60),
        options in any_options(),
    ) {
        let bytes = pieces.concat().into_bytes();
        well_formed(&bytes, &run(&bytes, &options));
    }

    #[test]
    fn mutated_fixtures_do_not_panic(text in mutated(), options in any_options()) {
        well_formed(&text.0, &run(&text.0, &options));
    }

    /// Lines that name nothing of CUDA come out as they went in, in their order, whatever stands between them.
    #[test]
    fn plain_lines_are_kept(
        lines in prop::collection::vec((prop::sample::select(CUDA_LINES), any::<bool>(), "[ \t]{0,3}"), 1..20),
        crlf in any::<bool>(),
        options in any_options(),
    ) {
        let end = if crlf { "\r\n" } else { "\n" };
        let mut text = Vec::new();
        let mut plain = Vec::new();
        for (i, (cuda, write_cuda, space)) in lines.iter().enumerate() {
            // Latin-1, and white space at the end of the line
            let line = [format!("{space}int plain_{i} =\t{i}; // gr").as_bytes(), b"\xf6\xdfe", space.as_bytes()].concat();
            text.extend_from_slice(&line);
            text.extend_from_slice(end.as_bytes());
            plain.push(line);
            if *write_cuda {
                text.extend_from_slice(cuda.as_bytes());
                text.extend_from_slice(end.as_bytes());
            }
        }
        let out = output(&text, &options);
        let mut from = 0;
        for line in &plain {
            let line = [line, end.as_bytes()].concat();
            let at = memchr::memmem::find(&out[from..], &line);
            prop_assert!(at.is_some(), "lost: {}", String::from_utf8_lossy(&line));
            from += at.unwrap_or_default() + line.len();
        }
        let lone = memchr::memmem::find_iter(&out, "\n").count() - memchr::memmem::find_iter(&out, "\r\n").count();
        prop_assert!(!crlf || lone == 0, "{lone} line ends became LF");
    }
}

/// Single lines that are translated or reported.
const CUDA_LINES: &[&str] = &[
    "#include <cuda_runtime.h>",
    "cudaStream_t stream_of(int);",
    "__global__ void kernel(float *p) { p[threadIdx.x] = 0; }",
    "void free_it(void *p) { cudaFree(p); }",
    "void start(float *p) { kernel<<<1, 64>>>(p); }",
    "__device__ int all(int v) { return __all_sync(0xffffffff, v); }",
    "#define TRY(x) if ((x) != cudaSuccess) return",
    "void flush() { cudaCtxResetPersistingL2Cache(); }",
];

proptest! {
    #![proptest_config(config(150))]

    #[test]
    fn translating_mutated_output_changes_nothing(text in mutated(), options in any_options()) {
        let once = output(&text.0, &options);
        let twice = output(&once, &options);
        prop_assert_eq!(String::from_utf8_lossy(&once), String::from_utf8_lossy(&twice));
    }
}

#[test]
fn translating_the_output_of_fixtures_changes_nothing() {
    let mut changed = Vec::new();
    for launch in [Launch::Chevron, Launch::Ggl] {
        let options = Options {
            launch,
            ..Options::default()
        };
        for bytes in sources() {
            let once = output(bytes, &options);
            let twice = output(&once, &options);
            if once != twice {
                let (once, twice) = (String::from_utf8_lossy(&once), String::from_utf8_lossy(&twice));
                let diff = similar::TextDiff::from_lines(&*once, &*twice);
                changed.push(diff.unified_diff().header("once", "twice").to_string());
            }
        }
    }
    assert!(changed.is_empty(), "{}", changed.join("\n"));
}

#[test]
fn line_ends_of_fixtures_are_kept() {
    for bytes in sources() {
        let text = memchr::memmem::find_iter(bytes, "\r\n").count();
        if text > 0 || bytes.is_empty() {
            continue;
        }
        let crlf: Vec<u8> = bytes.split(|b| *b == b'\n').collect::<Vec<_>>().join(&b"\r\n"[..]);
        let options = Options::default();
        let (lf, crlf) = (output(bytes, &options), output(&crlf, &options));
        let back: Vec<u8> = String::from_utf8_lossy(&crlf).replace("\r\n", "\n").into_bytes();
        assert_eq!(String::from_utf8_lossy(&lf), String::from_utf8_lossy(&back));
        assert!(
            !String::from_utf8_lossy(&crlf).replace("\r\n", "").contains('\n'),
            "a line end became LF"
        );
    }
}
