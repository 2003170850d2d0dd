// tranship/warp.hpp: CUDA's warp of 32 lanes on a wavefront of 32 or 64.
//
// provides: shfl_sync, shfl_up_sync, shfl_down_sync, shfl_xor_sync and the forms without _sync; ballot_sync, any_sync,
//   all_sync, uni_sync, ballot, any, all; activemask; match_any_sync, match_all_sync; reduce_add_sync, reduce_min_sync,
//   reduce_max_sync, reduce_and_sync, reduce_or_sync, reduce_xor_sync; syncwarp; lane_id, warp_id, lanemask_eq,
//   lanemask_lt, lanemask_le, lanemask_gt, lanemask_ge; fns; warpSize, warp_size, full_mask.
// exactness: same result as CUDA for every mask, width, offset and type. A warp is the half of the wavefront that the
//   lane lies in: lanes are numbered in the order of the linear thread index, so half k holds threads 32k to 32k+31.
//   Masks have 32 bits. Lanes that have exited, or are not at the call, do not count, as in CUDA. The offset of a
//   shuffle counts modulo 32, as in the instruction.
// limits: lanes of one mask must meet at one call: two calls in two arms of a branch do not meet, where CUDA (sm_70 and
//   later) lets them. The lanes of a wavefront do not progress independently: a lane that spins until another lane of
//   its wavefront acts may wait for ever. What CUDA leaves undefined (reading a lane that is not in the mask) differs.
// unnecessary since: never on 64-lane targets; on 32-lane targets ROCm 7.0 has most of it with 64-bit masks.
#pragma once

#include <hip/hip_runtime.h>

// A program may have a macro of this name.
#pragma push_macro("warpSize")
#undef warpSize

namespace tranship {

constexpr int warp_size = 32;
constexpr int warpSize = 32;
constexpr unsigned full_mask = 0xffffffffu;

namespace detail {

// The lane's number in the hardware's wavefront; on 32 lanes the second count folds away.
__device__ __forceinline__ unsigned wave_lane() {
  return static_cast<unsigned>(__builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u)));
}

// Where the lane's warp begins in the wavefront: 0, or 32 in the upper half.
__device__ __forceinline__ unsigned wave_base() {
  return __builtin_amdgcn_wavefrontsize() == 32 ? 0u : wave_lane() & 32u;
}

__device__ __forceinline__ unsigned own_warp(unsigned long long lanes) {
  return static_cast<unsigned>(lanes >> wave_base());
}

// The lanes of this warp that are here with a true predicate.
__device__ __forceinline__ unsigned vote(bool pred) { return own_warp(__builtin_amdgcn_ballot_w64(pred)); }

template <class T> struct words {
  static constexpr unsigned count = (sizeof(T) + 3) / 4;
  unsigned word[count];

  __device__ __forceinline__ explicit words(const T& v) : word{} {
    __builtin_memcpy(word, static_cast<const void*>(&v), sizeof(T));
  }
  __device__ __forceinline__ void store(T& v) const { __builtin_memcpy(static_cast<void*>(&v), word, sizeof(T)); }
};

// What CUDA's overloads return for an argument of type T: small integers and enumerations are promoted.
template <class T> struct is_record {
  static constexpr bool value = __is_class(T) || __is_union(T);
};
template <class T, bool = is_record<T>::value> struct passed {
  using type = decltype(+T());
};
template <class T> struct passed<T, true> {
  using type = T;
};
template <class T> using passed_t = typename passed<T>::type;

// The value of lane `from` of the wavefront.
template <class T> __device__ __forceinline__ T pull(const T& v, unsigned from) {
  words<T> w(v);
  for (unsigned k = 0; k < words<T>::count; ++k)
    w.word[k] = static_cast<unsigned>(
        __builtin_amdgcn_ds_bpermute(static_cast<int>(from << 2), static_cast<int>(w.word[k])));
  T result = v;
  w.store(result);
  return result;
}

