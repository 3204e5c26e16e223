// The backward pass of attention by wgmma, for sm_90a only, as in FlashAttention 3 (Shah et al. 2024). A separate kernel
// computes dQ, so that no sum depends on the order of blocks (see flash-gradient-tiles.h). The kernels are used only if
// a trial on the device finds them right (ops/cuda/attention/flash-trial.h), since the tests' emulated wgmma does not
// show a missing fence.
//
// The exponentials of a warpgroup overlap with products: its own of dP, and those of the other warpgroups. For dK and
// dV of heads of 64 elements, it also issues the products of the next scores before it waits for those of its last sums.
#include "flash-hopper-tiles.h"

namespace palestra::cuda::flash {

namespace {

constexpr int rows_read = 64;
using ScoreFactor = uint32_t[rows_read / 16][4];

/** Writes a warpgroup's sums (64, size) to the first `present` rows at `to`. */
template <int count>
DEVICE void store_floats(float* to, int stride, int present, const float (&sums)[count]) {
  struct alignas(8) Pair {
    float of[2];
  };
#pragma unroll
  for (int h = 0; h < 2; ++h) {
    const int row = row_in_warpgroup(2 * h);
    if (row >= present) continue;
#pragma unroll
    for (int j = 0; j < count / 4; ++j) {
      *reinterpret_cast<Pair*>(to + int64_t{row} * stride + 8 * j + column_of_lane(0)) = {
          {sums[4 * j + 2 * h], sums[4 * j + 2 * h + 1]}};
    }
  }
}

DEVICE FlashStatistics* statistics_of(const FlashGradient& a, int head) {
  return a.statistics + int64_t{head} * flash_statistics_rows(a.in.rows, a.in.segments);
}

/** Statistics of two neighbouring queries. */
struct alignas(16) StatisticsPair {
  FlashStatistics of[2];
};
DEVICE StatisticsPair pair_of_columns(const char* statistics, int j) {
  return *reinterpret_cast<const StatisticsPair*>(statistics + (8 * j + column_of_lane(0)) * sizeof(FlashStatistics));
}

// dK and dV: the transposed scores of held keys and the queries that are read.

/** A block's keys. */
struct KeyTile {
  int part, kv_head;
  /** First key and end of the segment in the pack. */
  int begin, end;

