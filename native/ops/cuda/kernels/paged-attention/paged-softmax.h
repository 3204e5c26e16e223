#pragma once
#include <limits>

#include "../simt/simt.h"

namespace palestra::cuda {

constexpr float lowest_score = -std::numeric_limits<float>::infinity();

/** Two values processed by one instruction. */
template <class T>
struct alignas(2 * sizeof(T)) PairOf {
  T low, high;
};

/** Factors of the sum over earlier chunks and of a chunk's sum, before they are added. */
struct MergeFactors {
  float kept;
  float added;
};

/**
 * Merges a chunk's top and sum of a row into those of the earlier chunks. The first chunk's top and sum are taken
 * unchanged. Products are added by `fmaf` only, here and in the outputs, so that all mergers get the same bits.
 */
DEVICE MergeFactors merge_chunk(float& top, float& sum, float chunk_top, float chunk_sum) {
  const float highest = chunk_top > top ? chunk_top : top;
  const MergeFactors factors{simt::exp2_fast(top - highest), simt::exp2_fast(chunk_top - highest)};
  top = highest;
  sum = fmaf(sum, factors.kept, chunk_sum * factors.added);
  return factors;
}

}  // namespace palestra::cuda
