#pragma once
#include "gemm-result.h"

namespace palestra::cuda {

/**
 * `extent` rows of a factor by `gemm_depth` of k, which a block copies to shared memory again and again. The rows are
 * stored in lines of 128 bytes: line l has its 16-byte chunk c at place c ^ (l % 8), so that neither copies nor
 * ldmatrix cause bank conflicts. A line is a row of the factor. For a transposed factor, a line is 64 rows at one k,
 * and each 64 rows have a panel of `gemm_depth` lines.
 */
template <int extent, bool turned, bool aligned, int threads>
class GemmOperand {
 public:
  static constexpr int bytes = extent * gemm_depth * 2;

  /**
   * @param row, rows first row, and number of rows of the factor
   * @param k, depth first k, and its end
   */
  DEVICE GemmOperand(const bf16* data, int64_t stride, int row, int rows, int k, int depth)
      : from_(data), stride_(stride) {
    const int thread = static_cast<int>(threadIdx.x), line = thread / line_chunks, chunk = thread % line_chunks;
    const int first = turned ? k : row, inner = (turned ? row : k) + chunk * chunk_elements;
    from_ += (first + line) * stride + inner;
    lines_left_ = (turned ? depth : rows) - first - line;
    inner_left_ = (turned ? rows : depth) - inner;
    place_ = chunk / 8 * panel_bytes + line * line_bytes + (((chunk ^ line) % 8) << 4);
  }

  /** Starts to copy this thread's share of the next `gemm_depth` of k. Values outside of the factor become 0. */
  DEVICE void load(char* shared) {
    const int there = inner_left_ <= 0 ? 0 : inner_left_ < chunk_elements ? inner_left_ : chunk_elements;
#pragma unroll
    for (int part = 0; part < extent * gemm_depth / chunk_elements / threads; ++part) {
      const int valid = lines_left_ > part * lines_at_once ? there : 0;
      const bf16* from = from_ + part * lines_at_once * stride_;
      char* to = shared + place_ + part * lines_at_once * line_bytes;
      if (aligned) {
        simt::copy_async(to, from, valid * 2);
      } else {
        copy_elements(to, from, valid);
      }
    }
    from_ += turned ? gemm_depth * stride_ : gemm_depth;
    (turned ? lines_left_ : inner_left_) -= gemm_depth;
  }

  /**
   * Reads a fragment of 16 rows from `row` on, at step `step` of 16 of k, for `multiply_bf16`. The four 8 x 8 matrices
   * of the fragment go down the rows first for a left factor, and along k first for a right factor. For a right factor,
   * r[0] and r[1] are b of the first 8 rows (columns of c), and r[2] and r[3] of the next 8. Warp.
   */
  template <bool left>
  DEVICE static void fragment(uint32_t (&r)[4], const char* shared, int row, int step) {
    using namespace simt;
    const int lane = lane_index(), matrix = lane / 8, key = lane % 8;
    const int down = left ? matrix % 2 : matrix / 2, deep = left ? matrix / 2 : matrix % 2;
    if (turned) {
      const int from = row + down * 8;
      const char* line = shared + from / 64 * panel_bytes + (step * 16 + deep * 8 + key) * line_bytes;
      load_matrices_transposed(r, line + ((from % 64 / 8 ^ key) << 4));
    } else {
      const char* line = shared + (row + down * 8 + key) * line_bytes;
      load_matrices(r, line + (((step * 2) ^ (deep ^ key)) << 4));
    }
  }

 private:
  static constexpr int chunk_elements = 8;
  static constexpr int line_bytes = 128;
  static constexpr int panel_bytes = gemm_depth * line_bytes;
  /** Number of adjacent chunks in a line of the factor, loaded by as many threads. */
  static constexpr int line_chunks = (turned ? extent : gemm_depth) / chunk_elements;
  static constexpr int lines_at_once = threads / line_chunks;
  static_assert(lines_at_once % 8 == 0 && (turned ? gemm_depth : extent) % lines_at_once == 0 && extent % 16 == 0,
                "threads have equal shares, at the same place of a line");
  static_assert(!turned || extent % 64 == 0, "panels are whole");

  DEVICE static void copy_elements(char* to, const bf16* from, int valid) {
    GemmChunk chunk = {};
#pragma unroll
    for (int i = 0; i < chunk_elements; ++i) {
      if (i < valid) chunk.words[i / 2] |= static_cast<uint32_t>(from[i].bits) << (i % 2 * 16);
    }
    *reinterpret_cast<GemmChunk*>(to) = chunk;
  }

  const bf16* from_;
  const int64_t stride_;
  int lines_left_;
  int inner_left_;
  /** Offset of this thread's first chunk in shared memory. */
  int place_;
};

}  // namespace palestra::cuda
