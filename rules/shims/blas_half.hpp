// tranship/blas_half.hpp: half-precision GEMM that takes __half, as cuBLAS does; hipBLAS takes its own hipblasHalf.
//
// provides: hgemm, hgemm_batched, hgemm_strided_batched, with cuBLAS's arguments.
// exactness: the call of hipBLAS; both types hold the same 16 bits.
// limits: none.
// unnecessary since: never (hipBLAS takes __half where HIPBLAS_USE_HIP_HALF is defined before its header).
#pragma once

#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>
#include <hipblas/hipblas.h>

namespace tranship {
namespace detail {

inline const hipblasHalf* blas_half(const __half* p) { return reinterpret_cast<const hipblasHalf*>(p); }
inline hipblasHalf* blas_half(__half* p) { return reinterpret_cast<hipblasHalf*>(p); }
inline const hipblasHalf* const* blas_halves(const __half* const* p) {
  return reinterpret_cast<const hipblasHalf* const*>(p);
}
inline hipblasHalf* const* blas_halves_out(__half* const* p) { return reinterpret_cast<hipblasHalf* const*>(p); }

}  // namespace detail

inline hipblasStatus_t hgemm(hipblasHandle_t handle, hipblasOperation_t ta, hipblasOperation_t tb, int m, int n, int k,
                             const __half* alpha, const __half* a, int lda, const __half* b, int ldb,
                             const __half* beta, __half* c, int ldc) {
  using detail::blas_half;
  return hipblasHgemm(handle, ta, tb, m, n, k, blas_half(alpha), blas_half(a), lda, blas_half(b), ldb,
                      blas_half(beta), blas_half(c), ldc);
}

inline hipblasStatus_t hgemm_batched(hipblasHandle_t handle, hipblasOperation_t ta, hipblasOperation_t tb, int m, int n,
                                     int k, const __half* alpha, const __half* const a[], int lda,
                                     const __half* const b[], int ldb, const __half* beta, __half* const c[], int ldc,
                                     int count) {
  using namespace detail;
  return hipblasHgemmBatched(handle, ta, tb, m, n, k, blas_half(alpha), blas_halves(a), lda, blas_halves(b), ldb,
                             blas_half(beta), blas_halves_out(c), ldc, count);
}

inline hipblasStatus_t hgemm_strided_batched(hipblasHandle_t handle, hipblasOperation_t ta, hipblasOperation_t tb,
                                             int m, int n, int k, const __half* alpha, const __half* a, int lda,
                                             long long stride_a, const __half* b, int ldb, long long stride_b,
                                             const __half* beta, __half* c, int ldc, long long stride_c, int count) {
  using detail::blas_half;
  return hipblasHgemmStridedBatched(handle, ta, tb, m, n, k, blas_half(alpha), blas_half(a), lda, stride_a,
                                    blas_half(b), ldb, stride_b, blas_half(beta), blas_half(c), ldc, stride_c, count);
}

}  // namespace tranship
