// FlashAttention 2 (Dao 2023), algorithm 1. A block has 128 queries of a head, 32 per warp, and reads their keys and
// values in tiles of 64. Heads are adjacent in the grid, so that blocks that share keys and values read them from the
// L2 cache together. Tiles go from the last to the first, so that long rows come before short ones.
//
// FlashAttention 3 (Shah et al. 2024) on Hopper adds three techniques: warps that only copy (TMA), wgmma with both
// factors of the scores in shared memory, and the softmax of one half of a block during the products of the other half.
#include "flash-tiles.h"

namespace palestra::cuda::flash {

namespace {

/** Number of tiles of 16 queries per warp. */
constexpr int query_tiles = flash_query_rows / (flash_threads / warp_size) / 16;
constexpr int warp_rows = 16 * query_tiles;

/**
 * Keys and values in the order of reading: key tile 0, value tile 0, key tile 1, ... The tiles are in a ring of three,
 * with two in flight.
 */
template <int size>
struct Ring {
  static constexpr int tile_bytes = flash_key_rows * size * element_bytes;
  int tiles;  // (3), in shared memory
  const bf16* keys;
  /** Number of elements from a row's keys to its values. */
  int values;
  int stride;
  int rows;
  int key_tiles;
  /** The slot that is being read. */
  int slot;

  /** Starts to copy a tile of keys or values, if the tile exists. */
  DEVICE void begin(int key_tile, bool of_values, int to) {
    const int row = key_tile * flash_key_rows;
    if (key_tile < key_tiles) {
      const bf16* const from = keys + int64_t{row} * stride + (of_values ? values : 0);
      copy_tile<size, flash_key_rows>(tiles + to * tile_bytes, from, stride, rows - row);
    }
    commit_copies();
  }
  /**
   * Waits for the keys or values, and starts to copy the keys or values of the next tile into the slot read before.
   * Block.
   */
  DEVICE int next(int key_tile, bool of_values) {
    wait_for_copies<1>();
    __syncthreads();
    const int before = slot;
    slot = slot == 2 ? 0 : slot + 1;
    begin(key_tile + 1, of_values, before);
    return tiles + slot * tile_bytes;
  }
};

/** The running softmax of a warp's rows: row 16 i + 8 h + g, of lane 4 g + t, is [i][h]. */
struct Softmax {
  float max[query_tiles][2];
  /** Sum of each row. Until the end, the sum covers only this lane's columns. */
  float sum[query_tiles][2];
};

/**
 * Replaces scores by exp(scale * score - max) with the new maximum, and rescales the sums to the new maximum.
 *
 * @param scale log2(e) times the scale of the scores
 */
template <int n, int size>
DEVICE void soften(Softmax& softmax, float (&scores)[query_tiles][n][4], float (&out)[query_tiles][size / 8][4],
                   float scale) {
#pragma unroll
  for (int i = 0; i < query_tiles; ++i) {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      float highest = softmax.max[i][h];
#pragma unroll
      for (int j = 0; j < n; ++j) highest = fmaxf(highest, fmaxf(scores[i][j][2 * h], scores[i][j][2 * h + 1]));
      highest = row_max(highest);
      const float kept = exp2_fast((softmax.max[i][h] - highest) * scale), shift = highest * scale;
      softmax.max[i][h] = highest;
      float sum = 0;
#pragma unroll
      for (int j = 0; j < n; ++j) {
#pragma unroll
        for (int e = 2 * h; e < 2 * h + 2; ++e) {
          scores[i][j][e] = exp2_fast(scores[i][j][e] * scale - shift);
          sum += scores[i][j][e];
        }
      }
      softmax.sum[i][h] = softmax.sum[i][h] * kept + sum;
#pragma unroll
      for (int j = 0; j < size / 8; ++j) {
        out[i][j][2 * h] *= kept;
        out[i][j][2 * h + 1] *= kept;
      }
    }
  }
}

/** Sets the scores of keys after their query to minus infinity. @param first_row, first_key in the segment */
template <int n>
DEVICE void hide_future(float (&scores)[query_tiles][n][4], int first_row, int first_key) {
  const int lane = lane_index(), ahead = first_key + lane % 4 * 2 - first_row - lane / 4;
#pragma unroll
  for (int i = 0; i < query_tiles; ++i) {
#pragma unroll
    for (int j = 0; j < n; ++j) {
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        if (ahead + 8 * j + e % 2 > 16 * i + e / 2 * 8) scores[i][j][e] = -INFINITY;
      }
    }
  }
}