// Bits of a wavefront lane that no shuffle of this width changes.
__device__ __forceinline__ unsigned fixed_bits(int width) { return ~31u | ((32u - static_cast<unsigned>(width)) & 31u); }

__device__ __forceinline__ unsigned from_index(int src, int width) {
  const unsigned fixed = fixed_bits(width);
  return (wave_lane() & fixed) | (static_cast<unsigned>(src) & ~fixed);
}

__device__ __forceinline__ unsigned from_up(unsigned delta, int width) {
  const unsigned lane = wave_lane(), first = lane & fixed_bits(width), d = delta & 31u;
  return lane >= first + d ? lane - d : lane;
}

__device__ __forceinline__ unsigned from_down(unsigned delta, int width) {
  const unsigned lane = wave_lane(), last = lane | ~fixed_bits(width), to = lane + (delta & 31u);
  return to <= last ? to : lane;
}

__device__ __forceinline__ unsigned from_xor(int lane_mask, int width) {
  const unsigned lane = wave_lane(), last = lane | ~fixed_bits(width), to = lane ^ (static_cast<unsigned>(lane_mask) & 31u);
  return width == 32 || to <= last ? to : lane;
}

template <unsigned X> __device__ __forceinline__ unsigned swizzle_xor(unsigned v) {
  // Bit-mask mode works in groups of 32 lanes on every wavefront.
  return static_cast<unsigned>(__builtin_amdgcn_ds_swizzle(static_cast<int>(v), (X << 10) | 0x1f));
}

struct op_add { __device__ __forceinline__ unsigned operator()(unsigned a, unsigned b) const { return a + b; } };
struct op_and { __device__ __forceinline__ unsigned operator()(unsigned a, unsigned b) const { return a & b; } };
struct op_or { __device__ __forceinline__ unsigned operator()(unsigned a, unsigned b) const { return a | b; } };
struct op_xor { __device__ __forceinline__ unsigned operator()(unsigned a, unsigned b) const { return a ^ b; } };
struct op_umin { __device__ __forceinline__ unsigned operator()(unsigned a, unsigned b) const { return a < b ? a : b; } };
struct op_umax { __device__ __forceinline__ unsigned operator()(unsigned a, unsigned b) const { return a > b ? a : b; } };
struct op_smin {
  __device__ __forceinline__ unsigned operator()(unsigned a, unsigned b) const {
    return static_cast<int>(a) < static_cast<int>(b) ? a : b;
  }
};
struct op_smax {
  __device__ __forceinline__ unsigned operator()(unsigned a, unsigned b) const {
    return static_cast<int>(a) > static_cast<int>(b) ? a : b;
  }
};

// Folds v over the lanes of `mask` that are here. With all 32 a butterfly; otherwise each lane follows its next
// member, and doubles the stretch that it covers five times.
template <class Op> __device__ __forceinline__ unsigned fold(unsigned mask, unsigned v, Op op) {
  const unsigned members = vote(true) & mask;
  if (members == full_mask) {
    v = op(v, swizzle_xor<16>(v));
    v = op(v, swizzle_xor<8>(v));
    v = op(v, swizzle_xor<4>(v));
    v = op(v, swizzle_xor<2>(v));
    return op(v, swizzle_xor<1>(v));
  }
  const unsigned base = wave_lane() & ~31u, lane = wave_lane() & 31u;
  const unsigned above = members & (~1u << lane);
  unsigned next = above ? static_cast<unsigned>(__builtin_ctz(above)) : 32u;
  for (int round = 0; round < 5; ++round) {
    const unsigned from = base | (next < 32u ? next : lane);
    const unsigned other = pull(v, from), hop = pull(next, from);
    v = next < 32u ? op(v, other) : v;
    next = next < 32u ? hop : next;
  }
  return pull(v, base | (members ? static_cast<unsigned>(__builtin_ctz(members)) : lane));
}

}  // namespace detail

// ---- lanes

