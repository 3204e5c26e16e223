#pragma once
#include <cstdint>
#include <cstring>

namespace palestra {

/** Reads a value from unaligned bytes of a file. */
template <class T>
T load(const uint8_t* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

}  // namespace palestra
