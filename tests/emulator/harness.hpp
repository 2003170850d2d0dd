// Checks of a device function lane by lane: random groups of lanes call it together, in several shapes of control flow,
// and a plain model, which sees one warp of 32 lanes and the lanes that call together, says what each must get.
#pragma once
#include <hip/hip_runtime.h>

#include <functional>
#include <random>
#include <string>

namespace {

struct Lane {
  uint64_t value;
  unsigned mask;
  int group;  // -1: leaves at once
  int arg;
  int width;
};

enum Style { together, branches, loop, styles };

long passed = 0, failed = 0;
std::mt19937 rng(12345);
unsigned rnd(unsigned n) { return unsigned(rng() % n); }

template <class F> __global__ void run(const Lane* in, uint64_t* out, int style, F f) {
  const int i = int(blockIdx.x * blockDim.x * blockDim.y * blockDim.z + threadIdx.x +
                    blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
  const Lane l = in[i];
  if (l.group < 0) return;
  if (style == together) {
    out[i] = f(l);
  } else if (style == branches) {
    if (l.group == 0)
      out[i] = f(l);
    else if (l.group == 1)
      out[i] = f(l);
    else
      out[i] = f(l);
  } else {
    for (int k = 0; k <= l.group; ++k)
      if (k == l.group) out[i] = f(l);
  }
}

template <class T> __host__ __device__ T as(uint64_t v) {
  T t;
  memcpy(&t, &v, sizeof t);
  return t;
}
template <class T> __host__ __device__ uint64_t bits(T t) {
  uint64_t v = 0;
  memcpy(&v, &t, sizeof t);
  return v;
}

constexpr uint64_t undefined = 0x0ddba11ull << 36;

struct Options {
  bool maskless = false;      // the lanes that call together are those that are here
  int distinct = 0;           // draw values from so few
  int few_widths = 0;
};

// model(warp, members, lane) -> expected bits, or `undefined`.
[[maybe_unused]] void check(const std::string& name, std::function<void(const Lane*, uint64_t*, dim3, dim3, int)> launch,
           std::function<uint64_t(const Lane*, unsigned, unsigned)> model, Options o = {}) {
  long bad = 0;
  const dim3 shapes[] = {{64}, {32}, {96}, {48}, {256}, {8, 4, 3}, {1}, {33}};
  for (int trial = 0; trial < 24; ++trial) {
    const dim3 block = shapes[trial % 8], grid = 2;
    const int threads = int(block.x * block.y * block.z), style = int(rnd(unsigned(o.maskless ? loop : styles)));
    std::vector<Lane> in(size_t(threads) * 2);
    std::vector<uint64_t> out(in.size(), ~0ull);
    const int width = 1 << rnd(6);
    const int crowd = int(rnd(4));
    for (size_t first = 0; first < in.size(); first += size_t(threads))
      for (int w = 0; w < threads; w += 32) {
        const int groups = crowd ? 1 + int(rnd(3)) : 1, n = std::min(32, threads - w);
        const bool leavers = rnd(2);
        unsigned members[3] = {}, gone = n == 32 ? 0 : ~0u << n;
        for (int k = 0; k < n; ++k) {
          Lane& l = in[first + size_t(w + k)];
          l.group = leavers && rnd(4) == 0 ? -1 : int(rnd(unsigned(groups)));
          if (l.group < 0) gone |= 1u << k; else members[l.group] |= 1u << k;
        }
        for (int k = 0; k < n; ++k) {
          Lane& l = in[first + size_t(w + k)];
          l.value = o.distinct ? rnd(unsigned(1 + rnd(unsigned(o.distinct)))) * 0x100000001ull : uint64_t(rng()) << 32 | rng();
          l.mask = l.group < 0 ? 0 : members[l.group] | (gone & (groups == 1 ? ~0u : unsigned(rng())));
          l.arg = int(rnd(200)) - 60;
          l.width = width;
        }
        // The mask of a group is one for all its lanes.
        for (int g = 0; g < 3; ++g) {
          unsigned mask = 0;
          for (int k = 0; k < n; ++k) {
            Lane& l = in[first + size_t(w + k)];
            if (l.group == g) { if (!mask) mask = l.mask; l.mask = mask; }
          }
        }
      }
    launch(in.data(), out.data(), grid, block, style);
    for (size_t first = 0; first < in.size(); first += size_t(threads))
      for (int w = 0; w < threads; w += 32) {
        Lane warp[32] = {};
        for (int k = 0; k < 32; ++k) {
          if (w + k < threads) warp[k] = in[first + size_t(w + k)];
          else warp[k].group = -1;
        }
        for (unsigned k = 0; k < 32; ++k) {
          if (warp[k].group < 0) continue;
          unsigned members = 0;
          for (unsigned j = 0; j < 32; ++j)
            if (warp[j].group >= 0 && ((o.maskless && style == together) || warp[j].group == warp[k].group)) members |= 1u << j;
          const uint64_t want = model(warp, members, k), got = out[first + size_t(w) + k];
          if (want == undefined) continue;
          if (want == got) { ++passed; continue; }
          ++failed;
          if (++bad <= 3)
            printf("FAIL %s: block %u,%u,%u style %d thread %zu lane %u mask %08x members %08x arg %d width %d: got %llx, want %llx\n",
                   name.c_str(), block.x, block.y, block.z, style, first + size_t(w) + k, k, warp[k].mask, members, warp[k].arg,
                   warp[k].width, (unsigned long long)got, (unsigned long long)want);
        }
      }
  }
}

template <class F> auto device(F f) {
  return [f](const Lane* in, uint64_t* out, dim3 grid, dim3 block, int style) {
    hipLaunchKernelGGL(run<F>, grid, block, 0, 0, in, out, style, f);
  };
}

}  // namespace
