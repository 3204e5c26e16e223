#pragma once
#include "paged-pages.h"
#include "paged-softmax.h"

/** Tensor-core products over a step's pages for `paged_attention`. For kernels. */
namespace palestra::cuda::paged {

/** Computes scores (16, step_positions) = q k^T. */
template <class S>
DEVICE void multiply_keys(float (&scores)[S::key_tiles][4], const uint32_t (&q)[S::head_size / 16][4],
                          const char* stage) {
  const int lane = lane_index();
  for (int tile = 0; tile < S::key_tiles; ++tile) {
    for (int i = 0; i < 4; ++i) scores[tile][i] = 0;
    const char* const page = stage + tile / 2 * S::head_bytes;
    for (int part = 0; part < S::units / 4; ++part) {
      uint32_t k[4];
      load_matrices(k, page + S::place(tile % 2 * 8 + lane % 8, lane / 8, 4 * part));
      if constexpr (S::fp8) {
        for (int i = 0; i < 4; ++i) {
          uint32_t pairs[2];
          unpack_fp8(pairs, k[i]);
          multiply_bf16(scores[tile], q[4 * part + i], pairs);
        }
      } else {
        multiply_bf16(scores[tile], q[2 * part], {k[0], k[1]});
        multiply_bf16(scores[tile], q[2 * part + 1], {k[2], k[3]});
      }
    }
  }
}

/**
 * Computes out (16, head_size) += p (16, step_positions) v. In bf16 a lane has tiles (16, 8) of adjacent columns of
 * out. In fp8, of every 16 columns, the even ones are in one tile and the odd ones in the next.
 */
template <class S>
DEVICE void multiply_values(float (&out)[S::head_size / 8][4], const float (&p)[S::key_tiles][4], const char* stage) {
  const int lane = lane_index();
  for (int i = 0; i < S::step_pages; ++i) {
    const float(&low)[4] = p[2 * i], (&high)[4] = p[2 * i + 1];
    const uint32_t weights[4] = {pack_bf16(low[0], low[1]), pack_bf16(low[2], low[3]), pack_bf16(high[0], high[1]),
                                 pack_bf16(high[2], high[3])};
    for (int part = 0; part < S::units / 2; ++part) {
      uint32_t v[4];
      load_matrices_transposed(
          v, stage + i * S::head_bytes + S::place(positions_of_page + lane % 16, lane / 16, 2 * part));
      if constexpr (S::fp8) {
        for (int unit = 0; unit < 2; ++unit) {
          uint32_t upper[2], lower[2];
          unpack_fp8(upper, v[2 * unit]);
          unpack_fp8(lower, v[2 * unit + 1]);
          multiply_bf16(out[4 * part + 2 * unit], weights, {upper[0], lower[0]});
          multiply_bf16(out[4 * part + 2 * unit + 1], weights, {upper[1], lower[1]});
        }
      } else {
        multiply_bf16(out[2 * part], weights, {v[0], v[1]});
        multiply_bf16(out[2 * part + 1], weights, {v[2], v[3]});
      }
    }
  }
}

/**
 * Attention of a warp's 16 queries over some keys. The state is the largest score, the sum of weights and the weighted
 * sum of values.
 */
template <class S>
struct Sums {
  float top[2] = {lowest_score, lowest_score};
  float sum[2] = {0, 0};
  float out[S::head_size / 8][4] = {};

  /** Adds the keys from position `first_key` on, as in FlashAttention 2 (Dao 2023), algorithm 1. */
  DEVICE void add_step(const uint32_t (&q)[S::head_size / 16][4], const char* stage, int first_key,
                       const int (&position)[2], float scale) {
    float scores[S::key_tiles][4];
    multiply_keys<S>(scores, q, stage);
    const int t = lane_index() % 4;
    for (int tile = 0; tile < S::key_tiles; ++tile) {
      float scales[2] = {scale, scale};
      if constexpr (S::fp8) {
        const PairOf<float> of_keys = scales_of(stage, tile, 0);
        scales[0] *= of_keys.low;
        scales[1] *= of_keys.high;
      }
      for (int i = 0; i < 4; ++i) {
        const int key = first_key + 8 * tile + 2 * t + i % 2;
        scores[tile][i] = key <= position[i / 2] ? scores[tile][i] * scales[i % 2] : lowest_score;
      }
    }
    for (int half = 0; half < 2; ++half) weigh(scores, half);
    if constexpr (S::fp8) {
      for (int tile = 0; tile < S::key_tiles; ++tile) {
        const PairOf<float> of_values = scales_of(stage, tile, positions_of_page);
        for (int i = 0; i < 4; ++i) scores[tile][i] *= i % 2 ? of_values.high : of_values.low;
      }
    }
    multiply_values<S>(out, scores, stage);
  }

