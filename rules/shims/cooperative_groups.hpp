// tranship/cooperative_groups.hpp: CUDA's cooperative groups with warps of 32 lanes on every wavefront.
//
// provides: namespace tranship::cg, which stands for the whole of CUDA's cooperative_groups: thread_group, thread_block,
//   grid_group, coalesced_group, thread_block_tile<N, Parent>; this_thread, this_thread_block, this_grid,
//   coalesced_threads, tiled_partition (both forms), binary_partition, labeled_partition; sync, thread_rank, group_size,
//   is_valid; reduce, inclusive_scan, exclusive_scan with plus, less, greater, bit_and, bit_or, bit_xor or any function;
//   invoke_one, invoke_one_broadcast; memcpy_async, wait, wait_prior.
// exactness: ranks, masks, shuffles and votes as CUDA's, also for groups that do not fill a half of the wavefront. reduce
//   and the scans combine in the order of CUDA 12 and 13, so that floating-point results agree. memcpy_async copies at once.
// limits: tiles of at most 32 threads; no clusters, no multi-device grids, no reduce_update_async. barrier_arrive does not
//   split the barrier: the whole of it is in barrier_wait. grid_group::sync needs a cooperative launch, as in CUDA.
//   As with warp.hpp, the lanes of a group must meet at one call.
// unnecessary since: never.
#pragma once

#include <hip/hip_cooperative_groups.h>

#include "warp.hpp"

namespace tranship {
namespace cg {

namespace detail {

// The lane of the r-th (from 0) member of a mask: a binary search over counts.
__device__ __forceinline__ unsigned nth_lane(unsigned mask, unsigned r) {
  unsigned lane = 0;
  for (unsigned step = 16; step; step >>= 1) {
    const unsigned below = static_cast<unsigned>(__builtin_popcount((mask >> lane) & ((1u << step) - 1)));
    if (r >= below) r -= below, lane += step;
  }
  return lane;
}

template <class T> __device__ __forceinline__ T pull(const T& v, unsigned lane) {
  return tranship::detail::pull(v, tranship::detail::wave_base() | (lane & 31u));
}

// The bits of `lanes` that belong to `mask`, moved together: bit r for the member of rank r.
__device__ __forceinline__ unsigned pack(unsigned mask, unsigned lanes) {
  if (mask == full_mask) return lanes;
  unsigned packed = 0;
  for (unsigned rest = lanes & mask; rest; rest &= rest - 1) {
    const unsigned before = mask & ((rest & (0u - rest)) - 1);
    packed |= 1u << __builtin_popcount(before);
  }
  return packed;
}

__device__ __forceinline__ unsigned linear_thread() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
__device__ __forceinline__ unsigned linear_block_size() { return blockDim.x * blockDim.y * blockDim.z; }

template <class T> struct bare { using type = T; };
template <class T> struct bare<T&> { using type = typename bare<T>::type; };
template <class T> struct bare<T&&> { using type = typename bare<T>::type; };
template <class T> struct bare<const T> { using type = T; };
template <class T> using bare_t = typename bare<T>::type;

enum class kind : unsigned char { thread, block, grid, lanes };

}  // namespace detail

// ---- groups

class grid_group {
 public:
  __device__ static void sync() { ::cooperative_groups::this_grid().sync(); }
  __device__ static bool is_valid() { return ::cooperative_groups::this_grid().is_valid(); }
  __device__ static unsigned long long num_blocks() {
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
  }
  __device__ static unsigned long long block_rank() {
    return blockIdx.x + gridDim.x * (blockIdx.y + static_cast<unsigned long long>(gridDim.y) * blockIdx.z);
  }
  __device__ static unsigned long long size() { return num_blocks() * detail::linear_block_size(); }
  __device__ static unsigned long long num_threads() { return size(); }
  __device__ static unsigned long long thread_rank() {
    return block_rank() * detail::linear_block_size() + detail::linear_thread();
  }
  __device__ static dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  __device__ static dim3 dim_blocks() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  __device__ static dim3 group_dim() { return dim_blocks(); }
};

class thread_block {
 public:
  struct arrival_token {};
  __device__ static void sync() { __syncthreads(); }
  __device__ static arrival_token barrier_arrive() { return {}; }
  __device__ static void barrier_wait(arrival_token) { __syncthreads(); }
  __device__ static unsigned size() { return detail::linear_block_size(); }
  __device__ static unsigned num_threads() { return size(); }
  __device__ static unsigned thread_rank() { return detail::linear_thread(); }
  __device__ static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  __device__ static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  __device__ static dim3 dim_threads() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  __device__ static dim3 group_dim() { return dim_threads(); }
  __device__ static bool is_valid() { return true; }
};

// Some lanes of one warp, ranked by lane.
class coalesced_group {
  unsigned mask_, rank_, groups_;

