// tranship/ptx_warp.hpp: PTX shuffles, matches and reductions over CUDA's warp of 32 lanes.
//
// provides: tranship::ptx:: shfl_idx, shfl_up, shfl_down, shfl_bfly and their _pred forms; match_any, match_all;
//   redux_add, redux_min, redux_max, redux_and, redux_or, redux_xor; elect.
// exactness: as the PTX ISA says for every clamp and segment mask. The warp is that of tranship/warp.hpp.
// limits: those of tranship/warp.hpp.
// unnecessary since: never.
#pragma once

#include <hip/hip_runtime.h>

#include "ptx.hpp"
#include "warp.hpp"

namespace tranship {
namespace ptx {
namespace detail {

// The value of lane `from` of the warp where it is in range, else the lane's own.
__device__ __forceinline__ unsigned fetch(unsigned v, int from, bool in_range) {
  const unsigned lane = in_range ? static_cast<unsigned>(from) : lane_id();
  return tranship::detail::pull(v, tranship::detail::wave_base() | (lane & 31u));
}

struct segment {
  int lane, low, high, shift;
  __device__ __forceinline__ segment(unsigned b, unsigned c)
      : lane(static_cast<int>(lane_id())), low(lane & static_cast<int>((c >> 8) & 31u)),
        high(low | static_cast<int>(c & 31u & ~((c >> 8) & 31u))), shift(static_cast<int>(b & 31u)) {}
};

}  // namespace detail

template <class P> __device__ __forceinline__ void shfl_idx_pred(unsigned a, unsigned b, unsigned c, unsigned, unsigned& d, P& p) {
  const detail::segment s(b, c);
  const int from = s.low | (s.shift & ~static_cast<int>((c >> 8) & 31u));
  p = from <= s.high;
  d = detail::fetch(a, from, p);
}
template <class P> __device__ __forceinline__ void shfl_up_pred(unsigned a, unsigned b, unsigned c, unsigned, unsigned& d, P& p) {
  const detail::segment s(b, c);
  p = s.lane - s.shift >= s.high;
  d = detail::fetch(a, s.lane - s.shift, p);
}
template <class P> __device__ __forceinline__ void shfl_down_pred(unsigned a, unsigned b, unsigned c, unsigned, unsigned& d, P& p) {
  const detail::segment s(b, c);
  p = s.lane + s.shift <= s.high;
  d = detail::fetch(a, s.lane + s.shift, p);
}
template <class P> __device__ __forceinline__ void shfl_bfly_pred(unsigned a, unsigned b, unsigned c, unsigned, unsigned& d, P& p) {
  const detail::segment s(b, c);
  p = (s.lane ^ s.shift) <= s.high;
  d = detail::fetch(a, s.lane ^ s.shift, p);
}
#define TRANSHIP_PTX_SHFL(name)                                                                               \
  __device__ __forceinline__ unsigned name(unsigned a, unsigned b, unsigned c, unsigned mask) {               \
    unsigned d;                                                                                               \
    bool p;                                                                                                   \
    name##_pred(a, b, c, mask, d, p);                                                                         \
    return d;                                                                                                 \
  }
TRANSHIP_PTX_SHFL(shfl_idx)
TRANSHIP_PTX_SHFL(shfl_up)
TRANSHIP_PTX_SHFL(shfl_down)
TRANSHIP_PTX_SHFL(shfl_bfly)
#undef TRANSHIP_PTX_SHFL

template <class T> __device__ __forceinline__ unsigned match_any(unsigned mask, T v) { return match_any_sync(mask, v); }
template <class T, class P> __device__ __forceinline__ void match_all(unsigned mask, T v, unsigned& d, P& p) {
  int equal;
  d = match_all_sync(mask, v, &equal);
  p = equal != 0;
}

template <class T> __device__ __forceinline__ T redux_add(unsigned mask, T v) { return reduce_add_sync(mask, v); }
template <class T> __device__ __forceinline__ T redux_min(unsigned mask, T v) { return reduce_min_sync(mask, v); }
template <class T> __device__ __forceinline__ T redux_max(unsigned mask, T v) { return reduce_max_sync(mask, v); }
template <class T> __device__ __forceinline__ T redux_and(unsigned mask, T v) { return reduce_and_sync(mask, v); }
template <class T> __device__ __forceinline__ T redux_or(unsigned mask, T v) { return reduce_or_sync(mask, v); }
template <class T> __device__ __forceinline__ T redux_xor(unsigned mask, T v) { return reduce_xor_sync(mask, v); }

// One lane of the mask: the lowest that is here.
template <class P> __device__ __forceinline__ void elect(unsigned mask, unsigned& leader, P& p) {
  const unsigned here = activemask() & mask;
  leader = here ? static_cast<unsigned>(__builtin_ctz(here)) : 0u;
  p = here != 0 && leader == lane_id();
}

}  // namespace ptx
}  // namespace tranship
