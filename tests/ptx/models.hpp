// What PTX instructions give, written from the PTX ISA in wide integers and double, apart from the shims under test.
#pragma once
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <random>

using W = __int128;

static long failed = 0, passed = 0;
static std::mt19937_64 rng(20240229);

template <class T> uint64_t raw_bits(T v) {
  uint64_t b = 0;
  std::memcpy(&b, &v, sizeof v);
  return b;
}
inline unsigned raw(float v) { return unsigned(raw_bits(v)); }

// Values of a type, with the corners often. Floats cover subnormals, infinities and NaN; halves in integers do too.
template <class T> T pick() {
  uint64_t v = rng();
  switch (rng() % 8) {
    case 0: v &= 0x7c007c007c007c00ull | 0x8000800080008000ull; break;
    case 1: v = ~0ull << rng() % 64; break;
    case 2: v = rng() % 5; break;
    case 3: v = (v & 0x8003800380038003ull) | 0x3c003c003c003c00ull; break;
    case 4: v &= 0x03ff03ff03ff03ffull | 0x8000800080008000ull; break;
    default: break;
  }
  T t;
  std::memcpy(&t, &v, sizeof t);
  return t;
}
template <> inline float pick<float>() {
  uint32_t v = uint32_t(rng());
  switch (rng() % 8) {
    case 0: v &= 0x807fffffu; break;
    case 1: v &= 0xff800000u; break;
    case 2: v = (v & 0x80000007u) | 0x3f800000u; break;
    case 3: v = (v & 0x83ffffffu) | 0x40000000u; break;
    case 4: v = (v & 0x807fe000u) | 0x47000000u; break;
    default: break;
  }
  float f;
  std::memcpy(&f, &v, 4);
  return rng() % 16 == 0 ? float(int(rng() % 9) - 4) / 2 : f;
}
template <> inline double pick<double>() {
  if (rng() % 4 == 0) return pick<float>();
  uint64_t v = rng();
  if (rng() % 4 == 0) v &= 0x800fffffffffffffull;
  double d;
  std::memcpy(&d, &v, 8);
  return d;
}

// One NaN is as good as another.
inline uint64_t canonical(float v) { return v != v ? 1 : raw_bits(v); }
inline uint64_t canonical(double v) { return v != v ? 1 : raw_bits(v); }
template <class T> uint64_t canonical(T v) { return raw_bits(v); }

template <class T> void check(const char* what, T got, T want, uint64_t a, uint64_t b, uint64_t c) {
  if (canonical(got) == canonical(want)) { ++passed; return; }
  if (++failed <= 30)
    std::printf("FAIL %s(%llx, %llx, %llx): got %llx, want %llx\n", what, (unsigned long long)a, (unsigned long long)b,
                (unsigned long long)c, (unsigned long long)raw_bits(got), (unsigned long long)raw_bits(want));
}

template <class A, class B> void same(const char* what, A got, B want, unsigned thread) {
  check(what, got, A(want), thread, 0, 0);
}

inline W clamp(W v, W low, W high) { return v < low ? low : v > high ? high : v; }
template <class T> W lowest() { return std::numeric_limits<T>::min(); }
template <class T> W highest() { return std::numeric_limits<T>::max(); }
inline int low24(int v) { return int(unsigned(v) << 8) >> 8; }
inline unsigned low24(unsigned v) { return v & 0xffffffu; }

