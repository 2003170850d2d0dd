// tranship/host_math.hpp: mathematical functions that CUDA offers to host code and HIP to device code only.
//
// provides: rsqrt, rsqrtf, rcbrt, rcbrtf, sincospi, sincospif, exp10, exp10f for host code, by the C++ library.
// exactness: within a few units in the last place, as CUDA's own host versions.
// limits: exp10 by pow.
// unnecessary since: never.
#pragma once

#include <cmath>

#include <hip/hip_runtime.h>

namespace tranship {
namespace host {

inline float rsqrtf(float x) { return 1.0f / std::sqrt(x); }
inline double rsqrt(double x) { return 1.0 / std::sqrt(x); }
inline float rsqrt(float x) { return 1.0f / std::sqrt(x); }
inline float rcbrtf(float x) { return 1.0f / std::cbrt(x); }
inline double rcbrt(double x) { return 1.0 / std::cbrt(x); }
inline float exp10f(float x) { return std::pow(10.0f, x); }
inline double exp10(double x) { return std::pow(10.0, x); }
inline void sincospi(double x, double* s, double* c) {
  const double turn = std::fmod(x, 2.0) * 3.14159265358979323846;
  *s = std::sin(turn);
  *c = std::cos(turn);
}
inline void sincospif(float x, float* s, float* c) {
  double ds, dc;
  sincospi(static_cast<double>(x), &ds, &dc);
  *s = static_cast<float>(ds);
  *c = static_cast<float>(dc);
}

}  // namespace host
}  // namespace tranship
