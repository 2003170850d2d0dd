//! What single passes write, as snapshots: each case is its name, the input and the output, or what was found.

use super::{translate, Translation};
use crate::model::{FileFacts, Project};
use crate::options::{Launch, Options};
use std::path::Path;

fn translated(path: &str, code: &str, options: &Options) -> Translation {
    let path = Path::new(path);
    let mut project = Project::default();
    project.add(path, FileFacts::gather(path, code.as_bytes()));
    translate(path, code.as_bytes(), &project, options)
}

/// The cases of a snapshot, input over output.
fn shown(cases: &[(&str, &str, &str)], options: &Options) -> String {
    let mut out = String::new();
    for (name, path, code) in cases {
        let t = translated(path, code, options);
        let text = t
            .text
            .as_deref()
            .map_or("(unchanged)\n".into(), String::from_utf8_lossy);
        out += &format!("== {name} ({path})\n{code}-->\n{text}");
        for d in &t.diagnostics {
            out += &format!("{} {}: {}\n", d.severity.word(), d.code.name, d.message);
        }
        if let Some(text) = &t.text {
            let again = translated(path, &String::from_utf8_lossy(text), options);
            assert_eq!(again.text, None, "{name}: translating twice changes more");
        }
        out += "\n";
    }
    out.replace('\r', "\\r")
}

#[test]
fn guards() {
    let cases = [
        (
            "newest arm",
            "a.cuh",
            "#if __CUDA_ARCH__ >= 700\nint a;\n#else\nint b;\n#endif\n",
        ),
        (
            "newest arm holds PTX",
            "a.cuh",
            "#if __CUDA_ARCH__ >= 800\nasm(\"cp.async.wait_all;\");\n#else\nint b;\n#endif\n",
        ),
        (
            "device or host",
            "a.cuh",
            "#ifdef __CUDA_ARCH__\nint a;\n#else\nint b;\n#endif\n",
        ),
        (
            "known to be device code",
            "a.cuh",
            "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600\nint a;\n#endif\n",
        ),
        (
            "release",
            "a.cuh",
            "#if CUDART_VERSION < 11000\nint a;\n#else\nint b;\n#endif\n",
        ),
        (
            "other side unknown",
            "a.cuh",
            "#if __CUDA_ARCH__ >= MINIMUM\nint a;\n#endif\n",
        ),
        (
            "ported already",
            "a.cuh",
            "#ifdef __HIP__\nhipError_t e;\n#else\ncudaError_t e;\n#endif\n",
        ),
    ];
    insta::assert_snapshot!(shown(&cases, &Options::default()));
}

#[test]
fn includes() {
    let cases = [
        (
            "headers that fall together",
            "a.h",
            "#include <cuda.h>\n#include <cuda_runtime.h>\n#include <stdio.h>\n",
        ),
        (
            "not the same when a condition stands between",
            "a.h",
            "#ifdef A\n#include <cuda.h>\n#endif\n#include <cuda_runtime.h>\n",
        ),
        (
            "a comment shares the line",
            "a.h",
            "#include <cuda.h>\n#include <cuda_runtime.h> // why\n",
        ),
        ("quotes stay", "a.h", "#include \"cublas_v2.h\"\n"),
        ("no counterpart", "a.h", "#include <cudnn.h>\n"),
        (
            "implicit: before the first include",
            "a.cu",
            "// A.\n\n// B.\n#include <stdio.h>\nint main() {}\n",
        ),
        ("implicit: after the licence", "a.cu", "/* A.\n */\n\nint main() {}\n"),
        ("implicit: after pragma once", "a.cu", "// A.\n#pragma once\nint a;\n"),
        (
            "implicit: in the guard",
            "a.cu",
            "#ifndef A\n#define A\n#pragma once\nint a;\n#endif\n",
        ),
        (
            "implicit: guard whose define stands apart",
            "a.cu",
            "#ifndef A\n#pragma once\n#define A\nint a;\n#endif\n",
        ),
        (
            "implicit: an ifndef that is no guard",
            "a.cu",
            "#ifndef A\n#define B\n#endif\nint a;\n",
        ),
        ("not implicit", "a.cpp", "#include <stdio.h>\nint main() {}\n"),
        (
            "HIP already",
            "a.cu",
            "#include <hipcub/hipcub.hpp>\nint a = hipSuccess;\n",
        ),
        ("used bare", "a.cpp", "#include <stdio.h>\ncudaError_t e;\n"),
        ("brought in time", "a.cpp", "#include <cub/cub.cuh>\ncudaError_t e;\n"),
        ("CRLF", "a.cu", "#include <stdio.h>\r\nint main() {}\r\n"),
    ];
    insta::assert_snapshot!(shown(&cases, &Options::default()));
}

