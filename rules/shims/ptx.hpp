// tranship/ptx.hpp: PTX instructions on integers, bits and predicates.
//
// provides: tranship::ptx:: add, sub, mul_lo, mul_hi, mul_wide, mad_*, sad, div, rem, abs, min, max, the carry chain
//   (add_cc, addc, addc_cc, sub_cc, subc, subc_cc), logic, shifts, shf_*, popc, clz, brev, bfind, bfe, bfi, bmsk_*,
//   szext_*, lop3, prmt*, dp4a, dp2a, comparisons, select, cvt, cvt_sat, pack, unpack, pack_sat; set and bits64 for
//   operands.
// exactness: bit for bit as the PTX ISA says. Division by zero gives all ones, its remainder the dividend, as NVIDIA's
//   hardware does (PTX leaves both open).
// limits: none known.
// unnecessary since: never.
#pragma once

#include <hip/hip_runtime.h>

namespace tranship {
namespace ptx {
namespace detail {

template <class T> struct unsigned_of { using type = T; };
template <> struct unsigned_of<signed char> { using type = unsigned char; };
template <> struct unsigned_of<short> { using type = unsigned short; };
template <> struct unsigned_of<int> { using type = unsigned; };
template <> struct unsigned_of<long long> { using type = unsigned long long; };
template <class T> using unsigned_t = typename unsigned_of<T>::type;

template <class T> struct wide_of;
template <> struct wide_of<short> { using type = int; };
template <> struct wide_of<unsigned short> { using type = unsigned; };
template <> struct wide_of<int> { using type = long long; };
template <> struct wide_of<unsigned> { using type = unsigned long long; };
template <class T> using wide_t = typename wide_of<T>::type;

template <class T> struct limits {
  static constexpr int bits = static_cast<int>(8 * sizeof(T));
  static constexpr bool is_signed = T(-1) < T(0);
  static constexpr T low = is_signed ? static_cast<T>(1ull << (bits - 1)) : T(0);
  static constexpr T high = static_cast<T>(~low);
};

template <class T> __device__ __forceinline__ int leading_zeros(T v) {
  return v == 0 ? limits<T>::bits
                : __builtin_clzll(static_cast<unsigned long long>(v)) - (64 - limits<T>::bits);
}

// The selector of prmt: four bits a byte, the top one asks for the byte's sign.
__device__ __forceinline__ unsigned byte_of(unsigned long long bytes, unsigned selector) {
  const unsigned byte = static_cast<unsigned>(bytes >> (8 * (selector & 7u))) & 0xffu;
  return (selector & 8u) ? ((byte & 0x80u) ? 0xffu : 0u) : byte;
}

}  // namespace detail

// ---- operands

// An operand of 64 bits may be a pointer or an integer.
template <class T> __device__ __forceinline__ unsigned long long bits64(T* p) {
  return reinterpret_cast<unsigned long long>(p);
}
template <class T> __device__ __forceinline__ unsigned long long bits64(T v) { return static_cast<unsigned long long>(v); }

template <class T> __device__ __forceinline__ void set(T*& to, unsigned long long v) { to = reinterpret_cast<T*>(v); }
template <class T, class V> __device__ __forceinline__ void set(T& to, V v) { to = static_cast<T>(v); }
// A register of 32 bits takes what a variable of the other kind holds.
__device__ __forceinline__ void set(float& to, unsigned v) { to = __uint_as_float(v); }
__device__ __forceinline__ void set(float& to, int v) { to = __int_as_float(v); }
__device__ __forceinline__ void set(unsigned& to, float v) { to = __float_as_uint(v); }
__device__ __forceinline__ void set(int& to, float v) { to = __float_as_int(v); }
__device__ __forceinline__ void set(double& to, unsigned long long v) { to = __longlong_as_double(static_cast<long long>(v)); }

// ---- arithmetic, modulo 2^n

template <class T> __device__ __forceinline__ T add(T a, T b) {
  using U = detail::unsigned_t<T>;
  return static_cast<T>(static_cast<U>(static_cast<U>(a) + static_cast<U>(b)));
}
template <class T> __device__ __forceinline__ T sub(T a, T b) {
  using U = detail::unsigned_t<T>;
  return static_cast<T>(static_cast<U>(static_cast<U>(a) - static_cast<U>(b)));
}
template <class T> __device__ __forceinline__ T mul_lo(T a, T b) {
  return static_cast<T>(static_cast<unsigned long long>(a) * static_cast<unsigned long long>(b));
}
template <class T> __device__ __forceinline__ detail::wide_t<T> mul_wide(T a, T b) {
  using W = detail::wide_t<T>;
  return static_cast<W>(static_cast<W>(a) * static_cast<W>(b));
}
template <class T> __device__ __forceinline__ T mul_hi(T a, T b) {
  return static_cast<T>(mul_wide<T>(a, b) >> detail::limits<T>::bits);
}
template <> __device__ __forceinline__ unsigned long long mul_hi(unsigned long long a, unsigned long long b) {
  return __umul64hi(a, b);
}
template <> __device__ __forceinline__ long long mul_hi(long long a, long long b) {
  const unsigned long long u = static_cast<unsigned long long>(a), v = static_cast<unsigned long long>(b);
  return static_cast<long long>(__umul64hi(u, v) - (a < 0 ? v : 0) - (b < 0 ? u : 0));
}
template <class T> __device__ __forceinline__ T mad_lo(T a, T b, T c) { return add<T>(mul_lo<T>(a, b), c); }
template <class T> __device__ __forceinline__ T mad_hi(T a, T b, T c) { return add<T>(mul_hi<T>(a, b), c); }
template <class T> __device__ __forceinline__ detail::wide_t<T> mad_wide(T a, T b, detail::wide_t<T> c) {
  return add<detail::wide_t<T>>(mul_wide<T>(a, b), c);
}
template <class T> __device__ __forceinline__ T mul24(T a, T b) {
  const T x = static_cast<T>(static_cast<T>(static_cast<unsigned>(a) << 8) >> 8);
  const T y = static_cast<T>(static_cast<T>(static_cast<unsigned>(b) << 8) >> 8);
  return mul_lo<T>(x, y);
}
template <class T> __device__ __forceinline__ T sad(T a, T b, T c) { return add<T>(c, a < b ? sub<T>(b, a) : sub<T>(a, b)); }
template <class T> __device__ __forceinline__ T div(T a, T b) {
  if (b == 0) return static_cast<T>(~T(0));
  return b == static_cast<T>(-1) && detail::limits<T>::is_signed ? sub<T>(0, a) : static_cast<T>(a / b);
}
template <class T> __device__ __forceinline__ T rem(T a, T b) {
  if (b == 0) return a;
  return b == static_cast<T>(-1) && detail::limits<T>::is_signed ? T(0) : static_cast<T>(a % b);
}
template <class T> __device__ __forceinline__ T abs(T a) { return a < 0 ? sub<T>(0, a) : a; }
template <class T> __device__ __forceinline__ T min(T a, T b) { return a < b ? a : b; }
template <class T> __device__ __forceinline__ T max(T a, T b) { return a > b ? a : b; }
__device__ __forceinline__ int clamp32(long long v) {
  return v > 0x7fffffffll ? 0x7fffffff : v < -0x80000000ll ? static_cast<int>(0x80000000u) : static_cast<int>(v);
}
__device__ __forceinline__ int add_sat(int a, int b) { return clamp32(static_cast<long long>(a) + b); }
__device__ __forceinline__ int sub_sat(int a, int b) { return clamp32(static_cast<long long>(a) - b); }

// ---- the carry chain; a subtraction keeps the borrow in the same flag, as CC.CF does

template <class T> __device__ __forceinline__ T addc_cc(T a, T b, bool& cc) {
  using U = detail::unsigned_t<T>;
  const U x = static_cast<U>(a), y = static_cast<U>(b), s = x + y, r = s + (cc ? 1u : 0u);
  cc = s < x || r < s;
  return static_cast<T>(r);
}
template <class T> __device__ __forceinline__ T add_cc(T a, T b, bool& cc) { return cc = false, addc_cc<T>(a, b, cc); }
template <class T> __device__ __forceinline__ T addc(T a, T b, bool cc) { return addc_cc<T>(a, b, cc); }
template <class T> __device__ __forceinline__ T subc_cc(T a, T b, bool& cc) {
  using U = detail::unsigned_t<T>;
  const U x = static_cast<U>(a), y = static_cast<U>(b), borrow = cc ? 1u : 0u;
  cc = x < y || (x == y && borrow);
  return static_cast<T>(static_cast<U>(x - y - borrow));
}
template <class T> __device__ __forceinline__ T sub_cc(T a, T b, bool& cc) { return cc = false, subc_cc<T>(a, b, cc); }
template <class T> __device__ __forceinline__ T subc(T a, T b, bool cc) { return subc_cc<T>(a, b, cc); }

// ---- logic and shifts; a count beyond the width gives 0 or the sign

template <class T> __device__ __forceinline__ T and_(T a, T b) { return static_cast<T>(a & b); }
template <class T> __device__ __forceinline__ T or_(T a, T b) { return static_cast<T>(a | b); }
template <class T> __device__ __forceinline__ T xor_(T a, T b) { return static_cast<T>(a ^ b); }
template <class T> __device__ __forceinline__ T not_(T a) { return static_cast<T>(~a); }
template <class T> __device__ __forceinline__ T cnot(T a) { return static_cast<T>(a == 0); }
template <class T> __device__ __forceinline__ T shl(T a, unsigned n) {
  return n >= static_cast<unsigned>(detail::limits<T>::bits) ? T(0) : static_cast<T>(static_cast<unsigned long long>(a) << n);
}
template <class T> __device__ __forceinline__ T shr(T a, unsigned n) {
  const unsigned last = static_cast<unsigned>(detail::limits<T>::bits) - 1;
  return n <= last ? static_cast<T>(a >> n) : detail::limits<T>::is_signed ? static_cast<T>(a >> last) : T(0);
}
__device__ __forceinline__ unsigned shf_l_clamp(unsigned low, unsigned high, unsigned n) {
  return n >= 32u ? low : static_cast<unsigned>((((static_cast<unsigned long long>(high) << 32) | low) << n) >> 32);
}
__device__ __forceinline__ unsigned shf_r_clamp(unsigned low, unsigned high, unsigned n) {
  return n >= 32u ? high : static_cast<unsigned>(((static_cast<unsigned long long>(high) << 32) | low) >> n);
}
__device__ __forceinline__ unsigned shf_l_wrap(unsigned low, unsigned high, unsigned n) { return shf_l_clamp(low, high, n & 31u); }
__device__ __forceinline__ unsigned shf_r_wrap(unsigned low, unsigned high, unsigned n) { return shf_r_clamp(low, high, n & 31u); }

// ---- bit fields

template <class T> __device__ __forceinline__ unsigned popc(T v) {
  return static_cast<unsigned>(__builtin_popcountll(static_cast<unsigned long long>(v)));
}
template <class T> __device__ __forceinline__ unsigned clz(T v) { return static_cast<unsigned>(detail::leading_zeros(v)); }
template <class T> __device__ __forceinline__ T brev(T v) {
  return static_cast<T>(__brevll(static_cast<unsigned long long>(v)) >> (64 - detail::limits<T>::bits));
}
template <class T> __device__ __forceinline__ unsigned bfind(T v) {
  using U = detail::unsigned_t<T>;
  const U bits = v < 0 ? static_cast<U>(~static_cast<U>(v)) : static_cast<U>(v);
  return bits == 0 ? ~0u : static_cast<unsigned>(detail::limits<T>::bits - 1 - detail::leading_zeros(bits));
}
template <class T> __device__ __forceinline__ unsigned bfind_shiftamt(T v) {
  const unsigned at = bfind<T>(v);
  return at == ~0u ? at : static_cast<unsigned>(detail::limits<T>::bits) - 1 - at;
}
template <class T> __device__ __forceinline__ T bfe(T v, unsigned position, unsigned length) {
  using U = detail::unsigned_t<T>;
  const unsigned bits = static_cast<unsigned>(detail::limits<T>::bits), from = position & 0xffu, count = length & 0xffu;
  if (count == 0) return T(0);
  const unsigned top = from + count - 1 < bits ? from + count - 1 : bits - 1;
  const bool sign = detail::limits<T>::is_signed && ((static_cast<U>(v) >> top) & 1u);
  const U field = from < bits ? static_cast<U>(static_cast<U>(v) >> from) : U(0);
  const U mask = count >= bits ? static_cast<U>(~U(0)) : static_cast<U>(~(static_cast<U>(~U(0)) << count));
  // Bits of the field beyond the register are the sign too.
  const unsigned held = from < bits ? bits - from : 0u, kept = count < held ? count : held;
  const U fill = kept >= bits ? U(0) : static_cast<U>(static_cast<U>(~U(0)) << kept);
  return static_cast<T>(static_cast<U>(sign ? (field & mask) | fill : field & mask));
}
template <class T> __device__ __forceinline__ T bfi(T from, T into, unsigned position, unsigned length) {
  const unsigned bits = static_cast<unsigned>(detail::limits<T>::bits), at = position & 0xffu, count = length & 0xffu;
  if (at >= bits || count == 0) return into;
  const T field = count >= bits ? static_cast<T>(~T(0)) : static_cast<T>(~(static_cast<T>(~T(0)) << count));
  const T mask = static_cast<T>(field << at);
  return static_cast<T>((into & ~mask) | (static_cast<T>(from << at) & mask));
}
__device__ __forceinline__ unsigned bmsk_clamp(unsigned at, unsigned count) { return shl<unsigned>(~shl<unsigned>(~0u, count), at); }
__device__ __forceinline__ unsigned bmsk_wrap(unsigned at, unsigned count) { return bmsk_clamp(at & 31u, count & 31u); }
template <class T> __device__ __forceinline__ T szext_wrap(T v, unsigned count) { return bfe<T>(v, 0, count & 31u); }
template <class T> __device__ __forceinline__ T szext_clamp(T v, unsigned count) { return count >= 32u ? v : bfe<T>(v, 0, count); }
__device__ __forceinline__ unsigned lop3(unsigned a, unsigned b, unsigned c, unsigned table) {
  unsigned r = 0;
  if (table & 0x01u) r |= ~a & ~b & ~c;
  if (table & 0x02u) r |= ~a & ~b & c;
  if (table & 0x04u) r |= ~a & b & ~c;
  if (table & 0x08u) r |= ~a & b & c;
  if (table & 0x10u) r |= a & ~b & ~c;
  if (table & 0x20u) r |= a & ~b & c;
  if (table & 0x40u) r |= a & b & ~c;
  if (table & 0x80u) r |= a & b & c;
  return r;
}

// ---- byte permutes

__device__ __forceinline__ unsigned prmt(unsigned a, unsigned b, unsigned selector) {
  const unsigned long long bytes = (static_cast<unsigned long long>(b) << 32) | a;
  return detail::byte_of(bytes, selector) | (detail::byte_of(bytes, selector >> 4) << 8) |
         (detail::byte_of(bytes, selector >> 8) << 16) | (detail::byte_of(bytes, selector >> 12) << 24);
}
__device__ __forceinline__ unsigned prmt_f4e(unsigned a, unsigned b, unsigned n) { return prmt(a, b, (0x3210u + 0x1111u * (n & 3u)) & 0x7777u); }
__device__ __forceinline__ unsigned prmt_b4e(unsigned a, unsigned b, unsigned n) {
  unsigned selector = 0;
  for (unsigned k = 0; k < 4; ++k) selector |= (((n & 3u) + 8u - k) & 7u) << (4 * k);
  return prmt(a, b, selector);
}
__device__ __forceinline__ unsigned prmt_rc8(unsigned a, unsigned b, unsigned n) { return prmt(a, b, 0x1111u * (n & 3u)); }
__device__ __forceinline__ unsigned prmt_ecl(unsigned a, unsigned b, unsigned n) {
  unsigned selector = 0;
  for (unsigned k = 0; k < 4; ++k) selector |= (k > (n & 3u) ? k : (n & 3u)) << (4 * k);
  return prmt(a, b, selector);
}
__device__ __forceinline__ unsigned prmt_ecr(unsigned a, unsigned b, unsigned n) {
  unsigned selector = 0;
  for (unsigned k = 0; k < 4; ++k) selector |= (k < (n & 3u) ? k : (n & 3u)) << (4 * k);
  return prmt(a, b, selector);
}
__device__ __forceinline__ unsigned prmt_rc16(unsigned a, unsigned b, unsigned n) { return prmt(a, b, (n & 1u) ? 0x3232u : 0x1010u); }

// ---- dot products

namespace detail {
template <class T> struct byte_type { using type = unsigned char; };
template <> struct byte_type<int> { using type = signed char; };
template <class T> struct short_type { using type = unsigned short; };
template <> struct short_type<int> { using type = short; };
template <class T> __device__ __forceinline__ int byte_value(unsigned v, unsigned k) {
  return static_cast<int>(static_cast<typename byte_type<T>::type>(v >> (8 * k)));
}
template <class T> __device__ __forceinline__ int short_value(unsigned v, unsigned k) {
  return static_cast<int>(static_cast<typename short_type<T>::type>(v >> (16 * k)));
}
}  // namespace detail
template <class T, class U> __device__ __forceinline__ unsigned dp4a(unsigned a, unsigned b, unsigned c) {
  for (unsigned k = 0; k < 4; ++k) c += static_cast<unsigned>(detail::byte_value<T>(a, k) * detail::byte_value<U>(b, k));
  return c;
}
template <unsigned High, class T, class U> __device__ __forceinline__ unsigned dp2a(unsigned a, unsigned b, unsigned c) {
  for (unsigned k = 0; k < 2; ++k)
    c += static_cast<unsigned>(detail::short_value<T>(a, k) * detail::byte_value<U>(b, k + 2 * High));
  return c;
}

// ---- comparisons; the u forms hold for NaN as well, the others do not (lg: less or greater, PTX's ne on floats)

template <class T> __device__ __forceinline__ bool eq(T a, T b) { return a == b; }
template <class T> __device__ __forceinline__ bool ne(T a, T b) { return a != b; }
template <class T> __device__ __forceinline__ bool lg(T a, T b) { return a < b || a > b; }
template <class T> __device__ __forceinline__ bool lt(T a, T b) { return a < b; }
template <class T> __device__ __forceinline__ bool le(T a, T b) { return a <= b; }
template <class T> __device__ __forceinline__ bool gt(T a, T b) { return a > b; }
template <class T> __device__ __forceinline__ bool ge(T a, T b) { return a >= b; }
template <class T> __device__ __forceinline__ bool equ(T a, T b) { return !lg<T>(a, b); }
template <class T> __device__ __forceinline__ bool ltu(T a, T b) { return !(a >= b); }
template <class T> __device__ __forceinline__ bool leu(T a, T b) { return !(a > b); }
template <class T> __device__ __forceinline__ bool gtu(T a, T b) { return !(a <= b); }
template <class T> __device__ __forceinline__ bool geu(T a, T b) { return !(a < b); }
template <class T> __device__ __forceinline__ bool num(T a, T b) { return a == a && b == b; }
template <class T> __device__ __forceinline__ bool nan(T a, T b) { return !num<T>(a, b); }
template <class T> __device__ __forceinline__ T select(T a, T b, bool first) { return first ? a : b; }
__device__ __forceinline__ bool not_negative(int v) { return v >= 0; }

// ---- integers of other sizes

template <class U, class T> __device__ __forceinline__ U cvt(T v) { return static_cast<U>(v); }
template <class U, class T> __device__ __forceinline__ U cvt_sat(T v) {
  using L = detail::limits<U>;
  if (v < 0) {
    if (!L::is_signed) return U(0);
    return static_cast<long long>(v) < static_cast<long long>(L::low) ? L::low : static_cast<U>(v);
  }
  return static_cast<unsigned long long>(v) > static_cast<unsigned long long>(L::high) ? L::high : static_cast<U>(v);
}

// ---- several values in one register

template <class T> __device__ __forceinline__ T pack(detail::unsigned_t<T> low, detail::unsigned_t<T> high) {
  return static_cast<T>((low & (static_cast<T>(~T(0)) >> (4 * sizeof(T)))) | (high << (4 * sizeof(T))));
}
template <class T, class V, class A, class B> __device__ __forceinline__ void unpack(V v, A& low, B& high) {
  set(low, static_cast<T>(v));
  set(high, static_cast<T>(v >> (8 * sizeof(T))));
}
template <class U> __device__ __forceinline__ unsigned pack_sat(int a, int b) {
  return (static_cast<unsigned>(static_cast<detail::unsigned_t<U>>(cvt_sat<U, int>(a))) << (8 * sizeof(U))) |
         static_cast<detail::unsigned_t<U>>(cvt_sat<U, int>(b));
}
template <class U> __device__ __forceinline__ unsigned pack_sat(int a, int b, unsigned c) {
  return (c << (16 * sizeof(U))) | pack_sat<U>(a, b);
}

}  // namespace ptx
}  // namespace tranship
