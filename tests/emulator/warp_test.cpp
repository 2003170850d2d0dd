// Every function of tranship/warp.hpp, lane by lane, against a plain model of CUDA's documentation and the PTX manual.
// The model sees one warp of 32 lanes and the set of lanes that call together; the device sees EMU_WAVE lanes.
#include "harness.hpp"
#include "warp.hpp"

namespace {

// ---- the PTX manual's shfl: which lane is read
enum Mode { idx, up, down, bfly };
unsigned source(Mode mode, unsigned lane, int b, int width) {
  const unsigned segment = unsigned(32 - width) & 31u, clamp = mode == up ? 0 : 31u, bval = unsigned(b) & 31u;
  const unsigned max_lane = (lane & segment) | (clamp & ~segment & 31u), min_lane = lane & segment;
  int j = 0;
  bool in = false;
  if (mode == up) j = int(lane) - int(bval), in = j >= int(max_lane);
  if (mode == down) j = int(lane + bval), in = j <= int(max_lane);
  if (mode == bfly) j = int(lane ^ bval), in = j <= int(max_lane);
  if (mode == idx) j = int((bval & ~segment) | min_lane), in = j <= int(max_lane);
  return in ? unsigned(j) : lane;
}

template <class T> void shuffles(const char* type) {
  const auto model = [](Mode mode) {
    return [mode](const Lane* w, unsigned members, unsigned k) -> uint64_t {
      const unsigned from = source(mode, k, w[k].arg, w[k].width);
      if (!(members >> from & 1)) return undefined;
      return bits<T>(as<T>(w[from].value));
    };
  };
  const std::string n = std::string("<") + type + ">";
  check("shfl_sync" + n, device([] __device__ (Lane l) { return bits<T>(tranship::shfl_sync(l.mask, as<T>(l.value), l.arg, l.width)); }), model(idx));
  check("shfl_up_sync" + n, device([] __device__ (Lane l) { return bits<T>(tranship::shfl_up_sync(l.mask, as<T>(l.value), unsigned(l.arg), l.width)); }), model(up));
  check("shfl_down_sync" + n, device([] __device__ (Lane l) { return bits<T>(tranship::shfl_down_sync(int(l.mask), as<T>(l.value), unsigned(l.arg), l.width)); }), model(down));
  check("shfl_xor_sync" + n, device([] __device__ (Lane l) { return bits<T>(tranship::shfl_xor_sync(0xffffffff00000000ull | l.mask, as<T>(l.value), l.arg, l.width)); }), model(bfly));
  Options o;
  o.maskless = true;
  check("shfl" + n, device([] __device__ (Lane l) { return bits<T>(tranship::shfl(as<T>(l.value), l.arg, l.width)); }), model(idx), o);
  check("shfl_up" + n, device([] __device__ (Lane l) { return bits<T>(tranship::shfl_up(as<T>(l.value), unsigned(l.arg), l.width)); }), model(up), o);
  check("shfl_down" + n, device([] __device__ (Lane l) { return bits<T>(tranship::shfl_down(as<T>(l.value), unsigned(l.arg), l.width)); }), model(down), o);
  check("shfl_xor" + n, device([] __device__ (Lane l) { return bits<T>(tranship::shfl_xor(as<T>(l.value), l.arg, l.width)); }), model(bfly), o);
}

// Width left out means 32.
void default_width() {
  const auto model = [](Mode mode) {
    return [mode](const Lane* w, unsigned members, unsigned k) -> uint64_t {
      const unsigned from = source(mode, k, w[k].arg, 32);
      return members >> from & 1 ? uint64_t(uint32_t(w[from].value)) : undefined;
    };
  };
  check("shfl_sync default", device([] __device__ (Lane l) { return uint64_t(tranship::shfl_sync(l.mask, unsigned(l.value), l.arg)); }), model(idx));
  check("shfl_up_sync default", device([] __device__ (Lane l) { return uint64_t(tranship::shfl_up_sync(l.mask, unsigned(l.value), unsigned(l.arg))); }), model(up));
  check("shfl_down_sync default", device([] __device__ (Lane l) { return uint64_t(tranship::shfl_down_sync(l.mask, unsigned(l.value), unsigned(l.arg))); }), model(down));
  check("shfl_xor_sync default", device([] __device__ (Lane l) { return uint64_t(tranship::shfl_xor_sync(l.mask, unsigned(l.value), l.arg)); }), model(bfly));
}

unsigned where(const Lane* w, unsigned members, std::function<bool(const Lane&)> p) {
  unsigned r = 0;
  for (unsigned k = 0; k < 32; ++k)
    if (members >> k & 1 && p(w[k])) r |= 1u << k;
  return r;
}
bool odd(const Lane& l) { return l.value & 1; }

void votes() {
  for (int distinct : {0, 2}) {
    Options o;
    o.distinct = distinct;
    check("ballot_sync", device([] __device__ (Lane l) { return uint64_t(tranship::ballot_sync(l.mask, int(l.value & 1) * 4)); }),
          [](const Lane* w, unsigned m, unsigned) { return uint64_t(where(w, m, odd)); }, o);
    check("any_sync", device([] __device__ (Lane l) { return uint64_t(tranship::any_sync(l.mask, int(l.value & 1))); }),
          [](const Lane* w, unsigned m, unsigned) { return uint64_t(where(w, m, odd) != 0); }, o);
    check("all_sync", device([] __device__ (Lane l) { return uint64_t(tranship::all_sync(l.mask, int(l.value & 1))); }),
          [](const Lane* w, unsigned m, unsigned) { return uint64_t(where(w, m, odd) == m); }, o);
    check("uni_sync", device([] __device__ (Lane l) { return uint64_t(tranship::uni_sync(l.mask, int(l.value & 1))); }),
          [](const Lane* w, unsigned m, unsigned) { return uint64_t(where(w, m, odd) == m || where(w, m, odd) == 0); }, o);
    o.maskless = true;
    check("ballot", device([] __device__ (Lane l) { return uint64_t(tranship::ballot(int(l.value & 1))); }),
          [](const Lane* w, unsigned m, unsigned) { return uint64_t(where(w, m, odd)); }, o);
    check("any", device([] __device__ (Lane l) { return uint64_t(tranship::any(int(l.value & 1))); }),
          [](const Lane* w, unsigned m, unsigned) { return uint64_t(where(w, m, odd) != 0); }, o);
    check("all", device([] __device__ (Lane l) { return uint64_t(tranship::all(int(l.value & 1))); }),
          [](const Lane* w, unsigned m, unsigned) { return uint64_t(where(w, m, odd) == m); }, o);
    check("activemask", device([] __device__ (Lane) { return uint64_t(tranship::activemask()); }),
          [](const Lane*, unsigned m, unsigned) { return uint64_t(m); }, o);
  }
}

template <class T> void matches(const char* type) {
  for (int distinct : {0, 1, 3, 40}) {
    Options o;
    o.distinct = distinct;
    const std::string n = std::string("<") + type + ">";
    const auto equal = [](const Lane* w, unsigned m, unsigned k) {
      return where(w, m, [&](const Lane& l) { return bits<T>(as<T>(l.value)) == bits<T>(as<T>(w[k].value)); });
    };
    check("match_any_sync" + n, device([] __device__ (Lane l) { return uint64_t(tranship::match_any_sync(l.mask, as<T>(l.value))); }),
          [=](const Lane* w, unsigned m, unsigned k) { return uint64_t(equal(w, m, k)); }, o);
    check("match_all_sync" + n, device([] __device__ (Lane l) {
            int pred = 77;
            const unsigned r = tranship::match_all_sync(l.mask, as<T>(l.value), &pred);
            return uint64_t(pred) << 32 | r;
          }),
          [=](const Lane* w, unsigned m, unsigned k) { return equal(w, m, k) == m ? 1ull << 32 | m : 0ull; }, o);
  }
}

template <class T, class F> auto folded(F f) {
  return [f](const Lane* w, unsigned m, unsigned) {
    bool any = false;
    T r = 0;
    for (unsigned k = 0; k < 32; ++k)
      if (m >> k & 1) r = any ? T(f(r, T(w[k].value))) : T(w[k].value), any = true;
    return bits<T>(r);
  };
}
template <class T> void reductions(const char* type) {
  const std::string n = std::string("<") + type + ">";
  check("reduce_add_sync" + n, device([] __device__ (Lane l) { return bits<T>(tranship::reduce_add_sync(l.mask, T(l.value))); }),
        folded<T>([](T a, T b) { return unsigned(a) + unsigned(b); }));
  check("reduce_min_sync" + n, device([] __device__ (Lane l) { return bits<T>(tranship::reduce_min_sync(l.mask, T(l.value))); }),
        folded<T>([](T a, T b) { return a < b ? a : b; }));
  check("reduce_max_sync" + n, device([] __device__ (Lane l) { return bits<T>(tranship::reduce_max_sync(l.mask, T(l.value))); }),
        folded<T>([](T a, T b) { return a > b ? a : b; }));
}
void bit_reductions() {
  check("reduce_and_sync", device([] __device__ (Lane l) { return uint64_t(tranship::reduce_and_sync(l.mask, unsigned(l.value) | 0xfff0fff0u)); }),
        [](const Lane* w, unsigned m, unsigned) {
          unsigned r = ~0u;
          for (unsigned k = 0; k < 32; ++k)
            if (m >> k & 1) r &= unsigned(w[k].value) | 0xfff0fff0u;
          return uint64_t(r);
        });
  check("reduce_or_sync", device([] __device__ (Lane l) { return uint64_t(tranship::reduce_or_sync(l.mask, unsigned(l.value) & 0x10101u)); }),
        [](const Lane* w, unsigned m, unsigned) {
          unsigned r = 0;
          for (unsigned k = 0; k < 32; ++k)
            if (m >> k & 1) r |= unsigned(w[k].value) & 0x10101u;
          return uint64_t(r);
        });
  check("reduce_xor_sync", device([] __device__ (Lane l) { return uint64_t(tranship::reduce_xor_sync(l.mask, unsigned(l.value))); }),
        folded<unsigned>([](unsigned a, unsigned b) { return a ^ b; }));
}

// The pseudo-code of PTX's fns.
unsigned fns_model(unsigned mask, unsigned base, int offset) {
  if (offset == 0) return mask >> base & 1 ? base : ~0u;
  int pos = int(base), count = std::abs(offset) - 1;
  for (; pos >= 0 && pos < 32; pos += offset > 0 ? 1 : -1)
    if (mask >> pos & 1) {
      if (count == 0) return unsigned(pos);
      --count;
    }
  return ~0u;
}

void lanes() {
  check("lane_id", device([] __device__ (Lane) { return uint64_t(tranship::lane_id()); }), [](const Lane*, unsigned, unsigned k) { return uint64_t(k); });
  check("lanemask_eq", device([] __device__ (Lane) { return uint64_t(tranship::lanemask_eq()); }), [](const Lane*, unsigned, unsigned k) { return uint64_t(1u << k); });
  check("lanemask_lt", device([] __device__ (Lane) { return uint64_t(tranship::lanemask_lt()); }), [](const Lane*, unsigned, unsigned k) { return (1ull << k) - 1; });
  check("lanemask_le", device([] __device__ (Lane) { return uint64_t(tranship::lanemask_le()); }), [](const Lane*, unsigned, unsigned k) { return (2ull << k) - 1; });
  check("lanemask_gt", device([] __device__ (Lane) { return uint64_t(tranship::lanemask_gt()); }), [](const Lane*, unsigned, unsigned k) { return 0xffffffffull & ~((2ull << k) - 1); });
  check("lanemask_ge", device([] __device__ (Lane) { return uint64_t(tranship::lanemask_ge()); }), [](const Lane*, unsigned, unsigned k) { return 0xffffffffull & ~((1ull << k) - 1); });
  check("warp_id", device([] __device__ (Lane) {
          const unsigned linear = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
          return uint64_t(tranship::warp_id() == linear / 32);
        }),
        [](const Lane*, unsigned, unsigned) { return 1ull; });
  check("fns", device([] __device__ (Lane l) { return uint64_t(tranship::fns(unsigned(l.value), unsigned(l.value >> 32) & 31, l.arg % 20)); }),
        [](const Lane* w, unsigned, unsigned k) { return uint64_t(fns_model(unsigned(w[k].value), unsigned(w[k].value >> 32) & 31, w[k].arg % 20)); });
  // Stores before syncwarp are seen by the warp's lanes after it.
  check("syncwarp", device([] __device__ (Lane l) {
          static unsigned slot[1024];
          const unsigned me = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
          slot[me] = unsigned(l.value);
          tranship::syncwarp(l.mask);
          const unsigned got = slot[(me & ~31u) | unsigned(l.arg & 31)];
          tranship::syncwarp();
          return uint64_t(got);
        }),
        [](const Lane* w, unsigned m, unsigned k) { return m >> (w[k].arg & 31) & 1 ? uint64_t(unsigned(w[w[k].arg & 31].value)) : undefined; });
}

struct Two { uint16_t bits; };
struct Four { uint16_t low, high; };

void promotions() {
  enum Small : unsigned char { one = 1 };
  static_assert(std::is_same<decltype(tranship::shfl(short(1), 0)), int>::value, "");
  static_assert(std::is_same<decltype(tranship::shfl(true, 0)), int>::value, "");
  static_assert(std::is_same<decltype(tranship::shfl(one, 0)), int>::value, "");
  static_assert(std::is_same<decltype(tranship::shfl(1ul, 0)), unsigned long>::value, "");
  static_assert(std::is_same<decltype(tranship::shfl(1.0f, 0)), float>::value, "");
  static_assert(std::is_same<decltype(tranship::ballot_sync(1, 0)), unsigned>::value, "");
  static_assert(tranship::warpSize == 32 && tranship::warp_size == 32 && tranship::full_mask == 0xffffffffu, "");
}

}  // namespace

int main() {
  promotions();
  shuffles<int>("int"), shuffles<unsigned>("unsigned"), shuffles<long>("long"), shuffles<unsigned long>("unsigned long");
  shuffles<long long>("long long"), shuffles<unsigned long long>("unsigned long long"), shuffles<float>("float"), shuffles<double>("double");
  shuffles<Two>("half"), shuffles<Four>("half2");
  default_width();
  votes();
  matches<int>("int"), matches<unsigned long long>("unsigned long long"), matches<float>("float"), matches<double>("double");
  reductions<int>("int"), reductions<unsigned>("unsigned");
  bit_reductions();
  lanes();
  printf("warp, %d lanes: %ld passed, %ld failed\n", EMU_WAVE, passed, failed);
  return failed != 0;
}