#[test]
fn calls() {
    let cases = [
        ("the rest", "a.c", "int f(void **p) { return cuMemAllocHost(p, 4); }\n"),
        (
            "one of two forms",
            "a.cpp",
            "void f(int *p) { cudaMemcpyToSymbol(c, p, 4); cudaMemcpyToSymbol(c, p, 4, 0, k); }\n",
        ),
        (
            "spaces, lines and comments stay",
            "a.cpp",
            "void f(int *p) {\n  cudaMemcpyToSymbol( c /* to */, // where\n      p,\n      4 /* bytes */ );\n}\n",
        ),
        (
            "names in the arguments",
            "a.cpp",
            "void f(int *p) { cudaMemcpyToSymbol(c, p, 4, 0, cudaMemcpyDefault); }\n",
        ),
        (
            "in a macro",
            "a.h",
            "#define PUT(s, p) \\\n  cudaMemcpyToSymbol(s, \\\n    p, sizeof(s))\n",
        ),
        (
            "C needs the default",
            "a.c",
            "void f(void) { cuStreamWaitValue32(s, p, 1, 0); }\n",
        ),
        ("C++ has it", "a.cpp", "void f() { cuStreamWaitValue32(s, p, 1, 0); }\n"),
        (
            "no form",
            "a.cpp",
            "void f() { cuOccupancyMaxPotentialBlockSize(a, b, k, smem, 0, 0); }\n",
        ),
        (
            "an argument goes",
            "a.cpp",
            "void f() { cuOccupancyMaxPotentialBlockSize(a, b, k, 0, n, /* limit */ 0); }\n",
        ),
    ];
    insta::assert_snapshot!(shown(&cases, &Options::default()));
}

#[test]
fn launches() {
    let kernels = "template <int N, class T> __global__ void t(T *p) {}\n__global__ void k(int n) {}\n";
    let code = format!(
        "#include <hip/hip_runtime.h>\n{kernels}#define K t<1, int>\nvoid f(int *p, dim3 g) {{\n  k<<<1, 2>>>(3);\n  \
         t<1><<<g, dim3(2, 2), 16, s>>>(p);\n  t<<<g, 2>>>(p);\n  K<<<g, 2>>>(p);\n  (*q)<<<g, 2>>>();\n}}\n"
    );
    let cases = [("macro form", "a.cu", code.as_str())];
    let options = Options {
        launch: Launch::Ggl,
        ..Options::default()
    };
    insta::assert_snapshot!(shown(&cases, &options));
}

#[test]
fn strings() {
    let cases = [
        (
            "a kernel in a raw string",
            "a.cpp",
            "const char *s = R\"(\n#include <cuda_fp16.h>\n__global__ void k(int *p) { p[0] = __clz(1); }\n)\";\n\
             void f() { nvrtcCreateProgram(&p, s, 0, 0, 0, 0); }\n",
        ),
        (
            "in an ordinary string",
            "a.cpp",
            "const char *s = \"__global__ void k() {}\";\nvoid f() { nvrtcCreateProgram(&p, s, 0, 0, 0, 0); }\n",
        ),
        (
            "no run-time compiler, no kernel",
            "a.cpp",
            "const char *s = R\"(__global__ cudaFree)\";\n",
        ),
        (
            "a message",
            "a.cpp",
            "#include <cuda.h>\nvoid f() { puts(\"cudaMalloc failed\"); }\n",
        ),
    ];
    insta::assert_snapshot!(shown(&cases, &Options::default()));
}
