// tranship/intrinsics.hpp: CUDA device intrinsics that HIP lacks.
//
// provides: dp4a, dp2a_lo, dp2a_hi; the SIMD video intrinsics (vadd4, vabsdiffu4, vcmpgts2, ...); the DPX functions
//   (viaddmax_s32, vimax3_s16x2_relu, vibmin_u32, ...); ldg, ldca, ldcg, ldcs, ldlu, ldcv, stwb, stcg, stcs, stwt for any
//   type; nanosleep, trap, brkpt; is_shared, is_local, is_global; umin, umax, llmin, llmax, ullmin, ullmax, fdivide;
//   umul24, popc, popcll with CUDA's return types; grid_dependency_synchronize, trigger_programmatic_launch_completion.
// exactness: bit for bit, checked against an NVIDIA H200 except where hardware state is asked (is_*, nanosleep).
// limits: cache hints steer nothing but the choice between a normal and a non-temporal access; ldcv does not bypass the
//   caches. nanosleep is coarser than its argument.
// unnecessary since: never.
#pragma once

#include <hip/hip_runtime.h>

namespace tranship {
namespace detail {

// Applies f to each field of Bits bits; A is int (sign-extended fields) or unsigned.
template <int Bits, class A> __device__ __forceinline__ A field(unsigned v, int k) {
  return static_cast<A>(v << (32 - Bits - Bits * k)) >> (32 - Bits);
}
template <int Bits, class A, class F> __device__ __forceinline__ unsigned each(unsigned a, unsigned b, F f) {
  unsigned r = 0;
  for (int k = 0; k < 32 / Bits; ++k)
    r |= (static_cast<unsigned>(f(field<Bits, A>(a, k), field<Bits, A>(b, k))) & ((1u << Bits) - 1)) << (Bits * k);
  return r;
}

template <class A> struct add_f { __device__ A operator()(A a, A b) const { return a + b; } };
template <class A> struct sub_f { __device__ A operator()(A a, A b) const { return a - b; } };
template <class A> struct min_f { __device__ A operator()(A a, A b) const { return a < b ? a : b; } };
template <class A> struct max_f { __device__ A operator()(A a, A b) const { return a > b ? a : b; } };
template <class A> struct diff_f { __device__ A operator()(A a, A b) const { return a > b ? a - b : b - a; } };
template <class A> struct eq_f { __device__ bool operator()(A a, A b) const { return a == b; } };
template <class A> struct ne_f { __device__ bool operator()(A a, A b) const { return a != b; } };
template <class A> struct lt_f { __device__ bool operator()(A a, A b) const { return a < b; } };
template <class A> struct le_f { __device__ bool operator()(A a, A b) const { return a <= b; } };
template <class A> struct gt_f { __device__ bool operator()(A a, A b) const { return a > b; } };
template <class A> struct ge_f { __device__ bool operator()(A a, A b) const { return a >= b; } };
template <class F, class A> struct mask_f { __device__ int operator()(A a, A b) const { return F()(a, b) ? -1 : 0; } };
struct average_s { __device__ int operator()(int a, int b) const { return (a + b + (a + b >= 0)) >> 1; } };
struct average_u { __device__ unsigned operator()(unsigned a, unsigned b) const { return (a + b + 1) >> 1; } };
struct half_sum { __device__ unsigned operator()(unsigned a, unsigned b) const { return (a + b) >> 1; } };
struct abs_f { __device__ int operator()(int a, int) const { return a < 0 ? -a : a; } };
struct neg_f { __device__ int operator()(int a, int) const { return -a; } };

// F, then the result held to the range of a field.
template <class F, int Bits> struct sat_s {
  __device__ int operator()(int a, int b) const {
    const int r = F()(a, b), top = (1 << (Bits - 1)) - 1;
    return r > top ? top : r < -top - 1 ? -top - 1 : r;
  }
};
template <int Bits> struct add_sat_u {
  __device__ unsigned operator()(unsigned a, unsigned b) const { return min_f<unsigned>()(a + b, (1u << Bits) - 1); }
};
struct sub_sat_u { __device__ unsigned operator()(unsigned a, unsigned b) const { return a > b ? a - b : 0u; } };

template <int Bits, class A> __device__ __forceinline__ unsigned sum_of_differences(unsigned a, unsigned b) {
  unsigned r = 0;
  for (int k = 0; k < 32 / Bits; ++k) r += static_cast<unsigned>(diff_f<A>()(field<Bits, A>(a, k), field<Bits, A>(b, k)));
  return r;
}

template <class T, class V> __device__ __forceinline__ T bits_of(const V& v) {
  static_assert(sizeof(T) == sizeof(V), "");
  T t;
  __builtin_memcpy(static_cast<void*>(&t), static_cast<const void*>(&v), sizeof(T));
  return t;
}

}  // namespace detail

// ---- SIMD video: two fields of 16 bits, or four of 8

__device__ __forceinline__ unsigned vabs2(unsigned a) { return detail::each<16, int>(a, a, detail::abs_f()); }
__device__ __forceinline__ unsigned vabsss2(unsigned a) {
  return detail::each<16, int>(a, a, detail::sat_s<detail::abs_f, 16>());
}
__device__ __forceinline__ unsigned vneg2(unsigned a) { return detail::each<16, int>(a, a, detail::neg_f()); }
__device__ __forceinline__ unsigned vnegss2(unsigned a) {
  return detail::each<16, int>(a, a, detail::sat_s<detail::neg_f, 16>());
}
__device__ __forceinline__ unsigned vabsdiffs2(unsigned a, unsigned b) {
  return detail::each<16, int>(a, b, detail::diff_f<int>());
}
__device__ __forceinline__ unsigned vabsdiffu2(unsigned a, unsigned b) {
  return detail::each<16, unsigned>(a, b, detail::diff_f<unsigned>());
}
__device__ __forceinline__ unsigned vadd2(unsigned a, unsigned b) {
  return detail::each<16, unsigned>(a, b, detail::add_f<unsigned>());
}
__device__ __forceinline__ unsigned vaddss2(unsigned a, unsigned b) {
  return detail::each<16, int>(a, b, detail::sat_s<detail::add_f<int>, 16>());
}
__device__ __forceinline__ unsigned vaddus2(unsigned a, unsigned b) {
  return detail::each<16, unsigned>(a, b, detail::add_sat_u<16>());
}
__device__ __forceinline__ unsigned vsub2(unsigned a, unsigned b) {
  return detail::each<16, unsigned>(a, b, detail::sub_f<unsigned>());
}
__device__ __forceinline__ unsigned vsubss2(unsigned a, unsigned b) {
  return detail::each<16, int>(a, b, detail::sat_s<detail::sub_f<int>, 16>());
}
__device__ __forceinline__ unsigned vsubus2(unsigned a, unsigned b) {
  return detail::each<16, unsigned>(a, b, detail::sub_sat_u());
}
__device__ __forceinline__ unsigned vavgs2(unsigned a, unsigned b) {
  return detail::each<16, int>(a, b, detail::average_s());
}
__device__ __forceinline__ unsigned vavgu2(unsigned a, unsigned b) {
  return detail::each<16, unsigned>(a, b, detail::average_u());
}
__device__ __forceinline__ unsigned vhaddu2(unsigned a, unsigned b) {
  return detail::each<16, unsigned>(a, b, detail::half_sum());
}
__device__ __forceinline__ unsigned vmaxs2(unsigned a, unsigned b) {
  return detail::each<16, int>(a, b, detail::max_f<int>());
}
__device__ __forceinline__ unsigned vmaxu2(unsigned a, unsigned b) {
  return detail::each<16, unsigned>(a, b, detail::max_f<unsigned>());
}
__device__ __forceinline__ unsigned vmins2(unsigned a, unsigned b) {
  return detail::each<16, int>(a, b, detail::min_f<int>());
}
__device__ __forceinline__ unsigned vminu2(unsigned a, unsigned b) {
  return detail::each<16, unsigned>(a, b, detail::min_f<unsigned>());
}
__device__ __forceinline__ unsigned vcmpeq2(unsigned a, unsigned b) {
  return detail::each<16, unsigned>(a, b, detail::mask_f<detail::eq_f<unsigned>, unsigned>());
}
__device__ __forceinline__ unsigned vseteq2(unsigned a, unsigned b) {
  return detail::each<16, unsigned>(a, b, detail::eq_f<unsigned>());
}
__device__ __forceinline__ unsigned vcmpne2(unsigned a, unsigned b) {
  return detail::each<16, unsigned>(a, b, detail::mask_f<detail::ne_f<unsigned>, unsigned>());
}
__device__ __forceinline__ unsigned vsetne2(unsigned a, unsigned b) {
  return detail::each<16, unsigned>(a, b, detail::ne_f<unsigned>());
}
__device__ __forceinline__ unsigned vcmpges2(unsigned a, unsigned b) {
  return detail::each<16, int>(a, b, detail::mask_f<detail::ge_f<int>, int>());
}
__device__ __forceinline__ unsigned vsetges2(unsigned a, unsigned b) {
  return detail::each<16, int>(a, b, detail::ge_f<int>());
}
__device__ __forceinline__ unsigned vcmpgeu2(unsigned a, unsigned b) {
  return detail::each<16, unsigned>(a, b, detail::mask_f<detail::ge_f<unsigned>, unsigned>());
}
__device__ __forceinline__ unsigned vsetgeu2(unsigned a, unsigned b) {
  return detail::each<16, unsigned>(a, b, detail::ge_f<unsigned>());
}
__device__ __forceinline__ unsigned vcmpgts2(unsigned a, unsigned b) {
  return detail::each<16, int>(a, b, detail::mask_f<detail::gt_f<int>, int>());
}
__device__ __forceinline__ unsigned vsetgts2(unsigned a, unsigned b) {
  return detail::each<16, int>(a, b, detail::gt_f<int>());
}
__device__ __forceinline__ unsigned vcmpgtu2(unsigned a, unsigned b) {
  return detail::each<16, unsigned>(a, b, detail::mask_f<detail::gt_f<unsigned>, unsigned>());
}
__device__ __forceinline__ unsigned vsetgtu2(unsigned a, unsigned b) {
  return detail::each<16, unsigned>(a, b, detail::gt_f<unsigned>());
}
__device__ __forceinline__ unsigned vcmples2(unsigned a, unsigned b) {
  return detail::each<16, int>(a, b, detail::mask_f<detail::le_f<int>, int>());
}
__device__ __forceinline__ unsigned vsetles2(unsigned a, unsigned b) {
  return detail::each<16, int>(a, b, detail::le_f<int>());
}
__device__ __forceinline__ unsigned vcmpleu2(unsigned a, unsigned b) {
  return detail::each<16, unsigned>(a, b, detail::mask_f<detail::le_f<unsigned>, unsigned>());
}
__device__ __forceinline__ unsigned vsetleu2(unsigned a, unsigned b) {
  return detail::each<16, unsigned>(a, b, detail::le_f<unsigned>());
}
__device__ __forceinline__ unsigned vcmplts2(unsigned a, unsigned b) {
  return detail::each<16, int>(a, b, detail::mask_f<detail::lt_f<int>, int>());
}
__device__ __forceinline__ unsigned vsetlts2(unsigned a, unsigned b) {
  return detail::each<16, int>(a, b, detail::lt_f<int>());
}
__device__ __forceinline__ unsigned vcmpltu2(unsigned a, unsigned b) {
  return detail::each<16, unsigned>(a, b, detail::mask_f<detail::lt_f<unsigned>, unsigned>());
}
__device__ __forceinline__ unsigned vsetltu2(unsigned a, unsigned b) {
  return detail::each<16, unsigned>(a, b, detail::lt_f<unsigned>());
}
__device__ __forceinline__ unsigned vsads2(unsigned a, unsigned b) { return detail::sum_of_differences<16, int>(a, b); }
__device__ __forceinline__ unsigned vsadu2(unsigned a, unsigned b) {
  return detail::sum_of_differences<16, unsigned>(a, b);
}

__device__ __forceinline__ unsigned vabs4(unsigned a) { return detail::each<8, int>(a, a, detail::abs_f()); }
__device__ __forceinline__ unsigned vabsss4(unsigned a) {
  return detail::each<8, int>(a, a, detail::sat_s<detail::abs_f, 8>());
}
__device__ __forceinline__ unsigned vneg4(unsigned a) { return detail::each<8, int>(a, a, detail::neg_f()); }
__device__ __forceinline__ unsigned vnegss4(unsigned a) {
  return detail::each<8, int>(a, a, detail::sat_s<detail::neg_f, 8>());
}
__device__ __forceinline__ unsigned vabsdiffs4(unsigned a, unsigned b) {
  return detail::each<8, int>(a, b, detail::diff_f<int>());
}
__device__ __forceinline__ unsigned vabsdiffu4(unsigned a, unsigned b) {
  return detail::each<8, unsigned>(a, b, detail::diff_f<unsigned>());
}
__device__ __forceinline__ unsigned vadd4(unsigned a, unsigned b) {
  return detail::each<8, unsigned>(a, b, detail::add_f<unsigned>());
}
__device__ __forceinline__ unsigned vaddss4(unsigned a, unsigned b) {
  return detail::each<8, int>(a, b, detail::sat_s<detail::add_f<int>, 8>());
}
__device__ __forceinline__ unsigned vaddus4(unsigned a, unsigned b) {
  return detail::each<8, unsigned>(a, b, detail::add_sat_u<8>());
}
__device__ __forceinline__ unsigned vsub4(unsigned a, unsigned b) {
  return detail::each<8, unsigned>(a, b, detail::sub_f<unsigned>());
}
__device__ __forceinline__ unsigned vsubss4(unsigned a, unsigned b) {
  return detail::each<8, int>(a, b, detail::sat_s<detail::sub_f<int>, 8>());
}
__device__ __forceinline__ unsigned vsubus4(unsigned a, unsigned b) {
  return detail::each<8, unsigned>(a, b, detail::sub_sat_u());
}
__device__ __forceinline__ unsigned vavgs4(unsigned a, unsigned b) {
  return detail::each<8, int>(a, b, detail::average_s());
}
__device__ __forceinline__ unsigned vavgu4(unsigned a, unsigned b) {
  return detail::each<8, unsigned>(a, b, detail::average_u());
}
__device__ __forceinline__ unsigned vhaddu4(unsigned a, unsigned b) {
  return detail::each<8, unsigned>(a, b, detail::half_sum());
}
__device__ __forceinline__ unsigned vmaxs4(unsigned a, unsigned b) {
  return detail::each<8, int>(a, b, detail::max_f<int>());
}
__device__ __forceinline__ unsigned vmaxu4(unsigned a, unsigned b) {
  return detail::each<8, unsigned>(a, b, detail::max_f<unsigned>());
}
__device__ __forceinline__ unsigned vmins4(unsigned a, unsigned b) {
  return detail::each<8, int>(a, b, detail::min_f<int>());
}
__device__ __forceinline__ unsigned vminu4(unsigned a, unsigned b) {
  return detail::each<8, unsigned>(a, b, detail::min_f<unsigned>());
}
__device__ __forceinline__ unsigned vcmpeq4(unsigned a, unsigned b) {
  return detail::each<8, unsigned>(a, b, detail::mask_f<detail::eq_f<unsigned>, unsigned>());
}
__device__ __forceinline__ unsigned vseteq4(unsigned a, unsigned b) {
  return detail::each<8, unsigned>(a, b, detail::eq_f<unsigned>());
}
__device__ __forceinline__ unsigned vcmpne4(unsigned a, unsigned b) {
  return detail::each<8, unsigned>(a, b, detail::mask_f<detail::ne_f<unsigned>, unsigned>());
}
__device__ __forceinline__ unsigned vsetne4(unsigned a, unsigned b) {
  return detail::each<8, unsigned>(a, b, detail::ne_f<unsigned>());
}
__device__ __forceinline__ unsigned vcmpges4(unsigned a, unsigned b) {
  return detail::each<8, int>(a, b, detail::mask_f<detail::ge_f<int>, int>());
}
__device__ __forceinline__ unsigned vsetges4(unsigned a, unsigned b) {
  return detail::each<8, int>(a, b, detail::ge_f<int>());
}
__device__ __forceinline__ unsigned vcmpgeu4(unsigned a, unsigned b) {
  return detail::each<8, unsigned>(a, b, detail::mask_f<detail::ge_f<unsigned>, unsigned>());
}
__device__ __forceinline__ unsigned vsetgeu4(unsigned a, unsigned b) {
  return detail::each<8, unsigned>(a, b, detail::ge_f<unsigned>());
}
__device__ __forceinline__ unsigned vcmpgts4(unsigned a, unsigned b) {
  return detail::each<8, int>(a, b, detail::mask_f<detail::gt_f<int>, int>());
}
__device__ __forceinline__ unsigned vsetgts4(unsigned a, unsigned b) {
  return detail::each<8, int>(a, b, detail::gt_f<int>());
}
__device__ __forceinline__ unsigned vcmpgtu4(unsigned a, unsigned b) {
  return detail::each<8, unsigned>(a, b, detail::mask_f<detail::gt_f<unsigned>, unsigned>());
}
__device__ __forceinline__ unsigned vsetgtu4(unsigned a, unsigned b) {
  return detail::each<8, unsigned>(a, b, detail::gt_f<unsigned>());
}
__device__ __forceinline__ unsigned vcmples4(unsigned a, unsigned b) {
  return detail::each<8, int>(a, b, detail::mask_f<detail::le_f<int>, int>());
}
__device__ __forceinline__ unsigned vsetles4(unsigned a, unsigned b) {
  return detail::each<8, int>(a, b, detail::le_f<int>());
}
__device__ __forceinline__ unsigned vcmpleu4(unsigned a, unsigned b) {
  return detail::each<8, unsigned>(a, b, detail::mask_f<detail::le_f<unsigned>, unsigned>());
}
__device__ __forceinline__ unsigned vsetleu4(unsigned a, unsigned b) {
  return detail::each<8, unsigned>(a, b, detail::le_f<unsigned>());
}
__device__ __forceinline__ unsigned vcmplts4(unsigned a, unsigned b) {
  return detail::each<8, int>(a, b, detail::mask_f<detail::lt_f<int>, int>());
}
__device__ __forceinline__ unsigned vsetlts4(unsigned a, unsigned b) {
  return detail::each<8, int>(a, b, detail::lt_f<int>());
}
__device__ __forceinline__ unsigned vcmpltu4(unsigned a, unsigned b) {
  return detail::each<8, unsigned>(a, b, detail::mask_f<detail::lt_f<unsigned>, unsigned>());
}
__device__ __forceinline__ unsigned vsetltu4(unsigned a, unsigned b) {
  return detail::each<8, unsigned>(a, b, detail::lt_f<unsigned>());
}
__device__ __forceinline__ unsigned vsads4(unsigned a, unsigned b) { return detail::sum_of_differences<8, int>(a, b); }
__device__ __forceinline__ unsigned vsadu4(unsigned a, unsigned b) {
  return detail::sum_of_differences<8, unsigned>(a, b);
}

// ---- dot products

namespace detail {
template <class A> __device__ __forceinline__ A dot4(unsigned a, unsigned b, A c) {
  unsigned r = static_cast<unsigned>(c);
  for (int k = 0; k < 4; ++k) r += static_cast<unsigned>(field<8, A>(a, k) * field<8, A>(b, k));
  return static_cast<A>(r);
}
// Two 16-bit fields of a with the bytes of b from `first` on.
template <class A> __device__ __forceinline__ A dot2(unsigned a, unsigned b, A c, int first) {
  unsigned r = static_cast<unsigned>(c);
  for (int k = 0; k < 2; ++k) r += static_cast<unsigned>(field<16, A>(a, k) * field<8, A>(b, first + k));
  return static_cast<A>(r);
}
}  // namespace detail

__device__ __forceinline__ int dp4a(int a, int b, int c) {
#if defined(__gfx906__) || defined(__gfx908__) || defined(__gfx90a__) || defined(__gfx942__) || defined(__gfx950__)
  return __builtin_amdgcn_sdot4(a, b, c, false);
#elif defined(__GFX11__) || defined(__GFX12__)
  return __builtin_amdgcn_sudot4(true, a, true, b, c, false);
#else
  return detail::dot4<int>(static_cast<unsigned>(a), static_cast<unsigned>(b), c);
#endif
}
__device__ __forceinline__ unsigned dp4a(unsigned a, unsigned b, unsigned c) {
#if defined(__gfx906__) || defined(__gfx908__) || defined(__gfx90a__) || defined(__gfx942__) || defined(__gfx950__) || \
    defined(__GFX11__) || defined(__GFX12__)
  return __builtin_amdgcn_udot4(a, b, c, false);
#else
  return detail::dot4<unsigned>(a, b, c);
#endif
}
__device__ __forceinline__ int dp4a(char4 a, char4 b, int c) {
  return dp4a(detail::bits_of<int>(a), detail::bits_of<int>(b), c);
}
__device__ __forceinline__ unsigned dp4a(uchar4 a, uchar4 b, unsigned c) {
  return dp4a(detail::bits_of<unsigned>(a), detail::bits_of<unsigned>(b), c);
}
__device__ __forceinline__ int dp2a_lo(int a, int b, int c) {
  return detail::dot2<int>(static_cast<unsigned>(a), static_cast<unsigned>(b), c, 0);
}
__device__ __forceinline__ unsigned dp2a_lo(unsigned a, unsigned b, unsigned c) { return detail::dot2<unsigned>(a, b, c, 0); }
__device__ __forceinline__ int dp2a_lo(short2 a, char4 b, int c) {
  return dp2a_lo(detail::bits_of<int>(a), detail::bits_of<int>(b), c);
}
__device__ __forceinline__ unsigned dp2a_lo(ushort2 a, uchar4 b, unsigned c) {
  return dp2a_lo(detail::bits_of<unsigned>(a), detail::bits_of<unsigned>(b), c);
}
__device__ __forceinline__ int dp2a_hi(int a, int b, int c) {
  return detail::dot2<int>(static_cast<unsigned>(a), static_cast<unsigned>(b), c, 2);
}
__device__ __forceinline__ unsigned dp2a_hi(unsigned a, unsigned b, unsigned c) { return detail::dot2<unsigned>(a, b, c, 2); }
__device__ __forceinline__ int dp2a_hi(short2 a, char4 b, int c) {
  return dp2a_hi(detail::bits_of<int>(a), detail::bits_of<int>(b), c);
}
__device__ __forceinline__ unsigned dp2a_hi(ushort2 a, uchar4 b, unsigned c) {
  return dp2a_hi(detail::bits_of<unsigned>(a), detail::bits_of<unsigned>(b), c);
}

// ---- dynamic programming (DPX)

__device__ __forceinline__ int viaddmax_s32(int a, int b, int c) {
  return detail::max_f<int>()(static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b)), c);
}
__device__ __forceinline__ int vimax3_s32(int a, int b, int c) {
  return detail::max_f<int>()(detail::max_f<int>()(a, b), c);
}
__device__ __forceinline__ int vibmax_s32(int a, int b, bool* pred) {
  return *pred = a >= b, detail::max_f<int>()(a, b);
}
__device__ __forceinline__ int viaddmax_s32_relu(int a, int b, int c) {
  return detail::max_f<int>()(viaddmax_s32(a, b, c), 0);
}
__device__ __forceinline__ int vimax3_s32_relu(int a, int b, int c) {
  return detail::max_f<int>()(vimax3_s32(a, b, c), 0);
}
__device__ __forceinline__ int vimax_s32_relu(int a, int b) {
  return detail::max_f<int>()(detail::max_f<int>()(a, b), 0);
}
__device__ __forceinline__ unsigned viaddmax_u32(unsigned a, unsigned b, unsigned c) {
  return detail::max_f<unsigned>()(a + b, c);
}
__device__ __forceinline__ unsigned vimax3_u32(unsigned a, unsigned b, unsigned c) {
  return detail::max_f<unsigned>()(detail::max_f<unsigned>()(a, b), c);
}
__device__ __forceinline__ unsigned vibmax_u32(unsigned a, unsigned b, bool* pred) {
  return *pred = a >= b, detail::max_f<unsigned>()(a, b);
}
__device__ __forceinline__ unsigned viaddmax_s16x2(unsigned a, unsigned b, unsigned c) {
  return vmaxs2(vadd2(a, b), c);
}
__device__ __forceinline__ unsigned vimax3_s16x2(unsigned a, unsigned b, unsigned c) { return vmaxs2(vmaxs2(a, b), c); }
__device__ __forceinline__ unsigned vibmax_s16x2(unsigned a, unsigned b, bool* high, bool* low) {
  const unsigned set = vsetges2(a, b); return *high = set >> 16, *low = set & 1u, vmaxs2(a, b);
}
__device__ __forceinline__ unsigned viaddmax_s16x2_relu(unsigned a, unsigned b, unsigned c) {
  return vmaxs2(viaddmax_s16x2(a, b, c), 0u);
}
__device__ __forceinline__ unsigned vimax3_s16x2_relu(unsigned a, unsigned b, unsigned c) {
  return vmaxs2(vimax3_s16x2(a, b, c), 0u);
}
__device__ __forceinline__ unsigned vimax_s16x2_relu(unsigned a, unsigned b) { return vmaxs2(vmaxs2(a, b), 0u); }
__device__ __forceinline__ unsigned viaddmax_u16x2(unsigned a, unsigned b, unsigned c) {
  return vmaxu2(vadd2(a, b), c);
}
__device__ __forceinline__ unsigned vimax3_u16x2(unsigned a, unsigned b, unsigned c) { return vmaxu2(vmaxu2(a, b), c); }
__device__ __forceinline__ unsigned vibmax_u16x2(unsigned a, unsigned b, bool* high, bool* low) {
  const unsigned set = vsetgeu2(a, b); return *high = set >> 16, *low = set & 1u, vmaxu2(a, b);
}
__device__ __forceinline__ int viaddmin_s32(int a, int b, int c) {
  return detail::min_f<int>()(static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b)), c);
}
__device__ __forceinline__ int vimin3_s32(int a, int b, int c) {
  return detail::min_f<int>()(detail::min_f<int>()(a, b), c);
}
__device__ __forceinline__ int vibmin_s32(int a, int b, bool* pred) {
  return *pred = a <= b, detail::min_f<int>()(a, b);
}
__device__ __forceinline__ int viaddmin_s32_relu(int a, int b, int c) {
  return detail::max_f<int>()(viaddmin_s32(a, b, c), 0);
}
__device__ __forceinline__ int vimin3_s32_relu(int a, int b, int c) {
  return detail::max_f<int>()(vimin3_s32(a, b, c), 0);
}
__device__ __forceinline__ int vimin_s32_relu(int a, int b) {
  return detail::max_f<int>()(detail::min_f<int>()(a, b), 0);
}
__device__ __forceinline__ unsigned viaddmin_u32(unsigned a, unsigned b, unsigned c) {
  return detail::min_f<unsigned>()(a + b, c);
}
__device__ __forceinline__ unsigned vimin3_u32(unsigned a, unsigned b, unsigned c) {
  return detail::min_f<unsigned>()(detail::min_f<unsigned>()(a, b), c);
}
__device__ __forceinline__ unsigned vibmin_u32(unsigned a, unsigned b, bool* pred) {
  return *pred = a <= b, detail::min_f<unsigned>()(a, b);
}
__device__ __forceinline__ unsigned viaddmin_s16x2(unsigned a, unsigned b, unsigned c) {
  return vmins2(vadd2(a, b), c);
}
__device__ __forceinline__ unsigned vimin3_s16x2(unsigned a, unsigned b, unsigned c) { return vmins2(vmins2(a, b), c); }
__device__ __forceinline__ unsigned vibmin_s16x2(unsigned a, unsigned b, bool* high, bool* low) {
  const unsigned set = vsetles2(a, b); return *high = set >> 16, *low = set & 1u, vmins2(a, b);
}
__device__ __forceinline__ unsigned viaddmin_s16x2_relu(unsigned a, unsigned b, unsigned c) {
  return vmaxs2(viaddmin_s16x2(a, b, c), 0u);
}
__device__ __forceinline__ unsigned vimin3_s16x2_relu(unsigned a, unsigned b, unsigned c) {
  return vmaxs2(vimin3_s16x2(a, b, c), 0u);
}
__device__ __forceinline__ unsigned vimin_s16x2_relu(unsigned a, unsigned b) { return vmaxs2(vmins2(a, b), 0u); }
__device__ __forceinline__ unsigned viaddmin_u16x2(unsigned a, unsigned b, unsigned c) {
  return vminu2(vadd2(a, b), c);
}
__device__ __forceinline__ unsigned vimin3_u16x2(unsigned a, unsigned b, unsigned c) { return vminu2(vminu2(a, b), c); }
__device__ __forceinline__ unsigned vibmin_u16x2(unsigned a, unsigned b, bool* high, bool* low) {
  const unsigned set = vsetleu2(a, b); return *high = set >> 16, *low = set & 1u, vminu2(a, b);
}

