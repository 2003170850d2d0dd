// tranship/intrinsics.hpp, rounding.hpp, atomics.hpp and pipeline.hpp against plain models; rounding against the CPU's
// own rounding modes.
#include <cfenv>

#include "atomics.hpp"
#include "harness.hpp"
#include "intrinsics.hpp"
#include "pipeline.hpp"
#include "rounding.hpp"

namespace {

void same(const char* name, uint64_t got, uint64_t want, uint64_t a, uint64_t b) {
  if (got == want) { ++passed; return; }
  if (++failed <= 20)
    printf("FAIL %s(%llx, %llx): got %llx, want %llx\n", name, (unsigned long long)a, (unsigned long long)b,
           (unsigned long long)got, (unsigned long long)want);
}

unsigned word() {
  const unsigned v = unsigned(rng());
  switch (rnd(5)) {
    case 0: return v & 0xff00ff00u;
    case 1: return v & 0x80808080u;
    case 2: return v | 0x7fff0080u;
    default: return v;
  }
}

// Fields of n bits, worked out in 64 bits.
template <class F> unsigned fields(int bits, bool is_signed, unsigned a, unsigned b, F f) {
  unsigned r = 0;
  for (int k = 0; k < 32; k += bits) {
    long long x = a >> k & ((1u << bits) - 1), y = b >> k & ((1u << bits) - 1);
    if (is_signed && x >> (bits - 1)) x -= 1ll << bits;
    if (is_signed && y >> (bits - 1)) y -= 1ll << bits;
    r |= unsigned(f(x, y) & ((1ll << bits) - 1)) << k;
  }
  return r;
}
long long clamp(long long v, long long low, long long high) { return v < low ? low : v > high ? high : v; }

#define FIELDS(name, s, expression)                                                                             \
  same(#name "4", tranship::name##4(a, b), fields(8, s, a, b, [](long long x, long long y) -> long long { constexpr int n = 8; (void)n; (void)y; return expression; }), a, b); \
  same(#name "2", tranship::name##2(a, b), fields(16, s, a, b, [](long long x, long long y) -> long long { constexpr int n = 16; (void)n; (void)y; return expression; }), a, b)
#define ONE(name, expression)                                                                                   \
  same(#name "4", tranship::name##4(a), fields(8, true, a, a, [](long long x, long long) -> long long { constexpr int n = 8; (void)n; return expression; }), a, a); \
  same(#name "2", tranship::name##2(a), fields(16, true, a, a, [](long long x, long long) -> long long { constexpr int n = 16; (void)n; return expression; }), a, a)

void video() {
  for (int trial = 0; trial < 2000; ++trial) {
    const unsigned a = word(), b = word();
    FIELDS(vadd, false, x + y);
    FIELDS(vsub, false, x - y);
    FIELDS(vaddss, true, clamp(x + y, -(1 << (n - 1)), (1 << (n - 1)) - 1));
    FIELDS(vsubss, true, clamp(x - y, -(1 << (n - 1)), (1 << (n - 1)) - 1));
    FIELDS(vaddus, false, clamp(x + y, 0, (1 << n) - 1));
    FIELDS(vsubus, false, clamp(x - y, 0, (1 << n) - 1));
    FIELDS(vabsdiffs, true, x > y ? x - y : y - x);
    FIELDS(vabsdiffu, false, x > y ? x - y : y - x);
    FIELDS(vavgu, false, (x + y + 1) / 2);
    FIELDS(vhaddu, false, (x + y) / 2);
    FIELDS(vmaxs, true, std::max(x, y));
    FIELDS(vminu, false, std::min(x, y));
    FIELDS(vcmpgts, true, x > y ? -1 : 0);
    FIELDS(vcmpleu, false, x <= y ? -1 : 0);
    FIELDS(vcmpeq, false, x == y ? -1 : 0);
    FIELDS(vsetne, false, x != y);
    FIELDS(vsetges, true, x >= y);
    ONE(vabs, x < 0 ? -x : x);
    ONE(vneg, -x);
    ONE(vabsss, clamp(x < 0 ? -x : x, 0, (1 << (n - 1)) - 1));
    ONE(vnegss, clamp(-x, -(1 << (n - 1)), (1 << (n - 1)) - 1));
    long long sum = 0, dot = int(a ^ b), sad = 0;
    for (int k = 0; k < 4; ++k) {
      const int x = (signed char)(a >> 8 * k), y = (signed char)(b >> 8 * k);
      dot += x * y, sad += std::abs(x - y), sum += int(a >> 8 * k & 255) * int(b >> 8 * k & 255);
    }
    same("dp4a", unsigned(tranship::dp4a(int(a), int(b), int(a ^ b))), unsigned(dot), a, b);
    same("dp4a unsigned", tranship::dp4a(a, b, 7u), unsigned(sum + 7), a, b);
    same("vsads4", tranship::vsads4(a, b), unsigned(sad), a, b);
    same("dp2a_hi", unsigned(tranship::dp2a_hi(int(a), int(b), 1)), unsigned(1 + short(a) * (signed char)(b >> 16) + short(a >> 16) * (signed char)(b >> 24)), a, b);
    same("viaddmax", unsigned(tranship::viaddmax_s32_relu(int(a), int(b), -5)), unsigned(std::max({int(a + b), -5, 0})), a, b);
  }
}

float some_float() {
  unsigned v = unsigned(rng());
  switch (rnd(8)) {
    case 0: v &= 0x807fffffu; break;
    case 1: v = (v & 0x807fffffu) | 0x7f000000u; break;
    case 2: v &= 0x80000000u; break;
    case 3: v = (v & 0x80000003u) | 0x3f800000u; break;
    case 4: v = (v & 0x80000000u) | 0x7f800000u; break;
    default: break;
  }
  return emu::bits<float>(v);
}
double some_double() {
  uint64_t v = uint64_t(rng()) << 32 | rng();
  switch (rnd(8)) {
    case 0: v &= 0x800fffffffffffffull; break;
    case 1: v = (v & 0x800fffffffffffffull) | 0x7fe0000000000000ull; break;
    case 2: v &= 1ull << 63; break;
    case 3: v = (v & 0x8000000000000003ull) | 0x3ff0000000000000ull; break;
    case 4: v = (v & 0x81ffffffffffffffull) | 0x1e00000000000000ull; break;
    default: break;
  }
  return emu::bits<double>(v);
}
template <class F> uint64_t canonical(F v) { return v != v ? 1 : bits(v); }

template <class T, class G, class F> void rounded(const char* name, G got, F want, T a, T b, T c, int mode) {
  fesetround(mode);
  volatile T x = a, y = b, z = c;
  volatile T w = want(T(x), T(y), T(z));
  fesetround(FE_TONEAREST);
  same(name, canonical(got(a, b, c)), canonical(T(w)), bits(a), bits(b));
}
#define ROUNDED(T, name, expression)                                                                                         \
  rounded(#name "_rd", [](T x, T y, T z) { (void)y; (void)z; return tranship::name##_rd args; }, [](T x, T y, T z) { (void)y; (void)z; return T(expression); }, a, b, c, FE_DOWNWARD); \
  rounded(#name "_ru", [](T x, T y, T z) { (void)y; (void)z; return tranship::name##_ru args; }, [](T x, T y, T z) { (void)y; (void)z; return T(expression); }, a, b, c, FE_UPWARD);   \
  rounded(#name "_rz", [](T x, T y, T z) { (void)y; (void)z; return tranship::name##_rz args; }, [](T x, T y, T z) { (void)y; (void)z; return T(expression); }, a, b, c, FE_TOWARDZERO)

void directions() {
  for (int trial = 0; trial < 20000; ++trial) {
    {
      const float a = some_float(), b = trial % 8 ? some_float() : -a, c = some_float();
#define args (x, y)
      ROUNDED(float, fadd, x + y);
      ROUNDED(float, fsub, x - y);
      ROUNDED(float, fmul, x * y);
      ROUNDED(float, fdiv, x / y);
#undef args
#define args (x)
      ROUNDED(float, frcp, 1 / x);
      ROUNDED(float, fsqrt, sqrtf(x));
#undef args
#define args (x, y, z)
      ROUNDED(float, fmaf, fmaf(x, y, z));
#undef args
    }
    {
      const double a = some_double(), b = trial % 8 ? some_double() : -a, c = 0;
#define args (x, y)
      ROUNDED(double, dadd, x + y);
      ROUNDED(double, dsub, x - y);
      ROUNDED(double, dmul, x * y);
      ROUNDED(double, ddiv, x / y);
#undef args
#define args (x)
      ROUNDED(double, drcp, 1 / x);
      ROUNDED(double, dsqrt, sqrt(x));
#undef args
    }
  }
}

struct Totals {
  unsigned count, ring, down, low, high, bits;
  float real;
  long long wide;
  unsigned short tag;
  float2 pair;
};
__global__ void tally(Totals* t) {
  const unsigned k = threadIdx.x;
  tranship::atomic_add_block(&t->count, 1);
  tranship::atomic_inc_block(&t->ring, 6u);
  tranship::atomic_dec(&t->down, 4u);
  tranship::atomic_min_system(&t->low, k + 3);
  tranship::atomic_max(&t->high, k);
  tranship::atomic_or_block(&t->bits, 1u << (k % 8));
  tranship::atomic_add(&t->real, 0.5f);
  tranship::atomic_sub(&t->wide, 3);
  tranship::atomic_cas(&t->tag, k, k + 1);
  tranship::atomic_add(&t->pair, make_float2(1, 2));
  __shared__ int copy[256];
  tranship::pipeline_memcpy_async(&copy[k], &t->bits, 4);
  tranship::pipeline_commit();
  tranship::pipeline_wait_prior(0);
  if (copy[k] == 0) tranship::trap();
}
void atomics() {
  Totals t{};
  t.low = 99;
  hipLaunchKernelGGL(tally, 1, 100, 0, 0, &t);
  same("atomic_add_block", t.count, 100, 0, 0);
  same("atomic_inc_block", t.ring, 100 % 7, 0, 0);
  same("atomic_dec", t.down, 0, 0, 0);
  same("atomic_min_system", t.low, 3, 0, 0);
  same("atomic_max", t.high, 99, 0, 0);
  same("atomic_or_block", t.bits, 255, 0, 0);
  same("atomic_add float", bits(t.real), bits(50.0f), 0, 0);
  same("atomic_sub", uint64_t(t.wide), uint64_t(-300), 0, 0);
  same("atomic_cas short", t.tag, 100, 0, 0);
  same("atomic_add float2", bits(t.pair.x) ^ bits(t.pair.y), bits(100.0f) ^ bits(200.0f), 0, 0);
}

}  // namespace

int main() {
  video();
  directions();
  atomics();
  printf("intrinsics, %d lanes: %ld passed, %ld failed\n", EMU_WAVE, passed, failed);
  return failed != 0;
}
