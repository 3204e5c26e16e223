#pragma once
#include <cstdlib>
#include <string>

namespace palestra::cuda {

/** A variable of the environment; one that is not set is empty. */
inline std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

/** Whether a variable leaves off what it names: ENGINE_PDL=0. */
inline bool is_off(const char* name) { return variable(name) == "0"; }

}  // namespace palestra::cuda