inline unsigned count_bits(uint64_t v) {
  unsigned n = 0;
  for (; v; v &= v - 1) ++n;
  return n;
}
inline unsigned leading(uint64_t v, unsigned bits) {
  unsigned n = 0;
  while (n < bits && !(v >> (bits - 1 - n) & 1)) ++n;
  return n;
}
inline uint64_t reversed(uint64_t v, unsigned bits) {
  uint64_t r = 0;
  for (unsigned k = 0; k < bits; ++k) r |= (v >> k & 1) << (bits - 1 - k);
  return r;
}
template <class T> unsigned top_bit(T v) {
  for (int k = int(8 * sizeof v) - 1; k >= 0; --k)
    if (uint64_t(v) >> k & 1) return unsigned(k);
  return ~0u;
}
inline uint64_t extracted(uint64_t a, unsigned bits, unsigned b, unsigned c, bool is_signed) {
  const unsigned pos = b & 255, len = c & 255, msb = bits - 1;
  const uint64_t sbit = !is_signed || len == 0 ? 0 : a >> (pos + len - 1 < msb ? pos + len - 1 : msb) & 1;
  uint64_t d = 0;
  for (unsigned i = 0; i <= msb; ++i) d |= (i < len && pos + i <= msb ? a >> (pos + i) & 1 : sbit) << i;
  return d;
}
inline uint64_t inserted(uint64_t a, uint64_t b, unsigned bits, unsigned c, unsigned e) {
  const unsigned pos = c & 255, len = e & 255;
  for (unsigned i = 0; i < len && pos + i < bits; ++i) b = (b & ~(1ull << (pos + i))) | (a >> i & 1) << (pos + i);
  return b;
}
inline unsigned nth_set(unsigned mask, unsigned base, int n) {
  for (unsigned k = base; k < 32; ++k)
    if (mask >> k & 1 && --n == 0) return k;
  return ~0u;
}
inline unsigned table3(unsigned a, unsigned b, unsigned c, unsigned table) {
  unsigned r = 0;
  for (unsigned k = 0; k < 32; ++k) r |= (table >> ((a >> k & 1) * 4 + (b >> k & 1) * 2 + (c >> k & 1)) & 1u) << k;
  return r;
}
inline unsigned permuted(unsigned a, unsigned b, unsigned selector) {
  unsigned r = 0;
  for (unsigned k = 0; k < 4; ++k) {
    const unsigned s = selector >> 4 * k & 15;
    unsigned byte = (s & 7) < 4 ? a >> 8 * (s & 3) & 255 : b >> 8 * (s & 3) & 255;
    if (s & 8) byte = byte & 128 ? 255 : 0;
    r |= byte << 8 * k;
  }
  return r;
}
inline int part(unsigned v, unsigned bits, unsigned k, bool is_signed) {
  int x = int(v >> bits * k & ((1ull << bits) - 1));
  return is_signed && x >> (bits - 1) ? x - (1 << bits) : x;
}
inline unsigned dot4(unsigned a, unsigned b, unsigned c, bool sa, bool sb) {
  long long sum = c;
  for (unsigned k = 0; k < 4; ++k) sum += part(a, 8, k, sa) * part(b, 8, k, sb);
  return unsigned(sum);
}
inline unsigned dot2(unsigned a, unsigned b, unsigned c, bool sa, bool sb, unsigned from) {
  long long sum = c;
  for (unsigned k = 0; k < 2; ++k) sum += (long long)part(a, 16, k, sa) * part(b, 8, k + from, sb);
  return unsigned(sum);
}
template <class F> unsigned fields(unsigned bits, unsigned a, unsigned b, bool is_signed, F f) {
  unsigned r = 0;
  for (unsigned k = 0; k < 32 / bits; ++k)
    r |= unsigned(f(part(a, bits, k, is_signed), part(b, bits, k, is_signed)) & ((1ll << bits) - 1)) << bits * k;
  return r;
}
inline unsigned sum_of(unsigned bits, unsigned v) {
  unsigned s = 0;
  for (unsigned k = 0; k < 32 / bits; ++k) s += unsigned(part(v, bits, k, false));
  return s;
}

// ---- floats
inline float float_of(uint64_t bits) {
  const uint32_t v = uint32_t(bits);
  float f;
  std::memcpy(&f, &v, 4);
  return f;
}
inline float flushed(float v) { return std::fpclassify(v) == FP_SUBNORMAL ? std::copysign(0.0f, v) : v; }
template <class T> bool compared(const char* name, T a, T b) {
  const bool unordered = a != a || b != b;
  const std::string n = name;
  if (n == "num") return !unordered;
  if (n == "nan") return unordered;
  const std::string base = n.substr(0, 2);
  const bool or_nan = n.size() == 3;
  if (unordered) return or_nan;
  return base == "eq" ? a == b : base == "ne" ? a != b : base == "lt" ? a < b : base == "le" ? a <= b : base == "gt" ? a > b : a >= b;
}
template <class F> auto directed(int mode, F f) {
  std::fesetround(mode);
  const volatile auto v = f();
  std::fesetround(FE_TONEAREST);
  return decltype(f())(v);
}
inline float smaller_or_larger(const char* name, float a, float b, bool nan) {
  if (a != a || b != b) return nan || (a != a && b != b) ? NAN : a != a ? b : a;
  const bool less = a < b || (a == b && std::signbit(a));
  return (name[1] == 'i') == less ? a : b;
}
template <class T> T to_integral(const char* name, T v) {
  switch (name[1]) {
    case 'n': return std::nearbyint(v);
    case 'z': return std::trunc(v);
    case 'm': return std::floor(v);
    default: return std::ceil(v);
  }
}
template <class U, class T> U to_whole(const char* name, T v) {
  if (v != v) return sizeof(U) == 8 || sizeof(T) == 8 ? U(1ull << (8 * sizeof(U) - 1)) : U(0);
  const T w = to_integral(name, v);
  if (w >= std::ldexp(T(1), 100)) return std::numeric_limits<U>::max();
  if (w <= -std::ldexp(T(1), 100)) return std::numeric_limits<U>::min();
  return U(clamp(W(w), lowest<U>(), highest<U>()));
}
inline unsigned tf32(float v) {
  if (v != v) return 0x7fffffffu;
  if (std::isinf(v)) return raw(v);
  const double scale = std::ldexp(1.0, 10 - (v == 0 ? 0 : std::max(std::ilogb(v), -126)));
  return raw(float(std::round(double(v) * scale) / scale));
}

