#pragma once
#include <cstdlib>
#include <string>

namespace palestra::cuda {

/** Returns an environment variable, or an empty string when it is not set. */
inline std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

/** Whether a variable turns its feature off, such as ENGINE_PDL=0. */
inline bool is_off(const char* name) { return variable(name) == "0"; }

}  // namespace palestra::cuda
