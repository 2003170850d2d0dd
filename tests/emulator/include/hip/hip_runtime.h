// A CPU emulator of HIP's kernel language, for tests of meaning: plain C++17, one header, no GPU.
//
// A block's threads are fibres of one OS thread; blocks run one after another. The lanes of a wavefront (EMU_WAVE, 32 or
// 64) run until each has exited, waits at __syncthreads, or is at a wave operation. A wave operation takes together the
// lanes that are at the same call, found by their chains of return addresses; of several calls the one that comes first
// in the code goes first, so that lanes meet again after a branch or a loop, as the hardware's do. Compile with
// -O0 -fno-omit-frame-pointer (the code's order is then the source's order) and -fno-extern-tls-init.
//
// Launch with hipLaunchKernelGGL: <<<>>> is not C++. `__shared__` is thread_local: at block scope that is static, and
// `extern __shared__ T x[];` stays a valid declaration, whose symbol run.sh defines (see dynamic_shared.sh).
// Not modelled: time, memory order, several devices, textures, grids that synchronise.
#pragma once
#include <ucontext.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <tuple>
#include <vector>

#ifndef EMU_WAVE
#define EMU_WAVE 64
#endif
static_assert(EMU_WAVE == 32 || EMU_WAVE == 64, "a wavefront has 32 or 64 lanes");

#define __HIP__ 1
#define __HIPCC__ 1
#define __HIP_PLATFORM_AMD__ 1
#define __HIP_EMULATOR__ 1
#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __shared__ thread_local
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];
#define HIP_SYMBOL(x) x

// ---- vector types
#define EMU_VEC(T, N)                                                                              \
  struct N##1 { T x; };                                                                            \
  struct alignas(2 * sizeof(T)) N##2 { T x, y; };                                                  \
  struct N##3 { T x, y, z; };                                                                      \
  struct alignas(sizeof(T) > 4 ? 16 : 4 * sizeof(T)) N##4 { T x, y, z, w; };                       \
  inline N##1 make_##N##1(T x) { return {x}; }                                                     \
  inline N##2 make_##N##2(T x, T y) { return {x, y}; }                                             \
  inline N##3 make_##N##3(T x, T y, T z) { return {x, y, z}; }                                     \
  inline N##4 make_##N##4(T x, T y, T z, T w) { return {x, y, z, w}; }
EMU_VEC(signed char, char) EMU_VEC(unsigned char, uchar) EMU_VEC(short, short) EMU_VEC(unsigned short, ushort)
EMU_VEC(int, int) EMU_VEC(unsigned, uint) EMU_VEC(long, long) EMU_VEC(unsigned long, ulong)
EMU_VEC(long long, longlong) EMU_VEC(unsigned long long, ulonglong) EMU_VEC(float, float) EMU_VEC(double, double)
#undef EMU_VEC

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  operator uint3() const { return {x, y, z}; }
};

inline uint3 threadIdx{}, blockIdx{};
inline dim3 blockDim, gridDim;
static constexpr int warpSize = EMU_WAVE;

