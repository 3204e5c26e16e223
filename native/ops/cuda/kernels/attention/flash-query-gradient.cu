// FlashAttention 2, algorithm 2, for dQ. A block has the queries of a tile and a head, and reads keys and values. A
// kernel for the queries' statistics runs before this kernel.
#include "flash-gradient-tiles.h"

namespace palestra::cuda::flash {

namespace {

/** Dot product of two chunks of eight bf16. */
DEVICE float dot(const Chunk& a, const Chunk& b) {
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    for (int shift = 0; shift < 32; shift += 16) {
      sum += as_float(bf16{static_cast<uint16_t>(a.words[i] >> shift)}) *
             as_float(bf16{static_cast<uint16_t>(b.words[i] >> shift)});
    }
  }
  return sum;
}

template <int size>
DEVICE void flash_statistics(const FlashGradient& a) {
  constexpr int lanes = size / chunk_elements, rows_at_once = flash_threads / lanes;
  const PackedHeads<bf16>& in = a.in;
  const int head = static_cast<int>(blockIdx.x), lane = static_cast<int>(threadIdx.x) % lanes;
  const Tile tile = find_tile(in, static_cast<int>(blockIdx.z), flash_held_rows(size));
  if (tile.is_empty()) return;
  FlashStatistics* const statistics = statistics_of(a, head) + tile.statistics();
#pragma unroll
  for (int step = 0; step < flash_held_rows(size) / rows_at_once; ++step) {
    const int row = tile.begin + step * rows_at_once + static_cast<int>(threadIdx.x) / lanes;
    const int64_t index = int64_t{tile.first + row} * in.query_heads + head;
    float mean = 0;
    if (row < tile.rows) {
      mean = dot(*reinterpret_cast<const Chunk*>(a.dout + index * size + lane * chunk_elements),
                 *reinterpret_cast<const Chunk*>(a.out + index * size + lane * chunk_elements));
    }
    for (int mask = lanes / 2; mask > 0; mask /= 2) mean += shuffle_xor(mean, mask);
    if (lane == 0 && row < tile.rows) statistics[row] = {a.log_sum[index] * flash_log2_e, mean};
  }
}

/**
 * Turns scores (queries, keys) into dS = P (dP - D).
 *
 * @param own statistics of the warp's rows [i][h]
 * @param ahead number of rows from the warp's first query to the first key
 */
template <int m, int n>
DEVICE void differentiate(float (&s)[m][n][4], const float (&dp)[m][n][4], const FlashStatistics (&own)[m][2],
                          float log2_scale, int ahead) {
  const bool hides = ahead + 8 * n - 1 > 0;
  const int own_ahead = ahead + column_of_sum(0, 0) - row_of_sum(0, 0);
#pragma unroll
  for (int i = 0; i < m; ++i) {
#pragma unroll
    for (int j = 0; j < n; ++j) {
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        const bool is_hidden = hides && own_ahead + 8 * j + e % 2 > 16 * i + e / 2 * 8;
        const float p = is_hidden ? 0 : exp2_fast(s[i][j][e] * log2_scale - own[i][e / 2].log2_sum);
        s[i][j][e] = p * (dp[i][j][e] - own[i][e / 2].mean);
      }
    }
  }
}

template <int size>
DEVICE void flash_query_gradient(const FlashGradient& a) {
  using Held = HeldRows<size>;
  using Stage = StageLayout<size>;
  // Number of keys that are multiplied at a time. The S and dP of these keys take 16 registers each.
  constexpr int strip_rows = 512 / Held::warp_rows;
  const PackedHeads<bf16>& in = a.in;
  const int head = static_cast<int>(blockIdx.x), kv_head = head / (in.query_heads / in.kv_heads);
  const Tile tile = find_tile(in, static_cast<int>(gridDim.z - 1 - blockIdx.z), flash_held_rows(size));
  if (tile.is_empty()) return;
  const bf16* const rows = in.qkv + int64_t{tile.first} * in.stride;
  const bf16* const keys = rows + (in.query_heads + kv_head) * size;
  const bf16* const values = keys + in.kv_heads * size;
  const int out_stride = in.query_heads * size;
  typename Held::Factors queries, douts;
  copy_held<size>(0, rows + int64_t{tile.begin} * in.stride + head * size, in.stride, Held::tile_bytes,
                  a.dout + int64_t{tile.first + tile.begin} * out_stride + head * size, out_stride,
                  tile.rows - tile.begin);
  load_left<size>(queries, 0, Held::first_row_of_warp());
  load_left<size>(douts, Held::tile_bytes, Held::first_row_of_warp());
  __syncthreads();

  const int first_row = tile.begin + Held::first_row_of_warp();
  const FlashStatistics* const statistics = statistics_of(a, head) + tile.statistics();
  FlashStatistics own[Held::tiles][2];
#pragma unroll
  for (int i = 0; i < Held::tiles; ++i) {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const int row = first_row + row_of_sum(i, 2 * h);
      own[i][h] = row < tile.rows ? statistics[row] : FlashStatistics{0, 0};
    }
  }

  const int held_end = tile.begin + flash_held_rows(size), end = held_end < tile.rows ? held_end : tile.rows;
  const auto begin = [&](int first_key, int stage) {
    if (first_key < end) {
      const int64_t row = int64_t{first_key} * in.stride;
      copy_tile<size, flash_read_rows>(stage + Stage::first, keys + row, in.stride, tile.rows - first_key);
      copy_tile<size, flash_read_rows>(stage + Stage::second, values + row, in.stride, tile.rows - first_key);
    }
    commit_copies();
  };
  typename Held::Sums dq = {};
  int stage = 0;
  begin(0, stage);
  for (int first_key = 0; first_key < end; first_key += flash_read_rows) {
    wait_for_copies<0>();
    __syncthreads();
    begin(first_key + flash_read_rows, Stage::bytes - stage);
    for (int strip = 0; strip < flash_read_rows; strip += strip_rows) {
      const int ahead = first_key + strip - first_row;
      if (ahead >= Held::warp_rows) break;
      const int place = rows_on<size>(stage, strip / 16);
      typename Held::template Scores<strip_rows> s = {}, dp = {};
      multiply_transposed<size>(s, queries, transposed_place<size>(place), Stage::first);
      multiply_transposed<size>(dp, douts, transposed_place<size>(place), Stage::second);
      differentiate(s, dp, own, in.log2_scale, ahead);
      uint32_t ds[Held::tiles][strip_rows / 16][4];
      as_left(ds, s);
      multiply<size>(dq, ds, factor_place<size>(place), Stage::first);
    }
    stage = Stage::bytes - stage;
  }
  scale_sums(dq, in.scale);
  __syncthreads();
  store_rows<size>(a.dqkv + int64_t{tile.first + first_row} * a.dqkv_stride + head * size, a.dqkv_stride,
                   tile.rows - first_row, warp_index() * Held::warp_bytes, dq);
}

}  // namespace

PALESTRA_KERNEL(flash_statistics_64_bf16, FlashGradient, flash_threads) { flash_statistics<64>(a); }
PALESTRA_KERNEL(flash_statistics_128_bf16, FlashGradient, flash_threads) { flash_statistics<128>(a); }
PALESTRA_KERNEL(flash_query_gradient_64_bf16, FlashGradient, flash_threads) { flash_query_gradient<64>(a); }
PALESTRA_KERNEL(flash_query_gradient_128_bf16, FlashGradient, flash_threads) { flash_query_gradient<128>(a); }

}  // namespace palestra::cuda::flash