// ---- loads and stores with a cache hint

namespace detail {
typedef unsigned two_words __attribute__((vector_size(8)));
typedef unsigned four_words __attribute__((vector_size(16)));
template <unsigned Size> struct unit { using type = unsigned char; };
template <> struct unit<2> { using type = unsigned short; };
template <> struct unit<4> { using type = unsigned; };
template <> struct unit<8> { using type = two_words; };
template <> struct unit<16> { using type = four_words; };

// In the largest pieces that the type's alignment allows.
template <class T> struct pieces {
  static constexpr unsigned align = alignof(T) > 16 ? 16 : alignof(T);
  using piece = typename unit<align>::type;
  static constexpr unsigned count = sizeof(T) / sizeof(piece);
};

template <class T> __device__ __forceinline__ T stream_in(const T* p) {
  using P = pieces<T>;
  typename P::piece buffer[P::count];
  for (unsigned k = 0; k < P::count; ++k)
    buffer[k] = __builtin_nontemporal_load(reinterpret_cast<const typename P::piece*>(p) + k);
  T v = T();
  __builtin_memcpy(static_cast<void*>(&v), buffer, sizeof(T));
  return v;
}
template <class T> __device__ __forceinline__ void stream_out(T* p, const T& v) {
  using P = pieces<T>;
  typename P::piece buffer[P::count];
  __builtin_memcpy(buffer, static_cast<const void*>(&v), sizeof(T));
  for (unsigned k = 0; k < P::count; ++k)
    __builtin_nontemporal_store(buffer[k], reinterpret_cast<typename P::piece*>(p) + k);
}
template <class T> struct itself { using type = T; };
}  // namespace detail