// ---- fibres
namespace emu {

enum class op { ballot, bpermute, first_lane, swizzle, barrier };
enum class state { ready, wave, block, done };

struct lane {
  ucontext_t context;
  std::unique_ptr<char[]> stack;
  uint3 index;
  state is = state::ready;
  op what = op::barrier;
  uint64_t a = 0, b = 0, result = 0;
  std::vector<uintptr_t> site;  // return addresses, outermost first
  void* frame = nullptr;        // where the fibre's own frames begin
};

constexpr size_t stack_bytes = 256 * 1024;

struct machine {
  std::vector<std::unique_ptr<lane>> lanes;
  ucontext_t scheduler;
  unsigned current = 0, count = 0;
  void (*body)(void*) = nullptr;
  void* arguments = nullptr;
  size_t dynamic_bytes = 0;
  bool running = false;
};
inline machine& m() {
  static machine it;
  return it;
}

inline unsigned lane_of_wave() { return m().current % EMU_WAVE; }

inline void suspend(state s) {
  lane& l = *m().lanes[m().current];
  l.is = s;
  swapcontext(&l.context, &m().scheduler);
}

inline void yield() {
  if (m().running) suspend(state::ready);
}

__attribute__((noinline)) inline uint64_t wave_operation(op what, uint64_t a, uint64_t b = 0) {
  lane& l = *m().lanes[m().current];
  l.what = what, l.a = a, l.b = b;
  l.site.clear();
  for (void** fp = static_cast<void**>(__builtin_frame_address(0)); fp && fp != l.frame; fp = static_cast<void**>(fp[0]))
    l.site.push_back(reinterpret_cast<uintptr_t>(fp[1]));
  std::reverse(l.site.begin(), l.site.end());
  suspend(state::wave);
  return l.result;
}

__attribute__((noinline)) inline void fibre() {
  lane& l = *m().lanes[m().current];
  l.frame = __builtin_frame_address(0);
  m().body(m().arguments);
  suspend(state::done);
}

inline void run_operation(const std::vector<lane*>& at, const std::vector<unsigned>& number) {
  // One value a lane; a lane that is not here gives 0, as the hardware's permutes do.
  uint64_t here[EMU_WAVE] = {}, bits = 0;
  for (size_t k = 0; k < at.size(); ++k) {
    here[number[k]] = at[k]->a;
    if (at[k]->a) bits |= uint64_t(1) << number[k];
  }
  for (size_t k = 0; k < at.size(); ++k) {
    lane& l = *at[k];
    if (l.what != at[0]->what) fprintf(stderr, "emulator: two operations at one call\n"), abort();
    switch (l.what) {
      case op::ballot: l.result = bits; break;
      case op::bpermute: l.result = here[(l.b >> 2) % EMU_WAVE]; break;
      case op::first_lane: l.result = at[0]->a; break;
      case op::swizzle: {
        if (l.b & 0x8000) fprintf(stderr, "emulator: swizzle pattern not known\n"), abort();
        unsigned and_ = l.b & 31, or_ = l.b >> 5 & 31, xor_ = l.b >> 10 & 31, n = number[k];
        l.result = here[(n & ~31u) | ((((n & and_) | or_) ^ xor_) & 31u)];
        break;
      }
      case op::barrier: break;
    }
    l.is = state::ready;
  }
}

inline void run_block() {
  machine& e = m();
  for (unsigned t = 0; t < e.count; ++t) {
    lane& l = *e.lanes[t];
    l.is = state::ready;
    l.index = {t % blockDim.x, t / blockDim.x % blockDim.y, t / (blockDim.x * blockDim.y)};
    getcontext(&l.context);
    l.context.uc_stack.ss_sp = l.stack.get();
    l.context.uc_stack.ss_size = stack_bytes;
    l.context.uc_link = nullptr;
    makecontext(&l.context, fibre, 0);
  }
  e.running = true;
  for (unsigned long idle = 0;;) {
    bool moved = false, worked = false;
    for (unsigned t = 0; t < e.count; ++t)
      if (e.lanes[t]->is == state::ready) {
        e.current = t, threadIdx = e.lanes[t]->index, moved = true;
        swapcontext(&e.scheduler, &e.lanes[t]->context);
        worked |= e.lanes[t]->is != state::ready;
      }
    for (unsigned w = 0; w < e.count; w += EMU_WAVE) {
      const unsigned end = std::min(e.count, w + EMU_WAVE);
      const lane* first = nullptr;
      bool spinning = false;
      for (unsigned t = w; t < end; ++t) {
        const lane& l = *e.lanes[t];
        spinning |= l.is == state::ready;
        if (l.is == state::wave && (!first || l.site < first->site)) first = &l;
      }
      if (!first || spinning) continue;
      std::vector<lane*> at;
      std::vector<unsigned> number;
      for (unsigned t = w; t < end; ++t)
        if (e.lanes[t]->is == state::wave && e.lanes[t].get() != first && e.lanes[t]->site == first->site)
          at.push_back(e.lanes[t].get()), number.push_back(t - w);
        else if (e.lanes[t].get() == first)
          at.push_back(e.lanes[t].get()), number.push_back(t - w);
      run_operation(at, number);
      moved = worked = true;
    }
    idle = worked ? 0 : idle + 1;
    if (idle > 10000000) fprintf(stderr, "emulator: lanes spin for what cannot come\n"), exit(3);
    if (moved) continue;
    bool all_done = true;
    for (unsigned t = 0; t < e.count; ++t)
      if (e.lanes[t]->is == state::block) e.lanes[t]->is = state::ready, all_done = false;
    if (all_done) break;
  }
  e.running = false;
}

inline void run_grid(dim3 grid, dim3 block, size_t shared, void (*body)(void*), void* arguments) {
  machine& e = m();
  gridDim = grid, blockDim = block;
  e.count = block.x * block.y * block.z, e.body = body, e.arguments = arguments, e.dynamic_bytes = shared;
  while (e.lanes.size() < e.count) {
    e.lanes.push_back(std::make_unique<lane>());
    e.lanes.back()->stack = std::make_unique<char[]>(stack_bytes);
  }
  for (unsigned z = 0; z < grid.z; ++z)
    for (unsigned y = 0; y < grid.y; ++y)
      for (unsigned x = 0; x < grid.x; ++x) blockIdx = {x, y, z}, run_block();
}

template <class... P> struct call {
  void (*kernel)(P...);
  std::tuple<P...> arguments;
  static void body(void* p) {
    call& c = *static_cast<call*>(p);
    std::apply(c.kernel, c.arguments);
  }
};

// State of __syncthreads_count and its kin: two rounds of the block's barrier around the sum.
inline unsigned& block_count(int k) {
  static unsigned n[2];
  return n[k];
}

}  // namespace emu

