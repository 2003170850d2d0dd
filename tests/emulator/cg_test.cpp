// tranship/cooperative_groups.hpp against models of CUDA's groups, with the harness of warp_test.cpp.
#include "cooperative_groups.hpp"
#include "harness.hpp"

namespace cg = tranship::cg;

namespace {

__host__ __device__ uint64_t pair(unsigned a, unsigned b) { return uint64_t(a) << 32 | b; }
unsigned count(unsigned m) { return unsigned(__builtin_popcount(m)); }
unsigned rank_of(unsigned m, unsigned k) { return count(m & ((1u << k) - 1)); }
unsigned lane_of(unsigned m, unsigned rank) {
  for (unsigned k = 0; k < 32; ++k)
    if (m >> k & 1 && rank-- == 0) return k;
  return 99;
}
unsigned packed(unsigned group, unsigned lanes) {
  unsigned r = 0, at = 0;
  for (unsigned k = 0; k < 32; ++k)
    if (group >> k & 1) r |= (lanes >> k & 1) << at++;
  return r;
}
unsigned odd(const Lane* w, unsigned m) {
  unsigned r = 0;
  for (unsigned k = 0; k < 32; ++k)
    if (m >> k & 1 && w[k].value & 1) r |= 1u << k;
  return r;
}
unsigned alike(const Lane* w, unsigned m, unsigned k) {
  unsigned r = 0;
  for (unsigned j = 0; j < 32; ++j)
    if (m >> j & 1 && unsigned(w[j].value) == unsigned(w[k].value)) r |= 1u << j;
  return r;
}
__host__ __device__ float real(const Lane& l) { return float(int(l.value & 0xffff) - 30000) * 0.37f; }

// CUDA's order of combination.
template <class Op> float scanned(const Lane* w, unsigned m, unsigned k, Op op) {
  const unsigned n = count(m);
  std::vector<float> v(n);
  for (unsigned r = 0; r < n; ++r) v[r] = real(w[lane_of(m, r)]);
  for (unsigned d = 1; d < n; d *= 2)
    for (unsigned r = n; r-- > d;) v[r] = op(v[r], v[r - d]);
  return v[rank_of(m, k)];
}
template <class Op> float reduced(const Lane* w, unsigned m, unsigned k, Op op) {
  const unsigned n = count(m);
  if (n == 32) {
    std::vector<float> v(32), last;
    for (unsigned r = 0; r < 32; ++r) v[r] = real(w[r]);
    for (unsigned d = 16; d; d /= 2) {
      last = v;
      for (unsigned r = 0; r < 32; ++r) v[r] = op(last[r], last[r ^ d]);
    }
    return v[k];
  }
  return scanned(w, m, lane_of(m, n - 1), op);
}
struct Minus {  // the order of combination shows
  __host__ __device__ float operator()(float a, float b) const { return a - b * 0.5f; }
};
const Minus minus_half;

// The lanes of a group, from its shuffles.
template <class G> __device__ unsigned lanes_of(const G& g) {
  const unsigned me = (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) & 31u;
  unsigned mask = 0;
  for (unsigned r = 0; r < g.size(); ++r) mask |= 1u << g.shfl(me, r);
  return mask;
}

template <class F> struct OnCoalesced {
  F f;
  __device__ uint64_t operator()(Lane l) const { return uint64_t(f(cg::coalesced_threads(), l)); }
};
template <unsigned N, class F> struct OnTile {
  F f;
  __device__ uint64_t operator()(Lane l) const { return uint64_t(f(cg::tiled_partition<N>(cg::this_thread_block()), l)); }
};

void coalesced() {
  Options o;
  o.maskless = true;
  const auto with = [&](const char* name, auto f, std::function<uint64_t(const Lane*, unsigned, unsigned)> model, int distinct = 0) {
    Options p = o;
    p.distinct = distinct;
    check(std::string("coalesced_group ") + name, device(OnCoalesced<decltype(f)>{f}), model, p);
  };
  using G = cg::coalesced_group;
  with("rank, size", [] __device__ (G g, Lane) { return pair(g.thread_rank(), g.size()); },
       [](const Lane*, unsigned m, unsigned k) { return pair(rank_of(m, k), count(m)); });
  with("shfl", [] __device__ (G g, Lane l) { return g.shfl(l.value, unsigned(l.arg & 31) % g.size()); },
       [](const Lane* w, unsigned m, unsigned k) { return w[lane_of(m, unsigned(w[k].arg & 31) % count(m))].value; });
  with("shfl_up", [] __device__ (G g, Lane l) { return g.shfl_up(l.value, unsigned(l.arg & 15)); },
       [](const Lane* w, unsigned m, unsigned k) {
         const unsigned r = rank_of(m, k), d = unsigned(w[k].arg & 15);
         return w[r >= d ? lane_of(m, r - d) : k].value;
       });
  with("shfl_down", [] __device__ (G g, Lane l) { return g.shfl_down(l.value, unsigned(l.arg & 15)); },
       [](const Lane* w, unsigned m, unsigned k) {
         const unsigned r = rank_of(m, k) + unsigned(w[k].arg & 15);
         return w[r < count(m) ? lane_of(m, r) : k].value;
       });
  with("votes", [] __device__ (G g, Lane l) { return pair(unsigned(g.any(l.value & 1) + 2 * g.all(l.value & 1)), g.ballot(l.value & 1)); },
       [](const Lane* w, unsigned m, unsigned) { return pair((odd(w, m) != 0) + 2u * (odd(w, m) == m), packed(m, odd(w, m))); }, 3);
  with("match", [] __device__ (G g, Lane l) { int p = 9; unsigned a = g.match_all(unsigned(l.value), p); return pair(a + unsigned(p), g.match_any(unsigned(l.value))); },
       [](const Lane* w, unsigned m, unsigned k) {
         const unsigned e = alike(w, m, k);
         return pair(e == m ? packed(m, m) + 1 : 0, packed(m, e));
       }, 2);
  with("binary_partition", [] __device__ (G g, Lane l) { G b = cg::binary_partition(g, l.value & 1); return pair(lanes_of(b), b.meta_group_rank() + 10 * b.meta_group_size()); },
       [](const Lane* w, unsigned m, unsigned k) {
         const unsigned yes = odd(w, m);
         if (yes == 0 || yes == m) return pair(m, 10);
         return pair(w[k].value & 1 ? yes : m & ~yes, unsigned(w[k].value & 1) + 20);
       }, 2);
  with("labeled_partition", [] __device__ (G g, Lane l) { G b = cg::labeled_partition(g, unsigned(l.value)); return pair(lanes_of(b), b.meta_group_size() + 100 * b.meta_group_rank()); },
       [](const Lane* w, unsigned m, unsigned k) {
         unsigned labels = 0, rank = 0;
         const unsigned mine = unsigned(__builtin_ctz(alike(w, m, k)));
         for (unsigned j = 0; j < 32; ++j)
           if (m >> j & 1 && !(alike(w, m, j) & ((1u << j) - 1))) ++labels, rank += j < mine;
         return pair(alike(w, m, k), labels + 100 * rank);
       }, 5);
  with("tiled_partition", [] __device__ (G g, Lane l) { G b = cg::tiled_partition(g, unsigned(l.width)); return pair(lanes_of(b), b.meta_group_rank() * 100 + b.meta_group_size()); },
       [](const Lane* w, unsigned m, unsigned k) {
         const unsigned n = unsigned(w[k].width), t = rank_of(m, k) / n;
         unsigned lanes = 0;
         for (unsigned j = 0; j < 32; ++j)
           if (m >> j & 1 && rank_of(m, j) / n == t) lanes |= 1u << j;
         return pair(lanes, t * 100 + (count(m) + n - 1) / n);
       });
  with("reduce", [] __device__ (G g, Lane l) { return bits(cg::reduce(g, real(l), Minus())); },
       [](const Lane* w, unsigned m, unsigned k) { return bits(reduced(w, m, k, minus_half)); });
  with("inclusive_scan", [] __device__ (G g, Lane l) { return bits(cg::inclusive_scan(g, real(l), Minus())); },
       [](const Lane* w, unsigned m, unsigned k) { return bits(scanned(w, m, k, minus_half)); });
  with("exclusive_scan", [] __device__ (G g, Lane l) { return bits(cg::exclusive_scan(g, int(l.arg))); },
       [](const Lane* w, unsigned m, unsigned k) {
         int sum = 0;
         for (unsigned j = 0; j < k; ++j)
           if (m >> j & 1) sum += w[j].arg;
         return bits(sum);
       });
  with("invoke_one_broadcast", [] __device__ (G g, Lane l) { return cg::invoke_one_broadcast(g, [&]() { return l.value; }); },
       [](const Lane* w, unsigned m, unsigned) { return w[lane_of(m, 0)].value; });
  with("thread_group", [] __device__ (G g, Lane) { cg::thread_group t = g; t.sync(); return pair(unsigned(t.thread_rank()), unsigned(t.size())); },
       [](const Lane*, unsigned m, unsigned k) { return pair(rank_of(m, k), count(m)); });
}

// Tiles take part whole or not at all: compare only where all lanes of the tile are here.
template <unsigned N> void tiles() {
  using W = cg::thread_block_tile<N, cg::thread_block>;
  Options o;
  o.maskless = true;
  const auto with = [&](const char* name, auto f, std::function<uint64_t(const Lane*, unsigned, unsigned)> model, bool whole, int distinct = 0) {
    Options p = o;
    p.distinct = distinct;
    check("tile<" + std::to_string(N) + "> " + name, device(OnTile<N, decltype(f)>{f}),
          [=](const Lane* w, unsigned m, unsigned k) {
            const unsigned all = (N == 32 ? ~0u : (1u << (N & 31)) - 1) << (k & ~(N - 1));
            return whole && (m & all) != all ? undefined : model(w, m & all, k);
          }, p);
  };
  with("rank", [] __device__ (W g, Lane) { return pair(g.thread_rank() * 64 + g.size(), g.meta_group_rank() == g.meta_group_size()); },
       [](const Lane*, unsigned, unsigned k) { return pair((k & (N - 1)) * 64 + N, 0); }, false);
  with("shfl", [] __device__ (W g, Lane l) { return g.shfl(l.value, l.arg & int(N - 1)); },
       [](const Lane* w, unsigned, unsigned k) { return w[(k & ~(N - 1)) + (unsigned(w[k].arg) & (N - 1))].value; }, true);
  with("shfl_up", [] __device__ (W g, Lane l) { return g.shfl_up(l.value, unsigned(l.arg & 31)); },
       [](const Lane* w, unsigned, unsigned k) { const unsigned d = unsigned(w[k].arg & 31); return w[(k & (N - 1)) >= d ? k - d : k].value; }, true);
  with("shfl_down", [] __device__ (W g, Lane l) { return g.shfl_down(l.value, unsigned(l.arg & 31)); },
       [](const Lane* w, unsigned, unsigned k) { const unsigned d = unsigned(w[k].arg & 31); return w[(k & (N - 1)) + d < N ? k + d : k].value; }, true);
  with("shfl_xor", [] __device__ (W g, Lane l) { return g.shfl_xor(l.value, unsigned(l.arg) & (N - 1)); },
       [](const Lane* w, unsigned, unsigned k) { return w[k ^ (unsigned(w[k].arg) & (N - 1))].value; }, true);
  with("votes", [] __device__ (W g, Lane l) { return pair(unsigned(g.any(l.value & 1) + 2 * g.all(l.value & 1)), g.ballot(l.value & 1)); },
       [](const Lane* w, unsigned m, unsigned k) { return pair((odd(w, m) != 0) + 2u * (odd(w, m) == m), odd(w, m) >> (k & ~(N - 1))); }, true, 3);
  with("match", [] __device__ (W g, Lane l) { int p = 9; unsigned a = g.match_all(unsigned(l.value), p); return pair(a ^ unsigned(p), g.match_any(unsigned(l.value))); },
       [](const Lane* w, unsigned m, unsigned k) {
         const unsigned e = alike(w, m, k), s = k & ~(N - 1);
         return pair(e == m ? (m >> s) ^ 1u : 0, e >> s);
       }, true, 2);
  with("reduce", [] __device__ (W g, Lane l) { return bits(cg::reduce(g, l.value, cg::bit_xor<uint64_t>()) + cg::reduce(g, l.value, cg::less<uint64_t>())); },
       [](const Lane* w, unsigned m, unsigned) {
         uint64_t x = 0, low = ~0ull;
         for (unsigned j = 0; j < 32; ++j)
           if (m >> j & 1) x ^= w[j].value, low = std::min(low, w[j].value);
         return x + low;
       }, true);
  with("scan", [] __device__ (W g, Lane l) { return pair(unsigned(cg::inclusive_scan(g, l.arg)), unsigned(cg::exclusive_scan(g, l.arg, cg::plus<int>()))); },
       [](const Lane* w, unsigned, unsigned k) {
         int sum = 0;
         for (unsigned j = k & ~(N - 1); j < k; ++j) sum += w[j].arg;
         return pair(unsigned(sum + w[k].arg), unsigned(sum));
       }, true);
  if constexpr (N > 1)
    with("of a tile", [] __device__ (W g, Lane) {
           cg::thread_block_tile<N> v = g;
           auto t = cg::tiled_partition<N / 2>(v);
           return pair(v.meta_group_rank() == g.meta_group_rank(), t.meta_group_size() * 100 + t.meta_group_rank() * 40 + t.thread_rank());
         },
         [](const Lane*, unsigned, unsigned k) { return pair(1, 200 + (k & (N - 1)) / (N / 2) * 40 + (k & (N / 2 - 1))); }, false);
  with("run-time tile", [] __device__ (W, Lane) { auto t = cg::tiled_partition(cg::this_thread_block(), N); return uint64_t(t.thread_rank()); },
       [](const Lane*, unsigned, unsigned k) { return uint64_t(k & (N - 1)); }, true);
}

}  // namespace

int main() {
  coalesced();
  tiles<1>(), tiles<2>(), tiles<8>(), tiles<16>(), tiles<32>();
  printf("cooperative groups, %d lanes: %ld passed, %ld failed\n", EMU_WAVE, passed, failed);
  return failed != 0;
}