template <class T> __device__ __forceinline__ T ldg(const T* p) { return *p; }
template <class T> __device__ __forceinline__ T ldca(const T* p) { return *p; }
template <class T> __device__ __forceinline__ T ldcg(const T* p) { return *p; }
template <class T> __device__ __forceinline__ T ldcv(const T* p) { return *p; }
template <class T> __device__ __forceinline__ T ldcs(const T* p) { return detail::stream_in(p); }
template <class T> __device__ __forceinline__ T ldlu(const T* p) { return detail::stream_in(p); }
template <class T> __device__ __forceinline__ void stwb(T* p, typename detail::itself<T>::type v) { *p = v; }
template <class T> __device__ __forceinline__ void stcg(T* p, typename detail::itself<T>::type v) { *p = v; }
template <class T> __device__ __forceinline__ void stwt(T* p, typename detail::itself<T>::type v) { *p = v; }
template <class T> __device__ __forceinline__ void stcs(T* p, typename detail::itself<T>::type v) {
  detail::stream_out(p, v);
}

// ---- control

// A hint in CUDA too: sleeps for about as long, at least 64 cycles.
__device__ __forceinline__ void nanosleep(unsigned ns) {
  for (unsigned slept = 0; slept <= ns && slept < 1000000u; slept += 32u) __builtin_amdgcn_s_sleep(1);
}
__device__ __forceinline__ void trap() { __builtin_trap(); }
__device__ __forceinline__ void brkpt() { __builtin_trap(); }

