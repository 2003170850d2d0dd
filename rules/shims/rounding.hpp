// tranship/rounding.hpp: CUDA's arithmetic with a chosen rounding direction.
//
// provides: fadd, fsub, fmul, fdiv, frcp, fsqrt, fmaf and dadd, dsub, dmul, ddiv, drcp, dsqrt, each with _rd (down), _ru
//   (up) and _rz (toward zero).
// exactness: correctly rounded, denormal numbers, overflow and the sign of zero included; checked against an NVIDIA H200.
//   The result rounded to nearest is moved by one place where the sign of its error, which is computed without error,
//   asks for it. The mode register of the hardware stays untouched. NaN payloads are not CUDA's.
// limits: needs IEEE arithmetic: not with -ffast-math, nor where denormal numbers are flushed. The three-operand double
//   functions (__fma_rd, __fma_ru, __fma_rz) are not here.
// unnecessary since: never. HIP has these names behind OCML_BASIC_ROUNDED_OPERATIONS.
#pragma once

#include <hip/hip_runtime.h>

namespace tranship {
namespace detail {

enum class rounding { down, up, zero };

template <class F> struct float_bits;
template <> struct float_bits<float> { using type = unsigned; };
template <> struct float_bits<double> { using type = unsigned long long; };

// One place away from zero, or toward it.
template <class F> __device__ __forceinline__ F move(F v, bool away) {
  typename float_bits<F>::type b;
  __builtin_memcpy(&b, &v, sizeof(F));
  b = away ? b + 1 : b - 1;
  __builtin_memcpy(&v, &b, sizeof(F));
  return v;
}

// `nearest` lies within a place of the exact result, and `off` has the sign of exact - nearest.
template <rounding R, class F> __device__ __forceinline__ F directed(F nearest, int off) {
  if (R == rounding::down && off < 0) {
    if (nearest == 0) return -move(F(0), true);
    return move(nearest, nearest < 0);
  }
  if (R == rounding::up && off > 0) {
    if (nearest == 0) return move(F(0), true);
    return move(nearest, nearest > 0);
  }
  if (R == rounding::zero && ((nearest > 0 && off < 0) || (nearest < 0 && off > 0))) return move(nearest, false);
  return nearest;
}

__device__ __forceinline__ int sign_of(double v) { return v > 0 ? 1 : v < 0 ? -1 : 0; }
__device__ __forceinline__ bool is_finite(double v) { return v - v == 0; }
__device__ __forceinline__ bool is_negative(double v) {
  unsigned long long b;
  __builtin_memcpy(&b, &v, sizeof b);
  return b >> 63;
}

// The error of a + b rounded to s; exact as long as s is finite.
__device__ __forceinline__ double sum_error(double a, double b, double s) {
  const bool first = (a < 0 ? -a : a) >= (b < 0 ? -b : b);
  const double large = first ? a : b, small = first ? b : a;
  return small - (s - large);
}

// An exact sum of zero is -0 downward unless both terms are +0.
template <rounding R, class F> __device__ __forceinline__ F zero_sum(double a, double b, F nearest) {
  return R == rounding::down && (is_negative(a) || is_negative(b)) ? -F(0) : nearest;
}

// The sign of x * y - p, where p is x * y to within a place: tiny values are scaled so that no bit is lost.
__device__ __forceinline__ int product_against(double x, double y, double p) {
  if (p < 0x1p-900 && p > -0x1p-900) {
    if (x < 1 && x > -1) x *= 0x1p600, p *= 0x1p600;
    if (y < 1 && y > -1) y *= 0x1p600, p *= 0x1p600;
  }
  return sign_of(::fma(x, y, -p));
}

template <rounding R> __device__ __forceinline__ float sum_to_float(double a, double b) {
  const double s = a + b;
  const float f = static_cast<float>(s);
  if (s == 0) return zero_sum<R>(a, b, f);
  const double gap = s - f;
  return directed<R>(f, gap != 0 ? sign_of(gap) : sign_of(sum_error(a, b, s)));
}

template <rounding R> __device__ __forceinline__ float multiply(float a, float b) {
  const double p = static_cast<double>(a) * b;
  const float f = static_cast<float>(p);
  return directed<R>(f, sign_of(p - f));
}

template <rounding R> __device__ __forceinline__ float divide(float a, float b) {
  const float q = static_cast<float>(static_cast<double>(a) / b);
  const int rest = sign_of(::fma(-static_cast<double>(q), static_cast<double>(b), static_cast<double>(a)));
  return directed<R>(q, b < 0 ? -rest : rest);
}

template <rounding R> __device__ __forceinline__ float root(float a) {
  const float s = static_cast<float>(::sqrt(static_cast<double>(a)));
  return directed<R>(s, sign_of(::fma(-static_cast<double>(s), static_cast<double>(s), static_cast<double>(a))));
}

template <rounding R> __device__ __forceinline__ double add(double a, double b) {
  const double s = a + b;
  if (s == 0) return zero_sum<R>(a, b, s);
  if (!is_finite(s)) return directed<R>(s, is_finite(a) && is_finite(b) ? -sign_of(s) : 0);
  return directed<R>(s, sign_of(sum_error(a, b, s)));
}

template <rounding R> __device__ __forceinline__ double multiply(double a, double b) {
  const double p = a * b;
  if (!is_finite(p)) return directed<R>(p, is_finite(a) && is_finite(b) ? -sign_of(p) : 0);
  return directed<R>(p, product_against(a, b, p));
}

template <rounding R> __device__ __forceinline__ double divide(double a, double b) {
  const double q = a / b;
  if (!is_finite(q)) return directed<R>(q, is_finite(a) && is_finite(b) && b != 0 ? -sign_of(q) : 0);
  const int over = product_against(q, b, a);
  return directed<R>(q, b < 0 ? over : -over);
}

template <rounding R> __device__ __forceinline__ double root(double a) {
  const double s = ::sqrt(a);
  return directed<R>(s, is_finite(s) ? -product_against(s, s, a) : 0);
}

}  // namespace detail

__device__ __forceinline__ float fadd_rd(float a, float b) {
  return detail::sum_to_float<detail::rounding::down>(a, b);
}
__device__ __forceinline__ float fsub_rd(float a, float b) {
  return detail::sum_to_float<detail::rounding::down>(a, -static_cast<double>(b));
}
__device__ __forceinline__ float fmul_rd(float a, float b) { return detail::multiply<detail::rounding::down>(a, b); }
__device__ __forceinline__ float fdiv_rd(float a, float b) { return detail::divide<detail::rounding::down>(a, b); }
__device__ __forceinline__ float frcp_rd(float a) { return detail::divide<detail::rounding::down>(1.0f, a); }
__device__ __forceinline__ float fsqrt_rd(float a) { return detail::root<detail::rounding::down>(a); }
__device__ __forceinline__ float fmaf_rd(float a, float b, float c) {
  return detail::sum_to_float<detail::rounding::down>(static_cast<double>(a) * b, c);
}
__device__ __forceinline__ double dadd_rd(double a, double b) { return detail::add<detail::rounding::down>(a, b); }
__device__ __forceinline__ double dsub_rd(double a, double b) { return detail::add<detail::rounding::down>(a, -b); }
__device__ __forceinline__ double dmul_rd(double a, double b) { return detail::multiply<detail::rounding::down>(a, b); }
__device__ __forceinline__ double ddiv_rd(double a, double b) { return detail::divide<detail::rounding::down>(a, b); }
__device__ __forceinline__ double drcp_rd(double a) { return detail::divide<detail::rounding::down>(1.0, a); }
__device__ __forceinline__ double dsqrt_rd(double a) { return detail::root<detail::rounding::down>(a); }

__device__ __forceinline__ float fadd_ru(float a, float b) { return detail::sum_to_float<detail::rounding::up>(a, b); }
__device__ __forceinline__ float fsub_ru(float a, float b) {
  return detail::sum_to_float<detail::rounding::up>(a, -static_cast<double>(b));
}
__device__ __forceinline__ float fmul_ru(float a, float b) { return detail::multiply<detail::rounding::up>(a, b); }
__device__ __forceinline__ float fdiv_ru(float a, float b) { return detail::divide<detail::rounding::up>(a, b); }
__device__ __forceinline__ float frcp_ru(float a) { return detail::divide<detail::rounding::up>(1.0f, a); }
__device__ __forceinline__ float fsqrt_ru(float a) { return detail::root<detail::rounding::up>(a); }
__device__ __forceinline__ float fmaf_ru(float a, float b, float c) {
  return detail::sum_to_float<detail::rounding::up>(static_cast<double>(a) * b, c);
}
__device__ __forceinline__ double dadd_ru(double a, double b) { return detail::add<detail::rounding::up>(a, b); }
__device__ __forceinline__ double dsub_ru(double a, double b) { return detail::add<detail::rounding::up>(a, -b); }
__device__ __forceinline__ double dmul_ru(double a, double b) { return detail::multiply<detail::rounding::up>(a, b); }
__device__ __forceinline__ double ddiv_ru(double a, double b) { return detail::divide<detail::rounding::up>(a, b); }
__device__ __forceinline__ double drcp_ru(double a) { return detail::divide<detail::rounding::up>(1.0, a); }
__device__ __forceinline__ double dsqrt_ru(double a) { return detail::root<detail::rounding::up>(a); }

__device__ __forceinline__ float fadd_rz(float a, float b) {
  return detail::sum_to_float<detail::rounding::zero>(a, b);
}
__device__ __forceinline__ float fsub_rz(float a, float b) {
  return detail::sum_to_float<detail::rounding::zero>(a, -static_cast<double>(b));
}
__device__ __forceinline__ float fmul_rz(float a, float b) { return detail::multiply<detail::rounding::zero>(a, b); }
__device__ __forceinline__ float fdiv_rz(float a, float b) { return detail::divide<detail::rounding::zero>(a, b); }
__device__ __forceinline__ float frcp_rz(float a) { return detail::divide<detail::rounding::zero>(1.0f, a); }
__device__ __forceinline__ float fsqrt_rz(float a) { return detail::root<detail::rounding::zero>(a); }
__device__ __forceinline__ float fmaf_rz(float a, float b, float c) {
  return detail::sum_to_float<detail::rounding::zero>(static_cast<double>(a) * b, c);
}
__device__ __forceinline__ double dadd_rz(double a, double b) { return detail::add<detail::rounding::zero>(a, b); }
__device__ __forceinline__ double dsub_rz(double a, double b) { return detail::add<detail::rounding::zero>(a, -b); }
__device__ __forceinline__ double dmul_rz(double a, double b) { return detail::multiply<detail::rounding::zero>(a, b); }
__device__ __forceinline__ double ddiv_rz(double a, double b) { return detail::divide<detail::rounding::zero>(a, b); }
__device__ __forceinline__ double drcp_rz(double a) { return detail::divide<detail::rounding::zero>(1.0, a); }
__device__ __forceinline__ double dsqrt_rz(double a) { return detail::root<detail::rounding::zero>(a); }

}  // namespace tranship