// ---- errors, memory, streams, events
enum hipError_t {
  hipSuccess = 0, hipErrorInvalidValue = 1, hipErrorOutOfMemory = 2, hipErrorInvalidConfiguration = 9, hipErrorNotReady = 600,
  hipErrorUnknown = 999
};
enum hipMemcpyKind { hipMemcpyHostToHost, hipMemcpyHostToDevice, hipMemcpyDeviceToHost, hipMemcpyDeviceToDevice, hipMemcpyDefault };
using hipStream_t = struct ihipStream_t*;
using hipEvent_t = struct ihipEvent_t*;
struct ihipStream_t {};
struct ihipEvent_t { std::chrono::steady_clock::time_point at; };
struct hipDeviceProp_t {
  char name[256];
  size_t totalGlobalMem, sharedMemPerBlock;
  int warpSize, maxThreadsPerBlock, multiProcessorCount, major, minor, clockRate, regsPerBlock, maxThreadsPerMultiProcessor;
  int maxThreadsDim[3], maxGridSize[3];
  char gcnArchName[256];
};
enum hipDeviceAttribute_t { hipDeviceAttributeWarpSize, hipDeviceAttributeMultiprocessorCount, hipDeviceAttributeMaxThreadsPerBlock,
  hipDeviceAttributeMaxSharedMemoryPerBlock };
enum hipFuncAttribute { hipFuncAttributeMaxDynamicSharedMemorySize = 8, hipFuncAttributePreferredSharedMemoryCarveout = 9 };
constexpr unsigned hipHostMallocDefault = 0, hipEventDisableTiming = 2, hipStreamNonBlocking = 1, hipMemAttachGlobal = 1;

namespace emu {
inline hipError_t& last_error() {
  static hipError_t e = hipSuccess;
  return e;
}
inline hipError_t note(hipError_t e) {
  if (e) last_error() = e;
  return e;
}
}  // namespace emu