// ---- address spaces

__device__ __forceinline__ unsigned is_shared(const void* p) { return __builtin_amdgcn_is_shared(p); }
__device__ __forceinline__ unsigned is_local(const void* p) { return __builtin_amdgcn_is_private(p); }
__device__ __forceinline__ unsigned is_global(const void* p) { return !is_shared(p) && !is_local(p); }

// ---- plain arithmetic

__device__ __forceinline__ unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }
__device__ __forceinline__ unsigned umax(unsigned a, unsigned b) { return a > b ? a : b; }
__device__ __forceinline__ long long llmin(long long a, long long b) { return a < b ? a : b; }
__device__ __forceinline__ long long llmax(long long a, long long b) { return a > b ? a : b; }
__device__ __forceinline__ unsigned long long ullmin(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
__device__ __forceinline__ unsigned long long ullmax(unsigned long long a, unsigned long long b) { return a > b ? a : b; }
__device__ __forceinline__ float fdivide(float a, float b) { return a / b; }
__device__ __forceinline__ double fdivide(double a, double b) { return a / b; }
__device__ __forceinline__ unsigned umul24(unsigned a, unsigned b) { return (a & 0xffffffu) * (b & 0xffffffu); }
__device__ __forceinline__ int popc(unsigned v) { return __builtin_popcount(v); }
__device__ __forceinline__ int popcll(unsigned long long v) { return __builtin_popcountll(v); }

// ---- programmatic dependent launch: a kernel on AMD begins when the one before it in the stream has ended

__device__ __forceinline__ void grid_dependency_synchronize() {}
__device__ __forceinline__ void trigger_programmatic_launch_completion() {}

}  // namespace tranship
