// tranship/compat_rtc.hpp: NVRTC calls whose arguments hipRTC takes in another form.
//
// provides: tranship::compat_rtc:: create_program, compile_program. Used by the header of `tranship compat`.
// exactness: same calls; the options are the compiler's own, so NVRTC's must be changed by hand.
// limits: none known.
// unnecessary since: never.
#pragma once

#include <hip/hip_runtime.h>
#include <hip/hiprtc.h>

namespace tranship {
namespace compat_rtc {

inline hiprtcResult create_program(hiprtcProgram* program, const char* source, const char* name, int count,
                                   const char* const* headers, const char* const* names) {
  return hiprtcCreateProgram(program, source, name, count, const_cast<const char**>(headers), const_cast<const char**>(names));
}
inline hiprtcResult compile_program(hiprtcProgram program, int count, const char* const* options) {
  return hiprtcCompileProgram(program, count, const_cast<const char**>(options));
}

}  // namespace compat_rtc
}  // namespace tranship
