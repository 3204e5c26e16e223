#pragma once
#include <cmath>
#include <cstdint>

#include "chunk.h"
#include "sampling.h"

namespace palestra::cuda {

/** Neighbouring tokens that a lane takes at once. */
constexpr int tokens_at_once = chunk_size<float>;
constexpr float no_height = -INFINITY;

/**
 * Tokens in the order of the vocabulary, with heights as head.h has them, minus infinity where one may not be drawn:
 * all those of a row of logits, or the listed ones, of which the heights themselves are known (highest 0, factor 1).
 */
struct Tokens {
  const float* values;      // (count)
  const int32_t* numbers;   // (count): which they are; null: all in turn
  const uint32_t* allowed;  // a bit each of all in turn; null: all
  int count;
  float highest;  // of the allowed ones
  float factor;
  /** `values` may be read 16 bytes at a time. */
  bool wide;

  DEVICE int number(int position) const { return numbers ? numbers[position] : position; }

  /** Of fours at `first`, which is a multiple of four, and every `step` further; none from `end` on. */
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

/** Positions from a multiple of four on. */
struct Range {
  int begin;
  int end;
};

/** The part of a warp of the block: parts follow each other as the warps do. */
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
