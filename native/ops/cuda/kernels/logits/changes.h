#pragma once
#include <cstdint>

namespace palestra::cuda {

constexpr int change_threads = 256;

/** `LogitChange` in the kernel's form. */
struct ChangedLogit {
  int64_t place;  // row * vocabulary + token
  float divisor;
  float addend;
};

/** One thread per change. */
struct ChangeLogits {
  float* logits;
  float* kept;                  // (count): the logits before the changes
  const ChangedLogit* changes;  // (count), each of another place
  int count;
  /** Whether the kept logits are put back instead. */
  bool restores;
};

}  // namespace palestra::cuda
