// FlashAttention 3 (Shah et al. 2024), algorithm 2, for sm_90a only. As in
// flash-gradient-hopper.cu, a trial on the device decides whether they are used.
//
// A warpgroup has 64 queries. It issues the scores of the next keys and then the product of the last weights and
// values, so that its exponentials overlap with the second product, and with those of the other warpgroups.
#include "flash-hopper-tiles.h"

namespace palestra::cuda::flash {

namespace {

/** Returns the number of steps up to the keys of the block's last query. */
template <class Block>
DEVICE int steps_of(const Tile& tile) {
  const int end = tile.begin + Block::held_rows;
  return ((end < tile.rows ? end : tile.rows) + Block::read_rows - 1) / Block::read_rows;
}

/** Loads queries, which stay, and keys and values up to the last query's. */
template <class Block>
DEVICE void load_keys(const FlashHopperForward& a) {
  constexpr int size = Block::size;
  const PackedHeads<bf16>& in = a.in;
  const Tile tile = shared_tile<Block>();
  const int head = static_cast<int>(blockIdx.x);
  const bf16* const rows = in.qkv + int64_t{tile.first} * in.stride;
  const bf16* const keys = rows + (in.query_heads + head / (in.query_heads / in.kv_heads)) * size;
  copy_panels<size, Block::held_rows>(Block::first_held, rows + int64_t{tile.begin} * in.stride + head * size,
                                      in.stride, tile.rows - tile.begin);
  produce<Block>(steps_of<Block>(tile), a.trouble, [&](int step, const Stages<Block>& stage) {
    const bf16* const from = keys + int64_t{step * Block::read_rows} * in.stride;
    const int left = tile.rows - step * Block::read_rows;
    copy_panels<size, Block::read_rows>(stage.first(), from, in.stride, left);
    copy_panels<size, Block::read_rows>(stage.second(), from + in.kv_heads * size, in.stride, left);
  });
}

/**
 * Sets the scores of keys after their query to minus infinity.
 *
 * @param ahead number of rows from the first query to the first key
 */
template <int count>
DEVICE void hide_future(float (&scores)[count], int ahead) {
  ahead += column_of_lane(0) - row_in_warpgroup(0);
#pragma unroll
  for (int i = 0; i < count; ++i) {
    if (ahead + i / 4 * 8 + i % 2 > i % 4 / 2 * 8) scores[i] = -INFINITY;
  }
}

/** The running softmax of a lane's two rows. */
struct Softmax {
  float max[2] = {-INFINITY, -INFINITY};
  /** Sum of each row. Until the end, the sum covers only this lane's columns. */
  float sum[2] = {0, 0};
};

/**
 * Replaces scores by exp(scale * score - max) with the new maximum. Sets `kept` to the factors of earlier sums.
 *
 * @param scale log2(e) times the scale of the scores
 */
template <int count>
DEVICE void soften(Softmax& softmax, float (&scores)[count], float (&kept)[2], float scale) {
#pragma unroll
  for (int h = 0; h < 2; ++h) {
    float highest = softmax.max[h];
#pragma unroll
    for (int i = 2 * h; i < count; i += 4) highest = fmaxf(highest, fmaxf(scores[i], scores[i + 1]));
    highest = row_max(highest);
    kept[h] = exp2_fast((softmax.max[h] - highest) * scale);
    const float shift = highest * scale;
    softmax.max[h] = highest;
    float sum = 0;
#pragma unroll
    for (int i = 2 * h; i < count; i += 4) {
#pragma unroll
      for (int e = i; e < i + 2; ++e) {
        scores[e] = exp2_fast(scores[e] * scale - shift);
        sum += scores[e];
      }
    }
    softmax.sum[h] = softmax.sum[h] * kept[h] + sum;
  }
}

template <class Block>
DEVICE void attend(const FlashHopperForward& a) {
  constexpr int size = Block::size, read_rows = Block::read_rows;
  const PackedHeads<bf16>& in = a.in;
  const Tile tile = shared_tile<Block>();
  const int head = static_cast<int>(blockIdx.x), steps = steps_of<Block>(tile), warpgroup = warpgroup_index();
  const int first_row = tile.begin + warpgroup * flash_hopper_rows;
  const uint32_t shared = shared_address(shared_memory());
  // The last step has the scores on the diagonal. Queries past the segment's end skip all keys.
  const int last = first_row / read_rows, own_steps = first_row >= tile.rows ? 0 : last + 1;
  float out[size / 2];
#pragma unroll
  for (int i = 0; i < size / 2; ++i) out[i] = 0;
  Softmax softmax;
  Stages<Block> stage;
  if (own_steps > 0) {
    HeldFactor<Block> queries;
    float s[read_rows / 2], kept[2];
    uint32_t weights[read_rows / 16][4];
    wait_or_give_up(stage.full(), stage.parity, a.trouble);
    queries.load(Block::first_held, warpgroup);
    begin_products();
    queries.multiply_transposed(s, shared + stage.first());
    commit_products();
    wait_for_products<0>();
    settle(s);
    if (last == 0) hide_future(s, -first_row);
    soften(softmax, s, kept, in.log2_scale);
    as_factor(weights, s);
    for (int step = 1; step < own_steps; ++step) {
      const uint32_t values = shared + stage.second(), empty = stage.empty();
      stage.advance();
      wait_or_give_up(stage.full(), stage.parity, a.trouble);
      begin_products();
      queries.multiply_transposed(s, shared + stage.first());
      commit_products();
      multiply_rows(out, weights, values);
      commit_products();
      wait_for_products<1>();
      settle(s);
      if (step == last) hide_future(s, step * read_rows - first_row);
      soften(softmax, s, kept, in.log2_scale);
      finish_before_wait(softmax.sum);
      wait_for_products<0>();
      settle(out);
      if (lane_index() == 0) arrive(empty);
#pragma unroll
      for (int i = 0; i < size / 2; ++i) out[i] *= kept[i % 4 / 2];
      as_factor(weights, s);
    }
    begin_products();
    multiply_rows(out, weights, shared + stage.second());
    commit_products();
    wait_for_products<0>();
    settle(out);
    if (lane_index() == 0) arrive(stage.empty());
    stage.advance();
  }
  // Keys after this warpgroup's queries.
  for (int step = own_steps; step < steps; ++step, stage.advance()) {
    wait_or_give_up(stage.full(), stage.parity, a.trouble);
    if (lane_index() == 0) arrive(stage.empty());
  }

#pragma unroll
  for (int h = 0; h < 2; ++h) {
    const float sum = row_sum(softmax.sum[h]), inverse = 1 / sum;
    const int row = first_row + row_in_warpgroup(2 * h);
    if (a.log_sum && lane_index() % 4 == 0 && row < tile.rows) {
      a.log_sum[int64_t{tile.first + row} * in.query_heads + head] = softmax.max[h] * in.scale + logf(sum);
    }
#pragma unroll
    for (int i = 2 * h; i < size / 2; i += 4) {
      out[i] *= inverse;
      out[i + 1] *= inverse;
    }
  }
  sync_warpgroup(warpgroup);
  const int out_stride = in.query_heads * size;
  store_held<Block>(a.out + int64_t{tile.first + first_row} * out_stride + head * size, out_stride,
                    tile.rows - first_row, Block::first_held, warpgroup, out);
}

template <class Block>
DEVICE void flash_forward(const FlashHopperForward& a) {
  const Tile tile = find_tile(a.in, static_cast<int>(gridDim.z - 1 - blockIdx.z), Block::held_rows);
  if (tile.is_empty()) return;
  run_roles<Block>(tile, [&] { load_keys<Block>(a); }, [&] { attend<Block>(a); });
}

}  // namespace

#define PALESTRA_FLASH_HOPPER(size)                                                                                   \
  PALESTRA_KERNEL(flash_hopper_forward_##size##_bf16, FlashHopperForward, FlashHopperForwards<size>::threads, 1) {     \
    flash_forward<FlashHopperForwards<size>>(a);                                                                      \
  }

PALESTRA_FLASH_HOPPER(64)
PALESTRA_FLASH_HOPPER(128)

}  // namespace palestra::cuda::flash
