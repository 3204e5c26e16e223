#pragma once
#include <cstdint>
#include <cstring>

namespace palestra {

/** A value out of the bytes of a file, which promise no alignment. */
template <class T>
T load(const uint8_t* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

}  // namespace palestra