 public:
  __device__ explicit coalesced_group(unsigned mask, unsigned meta_rank = 0, unsigned meta_size = 1)
      : mask_(mask), rank_(meta_rank), groups_(meta_size) {}

  __device__ unsigned lanes() const { return mask_; }
  __device__ unsigned size() const { return static_cast<unsigned>(__builtin_popcount(mask_)); }
  __device__ unsigned num_threads() const { return size(); }
  __device__ unsigned thread_rank() const { return static_cast<unsigned>(__builtin_popcount(mask_ & lanemask_lt())); }
  __device__ unsigned meta_group_rank() const { return rank_; }
  __device__ unsigned meta_group_size() const { return groups_; }
  __device__ bool is_valid() const { return true; }
  __device__ void sync() const { syncwarp(mask_); }

  template <class T> __device__ T shfl(T v, unsigned rank) const {
    return detail::pull(v, mask_ == full_mask ? rank : detail::nth_lane(mask_, rank));
  }
  template <class T> __device__ T shfl_up(T v, unsigned delta) const {
    const unsigned rank = thread_rank();
    return shfl(v, rank >= delta ? rank - delta : rank);
  }
  template <class T> __device__ T shfl_down(T v, unsigned delta) const {
    const unsigned rank = thread_rank();
    return shfl(v, delta < size() - rank ? rank + delta : rank);
  }
  __device__ int any(int pred) const { return any_sync(mask_, pred); }
  __device__ int all(int pred) const { return all_sync(mask_, pred); }
  __device__ unsigned ballot(int pred) const { return detail::pack(mask_, ballot_sync(mask_, pred)); }
  template <class T> __device__ unsigned match_any(T v) const { return detail::pack(mask_, match_any_sync(mask_, v)); }
  template <class T> __device__ unsigned match_all(T v, int& pred) const {
    return detail::pack(mask_, match_all_sync(mask_, v, &pred));
  }
};

template <unsigned Size, class Parent = void> class thread_block_tile;

namespace detail {

// What all tiles of one size share: Size lanes in line, in one warp.
template <unsigned Size> class tile {
  static_assert(Size > 0 && (Size & (Size - 1)) == 0, "the size of a tile is a power of two");
  static_assert(Size <= 32, "tranship: tiles of more than 32 threads are not carried over");
  static constexpr unsigned ones = Size == 32 ? ~0u : (1u << (Size & 31u)) - 1;

  __device__ static unsigned first() { return Size == 32 ? 0u : lane_id() & ~(Size - 1); }

 public:
  static constexpr unsigned tile_size = Size;

  __device__ static unsigned lanes() { return ones << first(); }
  __device__ static constexpr unsigned size() { return Size; }
  __device__ static constexpr unsigned num_threads() { return Size; }
  __device__ static unsigned thread_rank() { return lane_id() & (Size - 1); }
  __device__ static bool is_valid() { return true; }
  __device__ static void sync() { syncwarp(); }

  template <class T> __device__ T shfl(T v, int rank) const { return pull_in(v, tranship::detail::from_index(rank, Size)); }
  template <class T> __device__ T shfl_up(T v, unsigned delta) const {
    return pull_in(v, tranship::detail::from_up(delta, Size));
  }
  template <class T> __device__ T shfl_down(T v, unsigned delta) const {
    return pull_in(v, tranship::detail::from_down(delta, Size));
  }
  template <class T> __device__ T shfl_xor(T v, unsigned lane_mask) const {
    return pull_in(v, tranship::detail::from_xor(static_cast<int>(lane_mask), Size));
  }
  __device__ int any(int pred) const { return any_sync(lanes(), pred); }
  __device__ int all(int pred) const { return all_sync(lanes(), pred); }
  __device__ unsigned ballot(int pred) const { return ballot_sync(lanes(), pred) >> first(); }
  template <class T> __device__ unsigned match_any(T v) const { return match_any_sync(lanes(), v) >> first(); }
  template <class T> __device__ unsigned match_all(T v, int& pred) const {
    return match_all_sync(lanes(), v, &pred) >> first();
  }

 private:
  template <class T> __device__ static T pull_in(const T& v, unsigned from) { return tranship::detail::pull(v, from); }
};

// Where a tile stands in its parent.
template <unsigned Size, class Parent> struct place {
  __device__ static unsigned rank() { return Parent::thread_rank() / Size; }
  __device__ static unsigned count() { return (Parent::size() + Size - 1) / Size; }
};

}  // namespace detail

template <unsigned Size, class Parent> class thread_block_tile : public detail::tile<Size> {
 public:
  __device__ explicit thread_block_tile(const Parent&) {}
  __device__ static unsigned meta_group_rank() { return detail::place<Size, Parent>::rank(); }
  __device__ static unsigned meta_group_size() { return detail::place<Size, Parent>::count(); }
};

// A tile that has forgotten the type of its parent.
template <unsigned Size> class thread_block_tile<Size, void> : public detail::tile<Size> {
  unsigned rank_, groups_;

 public:
  template <class Parent>
  __device__ thread_block_tile(const thread_block_tile<Size, Parent>& t)
      : rank_(t.meta_group_rank()), groups_(t.meta_group_size()) {}
  __device__ unsigned meta_group_rank() const { return rank_; }
  __device__ unsigned meta_group_size() const { return groups_; }
};

// Any group, known at run time.
class thread_group {
  detail::kind kind_;
  unsigned mask_;