template <int size>
DEVICE void flash_forward(const AttentionForward<bf16>& a) {
  constexpr int key_columns = flash_key_rows / 8;
  // Queries of 64 elements stay in registers. Queries of 128 elements are read again from shared memory for each tile
  // of keys.
  constexpr bool keeps_queries = size == 64;
  const PackedHeads<bf16>& in = a.in;
  const int head = static_cast<int>(blockIdx.x), kv_head = head / (in.query_heads / in.kv_heads);
  const Tile tile = find_tile(in, static_cast<int>(gridDim.z - 1 - blockIdx.z), flash_query_rows);
  if (tile.is_empty()) return;

  constexpr int queries = 0, query_bytes = flash_query_rows * size * element_bytes;
  const bf16* const rows = in.qkv + int64_t{tile.first} * in.stride;
  const int end = tile.begin + flash_query_rows < tile.rows ? tile.begin + flash_query_rows : tile.rows;
  const int key_tiles = (end + flash_key_rows - 1) / flash_key_rows;
  const bf16* const keys = rows + (in.query_heads + kv_head) * size;
  Ring<size> ring = {query_bytes, keys, in.kv_heads * size, in.stride, tile.rows, key_tiles, 2};
  copy_tile<size, flash_query_rows>(queries, rows + int64_t{tile.begin} * in.stride + head * size, in.stride,
                                    tile.rows - tile.begin);
  ring.begin(0, false, 0);
  ring.begin(0, true, 1);

  const int own = warp_index() * warp_rows, first_row = tile.begin + own;
  uint32_t left[query_tiles][size / 16][4];
  Softmax softmax;
  float out[query_tiles][size / 8][4] = {};
#pragma unroll
  for (int i = 0; i < query_tiles; ++i) {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      softmax.max[i][h] = -INFINITY;
      softmax.sum[i][h] = 0;
    }
  }
  for (int key_tile = 0; key_tile < key_tiles; ++key_tile) {
    const int key_tile_place = ring.next(key_tile, false);
    const int first_key = key_tile * flash_key_rows;
    // The block's first warps skip its last tile. Queries past the segment's end skip all tiles.
    const bool is_seen = first_key < first_row + warp_rows && first_row < tile.rows;
    float scores[query_tiles][key_columns][4] = {};
    uint32_t weights[query_tiles][key_columns / 2][4];
    if (is_seen) {
      if constexpr (keeps_queries) {
        if (key_tile == 0) load_left<size>(left, queries, own);
        multiply_transposed<size>(scores, left, transposed_place<size>(key_tile_place));
      } else {
        multiply_tiles_transposed<size>(scores, rows_on<size>(factor_place<size>(queries), own / 16),
                                        transposed_place<size>(key_tile_place));
      }
      if (first_key + flash_key_rows - 1 > first_row) hide_future(scores, first_row, first_key);
      soften<key_columns, size>(softmax, scores, out, in.log2_scale);
      as_left(weights, scores);
    }
    const int value_tile_place = ring.next(key_tile, true);
    if (is_seen) multiply<size>(out, weights, factor_place<size>(value_tile_place));
  }

  const int lane = lane_index(), g = lane / 4, t = lane % 4;
#pragma unroll
  for (int i = 0; i < query_tiles; ++i) {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const float sum = row_sum(softmax.sum[i][h]), inverse = 1 / sum;
      const int row = first_row + 16 * i + 8 * h + g;
      if (a.log_sum && t == 0 && row < tile.rows) {
        a.log_sum[int64_t{tile.first + row} * in.query_heads + head] = softmax.max[i][h] * in.scale + logf(sum);
      }
#pragma unroll
      for (int j = 0; j < size / 8; ++j) {
        out[i][j][2 * h] *= inverse;
        out[i][j][2 * h + 1] *= inverse;
      }
    }
  }
  const int out_stride = in.query_heads * size;
  store_rows<size>(a.out + int64_t{tile.first + first_row} * out_stride + head * size, out_stride,
                   tile.rows - first_row, queries + own * size * element_bytes, out);
}

}  // namespace

PALESTRA_KERNEL(flash_forward_64_bf16, AttentionForward<bf16>, flash_threads) { flash_forward<64>(a); }
PALESTRA_KERNEL(flash_forward_128_bf16, AttentionForward<bf16>, flash_threads) { flash_forward<128>(a); }

}  // namespace palestra::cuda::flash
