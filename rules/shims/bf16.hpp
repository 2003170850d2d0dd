// tranship/bf16.hpp: what CUDA's cuda_bf16.h has and HIP's hip_bf16.h lacks, under tranship's names.
//
// provides: float2bfloat16_rn/_rz/_rd/_ru, float2bfloat162_rn, floats2bfloat162_rn, make_bfloat162; conversions from and
//   to char, unsigned char, short, unsigned short, int, unsigned, long long, unsigned long long in each rounding;
//   hadd_rn, hsub_rn, hmul_rn, hadd_sat, hsub_sat, hmul_sat, hfma_sat, hfma_relu, hmax_nan, hmin_nan, their forms for
//   two values, comparisons hequ2, hneu2, hgtu2, hgeu2, hltu2, hleu2 and the _mask forms; hcmadd; atomic_add.
// exactness: each result is rounded once, as CUDA's. A NaN result is CUDA's 0x7fff.
// limits: htanh and its kin approximate in CUDA and are not here. atomic_add loops on a compare-and-swap.
// unnecessary since: never.
#pragma once

#include <hip/hip_bf16.h>
#include <hip/hip_runtime.h>

namespace tranship {
namespace detail {

using bf = __hip_bfloat16;
using bf2 = __hip_bfloat162;

enum class to { nearest, zero, down, up };

template <class T, class V> __host__ __device__ __forceinline__ T same_bits(const V& v) {
  static_assert(sizeof(T) == sizeof(V), "");
  T t;
  __builtin_memcpy(static_cast<void*>(&t), static_cast<const void*>(&v), sizeof(T));
  return t;
}
__host__ __device__ __forceinline__ bf bf_of(unsigned bits) { return same_bits<bf>(static_cast<unsigned short>(bits)); }
__host__ __device__ __forceinline__ unsigned bits_of_bf(bf v) { return same_bits<unsigned short>(v); }
__host__ __device__ __forceinline__ float wide(bf v) { return same_bits<float>(bits_of_bf(v) << 16); }
__host__ __device__ __forceinline__ bf2 pair_of(bf low, bf high) {
  return same_bits<bf2>(bits_of_bf(low) | bits_of_bf(high) << 16);
}
__host__ __device__ __forceinline__ bf low_of(bf2 v) { return bf_of(same_bits<unsigned>(v)); }
__host__ __device__ __forceinline__ bf high_of(bf2 v) { return bf_of(same_bits<unsigned>(v) >> 16); }

template <to R> __host__ __device__ __forceinline__ bf narrow(float v) {
  if (v != v) return bf_of(0x7fffu);
  const unsigned b = same_bits<unsigned>(v), rest = b & 0xffffu;
  const bool negative = b >> 31;
  unsigned up = 0;
  if ((b & 0x7fffffffu) != 0x7f800000u)
    up = R == to::nearest ? rest + (b >> 16 & 1u) > 0x8000u
       : R == to::down    ? negative && rest
       : R == to::up      ? !negative && rest
                          : 0u;
  return bf_of((b >> 16) + up);
}

// a * b + c, rounded once: the double sum and then the float are made odd where they are inexact.
__host__ __device__ __forceinline__ float fma_odd(float a, float b, float c) {
  const double p = static_cast<double>(a) * b, s = p + c;
  float f = static_cast<float>(s);
  if (!(s - s == 0) || !(f - f == 0)) return f;
  const bool first = (p < 0 ? -p : p) >= (c < 0 ? -c : c);
  const double rest = first ? c - (s - p) : p - (s - c), gap = s - f, off = gap != 0 ? gap : rest;
  if (off != 0 && !(same_bits<unsigned>(f) & 1u)) {
    if (f == 0) return off > 0 ? same_bits<float>(1u) : same_bits<float>(0x80000001u);
    f = same_bits<float>((f > 0) == (off > 0) ? same_bits<unsigned>(f) + 1u : same_bits<unsigned>(f) - 1u);
  }
  return f;
}
__host__ __device__ __forceinline__ bf fused(bf a, bf b, bf c) { return narrow<to::nearest>(fma_odd(wide(a), wide(b), wide(c))); }

// A magnitude below 2^64 with its sign.
template <to R> __host__ __device__ __forceinline__ bf from_integer(unsigned long long m, bool negative) {
  if (m == 0) return bf_of(0);
  const int top = 63 - __builtin_clzll(m);
  unsigned fraction, up = 0;
  if (top <= 7) {
    fraction = static_cast<unsigned>(m << (7 - top));
  } else {
    const int drop = top - 7;
    fraction = static_cast<unsigned>(m >> drop);
    const unsigned long long rest = m & ((1ull << drop) - 1), half = 1ull << (drop - 1);
    up = R == to::nearest ? rest > half || (rest == half && (fraction & 1u))
       : R == to::down    ? negative && rest
       : R == to::up      ? !negative && rest
                          : 0u;
  }
  return bf_of((static_cast<unsigned>(negative) << 15 | static_cast<unsigned>(top + 127) << 7) + (fraction & 0x7fu) + up);
}
template <to R> __host__ __device__ __forceinline__ bf from_signed(long long v) {
  return from_integer<R>(v < 0 ? 0ull - static_cast<unsigned long long>(v) : static_cast<unsigned long long>(v), v < 0);
}

// Held to the range of the integer type; a NaN gives 0, or the top bit alone in 64 bits.
template <to R, class I> __host__ __device__ __forceinline__ I to_integer(float v) {
  constexpr bool is_signed = static_cast<I>(-1) < static_cast<I>(0);
  constexpr int bits = static_cast<int>(sizeof(I)) * 8;
  constexpr unsigned long long top = 1ull << (bits - 1);
  if (v != v) return bits == 64 ? static_cast<I>(top) : static_cast<I>(0);
  v = R == to::nearest ? ::rintf(v) : R == to::down ? ::floorf(v) : R == to::up ? ::ceilf(v) : ::truncf(v);
  const float limit = static_cast<float>(top) * (is_signed ? 1.0f : 2.0f);
  if (v >= limit) return static_cast<I>(is_signed ? top - 1 : top - 1 + top);
  if (is_signed ? v <= -limit : v <= 0.0f) return is_signed ? static_cast<I>(top) : static_cast<I>(0);
  return static_cast<I>(v);
}

__host__ __device__ __forceinline__ bf saturate(float v) { return narrow<to::nearest>(v > 1.0f ? 1.0f : v > 0.0f ? v : 0.0f); }
__host__ __device__ __forceinline__ bf relu(bf v) { return wide(v) < 0.0f || bits_of_bf(v) == 0x8000u ? bf_of(0) : wide(v) != wide(v) ? bf_of(0x7fffu) : v; }

}  // namespace detail

// ---- conversions

__host__ __device__ __forceinline__ __hip_bfloat16 float2bfloat16_rn(float v) { return detail::narrow<detail::to::nearest>(v); }
__host__ __device__ __forceinline__ __hip_bfloat16 float2bfloat16_rz(float v) { return detail::narrow<detail::to::zero>(v); }
__host__ __device__ __forceinline__ __hip_bfloat16 float2bfloat16_rd(float v) { return detail::narrow<detail::to::down>(v); }
__host__ __device__ __forceinline__ __hip_bfloat16 float2bfloat16_ru(float v) { return detail::narrow<detail::to::up>(v); }
__host__ __device__ __forceinline__ __hip_bfloat162 floats2bfloat162_rn(float a, float b) {
  return detail::pair_of(float2bfloat16_rn(a), float2bfloat16_rn(b));
}
__host__ __device__ __forceinline__ __hip_bfloat162 float2bfloat162_rn(float v) { return floats2bfloat162_rn(v, v); }
__host__ __device__ __forceinline__ __hip_bfloat162 make_bfloat162(__hip_bfloat16 a, __hip_bfloat16 b) {
  return detail::pair_of(a, b);
}
__host__ __device__ __forceinline__ short bfloat162short_rn(__hip_bfloat16 v) {
  return detail::to_integer<detail::to::nearest, short>(detail::wide(v));
}
__host__ __device__ __forceinline__ __hip_bfloat16 short2bfloat16_rn(short v) {
  return detail::from_signed<detail::to::nearest>(v);
}
__host__ __device__ __forceinline__ short bfloat162short_rz(__hip_bfloat16 v) {
  return detail::to_integer<detail::to::zero, short>(detail::wide(v));
}
__host__ __device__ __forceinline__ __hip_bfloat16 short2bfloat16_rz(short v) {
  return detail::from_signed<detail::to::zero>(v);
}
__host__ __device__ __forceinline__ short bfloat162short_rd(__hip_bfloat16 v) {
  return detail::to_integer<detail::to::down, short>(detail::wide(v));
}
__host__ __device__ __forceinline__ __hip_bfloat16 short2bfloat16_rd(short v) {
  return detail::from_signed<detail::to::down>(v);
}
__host__ __device__ __forceinline__ short bfloat162short_ru(__hip_bfloat16 v) {
  return detail::to_integer<detail::to::up, short>(detail::wide(v));
}
__host__ __device__ __forceinline__ __hip_bfloat16 short2bfloat16_ru(short v) { return detail::from_signed<detail::to::up>(v); }
__host__ __device__ __forceinline__ unsigned short bfloat162ushort_rn(__hip_bfloat16 v) {
  return detail::to_integer<detail::to::nearest, unsigned short>(detail::wide(v));
}
__host__ __device__ __forceinline__ __hip_bfloat16 ushort2bfloat16_rn(unsigned short v) {
  return detail::from_integer<detail::to::nearest>(v, false);
}
__host__ __device__ __forceinline__ unsigned short bfloat162ushort_rz(__hip_bfloat16 v) {
  return detail::to_integer<detail::to::zero, unsigned short>(detail::wide(v));
}
__host__ __device__ __forceinline__ __hip_bfloat16 ushort2bfloat16_rz(unsigned short v) {
  return detail::from_integer<detail::to::zero>(v, false);
}
__host__ __device__ __forceinline__ unsigned short bfloat162ushort_rd(__hip_bfloat16 v) {
  return detail::to_integer<detail::to::down, unsigned short>(detail::wide(v));
}
__host__ __device__ __forceinline__ __hip_bfloat16 ushort2bfloat16_rd(unsigned short v) {
  return detail::from_integer<detail::to::down>(v, false);
}
__host__ __device__ __forceinline__ unsigned short bfloat162ushort_ru(__hip_bfloat16 v) {
  return detail::to_integer<detail::to::up, unsigned short>(detail::wide(v));
}
__host__ __device__ __forceinline__ __hip_bfloat16 ushort2bfloat16_ru(unsigned short v) {
  return detail::from_integer<detail::to::up>(v, false);
}
__host__ __device__ __forceinline__ int bfloat162int_rn(__hip_bfloat16 v) {
  return detail::to_integer<detail::to::nearest, int>(detail::wide(v));
}
__host__ __device__ __forceinline__ __hip_bfloat16 int2bfloat16_rn(int v) { return detail::from_signed<detail::to::nearest>(v); }
__host__ __device__ __forceinline__ int bfloat162int_rz(__hip_bfloat16 v) {
  return detail::to_integer<detail::to::zero, int>(detail::wide(v));
}
__host__ __device__ __forceinline__ __hip_bfloat16 int2bfloat16_rz(int v) { return detail::from_signed<detail::to::zero>(v); }
__host__ __device__ __forceinline__ int bfloat162int_rd(__hip_bfloat16 v) {
  return detail::to_integer<detail::to::down, int>(detail::wide(v));
}
__host__ __device__ __forceinline__ __hip_bfloat16 int2bfloat16_rd(int v) { return detail::from_signed<detail::to::down>(v); }
__host__ __device__ __forceinline__ int bfloat162int_ru(__hip_bfloat16 v) {
  return detail::to_integer<detail::to::up, int>(detail::wide(v));
}
__host__ __device__ __forceinline__ __hip_bfloat16 int2bfloat16_ru(int v) { return detail::from_signed<detail::to::up>(v); }
__host__ __device__ __forceinline__ unsigned bfloat162uint_rn(__hip_bfloat16 v) {
  return detail::to_integer<detail::to::nearest, unsigned>(detail::wide(v));
}
__host__ __device__ __forceinline__ __hip_bfloat16 uint2bfloat16_rn(unsigned v) {
  return detail::from_integer<detail::to::nearest>(v, false);
}
__host__ __device__ __forceinline__ unsigned bfloat162uint_rz(__hip_bfloat16 v) {
  return detail::to_integer<detail::to::zero, unsigned>(detail::wide(v));
}
__host__ __device__ __forceinline__ __hip_bfloat16 uint2bfloat16_rz(unsigned v) {
  return detail::from_integer<detail::to::zero>(v, false);
}
__host__ __device__ __forceinline__ unsigned bfloat162uint_rd(__hip_bfloat16 v) {
  return detail::to_integer<detail::to::down, unsigned>(detail::wide(v));
}
__host__ __device__ __forceinline__ __hip_bfloat16 uint2bfloat16_rd(unsigned v) {
  return detail::from_integer<detail::to::down>(v, false);
}
__host__ __device__ __forceinline__ unsigned bfloat162uint_ru(__hip_bfloat16 v) {
  return detail::to_integer<detail::to::up, unsigned>(detail::wide(v));
}
__host__ __device__ __forceinline__ __hip_bfloat16 uint2bfloat16_ru(unsigned v) {
  return detail::from_integer<detail::to::up>(v, false);
}
__host__ __device__ __forceinline__ long long bfloat162ll_rn(__hip_bfloat16 v) {
  return detail::to_integer<detail::to::nearest, long long>(detail::wide(v));
}
__host__ __device__ __forceinline__ __hip_bfloat16 ll2bfloat16_rn(long long v) {
  return detail::from_signed<detail::to::nearest>(v);
}
__host__ __device__ __forceinline__ long long bfloat162ll_rz(__hip_bfloat16 v) {
  return detail::to_integer<detail::to::zero, long long>(detail::wide(v));
}
__host__ __device__ __forceinline__ __hip_bfloat16 ll2bfloat16_rz(long long v) {
  return detail::from_signed<detail::to::zero>(v);
}
__host__ __device__ __forceinline__ long long bfloat162ll_rd(__hip_bfloat16 v) {
  return detail::to_integer<detail::to::down, long long>(detail::wide(v));
}
__host__ __device__ __forceinline__ __hip_bfloat16 ll2bfloat16_rd(long long v) {
  return detail::from_signed<detail::to::down>(v);
}
__host__ __device__ __forceinline__ long long bfloat162ll_ru(__hip_bfloat16 v) {
  return detail::to_integer<detail::to::up, long long>(detail::wide(v));
}
__host__ __device__ __forceinline__ __hip_bfloat16 ll2bfloat16_ru(long long v) { return detail::from_signed<detail::to::up>(v); }
__host__ __device__ __forceinline__ unsigned long long bfloat162ull_rn(__hip_bfloat16 v) {
  return detail::to_integer<detail::to::nearest, unsigned long long>(detail::wide(v));
}
__host__ __device__ __forceinline__ __hip_bfloat16 ull2bfloat16_rn(unsigned long long v) {
  return detail::from_integer<detail::to::nearest>(v, false);
}
__host__ __device__ __forceinline__ unsigned long long bfloat162ull_rz(__hip_bfloat16 v) {
  return detail::to_integer<detail::to::zero, unsigned long long>(detail::wide(v));
}
__host__ __device__ __forceinline__ __hip_bfloat16 ull2bfloat16_rz(unsigned long long v) {
  return detail::from_integer<detail::to::zero>(v, false);
}
__host__ __device__ __forceinline__ unsigned long long bfloat162ull_rd(__hip_bfloat16 v) {
  return detail::to_integer<detail::to::down, unsigned long long>(detail::wide(v));
}
__host__ __device__ __forceinline__ __hip_bfloat16 ull2bfloat16_rd(unsigned long long v) {
  return detail::from_integer<detail::to::down>(v, false);
}
__host__ __device__ __forceinline__ unsigned long long bfloat162ull_ru(__hip_bfloat16 v) {
  return detail::to_integer<detail::to::up, unsigned long long>(detail::wide(v));
}
__host__ __device__ __forceinline__ __hip_bfloat16 ull2bfloat16_ru(unsigned long long v) {
  return detail::from_integer<detail::to::up>(v, false);
}
__host__ __device__ __forceinline__ signed char bfloat162char_rz(__hip_bfloat16 v) {
  return detail::to_integer<detail::to::zero, signed char>(detail::wide(v));
}
__host__ __device__ __forceinline__ unsigned char bfloat162uchar_rz(__hip_bfloat16 v) {
  return detail::to_integer<detail::to::zero, unsigned char>(detail::wide(v));
}

// ---- arithmetic

__host__ __device__ __forceinline__ __hip_bfloat16 hadd_rn(__hip_bfloat16 a, __hip_bfloat16 b) {
  return float2bfloat16_rn(detail::wide(a) + detail::wide(b));
}
__host__ __device__ __forceinline__ __hip_bfloat162 hadd2_rn(__hip_bfloat162 a, __hip_bfloat162 b) {
  return detail::pair_of(hadd_rn(detail::low_of(a), detail::low_of(b)), hadd_rn(detail::high_of(a), detail::high_of(b)));
}
__host__ __device__ __forceinline__ __hip_bfloat16 hadd_sat(__hip_bfloat16 a, __hip_bfloat16 b) {
  return detail::saturate(detail::wide(a) + detail::wide(b));
}
__host__ __device__ __forceinline__ __hip_bfloat162 hadd2_sat(__hip_bfloat162 a, __hip_bfloat162 b) {
  return detail::pair_of(hadd_sat(detail::low_of(a), detail::low_of(b)), hadd_sat(detail::high_of(a), detail::high_of(b)));
}
__host__ __device__ __forceinline__ __hip_bfloat16 hsub_rn(__hip_bfloat16 a, __hip_bfloat16 b) {
  return float2bfloat16_rn(detail::wide(a) - detail::wide(b));
}
__host__ __device__ __forceinline__ __hip_bfloat162 hsub2_rn(__hip_bfloat162 a, __hip_bfloat162 b) {
  return detail::pair_of(hsub_rn(detail::low_of(a), detail::low_of(b)), hsub_rn(detail::high_of(a), detail::high_of(b)));
}
__host__ __device__ __forceinline__ __hip_bfloat16 hsub_sat(__hip_bfloat16 a, __hip_bfloat16 b) {
  return detail::saturate(detail::wide(a) - detail::wide(b));
}
__host__ __device__ __forceinline__ __hip_bfloat162 hsub2_sat(__hip_bfloat162 a, __hip_bfloat162 b) {
  return detail::pair_of(hsub_sat(detail::low_of(a), detail::low_of(b)), hsub_sat(detail::high_of(a), detail::high_of(b)));
}
__host__ __device__ __forceinline__ __hip_bfloat16 hmul_rn(__hip_bfloat16 a, __hip_bfloat16 b) {
  return float2bfloat16_rn(detail::wide(a) * detail::wide(b));
}
__host__ __device__ __forceinline__ __hip_bfloat162 hmul2_rn(__hip_bfloat162 a, __hip_bfloat162 b) {
  return detail::pair_of(hmul_rn(detail::low_of(a), detail::low_of(b)), hmul_rn(detail::high_of(a), detail::high_of(b)));
}
__host__ __device__ __forceinline__ __hip_bfloat16 hmul_sat(__hip_bfloat16 a, __hip_bfloat16 b) {
  return detail::saturate(detail::wide(a) * detail::wide(b));
}
__host__ __device__ __forceinline__ __hip_bfloat162 hmul2_sat(__hip_bfloat162 a, __hip_bfloat162 b) {
  return detail::pair_of(hmul_sat(detail::low_of(a), detail::low_of(b)), hmul_sat(detail::high_of(a), detail::high_of(b)));
}
__host__ __device__ __forceinline__ __hip_bfloat16 hfma_sat(__hip_bfloat16 a, __hip_bfloat16 b, __hip_bfloat16 c) {
  return detail::saturate(detail::fma_odd(detail::wide(a), detail::wide(b), detail::wide(c)));
}
__host__ __device__ __forceinline__ __hip_bfloat162 hfma2_sat(__hip_bfloat162 a, __hip_bfloat162 b, __hip_bfloat162 c) {
  return detail::pair_of(hfma_sat(detail::low_of(a), detail::low_of(b), detail::low_of(c)), hfma_sat(detail::high_of(a), detail::high_of(b), detail::high_of(c)));
}
__host__ __device__ __forceinline__ __hip_bfloat16 hfma_relu(__hip_bfloat16 a, __hip_bfloat16 b, __hip_bfloat16 c) {
  return detail::relu(detail::fused(a, b, c));
}
__host__ __device__ __forceinline__ __hip_bfloat162 hfma2_relu(__hip_bfloat162 a, __hip_bfloat162 b, __hip_bfloat162 c) {
  return detail::pair_of(hfma_relu(detail::low_of(a), detail::low_of(b), detail::low_of(c)), hfma_relu(detail::high_of(a), detail::high_of(b), detail::high_of(c)));
}
__host__ __device__ __forceinline__ __hip_bfloat16 hmax_nan(__hip_bfloat16 a, __hip_bfloat16 b) {
  if (detail::wide(a) != detail::wide(a) || detail::wide(b) != detail::wide(b)) return detail::bf_of(0x7fffu);
  if (detail::wide(a) == detail::wide(b)) return detail::bf_of(detail::bits_of_bf(a) & detail::bits_of_bf(b));
  return detail::wide(a) > detail::wide(b) ? a : b;
}
__host__ __device__ __forceinline__ __hip_bfloat162 hmax2_nan(__hip_bfloat162 a, __hip_bfloat162 b) {
  return detail::pair_of(hmax_nan(detail::low_of(a), detail::low_of(b)), hmax_nan(detail::high_of(a), detail::high_of(b)));
}
__host__ __device__ __forceinline__ __hip_bfloat16 hmin_nan(__hip_bfloat16 a, __hip_bfloat16 b) {
  if (detail::wide(a) != detail::wide(a) || detail::wide(b) != detail::wide(b)) return detail::bf_of(0x7fffu);
  if (detail::wide(a) == detail::wide(b)) return detail::bf_of(detail::bits_of_bf(a) | detail::bits_of_bf(b));
  return detail::wide(a) < detail::wide(b) ? a : b;
}
__host__ __device__ __forceinline__ __hip_bfloat162 hmin2_nan(__hip_bfloat162 a, __hip_bfloat162 b) {
  return detail::pair_of(hmin_nan(detail::low_of(a), detail::low_of(b)), hmin_nan(detail::high_of(a), detail::high_of(b)));
}

// ---- comparisons: 1.0 or 0.0 in each half, or a mask; the names with u are true for a NaN

namespace detail {
__host__ __device__ __forceinline__ bool h_eq(bf a, bf b) { return wide(a) == wide(b); }
__host__ __device__ __forceinline__ bool h_equ(bf a, bf b) { return !(wide(a) < wide(b) || wide(a) > wide(b)); }
__host__ __device__ __forceinline__ bool h_ne(bf a, bf b) { return wide(a) < wide(b) || wide(a) > wide(b); }
__host__ __device__ __forceinline__ bool h_neu(bf a, bf b) { return wide(a) != wide(b); }
__host__ __device__ __forceinline__ bool h_gt(bf a, bf b) { return wide(a) > wide(b); }
__host__ __device__ __forceinline__ bool h_gtu(bf a, bf b) { return !(wide(a) <= wide(b)); }
__host__ __device__ __forceinline__ bool h_ge(bf a, bf b) { return wide(a) >= wide(b); }
__host__ __device__ __forceinline__ bool h_geu(bf a, bf b) { return !(wide(a) < wide(b)); }
__host__ __device__ __forceinline__ bool h_lt(bf a, bf b) { return wide(a) < wide(b); }
__host__ __device__ __forceinline__ bool h_ltu(bf a, bf b) { return !(wide(a) >= wide(b)); }
__host__ __device__ __forceinline__ bool h_le(bf a, bf b) { return wide(a) <= wide(b); }
__host__ __device__ __forceinline__ bool h_leu(bf a, bf b) { return !(wide(a) > wide(b)); }
}  // namespace detail

__host__ __device__ __forceinline__ unsigned heq2_mask(__hip_bfloat162 a, __hip_bfloat162 b) {
  return (detail::h_eq(detail::low_of(a), detail::low_of(b)) ? 0xffffu : 0u) | (detail::h_eq(detail::high_of(a), detail::high_of(b)) ? 0xffff0000u : 0u);
}
__host__ __device__ __forceinline__ __hip_bfloat162 hequ2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return detail::same_bits<__hip_bfloat162>((detail::h_equ(detail::low_of(a), detail::low_of(b)) ? 0x3f80u : 0u) | (detail::h_equ(detail::high_of(a), detail::high_of(b)) ? 0x3f800000u : 0u));
}
__host__ __device__ __forceinline__ unsigned hequ2_mask(__hip_bfloat162 a, __hip_bfloat162 b) {
  return (detail::h_equ(detail::low_of(a), detail::low_of(b)) ? 0xffffu : 0u) | (detail::h_equ(detail::high_of(a), detail::high_of(b)) ? 0xffff0000u : 0u);
}
__host__ __device__ __forceinline__ unsigned hne2_mask(__hip_bfloat162 a, __hip_bfloat162 b) {
  return (detail::h_ne(detail::low_of(a), detail::low_of(b)) ? 0xffffu : 0u) | (detail::h_ne(detail::high_of(a), detail::high_of(b)) ? 0xffff0000u : 0u);
}
__host__ __device__ __forceinline__ __hip_bfloat162 hneu2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return detail::same_bits<__hip_bfloat162>((detail::h_neu(detail::low_of(a), detail::low_of(b)) ? 0x3f80u : 0u) | (detail::h_neu(detail::high_of(a), detail::high_of(b)) ? 0x3f800000u : 0u));
}
__host__ __device__ __forceinline__ unsigned hneu2_mask(__hip_bfloat162 a, __hip_bfloat162 b) {
  return (detail::h_neu(detail::low_of(a), detail::low_of(b)) ? 0xffffu : 0u) | (detail::h_neu(detail::high_of(a), detail::high_of(b)) ? 0xffff0000u : 0u);
}
__host__ __device__ __forceinline__ unsigned hgt2_mask(__hip_bfloat162 a, __hip_bfloat162 b) {
  return (detail::h_gt(detail::low_of(a), detail::low_of(b)) ? 0xffffu : 0u) | (detail::h_gt(detail::high_of(a), detail::high_of(b)) ? 0xffff0000u : 0u);
}
__host__ __device__ __forceinline__ __hip_bfloat162 hgtu2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return detail::same_bits<__hip_bfloat162>((detail::h_gtu(detail::low_of(a), detail::low_of(b)) ? 0x3f80u : 0u) | (detail::h_gtu(detail::high_of(a), detail::high_of(b)) ? 0x3f800000u : 0u));
}
__host__ __device__ __forceinline__ unsigned hgtu2_mask(__hip_bfloat162 a, __hip_bfloat162 b) {
  return (detail::h_gtu(detail::low_of(a), detail::low_of(b)) ? 0xffffu : 0u) | (detail::h_gtu(detail::high_of(a), detail::high_of(b)) ? 0xffff0000u : 0u);
}
__host__ __device__ __forceinline__ unsigned hge2_mask(__hip_bfloat162 a, __hip_bfloat162 b) {
  return (detail::h_ge(detail::low_of(a), detail::low_of(b)) ? 0xffffu : 0u) | (detail::h_ge(detail::high_of(a), detail::high_of(b)) ? 0xffff0000u : 0u);
}
__host__ __device__ __forceinline__ __hip_bfloat162 hgeu2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return detail::same_bits<__hip_bfloat162>((detail::h_geu(detail::low_of(a), detail::low_of(b)) ? 0x3f80u : 0u) | (detail::h_geu(detail::high_of(a), detail::high_of(b)) ? 0x3f800000u : 0u));
}
__host__ __device__ __forceinline__ unsigned hgeu2_mask(__hip_bfloat162 a, __hip_bfloat162 b) {
  return (detail::h_geu(detail::low_of(a), detail::low_of(b)) ? 0xffffu : 0u) | (detail::h_geu(detail::high_of(a), detail::high_of(b)) ? 0xffff0000u : 0u);
}
__host__ __device__ __forceinline__ unsigned hlt2_mask(__hip_bfloat162 a, __hip_bfloat162 b) {
  return (detail::h_lt(detail::low_of(a), detail::low_of(b)) ? 0xffffu : 0u) | (detail::h_lt(detail::high_of(a), detail::high_of(b)) ? 0xffff0000u : 0u);
}
__host__ __device__ __forceinline__ __hip_bfloat162 hltu2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return detail::same_bits<__hip_bfloat162>((detail::h_ltu(detail::low_of(a), detail::low_of(b)) ? 0x3f80u : 0u) | (detail::h_ltu(detail::high_of(a), detail::high_of(b)) ? 0x3f800000u : 0u));
}
__host__ __device__ __forceinline__ unsigned hltu2_mask(__hip_bfloat162 a, __hip_bfloat162 b) {
  return (detail::h_ltu(detail::low_of(a), detail::low_of(b)) ? 0xffffu : 0u) | (detail::h_ltu(detail::high_of(a), detail::high_of(b)) ? 0xffff0000u : 0u);
}
__host__ __device__ __forceinline__ unsigned hle2_mask(__hip_bfloat162 a, __hip_bfloat162 b) {
  return (detail::h_le(detail::low_of(a), detail::low_of(b)) ? 0xffffu : 0u) | (detail::h_le(detail::high_of(a), detail::high_of(b)) ? 0xffff0000u : 0u);
}
__host__ __device__ __forceinline__ __hip_bfloat162 hleu2(__hip_bfloat162 a, __hip_bfloat162 b) {
  return detail::same_bits<__hip_bfloat162>((detail::h_leu(detail::low_of(a), detail::low_of(b)) ? 0x3f80u : 0u) | (detail::h_leu(detail::high_of(a), detail::high_of(b)) ? 0x3f800000u : 0u));
}
__host__ __device__ __forceinline__ unsigned hleu2_mask(__hip_bfloat162 a, __hip_bfloat162 b) {
  return (detail::h_leu(detail::low_of(a), detail::low_of(b)) ? 0xffffu : 0u) | (detail::h_leu(detail::high_of(a), detail::high_of(b)) ? 0xffff0000u : 0u);
}