  DEVICE explicit KeyTile(const Tile& tile)
      : part(static_cast<int>(blockIdx.x)), kv_head(static_cast<int>(blockIdx.y)), begin(tile.first + tile.begin),
        end(tile.first + tile.rows) {}
  DEVICE int steps_per_head() const { return (end - begin + rows_read - 1) / rows_read; }
};

template <class Block>
DEVICE void load_queries(const FlashHopperGradient& a) {
  constexpr int size = Block::size;
  const Tile rows = shared_tile<Block>();
  const KeyTile tile(rows);
  /** Distance from a row to its statistics. */
  const int gap = rows.statistics() - rows.first;
  const PackedHeads<bf16>& in = a.in;
  const int out_stride = in.query_heads * size, present = tile.end - tile.begin, steps = tile.steps_per_head();
  const bf16* const keys = in.qkv + int64_t{tile.begin} * in.stride + (in.query_heads + tile.kv_head) * size;
  copy_panels<size, Block::held_rows>(Block::first_held, keys, in.stride, present);
  copy_panels<size, Block::held_rows>(Block::second_held, keys + in.kv_heads * size, in.stride, present);
  int head = (tile.kv_head * a.parts + tile.part) * a.part_heads, row = tile.begin;
  produce<Block>(steps * a.part_heads, a.trouble, [&](int, const Stages<Block>& stage) {
    const int left = tile.end - row, pair = thread_of_warpgroup();
    copy_panels<size, rows_read>(stage.first(), in.qkv + int64_t{row} * in.stride + head * size, in.stride, left);
    copy_panels<size, rows_read>(stage.second(), a.dout + int64_t{row} * out_stride + head * size, out_stride, left);
    if (pair < rows_read / 2) {
      const int of_pair = left - 2 * pair;
      copy_async(tile_pointer(stage.statistics()) + pair * chunk_bytes,
                 statistics_of(a, head) + gap + row + 2 * pair,
                 of_pair <= 0 ? 0 : of_pair == 1 ? static_cast<int>(sizeof(FlashStatistics)) : chunk_bytes);
    }
    row += rows_read;
    if (row >= tile.end) {
      row = tile.begin;
      ++head;
    }
  });
}

/** Sets the scores (keys, queries) of queries before their key to minus infinity, where both begin at the same row. */
DEVICE void hide_past(float (&scores)[rows_read / 2]) {
  const int ahead = row_in_warpgroup(0) - column_of_lane(0);
#pragma unroll
  for (int i = 0; i < rows_read / 2; ++i) {
    if (ahead + i % 4 / 2 * 8 > i / 4 * 8 + i % 2) scores[i] = -INFINITY;
  }
}

template <class Block>
DEVICE void differentiate_keys(const FlashHopperGradient& a) {
  constexpr int size = Block::size;
  const KeyTile tile(shared_tile<Block>());
  const PackedHeads<bf16>& in = a.in;
  const int warpgroup = warpgroup_index(), own = warpgroup * rows_read, steps = tile.steps_per_head();
  const uint32_t shared = shared_address(shared_memory());
  float dk[size / 2], dv[size / 2];
#pragma unroll
  for (int i = 0; i < size / 2; ++i) dk[i] = dv[i] = 0;
  HeldFactor<Block> keys, values;
  Stages<Block> stage;
  wait_or_give_up(stage.full(), stage.parity, a.trouble);
  keys.load(Block::first_held, warpgroup);
  values.load(Block::second_held, warpgroup);
  for (int head = 0; head < a.part_heads; ++head) {
    int step = 0;
    // Queries before this warpgroup's keys.
    for (; step < warpgroup && step < steps; ++step, stage.advance()) {
      wait_or_give_up(stage.full(), stage.parity, a.trouble);
      if (lane_index() == 0) arrive(stage.empty());
    }
    uint32_t before = 0;
    for (; step < steps; ++step) {
      wait_or_give_up(stage.full(), stage.parity, a.trouble);
      const uint32_t queries = shared + stage.first(), douts = shared + stage.second();
      const char* const statistics = tile_pointer(stage.statistics());
      float s[rows_read / 2], dp[rows_read / 2];
      ScoreFactor p_factor, ds_factor;
      begin_products();
      keys.multiply_transposed(s, queries);
      commit_products();
      values.multiply_transposed(dp, douts);
      commit_products();
      wait_for_products<1>();
      settle(s);
      // The sums of the step before have ended, too.
      if (before && lane_index() == 0) arrive(before);
      before = stage.empty();
      stage.advance();
      if (step == warpgroup) hide_past(s);
#pragma unroll
      for (int j = 0; j < rows_read / 8; ++j) {
        const StatisticsPair pair = pair_of_columns(statistics, j);
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          s[4 * j + e] = exp2_fast(s[4 * j + e] * in.log2_scale - pair.of[e % 2].log2_sum);
        }
      }
      as_factor(p_factor, s);
      if (Block::overlaps) {
        begin_products();
        multiply_rows(dv, p_factor, douts);
        commit_products();
      }
      if (!Block::overlaps) finish_before_wait(s);
      wait_for_products<Block::overlaps ? 1 : 0>();
      settle(dp);
#pragma unroll
      for (int j = 0; j < rows_read / 8; ++j) {
        const StatisticsPair pair = pair_of_columns(statistics, j);
#pragma unroll
        for (int e = 0; e < 4; ++e) dp[4 * j + e] = s[4 * j + e] * (dp[4 * j + e] - pair.of[e % 2].mean);
      }
      as_factor(ds_factor, dp);
      begin_products();
      if (!Block::overlaps) multiply_rows(dv, p_factor, douts);
      multiply_rows(dk, ds_factor, queries);
      commit_products();
      if (!Block::overlaps) wait_for_products<0>();
    }
    wait_for_products<0>();
    if (before && lane_index() == 0) arrive(before);
  }
  settle(dk);
  settle(dv);