  /**
   * Turns the scores of one of the two queries into weights. Keys that the query must not see get weight 0. Rescales
   * the sums to the new top.
   */
  DEVICE void weigh(float (&scores)[S::key_tiles][4], int half) {
    float highest = top[half];
    for (int tile = 0; tile < S::key_tiles; ++tile) {
      for (int i = 2 * half; i < 2 * half + 2; ++i) highest = scores[tile][i] > highest ? scores[tile][i] : highest;
    }
    for (int mask = 1; mask < 4; mask *= 2) {
      const float other = shuffle_xor(highest, mask);
      highest = other > highest ? other : highest;
    }
    const float reference = highest == lowest_score ? 0 : highest;
    const float kept = exp2_fast(top[half] - reference);
    top[half] = highest;
    sum[half] *= kept;
    for (int tile = 0; tile < S::key_tiles; ++tile) {
      for (int i = 2 * half; i < 2 * half + 2; ++i) {
        scores[tile][i] = exp2_fast(scores[tile][i] - reference);
        sum[half] += scores[tile][i];
      }
    }
    for (int tile = 0; tile < S::head_size / 8; ++tile) {
      out[tile][2 * half] *= kept;
      out[tile][2 * half + 1] *= kept;
    }
  }

  /** Adds up the four lanes of a query. Before this call, each lane has the sum over its own keys. */
  DEVICE void add_lanes() {
    for (float& value : sum) {
      value += shuffle_xor(value, 1);
      value += shuffle_xor(value, 2);
    }
  }

  /**
   * Merges the sums over the earlier chunks. A query that sees no key of this chunk keeps the earlier sums unchanged.
   */
  DEVICE void merge(const float* kept) {
    for (int half = 0; half < 2; ++half) {
      float before = kept[half * warp_size], sum_before = kept[(2 + half) * warp_size];
      const MergeFactors factors = merge_chunk(before, sum_before, top[half], sum[half]);
      top[half] = before;
      sum[half] = sum_before;
      for (int tile = 0; tile < S::head_size / 8; ++tile) {
        for (int i = 2 * half; i < 2 * half + 2; ++i) {
          out[tile][i] = fmaf(kept[(4 + 4 * tile + i) * warp_size], factors.kept, out[tile][i] * factors.added);
        }
      }
    }
  }
  DEVICE void keep(float* to) const {
    for (int half = 0; half < 2; ++half) {
      to[half * warp_size] = top[half];
      to[(2 + half) * warp_size] = sum[half];
    }
    for (int tile = 0; tile < S::head_size / 8; ++tile) {
      for (int i = 0; i < 4; ++i) to[(4 + 4 * tile + i) * warp_size] = out[tile][i];
    }
  }

  /** Calls take(column, two adjacent elements of out) for all elements of a query in this lane. */
  template <class Take>
  DEVICE void each_pair(int half, const Take& take) const {
    const int t = lane_index() % 4;
    for (int tile = 0; tile < S::head_size / 8; tile += 2) {
      for (int i = 0; i < 2; ++i) {
        if constexpr (S::fp8) {
          take(8 * tile + 4 * t + 2 * i, out[tile][2 * half + i], out[tile + 1][2 * half + i]);
        } else {
          take(8 * (tile + i) + 2 * t, out[tile + i][2 * half], out[tile + i][2 * half + 1]);
        }
      }
    }
  }

 private:
  /** Scales of the keys, or of the values when `from` is 16, whose weights this lane has. */
  DEVICE static PairOf<float> scales_of(const char* stage, int tile, int from) {
    const auto* const scales = reinterpret_cast<const float*>(stage + tile / 2 * S::head_bytes + S::scales());
    return *reinterpret_cast<const PairOf<float>*>(scales + from + tile % 2 * 8 + lane_index() % 4 * 2);
  }
};

}  // namespace palestra::cuda::paged