__device__ __forceinline__ unsigned lane_id() {
  return __builtin_amdgcn_wavefrontsize() == 32 ? detail::wave_lane() : detail::wave_lane() & 31u;
}
__device__ __forceinline__ unsigned warp_id() {
  return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) >> 5;
}
__device__ __forceinline__ unsigned lanemask_eq() { return 1u << lane_id(); }
__device__ __forceinline__ unsigned lanemask_lt() { return ~(~0u << lane_id()); }
__device__ __forceinline__ unsigned lanemask_le() { return ~(~1u << lane_id()); }
__device__ __forceinline__ unsigned lanemask_gt() { return ~1u << lane_id(); }
__device__ __forceinline__ unsigned lanemask_ge() { return ~0u << lane_id(); }

__device__ __forceinline__ unsigned activemask() { return detail::vote(true); }

// ---- memory order among the lanes of a warp

__device__ __forceinline__ void syncwarp() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}
template <class M> __device__ __forceinline__ void syncwarp(M) { syncwarp(); }

// ---- shuffles

template <class M, class T>
__device__ __forceinline__ detail::passed_t<T> shfl_sync(M, T v, int src_lane, int width = 32) {
  return detail::pull<detail::passed_t<T>>(v, detail::from_index(src_lane, width));
}
template <class M, class T>
__device__ __forceinline__ detail::passed_t<T> shfl_up_sync(M, T v, unsigned delta, int width = 32) {
  return detail::pull<detail::passed_t<T>>(v, detail::from_up(delta, width));
}
template <class M, class T>
__device__ __forceinline__ detail::passed_t<T> shfl_down_sync(M, T v, unsigned delta, int width = 32) {
  return detail::pull<detail::passed_t<T>>(v, detail::from_down(delta, width));
}
template <class M, class T>
__device__ __forceinline__ detail::passed_t<T> shfl_xor_sync(M, T v, int lane_mask, int width = 32) {
  return detail::pull<detail::passed_t<T>>(v, detail::from_xor(lane_mask, width));
}

template <class T> __device__ __forceinline__ detail::passed_t<T> shfl(T v, int src_lane, int width = 32) {
  return shfl_sync(full_mask, v, src_lane, width);
}
template <class T> __device__ __forceinline__ detail::passed_t<T> shfl_up(T v, unsigned delta, int width = 32) {
  return shfl_up_sync(full_mask, v, delta, width);
}
template <class T> __device__ __forceinline__ detail::passed_t<T> shfl_down(T v, unsigned delta, int width = 32) {
  return shfl_down_sync(full_mask, v, delta, width);
}
template <class T> __device__ __forceinline__ detail::passed_t<T> shfl_xor(T v, int lane_mask, int width = 32) {
  return shfl_xor_sync(full_mask, v, lane_mask, width);
}

// ---- votes

template <class M> __device__ __forceinline__ unsigned ballot_sync(M mask, int pred) {
  return detail::vote(pred != 0) & static_cast<unsigned>(mask);
}
template <class M> __device__ __forceinline__ int any_sync(M mask, int pred) { return ballot_sync(mask, pred) != 0; }
template <class M> __device__ __forceinline__ int all_sync(M mask, int pred) { return ballot_sync(mask, pred == 0) == 0; }
template <class M> __device__ __forceinline__ int uni_sync(M mask, int pred) {
  const unsigned yes = ballot_sync(mask, pred), here = activemask() & static_cast<unsigned>(mask);
  return yes == 0 || yes == here;
}

__device__ __forceinline__ unsigned ballot(int pred) { return detail::vote(pred != 0); }
__device__ __forceinline__ int any(int pred) { return detail::vote(pred != 0) != 0; }
__device__ __forceinline__ int all(int pred) { return detail::vote(pred == 0) == 0; }

// ---- match: bits are compared, so that a NaN equals itself and -0.0 is not 0.0

