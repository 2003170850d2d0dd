#!/bin/sh
# build.sh OUTDIR [nvcc option]...: warp_test and cg_test as CUDA programs, to check their models on an NVIDIA GPU of
# compute capability 8.0 or later (sm_90 here). NVCC names the compiler. Each prints `... N passed, 0 failed`.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$1
shift
for t in warp cg; do
  sed 's/static unsigned slot/__shared__ unsigned slot/' "$here/../${t}_test.cpp" > "$out/${t}_test.cu"
  "${NVCC:-nvcc}" -std=c++17 -arch=sm_90 -O1 -w --extended-lambda -fmad=false -I"$here" -I"$here/.." "$@" \
    -o "$out/${t}_test_nvidia" "$out/${t}_test.cu"
done
