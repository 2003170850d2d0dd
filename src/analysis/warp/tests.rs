//! Each page's samples: what is said to be found is, and what is said to be silent is. Then snippets with marked lines:
//! `//! name` at the end of a line demands that finding on it, and no line may have another.

use crate::diagnostics::{Diagnostic, Severity};
use crate::model::{FileFacts, Project};
use crate::options::{Options, Warp};
use crate::targets;
use std::path::Path;

fn findings(files: &[(&str, &str)], options: &Options) -> Vec<Diagnostic> {
    let mut project = Project::default();
    for (name, code) in files {
        let path = Path::new(name);
        project.add(path, FileFacts::gather(path, code.as_bytes()));
    }
    let (name, code) = files[0];
    let mut found = crate::translate(Path::new(name), code.as_bytes(), &project, options).diagnostics;
    found.retain(|d| d.code.code.starts_with("TSW"));
    found
}

/// Fails unless the findings are those that the first file's marks name, line by line.
fn marked(files: &[(&str, &str)]) {
    let code = files[0].1;
    let found = findings(files, &Options::default());
    for (n, line) in code.lines().enumerate() {
        let wanted: Vec<&str> = line.split_once("//! ").map_or(Vec::new(), |m| m.1.split(' ').collect());
        let mut met: Vec<&str> = found
            .iter()
            .filter(|d| code[..d.span.start].matches('\n').count() == n)
            .map(|d| d.code.name)
            .collect();
        met.dedup();
        assert_eq!(met, wanted, "line {}: {line}", n + 1);
    }
}

#[test]
fn silence() {
    marked(&[(
        "a.cu",
        "#define TILE 32\n\
         #define LOG_BANKS 5\n\
         __device__ unsigned slot(unsigned hash) { return hash & 31; }\n\
         __global__ void transpose(const float *a, float *b, int n) {\n\
           __shared__ float t[TILE][TILE + 1];\n\
           int x = threadIdx.x % 32, y = threadIdx.x / 32;\n\
           t[y][x] = a[y * n + x];\n\
           __syncthreads();\n\
           b[x * n + y] = t[x][y];\n\
         }\n\
         __global__ void unpack(const unsigned *bits, int *o, int n) {\n\
           for (int i = threadIdx.x; i < n; i += blockDim.x) o[i] = (bits[i >> 5] >> (i & 31)) & 1;\n\
         }\n\
         __global__ void scan(int *d) {\n\
           __shared__ int s[264];\n\
           int at = threadIdx.x + (threadIdx.x >> LOG_BANKS);\n\
           s[at] = d[threadIdx.x];\n\
           __syncthreads();\n\
           d[threadIdx.x] = s[at];\n\
         }\n\
         void run(const float *a, float *b, int *o) { transpose<<<1, dim3(TILE, TILE)>>>(a, b, 32); scan<<<1, 256>>>(o); }\n",
    )]);
}

#[test]
fn facts_flow() {
    marked(&[
        (
            "a.cu",
            "#include \"lanes.h\"\n\
             struct Place { int l; };\n\
             __device__ int first(unsigned m) { return __ffs(m); } //! mask-bit-arithmetic\n\
             __global__ void k(int *o) {\n\
               int tid = threadIdx.x + blockIdx.x * blockDim.x;\n\
               int w = tid / kWarp; //! lane-arithmetic\n\
               unsigned long long far = 1ull << lane_of_thread();\n\
               unsigned m = 1u << lane_of_thread(); //! mask-bit-arithmetic\n\
               unsigned votes = __ballot_sync(ALL, o[tid] > 0); //! ballot-in-32-bits\n\
               o[w] = first(votes) + m + far;\n\
             }\n",
        ),
        (
            "lanes.h",
            "constexpr int kWarp = 32;\n#define ALL 0xffffffffu\n\
             __device__ int lane_of_thread() { return threadIdx.x & 31; }\n",
        ),
    ]);
}

#[test]
fn severity_follows_the_mode() {
    let code = "__device__ bool f(bool p) { return __any_sync(0xffffffff, p); }\n";
    let of = |warp| {
        let options = Options {
            warp,
            ..Options::default()
        };
        findings(&[("a.cu", code)], &options)
            .iter()
            .map(|d| d.severity)
            .collect::<Vec<_>>()
    };
    assert_eq!(of(Warp::Preserve), [Severity::Note]);
    assert_eq!(of(Warp::Native), [Severity::Warning]);
    let narrow = Options {
        targets: targets::find("gfx1100").into_iter().collect(),
        ..Options::default()
    };
    assert!(
        findings(&[("a.cu", code)], &narrow).is_empty(),
        "32 lanes are a full wavefront there"
    );
}

#[test]
fn any_bytes() {
    for code in [
        "__global__ void k() { int l = threadIdx.x % ; if (",
        "k<<<1,",
        "#define L (threadIdx.x &\n",
        "__device__ int f(int warp) { return 1 << << ( [ { ",
    ] {
        findings(&[("a.cu", code)], &Options::default());
    }
    let deep = format!(
        "__global__ void k() {{ int lane = {}threadIdx.x & 31; }}",
        "(".repeat(5000)
    );
    findings(&[("a.cu", &deep)], &Options::default());
    let minus = format!("__global__ void k() {{ int lane = {}threadIdx.x; }}", "- ".repeat(5000));
    findings(&[("a.cu", &minus)], &Options::default());
    let blocks = format!(
        "__global__ void k() {{ warp(); {} }}",
        "{".repeat(5000) + &"}".repeat(5000)
    );
    findings(&[("a.cu", &blocks)], &Options::default());
}