template <class M, class T> __device__ __forceinline__ unsigned match_any_sync(M mask, T v) {
  const detail::words<detail::passed_t<T>> w(v);
  unsigned long long peers;
  for (;;) {  // each turn serves the lanes, of both halves, that hold the first waiting lane's value
    bool same = true;
    for (unsigned k = 0; k < w.count; ++k)
      same &= w.word[k] == static_cast<unsigned>(__builtin_amdgcn_readfirstlane(static_cast<int>(w.word[k])));
    peers = __builtin_amdgcn_ballot_w64(same);
    if (same) break;
  }
  return detail::own_warp(peers) & static_cast<unsigned>(mask);
}

template <class M, class T> __device__ __forceinline__ unsigned match_all_sync(M mask, T v, int* pred) {
  const unsigned here = activemask() & static_cast<unsigned>(mask);
  const unsigned first = here ? static_cast<unsigned>(__builtin_ctz(here)) : lane_id();
  const detail::words<detail::passed_t<T>> w(v);
  bool differs = false;
  for (unsigned k = 0; k < w.count; ++k) differs |= w.word[k] != detail::pull(w.word[k], detail::wave_base() | first);
  const bool equal = ballot_sync(mask, differs) == 0;
  *pred = equal;
  return equal ? here : 0u;
}

// ---- reductions

template <class M> __device__ __forceinline__ unsigned reduce_add_sync(M mask, unsigned v) {
  return detail::fold(static_cast<unsigned>(mask), v, detail::op_add());
}
template <class M> __device__ __forceinline__ int reduce_add_sync(M mask, int v) {
  return static_cast<int>(reduce_add_sync(mask, static_cast<unsigned>(v)));
}
template <class M> __device__ __forceinline__ unsigned reduce_min_sync(M mask, unsigned v) {
  return detail::fold(static_cast<unsigned>(mask), v, detail::op_umin());
}
template <class M> __device__ __forceinline__ int reduce_min_sync(M mask, int v) {
  return static_cast<int>(detail::fold(static_cast<unsigned>(mask), static_cast<unsigned>(v), detail::op_smin()));
}
template <class M> __device__ __forceinline__ unsigned reduce_max_sync(M mask, unsigned v) {
  return detail::fold(static_cast<unsigned>(mask), v, detail::op_umax());
}
template <class M> __device__ __forceinline__ int reduce_max_sync(M mask, int v) {
  return static_cast<int>(detail::fold(static_cast<unsigned>(mask), static_cast<unsigned>(v), detail::op_smax()));
}
template <class M> __device__ __forceinline__ unsigned reduce_and_sync(M mask, unsigned v) {
  return detail::fold(static_cast<unsigned>(mask), v, detail::op_and());
}
template <class M> __device__ __forceinline__ unsigned reduce_or_sync(M mask, unsigned v) {
  return detail::fold(static_cast<unsigned>(mask), v, detail::op_or());
}
template <class M> __device__ __forceinline__ unsigned reduce_xor_sync(M mask, unsigned v) {
  return detail::fold(static_cast<unsigned>(mask), v, detail::op_xor());
}

// ---- the position of the n-th set bit of a mask, from `base` upward (offset > 0) or downward; ~0u if there is none

__device__ __forceinline__ unsigned fns(unsigned mask, unsigned base, int offset) {
  if (base > 31u) return ~0u;
  if (offset == 0) return (mask >> base) & 1u ? base : ~0u;
  if (offset > 0) {
    unsigned rest = mask & (~0u << base);
    for (int k = 1; k < offset && rest; ++k) rest &= rest - 1;
    return rest ? static_cast<unsigned>(__builtin_ctz(rest)) : ~0u;
  }
  unsigned rest = mask & ~(~1u << base);
  for (int k = -1; k > offset && rest; --k) rest &= ~(1u << (31 - __builtin_clz(rest)));
  return rest ? 31u - static_cast<unsigned>(__builtin_clz(rest)) : ~0u;
}

}  // namespace tranship

#pragma pop_macro("warpSize")
