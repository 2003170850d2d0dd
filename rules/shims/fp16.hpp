// tranship/fp16.hpp: what CUDA's cuda_fp16.h has and HIP's hip_fp16.h lacks, under tranship's names.
//
// provides: double2half, half2char_rz, half2uchar_rz; hadd_rn, hsub_rn, hmul_rn, hfma_relu, hmax2, hmin2, hmax_nan,
//   hmin_nan, their forms for two values, the _mask comparisons, hcmadd, htanh_approx, h2tanh_approx, atomic_add; and, so
//   that one name serves both 16-bit types, the functions of this kind that HIP has for __half only.
// exactness: each result is rounded once, as CUDA's. A NaN result of relu, hmax_nan and hmin_nan is CUDA's 0x7fff.
// limits: htanh_approx and h2tanh_approx are rounded once, where CUDA approximates: not its bits. atomic_add loops on a
//   compare-and-swap.
// unnecessary since: never.
#pragma once

#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

namespace tranship {
namespace detail {

template <class T, class V> __device__ __forceinline__ T half_bits(const V& v) {
  static_assert(sizeof(T) == sizeof(V), "");
  T t;
  __builtin_memcpy(static_cast<void*>(&t), static_cast<const void*>(&v), sizeof(T));
  return t;
}
__device__ __forceinline__ __half half_of(unsigned bits) { return half_bits<__half>(static_cast<unsigned short>(bits)); }
__device__ __forceinline__ unsigned bits_of_half(__half v) { return half_bits<unsigned short>(v); }
__device__ __forceinline__ __half low_of(__half2 v) { return half_of(half_bits<unsigned>(v)); }
__device__ __forceinline__ __half high_of(__half2 v) { return half_of(half_bits<unsigned>(v) >> 16); }
__device__ __forceinline__ __half2 pair_of(__half low, __half high) {
  return half_bits<__half2>(bits_of_half(low) | bits_of_half(high) << 16);
}
__device__ __forceinline__ float wide(__half v) { return __half2float(v); }
__device__ __forceinline__ __half relu(__half v) {
  return wide(v) != wide(v) ? half_of(0x7fffu) : wide(v) > 0.0f ? v : half_of(0);
}

}  // namespace detail

// ---- conversions

__device__ __forceinline__ __half double2half(double v) { return __half(static_cast<_Float16>(v)); }
__device__ __forceinline__ signed char half2char_rz(__half h) {
  const float v = detail::wide(h);
  return static_cast<signed char>(v != v ? 0 : v >= 127.0f ? 127 : v <= -128.0f ? -128 : static_cast<int>(v));
}
__device__ __forceinline__ unsigned char half2uchar_rz(__half h) {
  const float v = detail::wide(h);
  return static_cast<unsigned char>(v != v ? 0 : v >= 255.0f ? 255 : v <= 0.0f ? 0 : static_cast<int>(v));
}

// ---- arithmetic

__device__ __forceinline__ __half hadd_rn(__half a, __half b) { return __hadd(a, b); }
__device__ __forceinline__ __half2 hadd2_rn(__half2 a, __half2 b) { return __hadd2(a, b); }
__device__ __forceinline__ __half hadd_sat(__half a, __half b) { return __hadd_sat(a, b); }
__device__ __forceinline__ __half2 hadd2_sat(__half2 a, __half2 b) { return __hadd2_sat(a, b); }
__device__ __forceinline__ __half hsub_rn(__half a, __half b) { return __hsub(a, b); }
__device__ __forceinline__ __half2 hsub2_rn(__half2 a, __half2 b) { return __hsub2(a, b); }
__device__ __forceinline__ __half hsub_sat(__half a, __half b) { return __hsub_sat(a, b); }
__device__ __forceinline__ __half2 hsub2_sat(__half2 a, __half2 b) { return __hsub2_sat(a, b); }
__device__ __forceinline__ __half hmul_rn(__half a, __half b) { return __hmul(a, b); }
__device__ __forceinline__ __half2 hmul2_rn(__half2 a, __half2 b) { return __hmul2(a, b); }
__device__ __forceinline__ __half hmul_sat(__half a, __half b) { return __hmul_sat(a, b); }
__device__ __forceinline__ __half2 hmul2_sat(__half2 a, __half2 b) { return __hmul2_sat(a, b); }
__device__ __forceinline__ __half hfma_sat(__half a, __half b, __half c) { return __hfma_sat(a, b, c); }
__device__ __forceinline__ __half2 hfma2_sat(__half2 a, __half2 b, __half2 c) { return __hfma2_sat(a, b, c); }
__device__ __forceinline__ __half hfma_relu(__half a, __half b, __half c) { return detail::relu(__hfma(a, b, c)); }
__device__ __forceinline__ __half2 hfma2_relu(__half2 a, __half2 b, __half2 c) {
  return detail::pair_of(hfma_relu(detail::low_of(a), detail::low_of(b), detail::low_of(c)), hfma_relu(detail::high_of(a), detail::high_of(b), detail::high_of(c)));
}
__device__ __forceinline__ __half hmax_nan(__half a, __half b) {
  const float x = detail::wide(a), y = detail::wide(b);
  if (x != x || y != y) return detail::half_of(0x7fffu);
  if (x == y) return detail::half_of(detail::bits_of_half(a) & detail::bits_of_half(b));
  return x > y ? a : b;
}
__device__ __forceinline__ __half2 hmax2_nan(__half2 a, __half2 b) {
  return detail::pair_of(hmax_nan(detail::low_of(a), detail::low_of(b)), hmax_nan(detail::high_of(a), detail::high_of(b)));
}
namespace detail {
__device__ __forceinline__ __half hmax_of(__half a, __half b) {
  const float x = wide(a), y = wide(b);
  if (x != x) return y != y ? half_of(0x7fffu) : b;
  return y != y ? a : hmax_nan(a, b);
}
}  // namespace detail
__device__ __forceinline__ __half2 hmax2(__half2 a, __half2 b) {
  return detail::pair_of(detail::hmax_of(detail::low_of(a), detail::low_of(b)),
                         detail::hmax_of(detail::high_of(a), detail::high_of(b)));
}
__device__ __forceinline__ __half hmin_nan(__half a, __half b) {
  const float x = detail::wide(a), y = detail::wide(b);
  if (x != x || y != y) return detail::half_of(0x7fffu);
  if (x == y) return detail::half_of(detail::bits_of_half(a) | detail::bits_of_half(b));
  return x < y ? a : b;
}
__device__ __forceinline__ __half2 hmin2_nan(__half2 a, __half2 b) {
  return detail::pair_of(hmin_nan(detail::low_of(a), detail::low_of(b)), hmin_nan(detail::high_of(a), detail::high_of(b)));
}
namespace detail {
__device__ __forceinline__ __half hmin_of(__half a, __half b) {
  const float x = wide(a), y = wide(b);
  if (x != x) return y != y ? half_of(0x7fffu) : b;
  return y != y ? a : hmin_nan(a, b);
}
}  // namespace detail
__device__ __forceinline__ __half2 hmin2(__half2 a, __half2 b) {
  return detail::pair_of(detail::hmin_of(detail::low_of(a), detail::low_of(b)),
                         detail::hmin_of(detail::high_of(a), detail::high_of(b)));
}

// ---- comparisons

namespace detail {
__device__ __forceinline__ bool h_eq(__half a, __half b) { return wide(a) == wide(b); }
__device__ __forceinline__ bool h_equ(__half a, __half b) { return !(wide(a) < wide(b) || wide(a) > wide(b)); }
__device__ __forceinline__ bool h_ne(__half a, __half b) { return wide(a) < wide(b) || wide(a) > wide(b); }
__device__ __forceinline__ bool h_neu(__half a, __half b) { return wide(a) != wide(b); }
__device__ __forceinline__ bool h_gt(__half a, __half b) { return wide(a) > wide(b); }
__device__ __forceinline__ bool h_gtu(__half a, __half b) { return !(wide(a) <= wide(b)); }
__device__ __forceinline__ bool h_ge(__half a, __half b) { return wide(a) >= wide(b); }
__device__ __forceinline__ bool h_geu(__half a, __half b) { return !(wide(a) < wide(b)); }
__device__ __forceinline__ bool h_lt(__half a, __half b) { return wide(a) < wide(b); }
__device__ __forceinline__ bool h_ltu(__half a, __half b) { return !(wide(a) >= wide(b)); }
__device__ __forceinline__ bool h_le(__half a, __half b) { return wide(a) <= wide(b); }
__device__ __forceinline__ bool h_leu(__half a, __half b) { return !(wide(a) > wide(b)); }
}  // namespace detail

__device__ __forceinline__ unsigned heq2_mask(__half2 a, __half2 b) {
  return (detail::h_eq(detail::low_of(a), detail::low_of(b)) ? 0xffffu : 0u) | (detail::h_eq(detail::high_of(a), detail::high_of(b)) ? 0xffff0000u : 0u);
}
__device__ __forceinline__ __half2 hequ2(__half2 a, __half2 b) {
  return detail::half_bits<__half2>((detail::h_equ(detail::low_of(a), detail::low_of(b)) ? 0x3c00u : 0u) | (detail::h_equ(detail::high_of(a), detail::high_of(b)) ? 0x3c000000u : 0u));
}
__device__ __forceinline__ unsigned hequ2_mask(__half2 a, __half2 b) {
  return (detail::h_equ(detail::low_of(a), detail::low_of(b)) ? 0xffffu : 0u) | (detail::h_equ(detail::high_of(a), detail::high_of(b)) ? 0xffff0000u : 0u);
}
__device__ __forceinline__ unsigned hne2_mask(__half2 a, __half2 b) {
  return (detail::h_ne(detail::low_of(a), detail::low_of(b)) ? 0xffffu : 0u) | (detail::h_ne(detail::high_of(a), detail::high_of(b)) ? 0xffff0000u : 0u);
}
__device__ __forceinline__ __half2 hneu2(__half2 a, __half2 b) {
  return detail::half_bits<__half2>((detail::h_neu(detail::low_of(a), detail::low_of(b)) ? 0x3c00u : 0u) | (detail::h_neu(detail::high_of(a), detail::high_of(b)) ? 0x3c000000u : 0u));
}
__device__ __forceinline__ unsigned hneu2_mask(__half2 a, __half2 b) {
  return (detail::h_neu(detail::low_of(a), detail::low_of(b)) ? 0xffffu : 0u) | (detail::h_neu(detail::high_of(a), detail::high_of(b)) ? 0xffff0000u : 0u);
}
__device__ __forceinline__ unsigned hgt2_mask(__half2 a, __half2 b) {
  return (detail::h_gt(detail::low_of(a), detail::low_of(b)) ? 0xffffu : 0u) | (detail::h_gt(detail::high_of(a), detail::high_of(b)) ? 0xffff0000u : 0u);
}
__device__ __forceinline__ __half2 hgtu2(__half2 a, __half2 b) {
  return detail::half_bits<__half2>((detail::h_gtu(detail::low_of(a), detail::low_of(b)) ? 0x3c00u : 0u) | (detail::h_gtu(detail::high_of(a), detail::high_of(b)) ? 0x3c000000u : 0u));
}
__device__ __forceinline__ unsigned hgtu2_mask(__half2 a, __half2 b) {
  return (detail::h_gtu(detail::low_of(a), detail::low_of(b)) ? 0xffffu : 0u) | (detail::h_gtu(detail::high_of(a), detail::high_of(b)) ? 0xffff0000u : 0u);
}
__device__ __forceinline__ unsigned hge2_mask(__half2 a, __half2 b) {
  return (detail::h_ge(detail::low_of(a), detail::low_of(b)) ? 0xffffu : 0u) | (detail::h_ge(detail::high_of(a), detail::high_of(b)) ? 0xffff0000u : 0u);
}
__device__ __forceinline__ __half2 hgeu2(__half2 a, __half2 b) {
  return detail::half_bits<__half2>((detail::h_geu(detail::low_of(a), detail::low_of(b)) ? 0x3c00u : 0u) | (detail::h_geu(detail::high_of(a), detail::high_of(b)) ? 0x3c000000u : 0u));
}
__device__ __forceinline__ unsigned hgeu2_mask(__half2 a, __half2 b) {
  return (detail::h_geu(detail::low_of(a), detail::low_of(b)) ? 0xffffu : 0u) | (detail::h_geu(detail::high_of(a), detail::high_of(b)) ? 0xffff0000u : 0u);
}
__device__ __forceinline__ unsigned hlt2_mask(__half2 a, __half2 b) {
  return (detail::h_lt(detail::low_of(a), detail::low_of(b)) ? 0xffffu : 0u) | (detail::h_lt(detail::high_of(a), detail::high_of(b)) ? 0xffff0000u : 0u);
}
__device__ __forceinline__ __half2 hltu2(__half2 a, __half2 b) {
  return detail::half_bits<__half2>((detail::h_ltu(detail::low_of(a), detail::low_of(b)) ? 0x3c00u : 0u) | (detail::h_ltu(detail::high_of(a), detail::high_of(b)) ? 0x3c000000u : 0u));
}
__device__ __forceinline__ unsigned hltu2_mask(__half2 a, __half2 b) {
  return (detail::h_ltu(detail::low_of(a), detail::low_of(b)) ? 0xffffu : 0u) | (detail::h_ltu(detail::high_of(a), detail::high_of(b)) ? 0xffff0000u : 0u);
}
__device__ __forceinline__ unsigned hle2_mask(__half2 a, __half2 b) {
  return (detail::h_le(detail::low_of(a), detail::low_of(b)) ? 0xffffu : 0u) | (detail::h_le(detail::high_of(a), detail::high_of(b)) ? 0xffff0000u : 0u);
}
__device__ __forceinline__ __half2 hleu2(__half2 a, __half2 b) {
  return detail::half_bits<__half2>((detail::h_leu(detail::low_of(a), detail::low_of(b)) ? 0x3c00u : 0u) | (detail::h_leu(detail::high_of(a), detail::high_of(b)) ? 0x3c000000u : 0u));
}
__device__ __forceinline__ unsigned hleu2_mask(__half2 a, __half2 b) {
  return (detail::h_leu(detail::low_of(a), detail::low_of(b)) ? 0xffffu : 0u) | (detail::h_leu(detail::high_of(a), detail::high_of(b)) ? 0xffff0000u : 0u);
}

// (a.x + i a.y) * (b.x + i b.y) + (c.x + i c.y), in four fused steps
__device__ __forceinline__ __half2 hcmadd(__half2 a, __half2 b, __half2 c) {
  const __half ax = detail::low_of(a), ay = detail::high_of(a), bx = detail::low_of(b), by = detail::high_of(b);
  const __half minus_ay = detail::half_of(detail::bits_of_half(ay) ^ 0x8000u);
  return detail::pair_of(__hfma(minus_ay, by, __hfma(ax, bx, detail::low_of(c))),
                         __hfma(ay, bx, __hfma(ax, by, detail::high_of(c))));
}

// ---- atomics: the old value comes back

__device__ __forceinline__ __half2 atomic_add(__half2* p, __half2 v) {
  unsigned* word = reinterpret_cast<unsigned*>(p);
  unsigned old = __hip_atomic_load(word, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  for (;;) {
    const unsigned sum = detail::half_bits<unsigned>(hadd2_rn(detail::half_bits<__half2>(old), v));
    if (__hip_atomic_compare_exchange_weak(word, &old, sum, __ATOMIC_RELAXED, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT))
      return detail::half_bits<__half2>(old);
  }
}
// In the aligned word around it.
__device__ __forceinline__ __half atomic_add(__half* p, __half v) {
  const unsigned long long at = reinterpret_cast<unsigned long long>(p);
  unsigned* word = reinterpret_cast<unsigned*>(at & ~3ull);
  const unsigned shift = at & 2u ? 16u : 0u;
  unsigned old = __hip_atomic_load(word, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  for (;;) {
    const __half before = detail::half_of(old >> shift);
    const unsigned sum = (old & ~(0xffffu << shift)) | detail::bits_of_half(hadd_rn(before, v)) << shift;
    if (__hip_atomic_compare_exchange_weak(word, &old, sum, __ATOMIC_RELAXED, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT))
      return before;
  }
}

// ---- the hyperbolic tangent, computed in float and rounded once: closer than CUDA's approximation

__device__ __forceinline__ __half htanh_approx(__half v) { return __float2half(tanhf(__half2float(v))); }
__device__ __forceinline__ __half2 h2tanh_approx(__half2 v) {
  return __floats2half2_rn(tanhf(__low2float(v)), tanhf(__high2float(v)));
}

}  // namespace tranship