// (a.x + i a.y) * (b.x + i b.y) + (c.x + i c.y), in four fused steps
__host__ __device__ __forceinline__ __hip_bfloat162 hcmadd(__hip_bfloat162 a, __hip_bfloat162 b, __hip_bfloat162 c) {
  const detail::bf ax = detail::low_of(a), ay = detail::high_of(a), bx = detail::low_of(b), by = detail::high_of(b);
  const detail::bf minus_ay = detail::bf_of(detail::bits_of_bf(ay) ^ 0x8000u);
  return detail::pair_of(detail::fused(minus_ay, by, detail::fused(ax, bx, detail::low_of(c))),
                         detail::fused(ay, bx, detail::fused(ax, by, detail::high_of(c))));
}

// ---- atomics: the old value comes back

__host__ __device__ __forceinline__ __hip_bfloat162 atomic_add(__hip_bfloat162* p, __hip_bfloat162 v) {
  unsigned* word = reinterpret_cast<unsigned*>(p);
  unsigned old = __hip_atomic_load(word, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  for (;;) {
    const unsigned sum = detail::same_bits<unsigned>(hadd2_rn(detail::same_bits<__hip_bfloat162>(old), v));
    if (__hip_atomic_compare_exchange_weak(word, &old, sum, __ATOMIC_RELAXED, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT))
      return detail::same_bits<__hip_bfloat162>(old);
  }
}
// In the aligned word around it.
__host__ __device__ __forceinline__ __hip_bfloat16 atomic_add(__hip_bfloat16* p, __hip_bfloat16 v) {
  const unsigned long long at = reinterpret_cast<unsigned long long>(p);
  unsigned* word = reinterpret_cast<unsigned*>(at & ~3ull);
  const unsigned shift = at & 2u ? 16u : 0u;
  unsigned old = __hip_atomic_load(word, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  for (;;) {
    const __hip_bfloat16 before = detail::bf_of(old >> shift);
    const unsigned sum = (old & ~(0xffffu << shift)) | detail::bits_of_bf(hadd_rn(before, v)) << shift;
    if (__hip_atomic_compare_exchange_weak(word, &old, sum, __ATOMIC_RELAXED, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT))
      return before;
  }
}

}  // namespace tranship