template <class T> hipError_t hipMalloc(T** p, size_t n) {
  *p = static_cast<T*>(aligned_alloc(256, (n + 255) / 256 * 256 + 256));
  if (*p) memset(static_cast<void*>(*p), 0xcd, n);
  return emu::note(*p ? hipSuccess : hipErrorOutOfMemory);
}
template <class T> hipError_t hipMallocManaged(T** p, size_t n, unsigned = 1) { return hipMalloc(p, n); }
template <class T> hipError_t hipHostMalloc(T** p, size_t n, unsigned = 0) { return hipMalloc(p, n); }
template <class T> hipError_t hipMallocAsync(T** p, size_t n, hipStream_t) { return hipMalloc(p, n); }
inline hipError_t hipFree(void* p) { return free(p), hipSuccess; }
inline hipError_t hipHostFree(void* p) { return free(p), hipSuccess; }
inline hipError_t hipFreeAsync(void* p, hipStream_t) { return free(p), hipSuccess; }
inline hipError_t hipMemcpy(void* to, const void* from, size_t n, hipMemcpyKind) { return memmove(to, from, n), hipSuccess; }
inline hipError_t hipMemcpyAsync(void* to, const void* from, size_t n, hipMemcpyKind, hipStream_t = nullptr) {
  return memmove(to, from, n), hipSuccess;
}
inline hipError_t hipMemset(void* to, int v, size_t n) { return memset(to, v, n), hipSuccess; }
inline hipError_t hipMemsetAsync(void* to, int v, size_t n, hipStream_t = nullptr) { return memset(to, v, n), hipSuccess; }
template <class T> hipError_t hipMemcpyToSymbol(T& to, const void* from, size_t n, size_t at = 0, hipMemcpyKind = hipMemcpyHostToDevice) {
  return memcpy(reinterpret_cast<char*>(&to) + at, from, n), hipSuccess;
}
template <class T> hipError_t hipMemcpyFromSymbol(void* to, const T& from, size_t n, size_t at = 0, hipMemcpyKind = hipMemcpyDeviceToHost) {
  return memcpy(to, reinterpret_cast<const char*>(&from) + at, n), hipSuccess;
}
template <class T> hipError_t hipGetSymbolAddress(void** p, const T& s) { return *p = const_cast<T*>(&s), hipSuccess; }
inline hipError_t hipDeviceSynchronize() { return hipSuccess; }
inline hipError_t hipGetLastError() {
  hipError_t e = emu::last_error();
  emu::last_error() = hipSuccess;
  return e;
}
inline hipError_t hipPeekAtLastError() { return emu::last_error(); }
inline const char* hipGetErrorString(hipError_t e) { return e == hipSuccess ? "no error" : "error"; }
inline const char* hipGetErrorName(hipError_t e) { return e == hipSuccess ? "hipSuccess" : "hipErrorUnknown"; }
inline hipError_t hipSetDevice(int) { return hipSuccess; }
inline hipError_t hipGetDevice(int* d) { return *d = 0, hipSuccess; }
inline hipError_t hipGetDeviceCount(int* n) { return *n = 1, hipSuccess; }
inline hipError_t hipDeviceReset() { return hipSuccess; }
inline hipError_t hipGetDeviceProperties(hipDeviceProp_t* p, int) {
  memset(static_cast<void*>(p), 0, sizeof *p);
  strcpy(p->name, "emulator");
  strcpy(p->gcnArchName, EMU_WAVE == 64 ? "gfx942" : "gfx1100");
  p->totalGlobalMem = size_t(1) << 34, p->sharedMemPerBlock = 65536, p->warpSize = EMU_WAVE, p->maxThreadsPerBlock = 1024;
  p->multiProcessorCount = 4, p->major = 9, p->minor = 4, p->clockRate = 1000000, p->maxThreadsPerMultiProcessor = 2048;
  p->maxThreadsDim[0] = p->maxThreadsDim[1] = p->maxThreadsDim[2] = 1024;
  p->maxGridSize[0] = 0x7fffffff, p->maxGridSize[1] = p->maxGridSize[2] = 65535;
  return hipSuccess;
}
inline hipError_t hipDeviceGetAttribute(int* v, hipDeviceAttribute_t a, int) {
  *v = a == hipDeviceAttributeWarpSize ? EMU_WAVE : a == hipDeviceAttributeMultiprocessorCount ? 4
     : a == hipDeviceAttributeMaxThreadsPerBlock ? 1024 : 65536;
  return hipSuccess;
}
template <class F> hipError_t hipFuncSetAttribute(F, hipFuncAttribute, int) { return hipSuccess; }
inline hipError_t hipStreamCreate(hipStream_t* s) { return *s = new ihipStream_t, hipSuccess; }
inline hipError_t hipStreamCreateWithFlags(hipStream_t* s, unsigned) { return hipStreamCreate(s); }
inline hipError_t hipStreamDestroy(hipStream_t s) { return delete s, hipSuccess; }
inline hipError_t hipStreamSynchronize(hipStream_t) { return hipSuccess; }
inline hipError_t hipEventCreate(hipEvent_t* e) { return *e = new ihipEvent_t, hipSuccess; }
inline hipError_t hipEventCreateWithFlags(hipEvent_t* e, unsigned) { return hipEventCreate(e); }
inline hipError_t hipEventDestroy(hipEvent_t e) { return delete e, hipSuccess; }
inline hipError_t hipEventRecord(hipEvent_t e, hipStream_t = nullptr) { return e->at = std::chrono::steady_clock::now(), hipSuccess; }
inline hipError_t hipEventSynchronize(hipEvent_t) { return hipSuccess; }
inline hipError_t hipEventElapsedTime(float* ms, hipEvent_t a, hipEvent_t b) {
  return *ms = std::chrono::duration<float, std::milli>(b->at - a->at).count(), hipSuccess;
}
inline hipError_t hipStreamWaitEvent(hipStream_t, hipEvent_t, unsigned = 0) { return hipSuccess; }

