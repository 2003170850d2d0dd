// tranship/ptx_half.hpp: PTX arithmetic and conversions on f16 and bf16, one value or two in a register.
//
// provides: tranship::ptx:: add, sub, mul, fma, fma_relu, min, max, min_nan, max_nan, abs, neg, ex2, tanh for each of
//   _f16, _f16x2, _bf16, _bf16x2; f32_from_f16, f32_from_bf16, f16_rn, f16_rz, bf16_rn, bf16_rz, f16x2_rn, ...
// exactness: bit for bit, NaN payloads aside, but for ex2 and tanh, which are computed in float and rounded once.
// limits: none known.
// unnecessary since: never.
#pragma once

#include <hip/hip_runtime.h>

#include "ptx.hpp"
#include "ptx_float.hpp"

namespace tranship {
namespace ptx {
namespace detail {

struct f16 {
  static __device__ __forceinline__ float to_float(unsigned short v) {
    _Float16 h;
    __builtin_memcpy(static_cast<void*>(&h), static_cast<const void*>(&v), 2);
    return static_cast<float>(h);
  }
  static __device__ __forceinline__ unsigned short nearest(float v) {
    if (v != v) return 0x7fffu;
    const _Float16 h = static_cast<_Float16>(v);
    unsigned short bits;
    __builtin_memcpy(static_cast<void*>(&bits), static_cast<const void*>(&h), 2);
    return bits;
  }
  static constexpr unsigned short sign = 0x8000u, infinity = 0x7c00u, nan = 0x7fffu;
};

struct bf16 {
  static __device__ __forceinline__ float to_float(unsigned short v) {
    return __uint_as_float(static_cast<unsigned>(v) << 16);
  }
  static __device__ __forceinline__ unsigned short nearest(float v) {
    if (v != v) return 0x7fffu;
    const unsigned bits = __float_as_uint(v);
    return static_cast<unsigned short>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
  }
  static constexpr unsigned short sign = 0x8000u, infinity = 0x7f80u, nan = 0x7fffu;
};

// Toward zero: what the nearest gave, one step back where it lies beyond.
template <class H> __device__ __forceinline__ unsigned short truncated(float v) {
  const unsigned short near = H::nearest(v);
  if (v != v || __builtin_isinf(v)) return near;
  const float back = H::to_float(near);
  return __builtin_fabsf(back) > __builtin_fabsf(v) ? static_cast<unsigned short>(near - 1) : near;
}

// A double as a float whose last bit is set where the float is not exact: rounding that to half precision is the same
// as rounding the double.
__device__ __forceinline__ float odd(double v) {
  const float f = static_cast<float>(v);
  const double back = static_cast<double>(f);
  if (!(back < v || back > v) || __builtin_isinf(f)) return f;
  unsigned bits = __float_as_uint(f);
  if (bits & 1u) return f;
  const bool inward = (__builtin_fabs(back) > __builtin_fabs(v));
  return __uint_as_float(inward ? bits - 1 : bits + 1);
}

// a * b + c with one rounding: the product is exact in double, and what the sum loses sets its last bit.
template <class H> __device__ __forceinline__ unsigned short fused(unsigned short a, unsigned short b, unsigned short c) {
#pragma clang fp contract(off)
  const float x = H::to_float(a), y = H::to_float(b), z = H::to_float(c);
  if (__builtin_isinf(x) || __builtin_isinf(y) || __builtin_isinf(z) || x != x || y != y || z != z)
    return H::nearest(x * y + z);
  const double p = static_cast<double>(x) * static_cast<double>(y), w = static_cast<double>(z), s = p + w;
  const double t = s - p, lost = (p - (s - t)) + (w - t);
  unsigned long long bits = static_cast<unsigned long long>(__double_as_longlong(s));
  if (lost != 0 && !(bits & 1ull)) bits += (lost > 0) == (s > 0) ? 1ull : ~0ull;
  return H::nearest(odd(__longlong_as_double(static_cast<long long>(bits))));
}

template <class H> __device__ __forceinline__ bool is_nan(unsigned short v) { return (v & 0x7fffu) > H::infinity; }
template <class H> __device__ __forceinline__ unsigned short least(unsigned short a, unsigned short b) {
  if (is_nan<H>(a)) return is_nan<H>(b) ? H::nan : b;
  if (is_nan<H>(b)) return a;
  const float x = H::to_float(a), y = H::to_float(b);
  return x == y ? static_cast<unsigned short>(a | b) : x < y ? a : b;
}
template <class H> __device__ __forceinline__ unsigned short greatest(unsigned short a, unsigned short b) {
  if (is_nan<H>(a)) return is_nan<H>(b) ? H::nan : b;
  if (is_nan<H>(b)) return a;
  const float x = H::to_float(a), y = H::to_float(b);
  return x == y ? static_cast<unsigned short>(a & b) : x > y ? a : b;
}

template <class H> struct half_ops {
  using u16 = unsigned short;
  // Sums, differences and products of two halves are exact in float or rounded once too far down to matter.
  static __device__ __forceinline__ u16 add(u16 a, u16 b) { return H::nearest(odd(static_cast<double>(H::to_float(a)) + static_cast<double>(H::to_float(b)))); }
  static __device__ __forceinline__ u16 sub(u16 a, u16 b) { return H::nearest(odd(static_cast<double>(H::to_float(a)) - static_cast<double>(H::to_float(b)))); }
  static __device__ __forceinline__ u16 mul(u16 a, u16 b) { return H::nearest(odd(static_cast<double>(H::to_float(a)) * static_cast<double>(H::to_float(b)))); }
  static __device__ __forceinline__ u16 fma(u16 a, u16 b, u16 c) { return fused<H>(a, b, c); }
  static __device__ __forceinline__ u16 fma_relu(u16 a, u16 b, u16 c) {
    const u16 r = fused<H>(a, b, c);
    return is_nan<H>(r) ? H::nan : (r & H::sign) ? u16(0) : r;
  }
  static __device__ __forceinline__ u16 min(u16 a, u16 b) { return least<H>(a, b); }
  static __device__ __forceinline__ u16 max(u16 a, u16 b) { return greatest<H>(a, b); }
  static __device__ __forceinline__ u16 min_nan(u16 a, u16 b) { return is_nan<H>(a) || is_nan<H>(b) ? H::nan : least<H>(a, b); }
  static __device__ __forceinline__ u16 max_nan(u16 a, u16 b) { return is_nan<H>(a) || is_nan<H>(b) ? H::nan : greatest<H>(a, b); }
  static __device__ __forceinline__ u16 abs(u16 a) { return static_cast<u16>(a & 0x7fffu); }
  static __device__ __forceinline__ u16 neg(u16 a) { return static_cast<u16>(a ^ H::sign); }
  static __device__ __forceinline__ u16 ex2(u16 a) { return H::nearest(exp2f(H::to_float(a))); }
  static __device__ __forceinline__ u16 tanh(u16 a) { return H::nearest(tanhf(H::to_float(a))); }
};

__device__ __forceinline__ unsigned short low(unsigned v) { return static_cast<unsigned short>(v); }
__device__ __forceinline__ unsigned short high(unsigned v) { return static_cast<unsigned short>(v >> 16); }
__device__ __forceinline__ unsigned both(unsigned short l, unsigned short h) { return static_cast<unsigned>(h) << 16 | l; }

}  // namespace detail

#define TRANSHIP_PTX_HALF1(op, type)                                                                          \
  __device__ __forceinline__ unsigned short op##_##type(unsigned short a) { return detail::half_ops<detail::type>::op(a); } \
  __device__ __forceinline__ unsigned op##_##type##x2(unsigned a) {                                           \
    return detail::both(op##_##type(detail::low(a)), op##_##type(detail::high(a)));                           \
  }
#define TRANSHIP_PTX_HALF2(op, type)                                                                          \
  __device__ __forceinline__ unsigned short op##_##type(unsigned short a, unsigned short b) {                 \
    return detail::half_ops<detail::type>::op(a, b);                                                          \
  }                                                                                                           \
  __device__ __forceinline__ unsigned op##_##type##x2(unsigned a, unsigned b) {                               \
    return detail::both(op##_##type(detail::low(a), detail::low(b)), op##_##type(detail::high(a), detail::high(b))); \
  }
#define TRANSHIP_PTX_HALF3(op, type)                                                                          \
  __device__ __forceinline__ unsigned short op##_##type(unsigned short a, unsigned short b, unsigned short c) { \
    return detail::half_ops<detail::type>::op(a, b, c);                                                       \
  }                                                                                                           \
  __device__ __forceinline__ unsigned op##_##type##x2(unsigned a, unsigned b, unsigned c) {                   \
    return detail::both(op##_##type(detail::low(a), detail::low(b), detail::low(c)),                          \
                        op##_##type(detail::high(a), detail::high(b), detail::high(c)));                      \
  }
