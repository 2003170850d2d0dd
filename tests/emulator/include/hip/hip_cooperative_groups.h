// The part of HIP's cooperative groups that tranship/cooperative_groups.hpp builds on. A grid of one block can
// synchronise; larger ones cannot, since the emulator runs one block after another.
#pragma once
#include "hip_runtime.h"

namespace cooperative_groups {
struct grid_group {
  void sync() const {
    if (gridDim.x * gridDim.y * gridDim.z != 1) fprintf(stderr, "emulator: a grid of several blocks cannot synchronise\n"), exit(3);
    __syncthreads();
  }
  bool is_valid() const { return true; }
};
inline grid_group this_grid() { return {}; }
}  // namespace cooperative_groups
