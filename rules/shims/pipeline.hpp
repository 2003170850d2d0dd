// tranship/pipeline.hpp: CUDA's pipeline primitives, done at once.
//
// provides: pipeline_memcpy_async, pipeline_commit, pipeline_wait_prior.
// exactness: a copy is finished when the call returns, so that every wait holds. Other threads see the data after the
//   barrier that CUDA asks for too.
// limits: nothing overlaps: gfx950's direct loads into LDS are not used. pipeline_arrive_on (mbarrier) is not here.
// unnecessary since: never.
#pragma once

#include <hip/hip_runtime.h>

namespace tranship {

// Copies size - zfill bytes (4, 8 or 16 in all) and clears the rest.
__device__ __forceinline__ void pipeline_memcpy_async(void* to, const void* from, size_t size, size_t zfill = 0) {
  if (zfill == 0 && size == 16) {
    *static_cast<uint4*>(to) = *static_cast<const uint4*>(from);
  } else if (zfill == 0 && size == 8) {
    *static_cast<uint2*>(to) = *static_cast<const uint2*>(from);
  } else if (zfill == 0 && size == 4) {
    *static_cast<unsigned*>(to) = *static_cast<const unsigned*>(from);
  } else {
    for (size_t k = 0; k < size; ++k)
      static_cast<unsigned char*>(to)[k] = k + zfill < size ? static_cast<const unsigned char*>(from)[k] : 0;
  }
}
__device__ __forceinline__ void pipeline_commit() {}
__device__ __forceinline__ void pipeline_wait_prior(size_t) {}

}  // namespace tranship
