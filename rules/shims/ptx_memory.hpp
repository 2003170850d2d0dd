// tranship/ptx_memory.hpp: PTX loads, stores, atomics and copies.
//
// provides: tranship::ptx:: at, at_shared (addresses); ld, ld_volatile, ld_stream, ld_relaxed, ld_acquire and st_*, each
//   with a _vector form; atom_add, atom_min, atom_max, atom_and, atom_or, atom_xor, atom_inc, atom_dec, atom_exch,
//   atom_cas; cp_async; to_shared, from_shared, generic_to_shared,
//   shared_to_generic, generic_to_global, global_to_generic; is_shared, is_local, is_global; scopes cta, gpu, sys and orders.
// exactness: same values. A vector access is one access for each element, as PTX's memory model has it. ld.cg and ld.cv
//   become relaxed loads at device and system scope, which the first-level cache does not serve stale.
// limits: eviction and prefetch hints are dropped. An address in shared memory is the 32-bit offset in LDS.
// unnecessary since: never.
#pragma once

#include <hip/hip_runtime.h>

#include "ptx.hpp"

namespace tranship {
namespace ptx {

constexpr int cta = __HIP_MEMORY_SCOPE_WORKGROUP, gpu = __HIP_MEMORY_SCOPE_AGENT, sys = __HIP_MEMORY_SCOPE_SYSTEM;
constexpr int relaxed = __ATOMIC_RELAXED, acquire = __ATOMIC_ACQUIRE, release = __ATOMIC_RELEASE, acq_rel = __ATOMIC_ACQ_REL;

// ---- addresses

#if defined(__HIP_EMULATOR__)
// The tests' emulator has one address space and its own pair of conversions.
__device__ __forceinline__ unsigned long long to_shared(unsigned long long generic) { return emu::shared_offset(generic); }
__device__ __forceinline__ unsigned long long from_shared(unsigned long long offset) { return emu::shared_address(offset); }
#else
__device__ __forceinline__ unsigned long long to_shared(unsigned long long generic) {
  using lds = __attribute__((address_space(3))) char;
  return reinterpret_cast<unsigned long long>((lds*)(reinterpret_cast<char*>(generic)));
}
__device__ __forceinline__ unsigned long long from_shared(unsigned long long offset) {
  using lds = __attribute__((address_space(3))) char;
  return reinterpret_cast<unsigned long long>((char*)(reinterpret_cast<lds*>(offset)));
}
#endif

// __cvta_generic_to_shared and its kin.
__device__ __forceinline__ size_t generic_to_shared(const void* p) { return to_shared(bits64(p)); }
__device__ __forceinline__ void* shared_to_generic(size_t offset) { return reinterpret_cast<void*>(from_shared(offset)); }
__device__ __forceinline__ size_t generic_to_global(const void* p) { return bits64(p); }
__device__ __forceinline__ void* global_to_generic(size_t p) { return reinterpret_cast<void*>(p); }

__device__ __forceinline__ char* at(unsigned long long address, long long offset = 0) {
  return reinterpret_cast<char*>(address) + offset;
}
__device__ __forceinline__ char* at_shared(unsigned long long address, long long offset = 0) {
  return reinterpret_cast<char*>(from_shared(address)) + offset;
}
__device__ __forceinline__ bool is_shared(unsigned long long p) { return __builtin_amdgcn_is_shared(at(p)); }
__device__ __forceinline__ bool is_local(unsigned long long p) { return __builtin_amdgcn_is_private(at(p)); }
__device__ __forceinline__ bool is_global(unsigned long long p) { return !is_shared(p) && !is_local(p); }

namespace detail {

template <class T> __device__ __forceinline__ T* typed(char* p) { return reinterpret_cast<T*>(p); }

// The integer that an atomic access of T moves; a float goes as its bits.
template <class T> struct atomic_as { using type = T; };
template <> struct atomic_as<float> { using type = unsigned; };
template <> struct atomic_as<double> { using type = unsigned long long; };
template <class T> using atomic_t = typename atomic_as<T>::type;
template <class To, class From> __device__ __forceinline__ To bits(const From& v) {
  static_assert(sizeof(To) == sizeof(From), "");
  To r;
  __builtin_memcpy(static_cast<void*>(&r), static_cast<const void*>(&v), sizeof(To));
  return r;
}

// Loads as types, so that one function serves every vector.
template <class T> struct plain {
  static __device__ __forceinline__ T get(char* p) { return *typed<const T>(p); }
  static __device__ __forceinline__ void put(char* p, T v) { *typed<T>(p) = v; }
};
template <class T> struct hard {
  static __device__ __forceinline__ T get(char* p) { return *typed<const volatile T>(p); }
  static __device__ __forceinline__ void put(char* p, T v) { *typed<volatile T>(p) = v; }
};
template <class T> struct stream {
  static __device__ __forceinline__ T get(char* p) { return __builtin_nontemporal_load(typed<const T>(p)); }
  static __device__ __forceinline__ void put(char* p, T v) { __builtin_nontemporal_store(v, typed<T>(p)); }
};
template <class T, int Order, int Scope> struct ordered {
  using I = atomic_t<T>;
  static __device__ __forceinline__ T get(char* p) { return bits<T>(__hip_atomic_load(typed<I>(p), Order, Scope)); }
  static __device__ __forceinline__ void put(char* p, T v) { __hip_atomic_store(typed<I>(p), bits<I>(v), Order, Scope); }
};

template <class T, class How, class A, class B> __device__ __forceinline__ void get(char* p, A& a, B& b) {
  const T x = How::get(p), y = How::get(p + sizeof(T));
  set(a, x), set(b, y);
}
template <class T, class How, class A, class B, class C, class D>
__device__ __forceinline__ void get(char* p, A& a, B& b, C& c, D& d) {
  const T x = How::get(p), y = How::get(p + sizeof(T)), z = How::get(p + 2 * sizeof(T)), w = How::get(p + 3 * sizeof(T));
  set(a, x), set(b, y), set(c, z), set(d, w);
}
template <class T, class How> __device__ __forceinline__ void put(char* p, T a, T b) {
  How::put(p, a), How::put(p + sizeof(T), b);
}
template <class T, class How> __device__ __forceinline__ void put(char* p, T a, T b, T c, T d) {
  put<T, How>(p, a, b), put<T, How>(p + 2 * sizeof(T), c, d);
}

// A plain vector as one access: PTX wants it aligned to its size, which lets the compiler use a wide instruction.
template <class T, unsigned N> struct alignas(N * sizeof(T)) wide {
  T v[N];
};

}  // namespace detail

// ---- loads

template <class T> __device__ __forceinline__ T ld(char* p) { return detail::plain<T>::get(p); }
template <class T> __device__ __forceinline__ T ld_volatile(char* p) { return detail::hard<T>::get(p); }
template <class T> __device__ __forceinline__ T ld_stream(char* p) { return detail::stream<T>::get(p); }
template <class T, int Scope> __device__ __forceinline__ T ld_relaxed(char* p) { return detail::ordered<T, relaxed, Scope>::get(p); }
template <class T, int Scope> __device__ __forceinline__ T ld_acquire(char* p) { return detail::ordered<T, acquire, Scope>::get(p); }

template <class T, class A, class B> __device__ __forceinline__ void ld_vector(char* p, A& a, B& b) {
  const detail::wide<T, 2> w = *detail::typed<const detail::wide<T, 2>>(p);
  set(a, w.v[0]), set(b, w.v[1]);
}
template <class T, class A, class B, class C, class D>
__device__ __forceinline__ void ld_vector(char* p, A& a, B& b, C& c, D& d) {
  const detail::wide<T, 4> w = *detail::typed<const detail::wide<T, 4>>(p);
  set(a, w.v[0]), set(b, w.v[1]), set(c, w.v[2]), set(d, w.v[3]);
}
template <class T, class... D> __device__ __forceinline__ void ld_volatile_vector(char* p, D&... to) {
  detail::get<T, detail::hard<T>>(p, to...);
}
template <class T, class... D> __device__ __forceinline__ void ld_stream_vector(char* p, D&... to) {
  detail::get<T, detail::stream<T>>(p, to...);
}
template <class T, int Scope, class... D> __device__ __forceinline__ void ld_relaxed_vector(char* p, D&... to) {
  detail::get<T, detail::ordered<T, relaxed, Scope>>(p, to...);
}
// The loads are relaxed and the fence after them orders what follows.
template <class T, int Scope, class... D> __device__ __forceinline__ void ld_acquire_vector(char* p, D&... to) {
  detail::get<T, detail::ordered<T, relaxed, Scope>>(p, to...);
  if (Scope == cta) __threadfence_block();
  else if (Scope == gpu) __threadfence();
  else __threadfence_system();
}

// ---- stores

template <class T> __device__ __forceinline__ void st(char* p, T v) { detail::plain<T>::put(p, v); }
template <class T> __device__ __forceinline__ void st_volatile(char* p, T v) { detail::hard<T>::put(p, v); }
template <class T> __device__ __forceinline__ void st_stream(char* p, T v) { detail::stream<T>::put(p, v); }
template <class T, int Scope> __device__ __forceinline__ void st_relaxed(char* p, T v) { detail::ordered<T, relaxed, Scope>::put(p, v); }
template <class T, int Scope> __device__ __forceinline__ void st_release(char* p, T v) { detail::ordered<T, release, Scope>::put(p, v); }

template <class T> __device__ __forceinline__ void st_vector(char* p, T a, T b) {
  *detail::typed<detail::wide<T, 2>>(p) = detail::wide<T, 2>{{a, b}};
}
template <class T> __device__ __forceinline__ void st_vector(char* p, T a, T b, T c, T d) {
  *detail::typed<detail::wide<T, 4>>(p) = detail::wide<T, 4>{{a, b, c, d}};
}
template <class T, class... V> __device__ __forceinline__ void st_volatile_vector(char* p, V... v) {
  detail::put<T, detail::hard<T>>(p, static_cast<T>(v)...);
}
template <class T, int Scope, class... V> __device__ __forceinline__ void st_relaxed_vector(char* p, V... v) {
  detail::put<T, detail::ordered<T, relaxed, Scope>>(p, static_cast<T>(v)...);
}
template <class T, int Scope, class... V> __device__ __forceinline__ void st_release_vector(char* p, V... v) {
  if (Scope == cta) __threadfence_block();
  else if (Scope == gpu) __threadfence();
  else __threadfence_system();
  detail::put<T, detail::ordered<T, relaxed, Scope>>(p, static_cast<T>(v)...);
}

// ---- atomics

#define TRANSHIP_PTX_ATOM(name, function)                                                         \
  template <class T, int Order, int Scope> __device__ __forceinline__ T name(char* p, T v) {      \
    return function(detail::typed<T>(p), v, Order, Scope);                                        \
  }
TRANSHIP_PTX_ATOM(atom_add, __hip_atomic_fetch_add)
TRANSHIP_PTX_ATOM(atom_min, __hip_atomic_fetch_min)
TRANSHIP_PTX_ATOM(atom_max, __hip_atomic_fetch_max)
TRANSHIP_PTX_ATOM(atom_and, __hip_atomic_fetch_and)
TRANSHIP_PTX_ATOM(atom_or, __hip_atomic_fetch_or)
TRANSHIP_PTX_ATOM(atom_xor, __hip_atomic_fetch_xor)
TRANSHIP_PTX_ATOM(atom_exch, __hip_atomic_exchange)
#undef TRANSHIP_PTX_ATOM

namespace detail {
// The order of a failed compare-and-swap has no release in it.
constexpr int on_failure(int order) { return order == release ? relaxed : order == acq_rel ? acquire : order; }
// Memory of 32 bits that holds a 16-bit value: PTX swaps 16 bits, AMD 32 or 64.
template <int Order, int Scope> __device__ __forceinline__ unsigned short cas16(char* p, unsigned short want, unsigned short v) {
  const unsigned long long address = reinterpret_cast<unsigned long long>(p);
  unsigned* word = reinterpret_cast<unsigned*>(address & ~3ull);
  const unsigned shift = static_cast<unsigned>(address & 2u) * 8u;
  unsigned seen = __hip_atomic_load(word, relaxed, Scope);
  for (;;) {
    const unsigned short held = static_cast<unsigned short>(seen >> shift);
    if (held != want) return held;
    const unsigned next = (seen & ~(0xffffu << shift)) | (static_cast<unsigned>(v) << shift);
    if (__hip_atomic_compare_exchange_strong(word, &seen, next, Order, on_failure(Order), Scope)) return want;
  }
}
}  // namespace detail

template <class T, int Order, int Scope> __device__ __forceinline__ T atom_cas(char* p, T want, T v) {
  __hip_atomic_compare_exchange_strong(detail::typed<T>(p), &want, v, Order, detail::on_failure(Order), Scope);
  return want;
}
#define TRANSHIP_PTX_CAS16(order, scope)                                                                                   \
  template <> __device__ __forceinline__ unsigned short atom_cas<unsigned short, order, scope>(char* p, unsigned short want, unsigned short v) { \
    return detail::cas16<order, scope>(p, want, v);                                                                         \
  }
#define TRANSHIP_PTX_CAS16_ORDERS(scope) \
  TRANSHIP_PTX_CAS16(relaxed, scope) TRANSHIP_PTX_CAS16(acquire, scope) TRANSHIP_PTX_CAS16(release, scope) TRANSHIP_PTX_CAS16(acq_rel, scope)
TRANSHIP_PTX_CAS16_ORDERS(cta) TRANSHIP_PTX_CAS16_ORDERS(gpu) TRANSHIP_PTX_CAS16_ORDERS(sys)
#undef TRANSHIP_PTX_CAS16_ORDERS
#undef TRANSHIP_PTX_CAS16

// Up to a bound and then 0; down from a bound.
template <class T, int Order, int Scope, class F> __device__ __forceinline__ T atom_with(char* p, F next) {
  T seen = __hip_atomic_load(detail::typed<T>(p), relaxed, Scope);
  while (!__hip_atomic_compare_exchange_weak(detail::typed<T>(p), &seen, next(seen), Order, detail::on_failure(Order), Scope)) {
  }
  return seen;
}
template <class T, int Order, int Scope> __device__ __forceinline__ T atom_inc(char* p, T bound) {
  return atom_with<T, Order, Scope>(p, [=](T v) { return v >= bound ? T(0) : v + 1; });
}
template <class T, int Order, int Scope> __device__ __forceinline__ T atom_dec(char* p, T bound) {
  return atom_with<T, Order, Scope>(p, [=](T v) { return v == 0 || v > bound ? bound : v - 1; });
}

// ---- cp.async, done at once; bytes beyond `present` are zeros

template <unsigned Bytes> __device__ __forceinline__ void cp_async(char* to, const char* from) {
  static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16, "cp.async copies 4, 8 or 16 bytes");
  using block = detail::wide<unsigned, Bytes / 4>;
  *reinterpret_cast<block*>(to) = *reinterpret_cast<const block*>(from);
}
template <unsigned Bytes> __device__ __forceinline__ void cp_async(char* to, const char* from, unsigned present) {
  if (present >= Bytes) return cp_async<Bytes>(to, from);
  for (unsigned k = 0; k < Bytes; ++k) to[k] = k < present ? from[k] : char(0);
}

}  // namespace ptx
}  // namespace tranship