template <class... P, class... A>
void hipLaunchKernelGGL(void (*kernel)(P...), dim3 grid, dim3 block, size_t shared, hipStream_t, A&&... arguments) {
  const unsigned long long threads = 1ull * block.x * block.y * block.z;
  if (!threads || threads > 1024 || !grid.x || !grid.y || !grid.z || shared > 65536) {
    emu::note(hipErrorInvalidConfiguration);
    return;
  }
  emu::call<P...> c{kernel, std::tuple<P...>(static_cast<P>(arguments)...)};
  emu::run_grid(grid, block, shared, &emu::call<P...>::body, &c);
}

// ---- the compiler's builtins
inline unsigned __builtin_amdgcn_mbcnt_lo(unsigned mask, unsigned add) {
  const unsigned n = emu::lane_of_wave();
  return add + __builtin_popcount(n >= 32 ? mask : mask & ((1u << n) - 1));
}
inline unsigned __builtin_amdgcn_mbcnt_hi(unsigned mask, unsigned add) {
  const unsigned n = emu::lane_of_wave();
  return add + (n < 32 ? 0 : __builtin_popcount(mask & ((1u << (n - 32)) - 1)));
}
inline unsigned __builtin_amdgcn_wavefrontsize() { return EMU_WAVE; }
inline uint64_t __builtin_amdgcn_ballot_w64(bool p) { return emu::wave_operation(emu::op::ballot, p); }
inline uint32_t __builtin_amdgcn_ballot_w32(bool p) { return uint32_t(emu::wave_operation(emu::op::ballot, p)); }
inline uint64_t __builtin_amdgcn_read_exec() { return emu::wave_operation(emu::op::ballot, 1); }
inline int __builtin_amdgcn_ds_bpermute(int at, int v) {
  return int(emu::wave_operation(emu::op::bpermute, uint32_t(v), uint32_t(at)));
}
inline int __builtin_amdgcn_ds_swizzle(int v, int pattern) {
  return int(emu::wave_operation(emu::op::swizzle, uint32_t(v), uint32_t(pattern)));
}
inline int __builtin_amdgcn_readfirstlane(int v) { return int(emu::wave_operation(emu::op::first_lane, uint32_t(v))); }
inline void __builtin_amdgcn_wave_barrier() { emu::wave_operation(emu::op::barrier, 0); }
inline void __builtin_amdgcn_fence(int, const char*) {}
inline bool __builtin_amdgcn_is_shared(const void*) { return false; }
inline bool __builtin_amdgcn_is_private(const void*) { return false; }
inline void __builtin_amdgcn_s_sleep(int) { emu::yield(); }
// Macros: g++ does not tell the instances of a template of a builtin's name apart.
namespace emu {
template <class T> T streamed(const T* p) { return *p; }
template <class T, class P> void stream_to(T v, P* p) { *p = v; }
}  // namespace emu
#define __builtin_nontemporal_load(p) emu::streamed(p)
#define __builtin_nontemporal_store(v, p) emu::stream_to(v, p)

