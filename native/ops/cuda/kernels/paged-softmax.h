#pragma once
#include <limits>

#include "simt.h"

namespace palestra::cuda {

constexpr float lowest_score = -std::numeric_limits<float>::infinity();

/** Of values that go through one instruction. */
template <class T>
struct alignas(2 * sizeof(T)) PairOf {
  T low, high;
};

/** By what the sum over earlier chunks is multiplied, and by what that of a chunk, before one is added to the other. */
struct MergeFactors {
  float kept;
  float added;
};

/**
 * Takes a chunk's top and sum of a row into those of the chunks before it; the first chunk's are taken as they are.
 * Products are added by `fmaf` alone, here and where outputs are, so that all who merge get the same bits.
 */
DEVICE MergeFactors merge_chunk(float& top, float& sum, float chunk_top, float chunk_sum) {
  const float highest = chunk_top > top ? chunk_top : top;
  const MergeFactors factors{simt::exp2_fast(top - highest), simt::exp2_fast(chunk_top - highest)};
  top = highest;
  sum = fmaf(sum, factors.kept, chunk_sum * factors.added);
  return factors;
}

}  // namespace palestra::cuda
