// Kernels of different appetite: registers, LDS, block sizes. Compiled for several architectures, they show whether
// tranship's figures are the compiler's.
#include <hip/hip_runtime.h>

// N values are loaded before the first is stored, so that N registers are in use at once.
template <int N> __device__ void hold(float *p) {
  float v[N];
#pragma unroll
  for (int i = 0; i < N; i++) v[i] = p[i * 1031 + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < N; i++) p[i * 1033 + threadIdx.x] = v[i];
}

// BYTES of LDS, all of them written.
template <int BYTES> __device__ void share(float *p) {
  __shared__ float s[BYTES / 4];
  for (int i = threadIdx.x; i < BYTES / 4; i += blockDim.x) s[i] = p[i];
  __syncthreads();
  p[threadIdx.x] = s[(threadIdx.x * 37) % (BYTES / 4)];
}

__global__ void plain(float *p) { p[threadIdx.x] += 1; }
__global__ __launch_bounds__(64) void one_wave(float *p) { share<1024>(p); }
__global__ __launch_bounds__(128) void lds_5k(float *p) { share<5120>(p); }
__global__ __launch_bounds__(256) void lds_20k(float *p) { share<20000>(p); }
__global__ __launch_bounds__(256) void lds_33k(float *p) { share<33000>(p); }
__global__ __launch_bounds__(192) void lds_odd(float *p) { share<9004>(p); }
__global__ __launch_bounds__(1024) void lds_all(float *p) { share<65536>(p); }
__global__ __launch_bounds__(256) void hold_40(float *p) { hold<40>(p); }
__global__ __launch_bounds__(256) void hold_100(float *p) { hold<100>(p); }
__global__ __launch_bounds__(128) void hold_130(float *p) { hold<130>(p); }
__global__ __launch_bounds__(64) void hold_200(float *p) { hold<200>(p); }
__global__ __launch_bounds__(320) void both(float *p) { hold<60>(p); share<12288>(p); }
__global__ void unbounded(float *p) { hold<30>(p); share<3000>(p); }