// ---- barriers and fences
inline void __syncthreads() { emu::suspend(emu::state::block); }
inline int __syncthreads_count(int p) {
  __syncthreads();
  emu::block_count(0) = 0;
  __syncthreads();
  emu::block_count(0) += p != 0;
  __syncthreads();
  return int(emu::block_count(0));
}
inline int __syncthreads_or(int p) { return __syncthreads_count(p) != 0; }
inline int __syncthreads_and(int p) { return __syncthreads_count(!p) == 0; }
inline void __threadfence() {}
inline void __threadfence_block() {}
inline void __threadfence_system() {}

// ---- HIP's own wave functions, 64-bit masks and the wavefront's width
inline unsigned __lane_id() { return emu::lane_of_wave(); }
inline unsigned long long __ballot(int p) { return __builtin_amdgcn_ballot_w64(p != 0); }
inline unsigned long long __activemask() { return __builtin_amdgcn_ballot_w64(true); }
inline int __any(int p) { return __ballot(p) != 0; }
inline int __all(int p) { return __ballot(!p) == 0; }
namespace emu {
template <class T> T pull(T v, unsigned from) {
  uint32_t w[(sizeof(T) + 3) / 4] = {};
  memcpy(w, &v, sizeof v);
  for (auto& x : w) x = uint32_t(wave_operation(op::bpermute, x, from * 4));
  memcpy(&v, w, sizeof v);
  return v;
}
}  // namespace emu
template <class T> T __shfl(T v, int src, int width = warpSize) {
  return emu::pull(v, (unsigned(src) & unsigned(width - 1)) | (__lane_id() & ~unsigned(width - 1)));
}
template <class T> T __shfl_up(T v, unsigned d, int width = warpSize) {
  const int self = int(__lane_id()), j = self - int(d);
  return emu::pull(v, unsigned(j < (self & ~(width - 1)) ? self : j));
}
template <class T> T __shfl_down(T v, unsigned d, int width = warpSize) {
  const int self = int(__lane_id());
  return emu::pull(v, unsigned((self & (width - 1)) + int(d) >= width ? self : self + int(d)));
}
template <class T> T __shfl_xor(T v, int x, int width = warpSize) {
  const int self = int(__lane_id()), j = self ^ x;
  return emu::pull(v, unsigned(j >= ((self + width) & ~(width - 1)) ? self : j));
}

// ---- shared memory by 32-bit offsets, counted from somewhat before the first address asked for
namespace emu {
inline uint64_t shared_base(uint64_t address) {
  static const uint64_t base = address - (1u << 28);
  return base;
}
inline uint64_t shared_offset(uint64_t address) { return address - shared_base(address); }
inline uint64_t shared_address(uint64_t offset) { return shared_base(0) + uint32_t(offset); }
}  // namespace emu

// ---- half precision, where the host's compiler has none
#ifndef __FLT16_MAX__
namespace emu {
struct half {
  uint16_t bits;
  half() = default;
  explicit half(float v) {
    uint32_t f;
    memcpy(&f, &v, 4);
    const uint32_t sign = f >> 16 & 0x8000u, magnitude = f & 0x7fffffffu;
    if (magnitude > 0x7f800000u) bits = uint16_t(sign | 0x7e00u);
    else if (magnitude >= 0x477ff000u) bits = uint16_t(sign | 0x7c00u);
    else if (magnitude < 0x38800000u) bits = uint16_t(sign | uint32_t(nearbyintf(fabsf(v) * 16777216.0f)));
    else bits = uint16_t(sign | ((magnitude - 0x38000000u + 0xfffu + (magnitude >> 13 & 1u)) >> 13));
  }
  operator float() const {
    const uint32_t e = bits >> 10 & 31u, m = bits & 1023u;
    const float v = e == 31 ? (m ? NAN : INFINITY) : e ? ldexpf(float(1024 + m), int(e) - 25) : ldexpf(float(m), -24);
    return bits & 0x8000u ? -v : v;
  }
};
}  // namespace emu
#define _Float16 emu::half
#endif

