//! Throughput of the lexer and of whole translations, on CUDA made up in memory: `cargo bench`.
//!
//! Three densities: no CUDA at all (one scan should do), host code with a call now and then, and kernels.

use criterion::{criterion_group, criterion_main, BenchmarkId, Criterion, Throughput};
use std::fmt::Write;
use std::hint::black_box;
use std::path::Path;
use tranship::model::FileFacts;
use tranship::{translate, Options, Project};

/// Size of each made-up file.
const BYTES: usize = 256 * 1024;

/// Repeats a numbered block until the file is large enough.
fn repeat(head: &str, block: impl Fn(&mut String, usize)) -> Vec<u8> {
    let mut text = String::from(head);
    let mut n = 0;
    while text.len() < BYTES {
        block(&mut text, n);
        n += 1;
    }
    text.into_bytes()
}

fn plain() -> Vec<u8> {
    repeat("#include <vector>\n", |out, n| {
        writeln!(
            out,
            "// Mean of a window.\nstatic double mean_{n}(const std::vector<double> &v, int from, int to) {{\n  double s = 0;\n  \
             for (int i = from; i < to; ++i) s += v[i];\n  return to > from ? s / (to - from) : {n}.0;\n}}\n"
        )
        .expect("a String takes all");
    })
}

fn host() -> Vec<u8> {
    repeat(
        "#include <cuda_runtime.h>\n#define CHECK(x) if ((x) != cudaSuccess) return 1\n",
        |out, n| {
            writeln!(
            out,
            "int upload_{n}(const float *from, float **to, size_t n, cudaStream_t s) {{\n  CHECK(cudaMalloc(to, n * \
             sizeof(float)));\n  CHECK(cudaMemcpyAsync(*to, from, n * sizeof(float), cudaMemcpyHostToDevice, s));\n  int used = \
             {n};\n  for (size_t i = 0; i < n; ++i) used += from[i] > 0 ? 1 : 0;\n  return used ? 0 : int(cudaStreamSynchronize(s));\n}}\n"
        )
        .expect("a String takes all");
        },
    )
}

fn kernels() -> Vec<u8> {
    repeat("#include <cuda_runtime.h>\n", |out, n| {
        writeln!(
            out,
            "template <int N>\n__global__ void __launch_bounds__(256) sum_{n}(const float *in, float *out, int n) {{\n  __shared__ \
             float part[N];\n  float v = 0;\n  for (int i = threadIdx.x; i < n; i += blockDim.x) v += in[i];\n  for (int d = 16; d > 0; d \
             >>= 1) v += __shfl_down_sync(0xffffffff, v, d);\n  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;\n  \
             __syncthreads();\n  if (threadIdx.x == 0) atomicAdd(out, part[0]);\n}}\n\nvoid start_{n}(const float *in, float *out, int n) \
             {{\n  sum_{n}<32><<<dim3(1, 1), 256, 0, 0>>>(in, out, n);\n}}\n"
        )
        .expect("a String takes all");
    })
}

fn benches(c: &mut Criterion) {
    let path = Path::new("bench.cu");
    let options = Options::default();
    let inputs = [("plain", plain()), ("host", host()), ("kernels", kernels())];

    let mut group = c.benchmark_group("lex");
    for (name, bytes) in &inputs {
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        group.bench_with_input(BenchmarkId::from_parameter(name), bytes, |b, bytes| {
            b.iter(|| black_box(tranship::syntax::Source::new(black_box(bytes))))
        });
    }
    group.finish();

    let mut group = c.benchmark_group("translate");
    group.sample_size(20);
    for (name, bytes) in &inputs {
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        group.bench_with_input(BenchmarkId::from_parameter(name), bytes, |b, bytes| {
            b.iter(|| {
                let mut project = Project::default();
                project.add(path, FileFacts::gather(path, bytes));
                black_box(translate(path, bytes, &project, &options))
            })
        });
    }
    group.finish();
}

criterion_group!(all, benches);
criterion_main!(all);
