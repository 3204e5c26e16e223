// FlashAttention 2, algorithm 2, for dK and dV. A block has the keys and values of a tile and a kv head. The block
// reads queries and dO of one of its query heads, or of all its query heads, head by head, ascending. Tiles go from the
// first to the last, because all queries of a segment see the segment's first keys.
#include "flash-gradient-tiles.h"

namespace palestra::cuda::flash {

namespace {

/**
 * Number of queries that are multiplied at a time. S and dP of more queries would not fit into registers beside dK and
 * dV.
 */
constexpr int strip_rows = 16, strip_columns = strip_rows / 8;
template <int size>
using Scores = typename HeldRows<size>::template Scores<strip_rows>;

/**
 * Starts to copy queries, dO and statistics to a stage. All threads.
 *
 * @param row, end first query, and end of the segment; all row numbers in this function count in the pack
 * @param gap distance from a row to its statistics
 */
template <int size>
DEVICE void begin_queries(const FlashGradient& a, int head, int row, int end, int gap, int stage) {
  using Stage = StageLayout<size>;
  const PackedHeads<bf16>& in = a.in;
  const int out_stride = in.query_heads * size, present = end - row, pair = static_cast<int>(threadIdx.x);
  const bf16* const queries = in.qkv + int64_t{row} * in.stride + head * size;
  const bf16* const douts = a.dout + int64_t{row} * out_stride + head * size;
  copy_tile<size, flash_read_rows, 4>(stage + Stage::first, queries, in.stride, present);
  copy_tile<size, flash_read_rows, 4>(stage + Stage::second, douts, out_stride, present);
  if (pair < flash_read_rows / 2) {
    const int of_pair = present - 2 * pair;
    copy_async(tile_pointer(stage + Stage::statistics) + pair * chunk_bytes,
               statistics_of(a, head) + gap + row + 2 * pair,
               of_pair <= 0 ? 0 : of_pair == 1 ? static_cast<int>(sizeof(FlashStatistics)) : chunk_bytes);
  }
}

/** Statistics of two neighbouring queries. */
struct alignas(16) StatisticsPair {
  FlashStatistics of[2];
};
DEVICE StatisticsPair pair_of_columns(const char* statistics, int j) {
  return *reinterpret_cast<const StatisticsPair*>(statistics + column_of_sum(j, 0) * sizeof(FlashStatistics));
}

/**
 * Turns scores (keys, queries) into P.
 *
 * @param statistics statistics of the queries
 * @param ahead number of rows from the first query to the warp's first key
 */
template <int size>
DEVICE void weigh(Scores<size>& s, const char* statistics, float log2_scale, int ahead) {
  const bool hides = ahead + HeldRows<size>::warp_rows - 1 > 0;
  const int own_ahead = ahead + row_of_sum(0, 0) - column_of_sum(0, 0);
#pragma unroll
  for (int j = 0; j < strip_columns; ++j) {
    const StatisticsPair pair = pair_of_columns(statistics, j);
#pragma unroll
    for (int i = 0; i < HeldRows<size>::tiles; ++i) {
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        const bool is_hidden = hides && own_ahead + 16 * i + e / 2 * 8 > 8 * j + e % 2;
        s[i][j][e] = is_hidden ? 0 : exp2_fast(s[i][j][e] * log2_scale - pair.of[e % 2].log2_sum);
      }
    }
  }
}

/** Turns dP into dS = P (dP - D). */
template <int size>
DEVICE void differentiate(Scores<size>& dp, const Scores<size>& p, const char* statistics) {
#pragma unroll
  for (int j = 0; j < strip_columns; ++j) {
    const StatisticsPair pair = pair_of_columns(statistics, j);
#pragma unroll
    for (int i = 0; i < HeldRows<size>::tiles; ++i) {
#pragma unroll
      for (int e = 0; e < 4; ++e) dp[i][j][e] = p[i][j][e] * (dp[i][j][e] - pair.of[e % 2].mean);
    }
  }
}

/** Writes a warp's sums (rows, size) to the first `present` rows at `to`. */
template <int m, int n>
DEVICE void store_floats(float* to, int stride, int present, const float (&sums)[m][n][4]) {
  struct alignas(8) Pair {
    float of[2];
  };
#pragma unroll
  for (int i = 0; i < m; ++i) {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const int row = row_of_sum(i, 2 * h);
      if (row >= present) continue;
#pragma unroll
      for (int j = 0; j < n; ++j) {
        *reinterpret_cast<Pair*>(to + int64_t{row} * stride + column_of_sum(j, 0)) = {sums[i][j][2 * h],
                                                                                      sums[i][j][2 * h + 1]};
      }
    }
  }
}

