// In place of the shim: CUDA's own cooperative groups under the shim's namespace.
#pragma once
#include <hip/hip_runtime.h>

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace tranship {
namespace cg = ::cooperative_groups;
}