// ---- integers
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __ffs(unsigned x) { return __builtin_ffs(int(x)); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(unsigned long long x) { return __builtin_ffsll((long long)x); }
inline int __clz(int x) { return x ? __builtin_clz(unsigned(x)) : 32; }
inline int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
inline unsigned __brev(unsigned x) {
  unsigned r = 0;
  for (int k = 0; k < 32; ++k) r |= (x >> k & 1u) << (31 - k);
  return r;
}
inline unsigned long long __brevll(unsigned long long x) {
  return (unsigned long long)__brev(unsigned(x)) << 32 | __brev(unsigned(x >> 32));
}
inline int __mul24(int a, int b) { return (a << 8 >> 8) * (b << 8 >> 8); }
inline unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }
inline int __mulhi(int a, int b) { return int((long long)a * b >> 32); }
inline unsigned __umulhi(unsigned a, unsigned b) { return unsigned((unsigned long long)a * b >> 32); }
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) { return (unsigned long long)((unsigned __int128)a * b >> 64); }
inline unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned s) { return unsigned(((uint64_t(hi) << 32 | lo) << (s & 31)) >> 32); }
inline unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned s) { return unsigned((uint64_t(hi) << 32 | lo) >> (s & 31)); }
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned s) {
  unsigned r = 0;
  for (int k = 0; k < 4; ++k) r |= unsigned((uint64_t(y) << 32 | x) >> (s >> 4 * k & 7) * 8 & 255) << 8 * k;
  return r;
}
namespace emu {
template <class To, class From> To bits(From v) {
  static_assert(sizeof(To) == sizeof(From), "");
  To r;
  memcpy(&r, &v, sizeof r);
  return r;
}
}  // namespace emu
inline int __float_as_int(float v) { return emu::bits<int>(v); }
inline unsigned __float_as_uint(float v) { return emu::bits<unsigned>(v); }
inline float __int_as_float(int v) { return emu::bits<float>(v); }
inline float __uint_as_float(unsigned v) { return emu::bits<float>(v); }
inline long long __double_as_longlong(double v) { return emu::bits<long long>(v); }
inline double __longlong_as_double(long long v) { return emu::bits<double>(v); }
inline int __float2int_rn(float v) { return int(nearbyintf(v)); }
inline int __float2int_rz(float v) { return int(v); }
inline unsigned __float2uint_rn(float v) { return unsigned(nearbyintf(v)); }
inline float __int2float_rn(int v) { return float(v); }
inline float __uint2float_rn(unsigned v) { return float(v); }

// ---- floating point
using std::max;
using std::min;
#define EMU_MINMAX(A, B)                                                          \
  inline auto max(A a, B b) -> decltype(a + b) { return std::max<decltype(a + b)>(a, b); } \
  inline auto min(A a, B b) -> decltype(a + b) { return std::min<decltype(a + b)>(a, b); } \
  inline auto max(B a, A b) -> decltype(a + b) { return std::max<decltype(a + b)>(a, b); } \
  inline auto min(B a, A b) -> decltype(a + b) { return std::min<decltype(a + b)>(a, b); }
EMU_MINMAX(int, unsigned) EMU_MINMAX(int, long long) EMU_MINMAX(unsigned, unsigned long long) EMU_MINMAX(float, double) EMU_MINMAX(int, long)
#undef EMU_MINMAX
inline float rsqrtf(float v) { return 1.0f / sqrtf(v); }
inline double rsqrt(double v) { return 1.0 / sqrt(v); }
inline float __expf(float v) { return expf(v); }
inline float __logf(float v) { return logf(v); }
inline float __sinf(float v) { return sinf(v); }
inline float __cosf(float v) { return cosf(v); }
inline float __powf(float a, float b) { return powf(a, b); }
inline float __fdividef(float a, float b) { return a / b; }
inline float __frcp_rn(float v) { return 1.0f / v; }
inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fsub_rn(float a, float b) { return a - b; }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fdiv_rn(float a, float b) { return a / b; }
inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
inline float __saturatef(float v) { return v > 1 ? 1 : v > 0 ? v : 0; }
template <class T> T __ldg(const T* p) { return *p; }
inline unsigned __smid() { return blockIdx.x % 4; }
inline long long clock64() { static long long t = 0; return emu::yield(), ++t; }
inline long long wall_clock64() { return clock64(); }

