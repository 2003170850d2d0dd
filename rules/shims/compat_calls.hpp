// tranship/compat_calls.hpp: CUDA runtime calls whose arguments HIP takes in another form.
//
// provides: tranship::compat:: func_set_cache_config, func_set_attribute, func_get_attributes, launch_kernel,
//   host_get_device_pointer, event_create, graph_instantiate, memcpy_htod, memcpy_htod_async. Used by the header of
//   `tranship compat`.
// exactness: same calls.
// limits: none known.
// unnecessary since: never.
#pragma once

#include <hip/hip_runtime.h>

namespace tranship {
namespace compat {
namespace detail {
template <class F> inline const void* address(F* kernel) { return reinterpret_cast<const void*>(kernel); }
}  // namespace detail

template <class F> inline hipError_t func_set_cache_config(F* kernel, hipFuncCache_t config) {
  return hipFuncSetCacheConfig(detail::address(kernel), config);
}
template <class F> inline hipError_t func_set_attribute(F* kernel, hipFuncAttribute attribute, int value) {
  return hipFuncSetAttribute(detail::address(kernel), attribute, value);
}
template <class F> inline hipError_t func_get_attributes(hipFuncAttributes* attributes, F* kernel) {
  return hipFuncGetAttributes(attributes, detail::address(kernel));
}
template <class F>
inline hipError_t launch_kernel(F* kernel, dim3 grid, dim3 block, void** arguments, size_t shared = 0, hipStream_t stream = nullptr) {
  return hipLaunchKernel(detail::address(kernel), grid, block, arguments, shared, stream);
}
template <class T> inline hipError_t host_get_device_pointer(T** device, void* host, unsigned flags) {
  return hipHostGetDevicePointer(reinterpret_cast<void**>(device), host, flags);
}

inline hipError_t event_create(hipEvent_t* event) { return hipEventCreate(event); }
inline hipError_t event_create(hipEvent_t* event, unsigned flags) { return hipEventCreateWithFlags(event, flags); }

inline hipError_t graph_instantiate(hipGraphExec_t* exec, hipGraph_t graph, unsigned long long flags = 0) {
  return hipGraphInstantiateWithFlags(exec, graph, flags);
}
inline hipError_t graph_instantiate(hipGraphExec_t* exec, hipGraph_t graph, hipGraphNode_t* node, char* log, size_t bytes) {
  return hipGraphInstantiate(exec, graph, node, log, bytes);
}

inline hipError_t memcpy_htod(hipDeviceptr_t to, const void* from, size_t bytes) {
  return hipMemcpyHtoD(to, const_cast<void*>(from), bytes);
}
inline hipError_t memcpy_htod_async(hipDeviceptr_t to, const void* from, size_t bytes, hipStream_t stream) {
  return hipMemcpyHtoDAsync(to, const_cast<void*>(from), bytes, stream);
}

}  // namespace compat
}  // namespace tranship
