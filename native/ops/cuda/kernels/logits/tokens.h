#pragma once
#include <cmath>
#include <cstdint>

#include "../rows/chunk.h"
#include "sampling.h"

namespace palestra::cuda {

/** Number of adjacent tokens that a lane reads at once. */
constexpr int tokens_at_once = chunk_size<float>;
constexpr float no_height = -INFINITY;

/**
 * Tokens in the order of the vocabulary, with heights as in head.h. Tokens that must not be drawn have the height minus
 * infinity. The tokens are either all tokens of a row of logits, or listed ones whose values are heights already
 * (highest 0, factor 1).
 */
struct Tokens {
  const float* values;      // (count)
  const int32_t* numbers;   // (count): ids of the tokens; null: all, in order
  const uint32_t* allowed;  // one bit per token of the vocabulary; null: all allowed
  int count;
  float highest;  // among the allowed tokens
  float factor;
  /** Whether `values` may be read 16 bytes at a time. */
  bool wide;

  DEVICE int number(int position) const { return numbers ? numbers[position] : position; }

  /**
   * Reads groups of four tokens, at `first`, a multiple of four, and after that every `step`. Reads no group from `end`
   * on.
   */
  template <int fours>
  DEVICE void heights(float (&z)[fours][tokens_at_once], int first, int step, int end) const {
    if (wide) {
      for (int k = 0; k < fours; ++k) simt::load<true>(z[k], values + first + k * step, end - first - k * step);
    } else {
      for (int k = 0; k < fours; ++k) simt::load<false>(z[k], values + first + k * step, end - first - k * step);
    }
    for (int k = 0; k < fours; ++k) {
      const int at = first + k * step;
      const uint32_t bits = !allowed ? 15u : at < end ? allowed[at / 32] >> (at % 32) : 0;
      for (int j = 0; j < tokens_at_once; ++j) {
        z[k][j] = at + j < end && (bits >> j & 1) ? (z[k][j] - highest) * factor : no_height;
      }
    }
  }
};

/** A range of positions that begins at a multiple of four. */
struct Range {
  int begin;
  int end;
};

/** Returns a warp's part of the range. Parts follow each other in the order of the warps. */
DEVICE Range part_of(const Range& range, int warp) {
  constexpr int grain = sampling_warps * tokens_at_once;
  const int each = (range.end - range.begin + grain - 1) / grain * tokens_at_once;
  const int begin = range.begin + warp * each, end = begin + each;
  return {begin, end < range.end ? end : range.end};
}

/** Calls `visit(first, z)` for every four tokens of this lane in a part. */
template <class Visit>
DEVICE void visit_part(const Tokens& tokens, const Range& part, Visit&& visit) {
  constexpr int at_once = 4, step = simt::warp_size * tokens_at_once;
  for (int first = part.begin + simt::lane_index() * tokens_at_once; first < part.end; first += at_once * step) {
    float z[at_once][tokens_at_once];
    tokens.heights(z, first, step, part.end);
    for (int k = 0; k < at_once; ++k) visit(first + k * step, z[k]);
  }
}

}  // namespace palestra::cuda