// ---- 16-bit floats with `fraction` bits of fraction: 10 (f16) or 7 (bf16)
inline int low_exponent(int fraction) { return fraction == 10 ? -14 : -126; }
inline double half_double(unsigned v, int fraction) {
  const int bits = 15 - fraction, e = int(v >> fraction & ((1u << bits) - 1)), m = int(v & ((1u << fraction) - 1));
  double d;
  if (e == (1 << bits) - 1) d = m ? NAN : INFINITY;
  else if (e == 0) d = std::ldexp(double(m), low_exponent(fraction) - fraction);
  else d = std::ldexp(double(m + (1 << fraction)), e - 1 + low_exponent(fraction) - fraction);
  return v & 0x8000u ? -d : d;
}
inline float half_value(unsigned short v, int fraction) { return float(half_double(v, fraction)); }
// Rounds a number, held exactly in a long double, to half precision.
inline unsigned short half_bits(long double v, int fraction, const char* mode) {
  if (v != v) return 0x7fff;
  const unsigned sign = std::signbit(v) ? 0x8000u : 0u, infinity = ((1u << (15 - fraction)) - 1) << fraction;
  const long double x = std::fabs(v);
  if (std::isinf(x)) return (unsigned short)(sign | infinity);
  if (x == 0) return (unsigned short)sign;
  const int e = std::max(std::ilogb(x), low_exponent(fraction));
  const long double scaled = std::ldexp(x, fraction - e);
  const long double m = mode[1] == 'n' ? std::nearbyint(scaled) : std::trunc(scaled);
  const long bits = long(m) + (long(e - low_exponent(fraction)) << fraction);
  if (bits >= long(infinity)) return (unsigned short)(sign | (mode[1] == 'n' ? infinity : infinity - 1));
  return (unsigned short)(sign | unsigned(bits));
}
inline unsigned short half_op(const char* name, int fraction, unsigned short a, unsigned short b) {
  const double x = half_double(a, fraction), y = half_double(b, fraction);
  if (name[0] == 'm') return half_bits((long double)x * y, fraction, "rn");
  // Exact but for exponents far apart, where the sum's last bit is made to say so.
  const long double u = x, v = name[0] == 's' ? -y : y;
  if (std::isfinite(u) && std::isfinite(v) && u != 0 && v != 0 && std::abs(std::ilogb(u) - std::ilogb(v)) > 50) {
    const long double big = std::fabs(u) > std::fabs(v) ? u : v, small = std::fabs(u) > std::fabs(v) ? v : u;
    return half_bits(big + std::copysign(std::ldexp(std::fabs(big), -50), small), fraction, "rn");
  }
  return half_bits(u + v, fraction, "rn");
}
inline unsigned short half_fma(int fraction, unsigned short a, unsigned short b, unsigned short c, bool relu) {
  const long double p = (long double)half_double(a, fraction) * half_double(b, fraction), z = half_double(c, fraction);
  long double r = p + z;
  if (std::isfinite(r) && p != 0 && z != 0 && std::abs(std::ilogb(p) - std::ilogb(z)) > 40) {
    const long double big = std::fabs(p) > std::fabs(z) ? p : z, small = std::fabs(p) > std::fabs(z) ? z : p;
    r = big + std::copysign(std::ldexp(std::fabs(big), -50), small);
  }
  const unsigned short h = half_bits(r, fraction, "rn");
  return relu && r == r && (h & 0x8000) ? 0 : h;
}
inline unsigned short half_choice(const char* name, int fraction, unsigned short a, unsigned short b, bool nan) {
  const double x = half_double(a, fraction), y = half_double(b, fraction);
  if (x != x || y != y) return nan || (x != x && y != y) ? 0x7fff : x != x ? b : a;
  const bool less = x < y || (x == y && (a & 0x8000));
  return (name[1] == 'i') == less ? a : b;
}
template <class F> unsigned pairwise(unsigned a, unsigned b, F f) {
  return unsigned(f((unsigned short)(a >> 16), (unsigned short)(b >> 16))) << 16 | f((unsigned short)a, (unsigned short)b);
}
