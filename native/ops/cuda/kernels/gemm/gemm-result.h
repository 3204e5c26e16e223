#pragma once
#include "../simt/simt.h"
#include "gemm.h"

namespace palestra::cuda {

/** The unit of copies between memories. */
struct alignas(16) GemmChunk {
  uint32_t words[4];
};

DEVICE float gemm_element(const GemmMatrix& from, int64_t i) {
  return from.is_float ? static_cast<const float*>(from.data)[i] : to_float(static_cast<const bf16*>(from.data)[i]);
}

DEVICE void gemm_store(const GemmMatrix& to, int64_t i, float value) {
  if (to.is_float) {
    static_cast<float*>(to.data)[i] = value;
  } else {
    static_cast<bf16*>(to.data)[i] = simt::round_bf16(value);
  }
}

/** First row and column of a tile. */
struct GemmPlace {
  int row;
  int column;
};

/** Orders tiles down groups of eight, so that concurrent tiles share their reads in L2. */
template <int rows, int columns>
DEVICE GemmPlace gemm_place(int tile, int m, int n) {
  constexpr int group_rows = 8;
  const int down = gemm_parts(m, rows), across = gemm_parts(n, columns);
  const int group = tile / (group_rows * across), within = tile % (group_rows * across);
  const int left = down - group * group_rows, rows_here = left < group_rows ? left : group_rows;
  return {(group * group_rows + within % rows_here) * rows, within / rows_here * columns};
}

/** Number of adjacent sums of a row written together. */
constexpr int gemm_write_width = 8;
union GemmValues {
  GemmChunk chunks[2];
  float values[gemm_write_width];
};

/**
 * Adds the bias and writes the values to c, 16 bytes at a time when the alignment of the rows allows it. Values outside
 * of c are dropped.
 */
DEVICE void gemm_write_values(const GemmArguments& a, const GemmMatrix& result, int row, int column, GemmValues& sums) {
  if (row >= a.m || column >= a.n) return;
  const int there = a.n - column;
  if (a.bias) {
#pragma unroll
    for (int i = 0; i < gemm_write_width; ++i) sums.values[i] += i < there ? to_float(a.bias[column + i]) : 0;
  }
  const int64_t at = row * result.stride + column;
  if (there < gemm_write_width || !a.result_aligned) {
#pragma unroll
    for (int i = 0; i < gemm_write_width; ++i) {
      if (i < there) gemm_store(result, at + i, sums.values[i]);
    }
  } else if (result.is_float) {
    auto* to = reinterpret_cast<GemmChunk*>(static_cast<float*>(result.data) + at);
    to[0] = sums.chunks[0];
    to[1] = sums.chunks[1];
  } else {
    GemmChunk rounded;
#pragma unroll
    for (int i = 0; i < 4; ++i) rounded.words[i] = simt::pack_bf16(sums.values[2 * i], sums.values[2 * i + 1]);
    *reinterpret_cast<GemmChunk*>(static_cast<bf16*>(result.data) + at) = rounded;
  }
}

/** Transposes over four adjacent lanes: values[j] of lane t becomes values[t] of lane j. Warp. */
DEVICE void transpose_quad(float (&values)[4]) {
  using namespace simt;
  const int t = lane_index() % 4;
#pragma unroll
  for (int j = 0; j < 2; ++j) {
    const float got = shuffle_xor(t & 2 ? values[j] : values[j + 2], 2);
    (t & 2 ? values[j] : values[j + 2]) = got;
  }
#pragma unroll
  for (int j = 0; j < 4; j += 2) {
    const float got = shuffle_xor(t & 1 ? values[j] : values[j + 1], 1);
    (t & 1 ? values[j] : values[j + 1]) = got;
  }
}

}  // namespace palestra::cuda
