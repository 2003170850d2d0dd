// tranship/half_math.hpp: CUDA's 16-bit functions that take __half or bfloat16 alike.
//
// provides: all of fp16.hpp and bf16.hpp, for names that CUDA overloads on both types.
// exactness: as fp16.hpp and bf16.hpp say.
// limits: as fp16.hpp and bf16.hpp say.
// unnecessary since: never.
#pragma once

#include "bf16.hpp"
#include "fp16.hpp"
