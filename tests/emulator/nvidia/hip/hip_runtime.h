// For building the lane tests as CUDA: the harness's launch, over managed memory.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define EMU_WAVE 32

template <class K, class L, class F>
void hipLaunchKernelGGL(K kernel, dim3 grid, dim3 block, int, int, const L* in, uint64_t* out, int style, F f) {
  const size_t n = size_t(grid.x) * block.x * block.y * block.z;
  L* i;
  uint64_t* o;
  cudaMallocManaged(&i, n * sizeof(L));
  cudaMallocManaged(&o, n * sizeof *o);
  memcpy(i, in, n * sizeof(L));
  memset(o, 255, n * sizeof *o);
  kernel<<<grid, block>>>(i, o, style, f);
  if (cudaError_t e = cudaDeviceSynchronize()) fprintf(stderr, "%s\n", cudaGetErrorString(e)), exit(4);
  memcpy(out, o, n * sizeof *o);
  cudaFree(i);
  cudaFree(o);
}
