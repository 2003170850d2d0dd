// tranship/atomics.hpp: CUDA's atomics that HIP lacks: other scopes, other types.
//
// provides: atomic_add, atomic_sub, atomic_exch, atomic_min, atomic_max, atomic_inc, atomic_dec, atomic_and, atomic_or,
//   atomic_xor, atomic_cas with the endings _block, _system and none, for every type of 4 or 8 bytes that CUDA takes;
//   atomic_add also for float2 and float4 (each part by itself, as in CUDA); atomic_cas for unsigned short.
//   The 16-bit floating types are in fp16.hpp and bf16.hpp.
// exactness: relaxed order and the scope of the name, as in CUDA.
// limits: floating-point addition uses the compiler's safe form (a loop where the hardware's would drop denormals or
//   fine-grained memory).
// unnecessary since: never.
#pragma once

#include <hip/hip_runtime.h>

namespace tranship {
namespace detail {

template <class T> struct operand { using type = T; };
template <class T> using operand_t = typename operand<T>::type;

}  // namespace detail

// The scopes are builtins' constants, so each is spelt out.
#define TRANSHIP_ATOMIC(ending, scope)                                                                                  \
  template <class T> __device__ __forceinline__ T atomic_exch##ending(T* p, detail::operand_t<T> v) {                  \
    return __hip_atomic_exchange(p, v, __ATOMIC_RELAXED, scope);                                                       \
  }                                                                                                                    \
  template <class T> __device__ __forceinline__ T atomic_cas##ending(T* p, detail::operand_t<T> want, detail::operand_t<T> v) { \
    __hip_atomic_compare_exchange_strong(p, &want, v, __ATOMIC_RELAXED, __ATOMIC_RELAXED, scope);                      \
    return want;                                                                                                       \
  }                                                                                                                    \
  template <class T> __device__ __forceinline__ T atomic_add##ending(T* p, detail::operand_t<T> v) {                   \
    return __hip_atomic_fetch_add(p, v, __ATOMIC_RELAXED, scope);                                                      \
  }                                                                                                                    \
  template <class T> __device__ __forceinline__ T atomic_sub##ending(T* p, detail::operand_t<T> v) {                   \
    return __hip_atomic_fetch_add(p, static_cast<T>(0 - v), __ATOMIC_RELAXED, scope);                                  \
  }                                                                                                                    \
  template <class T> __device__ __forceinline__ T atomic_min##ending(T* p, detail::operand_t<T> v) {                   \
    return __hip_atomic_fetch_min(p, v, __ATOMIC_RELAXED, scope);                                                      \
  }                                                                                                                    \
  template <class T> __device__ __forceinline__ T atomic_max##ending(T* p, detail::operand_t<T> v) {                   \
    return __hip_atomic_fetch_max(p, v, __ATOMIC_RELAXED, scope);                                                      \
  }                                                                                                                    \
  template <class T> __device__ __forceinline__ T atomic_and##ending(T* p, detail::operand_t<T> v) {                   \
    return __hip_atomic_fetch_and(p, v, __ATOMIC_RELAXED, scope);                                                      \
  }                                                                                                                    \
  template <class T> __device__ __forceinline__ T atomic_or##ending(T* p, detail::operand_t<T> v) {                    \
    return __hip_atomic_fetch_or(p, v, __ATOMIC_RELAXED, scope);                                                       \
  }                                                                                                                    \
  template <class T> __device__ __forceinline__ T atomic_xor##ending(T* p, detail::operand_t<T> v) {                   \
    return __hip_atomic_fetch_xor(p, v, __ATOMIC_RELAXED, scope);                                                      \
  }                                                                                                                    \
  __device__ __forceinline__ unsigned atomic_inc##ending(unsigned* p, unsigned top) {                                  \
    unsigned old = __hip_atomic_load(p, __ATOMIC_RELAXED, scope);                                                      \
    while (!__hip_atomic_compare_exchange_weak(p, &old, old >= top ? 0u : old + 1u, __ATOMIC_RELAXED, __ATOMIC_RELAXED, scope)) { \
    }                                                                                                                  \
    return old;                                                                                                        \
  }                                                                                                                    \
  __device__ __forceinline__ unsigned atomic_dec##ending(unsigned* p, unsigned top) {                                  \
    unsigned old = __hip_atomic_load(p, __ATOMIC_RELAXED, scope);                                                      \
    while (!__hip_atomic_compare_exchange_weak(p, &old, old == 0u || old > top ? top : old - 1u, __ATOMIC_RELAXED,     \
                                               __ATOMIC_RELAXED, scope)) {                                             \
    }                                                                                                                  \
    return old;                                                                                                        \
  }                                                                                                                    \
  __device__ __forceinline__ float2 atomic_add##ending(float2* p, float2 v) {                                          \
    return make_float2(atomic_add##ending(&p->x, v.x), atomic_add##ending(&p->y, v.y));                                \
  }                                                                                                                    \
  __device__ __forceinline__ float4 atomic_add##ending(float4* p, float4 v) {                                          \
    return make_float4(atomic_add##ending(&p->x, v.x), atomic_add##ending(&p->y, v.y), atomic_add##ending(&p->z, v.z), \
                       atomic_add##ending(&p->w, v.w));                                                                \
  }

TRANSHIP_ATOMIC(, __HIP_MEMORY_SCOPE_AGENT)
TRANSHIP_ATOMIC(_block, __HIP_MEMORY_SCOPE_WORKGROUP)
TRANSHIP_ATOMIC(_system, __HIP_MEMORY_SCOPE_SYSTEM)
#undef TRANSHIP_ATOMIC

}  // namespace tranship