#define TRANSHIP_PTX_HALF(type)                                                                               \
  TRANSHIP_PTX_HALF2(add, type) TRANSHIP_PTX_HALF2(sub, type) TRANSHIP_PTX_HALF2(mul, type)                    \
  TRANSHIP_PTX_HALF3(fma, type) TRANSHIP_PTX_HALF3(fma_relu, type) TRANSHIP_PTX_HALF2(min, type)               \
  TRANSHIP_PTX_HALF2(max, type) TRANSHIP_PTX_HALF2(min_nan, type) TRANSHIP_PTX_HALF2(max_nan, type)            \
  TRANSHIP_PTX_HALF1(abs, type) TRANSHIP_PTX_HALF1(neg, type) TRANSHIP_PTX_HALF1(ex2, type) TRANSHIP_PTX_HALF1(tanh, type)
TRANSHIP_PTX_HALF(f16)
TRANSHIP_PTX_HALF(bf16)
#undef TRANSHIP_PTX_HALF
#undef TRANSHIP_PTX_HALF1
#undef TRANSHIP_PTX_HALF2
#undef TRANSHIP_PTX_HALF3

// ---- conversions; of two values the first goes to the upper half

__device__ __forceinline__ float f32_from_f16(unsigned short v) { return detail::f16::to_float(v); }
__device__ __forceinline__ float f32_from_bf16(unsigned short v) { return detail::bf16::to_float(v); }
#define TRANSHIP_PTX_CVT(type)                                                                                 \
  __device__ __forceinline__ unsigned short type##_rn(float v) { return detail::type::nearest(v); }            \
  __device__ __forceinline__ unsigned short type##_rz(float v) { return detail::truncated<detail::type>(v); }  \
  __device__ __forceinline__ unsigned type##x2_rn(float a, float b) { return detail::both(type##_rn(b), type##_rn(a)); } \
  __device__ __forceinline__ unsigned type##x2_rz(float a, float b) { return detail::both(type##_rz(b), type##_rz(a)); }
TRANSHIP_PTX_CVT(f16)
TRANSHIP_PTX_CVT(bf16)
#undef TRANSHIP_PTX_CVT

}  // namespace ptx
}  // namespace tranship
