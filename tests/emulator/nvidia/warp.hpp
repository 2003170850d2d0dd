// In place of the shim: the same names, CUDA's own functions, so that warp_test.cpp checks its model on NVIDIA hardware.
#pragma once
#include <hip/hip_runtime.h>

#include <type_traits>

namespace tranship {

constexpr int warp_size = 32, warpSize = 32;
constexpr unsigned full_mask = 0xffffffffu;

template <class T, bool = std::is_class<T>::value> struct passed { using type = decltype(+T()); };
template <class T> struct passed<T, true> { using type = T; };

#define SHUFFLE(name, P)                                                                                    \
  template <class M, class T>                                                                               \
  __device__ typename passed<T>::type name##_sync(M mask, T v, P x, int width = 32) {                       \
    if constexpr (std::is_class<T>::value) {                                                                \
      unsigned word = 0;                                                                                    \
      memcpy(&word, &v, sizeof v);                                                                          \
      word = __##name##_sync(unsigned(mask), word, x, width);                                               \
      memcpy(&v, &word, sizeof v);                                                                          \
      return v;                                                                                             \
    } else {                                                                                                \
      return __##name##_sync(unsigned(mask), typename passed<T>::type(v), x, width);                        \
    }                                                                                                       \
  }                                                                                                         \
  template <class T> __device__ typename passed<T>::type name(T v, P x, int width = 32) {                   \
    return name##_sync(__activemask(), v, x, width);                                                        \
  }
SHUFFLE(shfl, int) SHUFFLE(shfl_up, unsigned) SHUFFLE(shfl_down, unsigned) SHUFFLE(shfl_xor, int)

#define VOTE(name, R)                                                                 \
  __device__ inline R name##_sync(unsigned m, int p) { return __##name##_sync(m, p); } \
  __device__ inline R name(int p) { return __##name##_sync(__activemask(), p); }
VOTE(ballot, unsigned) VOTE(any, int) VOTE(all, int)
__device__ inline int uni_sync(unsigned m, int p) { return __uni_sync(m, p); }
__device__ inline unsigned activemask() { return __activemask(); }

template <class T> __device__ unsigned match_any_sync(unsigned m, T v) { return __match_any_sync(m, v); }
template <class T> __device__ unsigned match_all_sync(unsigned m, T v, int* p) { return __match_all_sync(m, v, p); }

#define REDUCE(name) \
  template <class T> __device__ T name(unsigned m, T v) { return __##name(m, v); }
REDUCE(reduce_add_sync) REDUCE(reduce_min_sync) REDUCE(reduce_max_sync)
REDUCE(reduce_and_sync) REDUCE(reduce_or_sync) REDUCE(reduce_xor_sync)

#define SPECIAL(name, reg)                        \
  __device__ inline unsigned name() {             \
    unsigned r;                                   \
    asm volatile("mov.u32 %0, %%" reg ";" : "=r"(r)); \
    return r;                                     \
  }
SPECIAL(lanemask_eq, "lanemask_eq") SPECIAL(lanemask_lt, "lanemask_lt") SPECIAL(lanemask_le, "lanemask_le")
SPECIAL(lanemask_gt, "lanemask_gt") SPECIAL(lanemask_ge, "lanemask_ge") SPECIAL(lane_id, "laneid")
__device__ inline unsigned warp_id() { return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) >> 5; }
__device__ inline unsigned fns(unsigned m, unsigned b, int o) { return __fns(m, b, o); }
template <class M> __device__ void syncwarp(M m) { __syncwarp(unsigned(m)); }
__device__ inline void syncwarp() { __syncwarp(__activemask()); }

}  // namespace tranship