 public:
  __device__ explicit thread_group(detail::kind k, unsigned mask = 0) : kind_(k), mask_(mask) {}
  __device__ thread_group(const thread_block&) : kind_(detail::kind::block), mask_(0) {}
  __device__ thread_group(const grid_group&) : kind_(detail::kind::grid), mask_(0) {}
  __device__ thread_group(const coalesced_group& g) : kind_(detail::kind::lanes), mask_(g.lanes()) {}
  template <unsigned Size, class Parent>
  __device__ thread_group(const thread_block_tile<Size, Parent>& t) : kind_(detail::kind::lanes), mask_(t.lanes()) {}

  __device__ bool of_lanes() const { return kind_ == detail::kind::lanes; }
  __device__ unsigned lanes() const { return mask_; }
  __device__ unsigned long long size() const {
    switch (kind_) {
      case detail::kind::block: return thread_block::size();
      case detail::kind::grid: return grid_group::size();
      case detail::kind::lanes: return static_cast<unsigned>(__builtin_popcount(mask_));
      case detail::kind::thread: break;
    }
    return 1;
  }
  __device__ unsigned long long num_threads() const { return size(); }
  __device__ unsigned long long thread_rank() const {
    switch (kind_) {
      case detail::kind::block: return thread_block::thread_rank();
      case detail::kind::grid: return grid_group::thread_rank();
      case detail::kind::lanes: return static_cast<unsigned>(__builtin_popcount(mask_ & lanemask_lt()));
      case detail::kind::thread: break;
    }
    return 0;
  }
  __device__ void sync() const {
    switch (kind_) {
      case detail::kind::block: thread_block::sync(); break;
      case detail::kind::grid: grid_group::sync(); break;
      case detail::kind::lanes: syncwarp(mask_); break;
      case detail::kind::thread: break;
    }
  }
  __device__ bool is_valid() const { return kind_ != detail::kind::grid || grid_group::is_valid(); }
};

__device__ __forceinline__ thread_group this_thread() { return thread_group(detail::kind::thread); }
__device__ __forceinline__ thread_block this_thread_block() { return {}; }
__device__ __forceinline__ grid_group this_grid() { return {}; }
__device__ __forceinline__ coalesced_group coalesced_threads() { return coalesced_group(activemask()); }

template <class G> __device__ __forceinline__ void sync(const G& g) { g.sync(); }
template <class G> __device__ __forceinline__ auto thread_rank(const G& g) -> decltype(g.thread_rank()) {
  return g.thread_rank();
}
template <class G> __device__ __forceinline__ auto group_size(const G& g) -> decltype(g.size()) { return g.size(); }
template <class G> __device__ __forceinline__ bool is_valid(const G& g) { return g.is_valid(); }

// ---- partitions

template <unsigned Size, class Parent>
__device__ __forceinline__ thread_block_tile<Size, Parent> tiled_partition(const Parent& g) {
  return thread_block_tile<Size, Parent>(g);
}

// A tile of a tile keeps only the size of its parent, which may have forgotten more.
template <unsigned Size, unsigned From, class Parent>
__device__ __forceinline__ thread_block_tile<Size, thread_block_tile<From, Parent>> tiled_partition(
    const thread_block_tile<From, Parent>& g) {
  static_assert(Size <= From, "a tile is no larger than its parent");
  return thread_block_tile<Size, thread_block_tile<From, Parent>>(g);
}

__device__ __forceinline__ coalesced_group tiled_partition(const coalesced_group& g, unsigned size) {
  const unsigned total = g.size(), first = g.thread_rank() & ~(size - 1), end = first + size;
  unsigned mask = g.lanes();
  if (first) mask &= ~0u << detail::nth_lane(mask, first);
  if (end < total) mask &= ~(~0u << detail::nth_lane(g.lanes(), end));
  return coalesced_group(mask, first / size, (total + size - 1) / size);
}
__device__ __forceinline__ thread_group tiled_partition(const thread_block&, unsigned size) {
  const unsigned rank = thread_block::thread_rank() & ~(size - 1), left = thread_block::size() - rank;
  const unsigned count = size < left ? size : left;
  return thread_group(detail::kind::lanes, (count >= 32 ? ~0u : (1u << count) - 1) << (rank & 31u));
}
__device__ __forceinline__ thread_group tiled_partition(const thread_group& g, unsigned size) {
  if (g.of_lanes()) return tiled_partition(coalesced_group(g.lanes()), size);
  return tiled_partition(thread_block(), size);
}

// As CUDA: one group of rank 0 if all agree, otherwise rank 0 for false and 1 for true.
template <class G> __device__ __forceinline__ coalesced_group binary_partition(const G& g, bool pred) {
  const unsigned mask = g.lanes(), yes = ballot_sync(mask, pred), here = activemask() & mask;
  if (yes == 0 || yes == here) return coalesced_group(mask);
  return coalesced_group(pred ? yes : mask & ~yes, pred, 2);
}

// The rank of a part is the number of parts that begin at lower lanes, as since CUDA 12.
template <class G, class Label> __device__ __forceinline__ coalesced_group labeled_partition(const G& g, Label label) {
  const unsigned mask = g.lanes(), part = match_any_sync(mask, label);
  const unsigned leader = static_cast<unsigned>(__builtin_ctz(part));
  const unsigned leaders = ballot_sync(mask, leader == lane_id());
  return coalesced_group(part, static_cast<unsigned>(__builtin_popcount(leaders & ((1u << leader) - 1))),
                         static_cast<unsigned>(__builtin_popcount(leaders)));
}

// ---- functions of two values

template <class T> struct plus {
  __host__ __device__ T operator()(T a, T b) const { return a + b; }
};
template <class T> struct less {  // the smaller
  __host__ __device__ T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T> struct greater {  // the larger
  __host__ __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T> struct bit_and {
  __host__ __device__ T operator()(T a, T b) const { return a & b; }
};
template <class T> struct bit_or {
  __host__ __device__ T operator()(T a, T b) const { return a | b; }
};
template <class T> struct bit_xor {
  __host__ __device__ T operator()(T a, T b) const { return a ^ b; }
};

// ---- reductions and scans

namespace detail {

template <class G, class T, class Op> __device__ __forceinline__ T scan(const G& g, T v, Op& op) {
  const unsigned rank = g.thread_rank(), size = g.size();
  for (unsigned d = 1; d < size; d <<= 1) {
    const T other = g.shfl_up(v, d);
    if (rank >= d) v = op(v, other);
  }
  return v;
}

template <unsigned Size, class T, class Op> __device__ __forceinline__ T fold(const tile<Size>& g, T v, Op& op) {
  for (unsigned d = Size / 2; d; d >>= 1) v = op(v, g.shfl_xor(v, d));
  return v;
}

template <class T, class Op> __device__ __forceinline__ T fold(const coalesced_group& g, T v, Op& op) {
  const unsigned size = g.size();
  if (size == 32) return fold(tile<32>(), v, op);
  return g.shfl(scan(g, v, op), size - 1);
}

}  // namespace detail

template <class G, class T, class Op>
__device__ __forceinline__ detail::bare_t<T> reduce(const G& g, T&& v, Op&& op) {
  return detail::fold(g, static_cast<detail::bare_t<T>>(v), op);
}

template <class G, class T, class Op>
__device__ __forceinline__ detail::bare_t<T> inclusive_scan(const G& g, T&& v, Op&& op) {
  return detail::scan(g, static_cast<detail::bare_t<T>>(v), op);
}
template <class G, class T> __device__ __forceinline__ detail::bare_t<T> inclusive_scan(const G& g, T&& v) {
  return inclusive_scan(g, v, plus<detail::bare_t<T>>());
}

// The first thread gets a value-initialised result, as in CUDA.
template <class G, class T, class Op>
__device__ __forceinline__ detail::bare_t<T> exclusive_scan(const G& g, T&& v, Op&& op) {
  const detail::bare_t<T> before = g.shfl_up(inclusive_scan(g, v, op), 1);
  return g.thread_rank() == 0 ? detail::bare_t<T>{} : before;
}
template <class G, class T> __device__ __forceinline__ detail::bare_t<T> exclusive_scan(const G& g, T&& v) {
  return exclusive_scan(g, v, plus<detail::bare_t<T>>());
}

// ---- one thread for all

template <class G, class F, class... A> __device__ __forceinline__ void invoke_one(const G& g, F&& f, A&&... a) {
  if (g.thread_rank() == 0) f(static_cast<A&&>(a)...);
}
template <class G, class F, class... A>
__device__ __forceinline__ auto invoke_one_broadcast(const G& g, F&& f, A&&... a) -> detail::bare_t<decltype(f(static_cast<A&&>(a)...))> {
  detail::bare_t<decltype(f(static_cast<A&&>(a)...))> result{};
  if (g.thread_rank() == 0) result = f(static_cast<A&&>(a)...);
  return g.shfl(result, 0);
}

// ---- copies: done when the call returns, seen by the group after wait

namespace detail {
template <class G> __device__ __forceinline__ void copy(const G& g, void* to, const void* from, unsigned long long bytes) {
  unsigned char* t = static_cast<unsigned char*>(to);
  const unsigned char* f = static_cast<const unsigned char*>(from);
  const unsigned long long rank = g.thread_rank(), threads = g.size();
  const unsigned long long apart = reinterpret_cast<unsigned long long>(t) | reinterpret_cast<unsigned long long>(f);
  unsigned long long done = 0;
  if ((apart & 15u) == 0) {
    for (unsigned long long k = rank; k < bytes / 16; k += threads)
      reinterpret_cast<uint4*>(t)[k] = reinterpret_cast<const uint4*>(f)[k];
    done = bytes & ~15ull;
  } else if ((apart & 3u) == 0) {
    for (unsigned long long k = rank; k < bytes / 4; k += threads)
      reinterpret_cast<unsigned*>(t)[k] = reinterpret_cast<const unsigned*>(f)[k];
    done = bytes & ~3ull;
  }
  for (unsigned long long k = done + rank; k < bytes; k += threads) t[k] = f[k];
}
}  // namespace detail

// Bytes.
template <class G, class T, class N>
__device__ __forceinline__ void memcpy_async(const G& g, T* to, const T* from, const N& bytes) {
  detail::copy(g, to, from, static_cast<unsigned long long>(bytes));
}
template <class G, class N>
__device__ __forceinline__ void memcpy_async(const G& g, void* to, const void* from, const N& bytes) {
  detail::copy(g, to, from, static_cast<unsigned long long>(bytes));
}
// Elements: as many as both sides have.
template <class G, class T, class N, class M>
__device__ __forceinline__ void memcpy_async(const G& g, T* to, const N& room, const T* from, const M& count) {
  const unsigned long long a = static_cast<unsigned long long>(room), b = static_cast<unsigned long long>(count);
  detail::copy(g, to, from, (a < b ? a : b) * sizeof(T));
}
template <class G> __device__ __forceinline__ void wait(const G& g) { g.sync(); }
template <unsigned Stages, class G> __device__ __forceinline__ void wait_prior(const G& g) { g.sync(); }

}  // namespace cg
}  // namespace tranship