template <int size>
DEVICE void flash_key_gradient(const FlashGradient& a) {
  using Held = HeldRows<size>;
  using Stage = StageLayout<size>;
  const PackedHeads<bf16>& in = a.in;
  const int part = static_cast<int>(blockIdx.x), kv_head = static_cast<int>(blockIdx.y);
  const int first_head = (kv_head * a.parts + part) * a.part_heads;
  const Tile tile = find_tile(in, static_cast<int>(blockIdx.z), flash_held_rows(size));
  if (tile.is_empty()) return;
  const int begin = tile.first + tile.begin, end = tile.first + tile.rows, gap = tile.statistics() - tile.first;
  const bf16* const key_rows = in.qkv + int64_t{begin} * in.stride + (in.query_heads + kv_head) * size;
  constexpr int value_tile = flash_keeps_values(size) ? Held::tile_bytes : flash_gradient_bytes(size);
  const int own_row = Held::first_row_of_warp(), first_key = begin + own_row;
  copy_held<size>(0, key_rows, in.stride, value_tile, key_rows + in.kv_heads * size, in.stride, end - begin);
  typename Held::Factors keys, values;
  load_left<size>(keys, 0, own_row);
  if constexpr (flash_keeps_values(size)) load_left<size>(values, value_tile, own_row);
  __syncthreads();

  typename Held::Sums dk = {}, dv = {};
  int stage = 0, head = first_head, first_query = begin;
  begin_queries<size>(a, head, first_query, end, gap, stage);
  commit_copies();
  for (const int end_head = first_head + a.part_heads; head < end_head;) {
    wait_for_copies<0>();
    __syncthreads();
    const int ahead = first_key - first_query;
    stage = Stage::bytes - stage;
    first_query += flash_read_rows;
    if (first_query >= end) {
      first_query = begin;
      ++head;
    }
    if (head < end_head) begin_queries<size>(a, head, first_query, end, gap, stage);
    commit_copies();
#pragma unroll 1
    for (int strip = ahead > 0 ? ahead : 0; strip < flash_read_rows; strip += strip_rows) {
      const int rows = rows_on<size>(Stage::bytes - stage, strip / 16);
      const int as_columns = transposed_place<size>(rows), as_rows = factor_place<size>(rows);
      const char* const statistics =
          tile_pointer(Stage::bytes - stage + Stage::statistics) + strip * sizeof(FlashStatistics);
      Scores<size> p = {}, ds = {};
      uint32_t left[Held::tiles][strip_rows / 16][4];
      multiply_transposed<size>(p, keys, as_columns, Stage::first);
      weigh<size>(p, statistics, in.log2_scale, ahead - strip);
      if constexpr (flash_keeps_values(size)) {
        multiply_transposed<size>(ds, values, as_columns, Stage::second);
      } else {
        multiply_tiles_transposed<size>(ds, factor_place<size>(rows_on<size>(value_tile, own_row / 16)), as_columns,
                                        Stage::second);
      }
      as_left(left, p);
      multiply<size>(dv, left, as_rows, Stage::second);
      differentiate<size>(ds, p, statistics);
      as_left(left, ds);
      multiply<size>(dk, left, as_rows, Stage::first);
    }
  }

  scale_sums(dk, in.scale);
  const int present = end - first_key, to_values = in.kv_heads * size, width = 2 * to_values;
  if (a.parts > 1) {
    float* const to = a.partial + (int64_t{part} * in.rows + first_key) * width + kv_head * size;
    store_floats(to, width, present, dk);
    store_floats(to + to_values, width, present, dv);
  } else {
    bf16* const to = a.dqkv + int64_t{first_key} * a.dqkv_stride + (in.query_heads + kv_head) * size;
    const int own = warp_index() * Held::warp_bytes;
    __syncthreads();
    store_rows<size>(to, a.dqkv_stride, present, own, dk);
    __syncwarp();
    store_rows<size>(to + to_values, a.dqkv_stride, present, own, dv);
  }
}

/** Computes dK and dV of the kv heads, the sums over their query heads, ascending, with four columns per thread. */
DEVICE void flash_key_sum(const FlashGradient& a) {
  struct alignas(16) Four {
    float of[4];
  };
  struct alignas(8) Rounded {
    uint32_t words[2];
  };
  const PackedHeads<bf16>& in = a.in;
  const unsigned width = 2u * in.kv_heads * in.size, fours = width / 4;
  const unsigned i = blockIdx.x * flash_threads + threadIdx.x, row = i / fours, column = i % fours * 4;
  if (row >= static_cast<unsigned>(in.rows)) return;
  const float* from = a.partial + int64_t{row} * width + column;
  Four sum = *reinterpret_cast<const Four*>(from);
  for (int part = 1; part < a.parts; ++part) {
    const Four next = *reinterpret_cast<const Four*>(from + int64_t{part} * in.rows * width);
#pragma unroll
    for (int e = 0; e < 4; ++e) sum.of[e] += next.of[e];
  }
  *reinterpret_cast<Rounded*>(a.dqkv + int64_t{row} * a.dqkv_stride + in.query_heads * in.size + column) = {
      {pack_bf16(sum.of[0], sum.of[1]), pack_bf16(sum.of[2], sum.of[3])}};
}

}  // namespace

PALESTRA_KERNEL(flash_key_gradient_64_bf16, FlashGradient, flash_threads) { flash_key_gradient<64>(a); }
PALESTRA_KERNEL(flash_key_gradient_128_bf16, FlashGradient, flash_threads) { flash_key_gradient<128>(a); }
PALESTRA_KERNEL(flash_key_sum_bf16, FlashGradient, flash_threads) { flash_key_sum(a); }

}  // namespace palestra::cuda::flash