  scale_sums(dk, in.scale);
  const int first_key = tile.begin + own, present = tile.end - first_key;
  const int to_values = in.kv_heads * size, width = 2 * to_values;
  if (a.parts > 1) {
    float* const to = a.partial + (int64_t{tile.part} * in.rows + first_key) * width + tile.kv_head * size;
    store_floats(to, width, present, dk);
    store_floats(to + to_values, width, present, dv);
  } else {
    bf16* const to = a.dqkv + int64_t{first_key} * a.dqkv_stride + (in.query_heads + tile.kv_head) * size;
    sync_warpgroup(warpgroup);
    store_held<Block>(to, a.dqkv_stride, present, Block::first_held, warpgroup, dk);
    store_held<Block>(to + to_values, a.dqkv_stride, present, Block::second_held, warpgroup, dv);
  }
}

template <class Block>
DEVICE void flash_key_gradient(const FlashHopperGradient& a) {
  const Tile tile = find_tile(a.in, static_cast<int>(blockIdx.z), Block::held_rows);
  if (tile.is_empty()) return;
  run_roles<Block>(tile, [&] { load_queries<Block>(a); }, [&] { differentiate_keys<Block>(a); });
}

// dQ: the scores of held queries and the keys that are read.

/** Returns the number of steps up to the keys of the block's last query. */
template <class Block>
DEVICE int steps_of(const Tile& tile) {
  const int end = tile.begin + Block::held_rows;
  return ((end < tile.rows ? end : tile.rows) + rows_read - 1) / rows_read;
}

/** Loads queries and dO, which stay, and keys and values up to the last query's. */
template <class Block>
DEVICE void load_keys(const FlashHopperGradient& a) {
  constexpr int size = Block::size;
  const Tile tile = shared_tile<Block>();
  const int head = static_cast<int>(blockIdx.x), steps = steps_of<Block>(tile);
  const PackedHeads<bf16>& in = a.in;
  const int out_stride = in.query_heads * size, present = tile.rows - tile.begin;
  const bf16* const rows = in.qkv + int64_t{tile.first} * in.stride;
  const bf16* const keys = rows + (in.query_heads + head / (in.query_heads / in.kv_heads)) * size;
  copy_panels<size, Block::held_rows>(Block::first_held, rows + int64_t{tile.begin} * in.stride + head * size,
                                      in.stride, present);
  copy_panels<size, Block::held_rows>(Block::second_held,
                                      a.dout + int64_t{tile.first + tile.begin} * out_stride + head * size, out_stride,
                                      present);
  produce<Block>(steps, a.trouble, [&](int step, const Stages<Block>& stage) {
    const bf16* const from = keys + int64_t{step * rows_read} * in.stride;
    const int left = tile.rows - step * rows_read;
    copy_panels<size, rows_read>(stage.first(), from, in.stride, left);
    copy_panels<size, rows_read>(stage.second(), from + in.kv_heads * size, in.stride, left);
  });
}

/** Sets the scores (queries, keys) of keys after their query to minus infinity, where both begin at the same row. */
DEVICE void hide_future(float (&scores)[rows_read / 2]) {
  const int ahead = column_of_lane(0) - row_in_warpgroup(0);
#pragma unroll
  for (int i = 0; i < rows_read / 2; ++i) {
    if (ahead + i / 4 * 8 + i % 2 > i % 4 / 2 * 8) scores[i] = -INFINITY;
  }
}

template <class Block>
DEVICE void differentiate_queries(const FlashHopperGradient& a) {
  constexpr int size = Block::size;
  const Tile tile = shared_tile<Block>();
  const int head = static_cast<int>(blockIdx.x), steps = steps_of<Block>(tile);
  const PackedHeads<bf16>& in = a.in;
  const int warpgroup = warpgroup_index(), own = warpgroup * rows_read, first_row = tile.begin + own;
  const uint32_t shared = shared_address(shared_memory());
  const FlashStatistics* const statistics = statistics_of(a, head) + tile.statistics();
  float log2_sum[2], mean[2];
#pragma unroll
  for (int h = 0; h < 2; ++h) {
    const int row = first_row + row_in_warpgroup(2 * h);
    log2_sum[h] = row < tile.rows ? statistics[row].log2_sum : 0;
    mean[h] = row < tile.rows ? statistics[row].mean : 0;
  }
  // The step of the scores on the diagonal. Queries past the segment's end skip all keys.
  const int diagonal = first_row / rows_read;
  const int own_steps = first_row >= tile.rows ? 0 : diagonal < steps ? diagonal + 1 : steps;
  float dq[size / 2];
#pragma unroll
  for (int i = 0; i < size / 2; ++i) dq[i] = 0;
  HeldFactor<Block> queries, douts;
  Stages<Block> stage;
  wait_or_give_up(stage.full(), stage.parity, a.trouble);
  queries.load(Block::first_held, warpgroup);
  douts.load(Block::second_held, warpgroup);
  int step = 0;
  for (; step < own_steps; ++step) {
    wait_or_give_up(stage.full(), stage.parity, a.trouble);
    const uint32_t keys = shared + stage.first(), values = shared + stage.second();
    float s[rows_read / 2], dp[rows_read / 2];
    ScoreFactor ds_factor;
    begin_products();
    queries.multiply_transposed(s, keys);
    commit_products();
    douts.multiply_transposed(dp, values);
    commit_products();
    wait_for_products<1>();
    settle(s);
    if (step == diagonal) hide_future(s);
#pragma unroll
    for (int i = 0; i < rows_read / 2; ++i) s[i] = exp2_fast(s[i] * in.log2_scale - log2_sum[i % 4 / 2]);
    finish_before_wait(s);
    wait_for_products<0>();
    settle(dp);
#pragma unroll
    for (int i = 0; i < rows_read / 2; ++i) dp[i] = s[i] * (dp[i] - mean[i % 4 / 2]);
    as_factor(ds_factor, dp);
    begin_products();
    multiply_rows(dq, ds_factor, keys);
    commit_products();
    wait_for_products<0>();
    if (lane_index() == 0) arrive(stage.empty());
    stage.advance();
  }
  // Keys after this warpgroup's queries.
  for (; step < steps; ++step, stage.advance()) {
    wait_or_give_up(stage.full(), stage.parity, a.trouble);
    if (lane_index() == 0) arrive(stage.empty());
  }
  settle(dq);

  scale_sums(dq, in.scale);
  sync_warpgroup(warpgroup);
  store_held<Block>(a.dqkv + int64_t{tile.first + first_row} * a.dqkv_stride + head * size, a.dqkv_stride,
                    tile.rows - first_row, Block::first_held, warpgroup, dq);
}

template <class Block>
DEVICE void flash_query_gradient(const FlashHopperGradient& a) {
  const Tile tile = find_tile(a.in, static_cast<int>(gridDim.z - 1 - blockIdx.z), Block::held_rows);
  if (tile.is_empty()) return;
  run_roles<Block>(tile, [&] { load_keys<Block>(a); }, [&] { differentiate_queries<Block>(a); });
}

}  // namespace

#define PALESTRA_FLASH_HOPPER(size)                                                                                 \
  PALESTRA_KERNEL(flash_hopper_key_gradient_##size##_bf16, FlashHopperGradient, FlashHopperKeys<size>::threads, 1) { \
    flash_key_gradient<FlashHopperKeys<size>>(a);                                                                   \
  }                                                                                                                 \
  PALESTRA_KERNEL(flash_hopper_query_gradient_##size##_bf16, FlashHopperGradient,                                   \
                  FlashHopperQueries<size>::threads, 1) {                                                           \
    flash_query_gradient<FlashHopperQueries<size>>(a);                                                              \
  }

PALESTRA_FLASH_HOPPER(64)
PALESTRA_FLASH_HOPPER(128)

}  // namespace palestra::cuda::flash
