// tranship/ptx_float.hpp: PTX arithmetic and conversions on float and double.
//
// provides: tranship::ptx:: add_f32, sub_f32, mul_f32, fma_f32, div_f32, rcp_f32, sqrt_f32, rsqrt_f32, ex2_f32, lg2_f32,
//   sin_f32, cos_f32, abs_f32, neg_f32, min_f32, max_f32, each with an _ftz form; min_nan_f32, max_nan_f32; add_f64,
//   *_f32x2; sub_f64, mul_f64, div_f64; cvt_rni, cvt_rzi, cvt_rmi, cvt_rpi to integers; round_rni, ...; saturate, relu, tf32_rna,
//   ftz.
// exactness: bit for bit, NaN payloads aside, but for the approximations (ex2, lg2, sin, cos, rsqrt, division by an
//   approximation), which keep PTX's error bounds and differ in the last bits.
// limits: sin_f32 and cos_f32 want arguments of moderate size, as PTX's do.
// unnecessary since: never.
#pragma once

#include <hip/hip_runtime.h>

#include "ptx.hpp"

namespace tranship {
namespace ptx {

// Subnormals as zeros of their sign.
__device__ __forceinline__ float ftz(float v) {
  const unsigned bits = __float_as_uint(v);
  return (bits & 0x7f800000u) == 0 ? __uint_as_float(bits & 0x80000000u) : v;
}

// No contraction: an add and a mul of two statements stay two roundings.
__device__ __forceinline__ float add_f32(float a, float b) {
#pragma clang fp contract(off)
  return a + b;
}
__device__ __forceinline__ float sub_f32(float a, float b) {
#pragma clang fp contract(off)
  return a - b;
}
__device__ __forceinline__ float mul_f32(float a, float b) {
#pragma clang fp contract(off)
  return a * b;
}
__device__ __forceinline__ double add_f64(double a, double b) {
#pragma clang fp contract(off)
  return a + b;
}
__device__ __forceinline__ double sub_f64(double a, double b) {
#pragma clang fp contract(off)
  return a - b;
}
__device__ __forceinline__ double mul_f64(double a, double b) {
#pragma clang fp contract(off)
  return a * b;
}
__device__ __forceinline__ double div_f64(double a, double b) { return a / b; }
__device__ __forceinline__ float fma_f32(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
__device__ __forceinline__ float div_f32(float a, float b) { return a / b; }
__device__ __forceinline__ float rcp_f32(float a) { return 1.0f / a; }
__device__ __forceinline__ float sqrt_f32(float a) { return sqrtf(a); }
__device__ __forceinline__ float rsqrt_f32(float a) { return rsqrtf(a); }
__device__ __forceinline__ float ex2_f32(float a) { return exp2f(a); }
__device__ __forceinline__ float lg2_f32(float a) { return log2f(a); }
__device__ __forceinline__ float sin_f32(float a) { return __sinf(a); }
__device__ __forceinline__ float cos_f32(float a) { return __cosf(a); }
__device__ __forceinline__ float abs_f32(float a) { return __uint_as_float(__float_as_uint(a) & 0x7fffffffu); }
__device__ __forceinline__ float neg_f32(float a) { return __uint_as_float(__float_as_uint(a) ^ 0x80000000u); }

// A number wins over a NaN; -0 is less than +0.
__device__ __forceinline__ float min_f32(float a, float b) {
  if (a != a) return b;
  if (b != b) return a;
  if (a == b) return __uint_as_float(__float_as_uint(a) | __float_as_uint(b));
  return a < b ? a : b;
}
__device__ __forceinline__ float max_f32(float a, float b) {
  if (a != a) return b;
  if (b != b) return a;
  if (a == b) return __uint_as_float(__float_as_uint(a) & __float_as_uint(b));
  return a > b ? a : b;
}
__device__ __forceinline__ float min_nan_f32(float a, float b) {
  return a != a || b != b ? __uint_as_float(0x7fffffffu) : min_f32(a, b);
}
__device__ __forceinline__ float max_nan_f32(float a, float b) {
  return a != a || b != b ? __uint_as_float(0x7fffffffu) : max_f32(a, b);
}

#define TRANSHIP_PTX_FTZ1(name) \
  __device__ __forceinline__ float name##_ftz(float a) { return ftz(name(ftz(a))); }
#define TRANSHIP_PTX_FTZ2(name) \
  __device__ __forceinline__ float name##_ftz(float a, float b) { return ftz(name(ftz(a), ftz(b))); }
TRANSHIP_PTX_FTZ1(rcp_f32) TRANSHIP_PTX_FTZ1(sqrt_f32) TRANSHIP_PTX_FTZ1(rsqrt_f32) TRANSHIP_PTX_FTZ1(ex2_f32)
TRANSHIP_PTX_FTZ1(lg2_f32) TRANSHIP_PTX_FTZ1(sin_f32) TRANSHIP_PTX_FTZ1(cos_f32) TRANSHIP_PTX_FTZ1(abs_f32)
TRANSHIP_PTX_FTZ1(neg_f32) TRANSHIP_PTX_FTZ2(add_f32) TRANSHIP_PTX_FTZ2(sub_f32) TRANSHIP_PTX_FTZ2(mul_f32)
TRANSHIP_PTX_FTZ2(div_f32) TRANSHIP_PTX_FTZ2(min_f32) TRANSHIP_PTX_FTZ2(max_f32)
#undef TRANSHIP_PTX_FTZ1
#undef TRANSHIP_PTX_FTZ2
__device__ __forceinline__ float fma_f32_ftz(float a, float b, float c) { return ftz(fma_f32(ftz(a), ftz(b), ftz(c))); }

// ---- two floats in 64 bits

#define TRANSHIP_PTX_F32X2(name, ftz)                                                                                     \
  __device__ __forceinline__ unsigned long long name##_f32x2##ftz(unsigned long long a, unsigned long long b) {           \
    return pack<unsigned long long>(                                                                                      \
        __float_as_uint(name##_f32##ftz(__uint_as_float(static_cast<unsigned>(a)), __uint_as_float(static_cast<unsigned>(b)))), \
        __float_as_uint(name##_f32##ftz(__uint_as_float(static_cast<unsigned>(a >> 32)), __uint_as_float(static_cast<unsigned>(b >> 32))))); \
  }
TRANSHIP_PTX_F32X2(add, ) TRANSHIP_PTX_F32X2(add, _ftz) TRANSHIP_PTX_F32X2(sub, ) TRANSHIP_PTX_F32X2(sub, _ftz)
TRANSHIP_PTX_F32X2(mul, ) TRANSHIP_PTX_F32X2(mul, _ftz)
#undef TRANSHIP_PTX_F32X2
#define TRANSHIP_PTX_FMA_F32X2(ftz)                                                                                       \
  __device__ __forceinline__ unsigned long long fma_f32x2##ftz(unsigned long long a, unsigned long long b, unsigned long long c) { \
    return pack<unsigned long long>(                                                                                      \
        __float_as_uint(fma_f32##ftz(__uint_as_float(static_cast<unsigned>(a)), __uint_as_float(static_cast<unsigned>(b)), \
                                     __uint_as_float(static_cast<unsigned>(c)))),                                         \
        __float_as_uint(fma_f32##ftz(__uint_as_float(static_cast<unsigned>(a >> 32)), __uint_as_float(static_cast<unsigned>(b >> 32)), \
                                     __uint_as_float(static_cast<unsigned>(c >> 32)))));                                  \
  }
TRANSHIP_PTX_FMA_F32X2()
TRANSHIP_PTX_FMA_F32X2(_ftz)
#undef TRANSHIP_PTX_FMA_F32X2

// ---- rounding and conversion

__device__ __forceinline__ float round_rni(float v) { return __builtin_rintf(v); }
__device__ __forceinline__ float round_rzi(float v) { return __builtin_truncf(v); }
__device__ __forceinline__ float round_rmi(float v) { return __builtin_floorf(v); }
__device__ __forceinline__ float round_rpi(float v) { return __builtin_ceilf(v); }
__device__ __forceinline__ double round_rni(double v) { return __builtin_rint(v); }
__device__ __forceinline__ double round_rzi(double v) { return __builtin_trunc(v); }
__device__ __forceinline__ double round_rmi(double v) { return __builtin_floor(v); }
__device__ __forceinline__ double round_rpi(double v) { return __builtin_ceil(v); }

namespace detail {
// A whole number to an integer type, held to its range. A NaN is 0, or the top bit alone where 64 bits take part.
template <class U, class T> __device__ __forceinline__ U to_integer(T v) {
  using L = limits<U>;
  if (v != v) return sizeof(U) == 8 || sizeof(T) == 8 ? static_cast<U>(1ull << (L::bits - 1)) : U(0);
  // 2^bits or 2^(bits - 1): the first number that does not fit.
  const T beyond = static_cast<T>(static_cast<T>(1ull << (L::bits - 1)) * (L::is_signed ? T(1) : T(2)));
  if (v >= beyond) return L::high;
  if (v < (L::is_signed ? -beyond : T(0))) return L::low;
  return static_cast<U>(v);
}
}  // namespace detail
template <class U, class T> __device__ __forceinline__ U cvt_rni(T v) { return detail::to_integer<U>(round_rni(v)); }
template <class U, class T> __device__ __forceinline__ U cvt_rzi(T v) { return detail::to_integer<U>(round_rzi(v)); }
template <class U, class T> __device__ __forceinline__ U cvt_rmi(T v) { return detail::to_integer<U>(round_rmi(v)); }
template <class U, class T> __device__ __forceinline__ U cvt_rpi(T v) { return detail::to_integer<U>(round_rpi(v)); }

__device__ __forceinline__ float saturate(float v) { return v > 1.0f ? 1.0f : v > 0.0f ? v : 0.0f; }
__device__ __forceinline__ float relu(float v) { return v != v ? __uint_as_float(0x7fffffffu) : v > 0.0f ? v : 0.0f; }

// The nearest value with ten bits of fraction, ties away from zero.
__device__ __forceinline__ unsigned tf32_rna(float v) {
  const unsigned bits = __float_as_uint(v);
  return (bits & 0x7fffffffu) >= 0x7f800000u ? ((bits & 0x7fffffffu) > 0x7f800000u ? 0x7fffffffu : bits)
                                             : (bits + 0x1000u) & ~0x1fffu;
}

}  // namespace ptx
}  // namespace tranship