// ---- atomics: one OS thread, so plain code is atomic. Some give way, for spin locks.
#define __HIP_MEMORY_SCOPE_SINGLETHREAD 1
#define __HIP_MEMORY_SCOPE_WAVEFRONT 2
#define __HIP_MEMORY_SCOPE_WORKGROUP 3
#define __HIP_MEMORY_SCOPE_AGENT 4
#define __HIP_MEMORY_SCOPE_SYSTEM 5
namespace emu {
template <class T> using same = std::common_type_t<T>;
template <class T, class F> T update(T* p, F f) {
  T old = *p;
  *const_cast<volatile T*>(p) = f(old);
  return old;
}
}  // namespace emu
#define EMU_ATOMIC(name, expression)                                                                           \
  template <class T> T atomic##name(T* p, emu::same<T> v) { return emu::update(p, [=](T o) { return T(expression); }); }            \
  template <class T> T atomic##name##_system(T* p, emu::same<T> v) { return atomic##name(p, v); }
EMU_ATOMIC(Add, o + v) EMU_ATOMIC(Sub, o - v) EMU_ATOMIC(Min, v < o ? v : o) EMU_ATOMIC(Max, v > o ? v : o)
EMU_ATOMIC(And, o & v) EMU_ATOMIC(Or, o | v) EMU_ATOMIC(Xor, o ^ v) EMU_ATOMIC(Inc, o >= v ? 0 : o + 1)
EMU_ATOMIC(Dec, o == 0 || o > v ? v : o - 1)
#undef EMU_ATOMIC
template <class T> T atomicExch(T* p, emu::same<T> v) { return emu::yield(), emu::update(p, [=](T) { return v; }); }
template <class T> T atomicCAS(T* p, emu::same<T> want, emu::same<T> v) {
  emu::yield();
  return emu::update(p, [=](T o) { return o == want ? v : o; });
}
template <class T> T __hip_atomic_load(const T* p, int, int) { return emu::yield(), *const_cast<const volatile T*>(p); }
template <class T> void __hip_atomic_store(T* p, emu::same<T> v, int, int) { *const_cast<volatile T*>(p) = v; }
template <class T> T __hip_atomic_exchange(T* p, emu::same<T> v, int, int) { return atomicExch(p, v); }
template <class T> T __hip_atomic_fetch_add(T* p, emu::same<T> v, int, int) { return atomicAdd(p, v); }
template <class T> T __hip_atomic_fetch_min(T* p, emu::same<T> v, int, int) { return atomicMin(p, v); }
template <class T> T __hip_atomic_fetch_max(T* p, emu::same<T> v, int, int) { return atomicMax(p, v); }
template <class T> T __hip_atomic_fetch_and(T* p, emu::same<T> v, int, int) { return atomicAnd(p, v); }
template <class T> T __hip_atomic_fetch_or(T* p, emu::same<T> v, int, int) { return atomicOr(p, v); }
template <class T> T __hip_atomic_fetch_xor(T* p, emu::same<T> v, int, int) { return atomicXor(p, v); }
template <class T> bool __hip_atomic_compare_exchange_strong(T* p, T* want, emu::same<T> v, int, int, int) {
  const T old = atomicCAS(p, *want, v), asked = *want;
  *want = old;
  return memcmp(&old, &asked, sizeof old) == 0;
}
template <class T> bool __hip_atomic_compare_exchange_weak(T* p, T* want, emu::same<T> v, int a, int b, int c) {
  return __hip_atomic_compare_exchange_strong(p, want, v, a, b, c);
}
