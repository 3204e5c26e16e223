#pragma once
/**
 * Parts that the kernels of attention by wgmma share, for sm_90a only: the roles of a block's warpgroups, tiles in
 * shared memory, and products of tiles. flash-hopper.h describes blocks and tiles.
 */
#include "../simt/wgmma.h"
#include "flash-hopper.h"
#include "flash-tiles.h"

namespace palestra::cuda::flash {

constexpr int warpgroup_threads = 128;

DEVICE int thread_of_warpgroup() { return static_cast<int>(threadIdx.x) % warpgroup_threads; }
/** The compiler knows that all lanes have the same value. Warp. */
DEVICE int warpgroup_index() { return shuffle(static_cast<int>(threadIdx.x) / warpgroup_threads, 0); }
/** Waits for the other threads of this warpgroup. */
DEVICE void sync_warpgroup(int warpgroup) {
  sync_threads(warpgroup + 1, warpgroup_threads);
}

/** Row of element e of four of a lane's sums, and its column of the eight columns that the four are in. */
DEVICE int row_in_warpgroup(int e) { return thread_of_warpgroup() / warp_size * 16 + lane_index() / 4 + e / 2 * 8; }
DEVICE int column_of_lane(int e) { return lane_index() % 4 * 2 + e % 2; }

/**
 * Waits for the end of a phase. With `trouble`, the function waits about a second at most, or until another wait has
 * failed. Then it sets `trouble` and returns, since no warp may leave while products are under way. Warp.
 */
DEVICE void wait_or_give_up(uint32_t barrier, uint32_t parity, int* trouble) {
  constexpr long long patience = 1ll << 31;  // cycles
  if (!phase_ended(barrier, parity)) {
    for (const long long begun = clock64(); !phase_ended(barrier, parity);) {
      if (!trouble) continue;
      if (*static_cast<volatile int*>(trouble) == 0 && clock64() - begun < patience) continue;
      *trouble = 1;
      break;
    }
  }
  __syncwarp();
}

/** A position in the ring of stages. */
template <class Block>
struct Stages {
  int stage = 0;
  uint32_t parity = 0;

  DEVICE int first() const { return Block::first_stage + stage * Block::stage_bytes; }
  DEVICE int second() const { return first() + Block::read_bytes; }
  DEVICE int statistics() const { return Block::statistics + stage * Block::statistics_bytes; }
  DEVICE uint32_t full() const { return shared_address(shared_memory()) + Block::barriers + stage * 8; }
  DEVICE uint32_t empty() const { return full() + Block::stages * 8; }
  DEVICE void advance() {
    if (++stage < Block::stages) return;
    stage = 0;
    parity ^= 1;
  }
};

/** The block's tile in shared memory, so that it takes no registers of the role that does not need all of it. */
template <class Block>
DEVICE Tile& shared_tile() {
  return *reinterpret_cast<Tile*>(tile_pointer(Block::tile));
}

/** Initialises the barriers and shares the tile. Block. */
template <class Block>
DEVICE void begin_block(const Tile& tile) {
  if (threadIdx.x == 0) {
    shared_tile<Block>() = tile;
    Stages<Block> each;
    for (int i = 0; i < Block::stages; ++i, each.advance()) {
      initialise_barrier(each.full(), warpgroup_threads);
      initialise_barrier(each.empty(), Block::consumers * warpgroup_threads / warp_size);
    }
    publish_barriers();
  }
  __syncthreads();
}

/** Starts to copy `rows` rows of a head into a tile of panels. Rows from `present` on become zero. Warpgroup. */
template <int size, int rows>
DEVICE void copy_panels(int tile, const bf16* from, int stride, int present) {
  constexpr int chunks = size / chunk_elements, rows_at_once = warpgroup_threads / chunks;
  static_assert(rows_at_once % 8 == 0, "steps keep the swizzle");
  const int first = thread_of_warpgroup() / chunks, chunk = thread_of_warpgroup() % chunks;
  char* const to = tile_pointer(tile + flash_panel_place(rows, first, chunk));
  const bf16* const own = from + (first * stride + chunk * chunk_elements);
#pragma unroll 4
  for (int above = 0; above < rows; above += rows_at_once) {
    copy_async(to + above * flash_line_bytes, own + int64_t{above} * stride, first < present - above ? 16 : 0);
  }
}

/**
 * Loads all stages. `copy` starts the copies of a step. Copies that were started before arrive with the first stage.
 * Warpgroup.
 */
template <class Block, class Copy>
DEVICE void produce(int steps, int* trouble, const Copy& copy) {
  // Steps whose copies are under way. A stage is published when two later ones have been started.
  constexpr int in_flight = 2;
  static_assert(in_flight < Block::stages, "a stage is published before the ring is full");
  Stages<Block> next, arrived;
  for (int step = 0; step < steps + in_flight; ++step) {
    if (step < steps) {
      // The phase before a barrier's first one counts as ended, so a fresh stage is free.
      wait_or_give_up(next.empty(), next.parity ^ 1, trouble);
      copy(step, next);
      next.advance();
    }
    commit_copies();
    if (step >= in_flight) {
      wait_for_copies<in_flight>();
      publish_writes();
      arrive(arrived.full());
      arrived.advance();
    }
  }
}

/** A warpgroup's 64 held rows as a left factor: in registers if the block keeps them, or else in shared memory. */
template <class Block, bool keeps = Block::keeps_held>
struct HeldFactor {
  static constexpr int steps = Block::size / 16;
  uint32_t fragments[steps][4];

  DEVICE void load(int tile, int warpgroup) {
    const int row = warpgroup * flash_hopper_rows + thread_of_warpgroup() / warp_size * 16 + lane_index() % 16;
#pragma unroll
    for (int step = 0; step < steps; ++step) {
      const int chunk = 2 * step + lane_index() / 16;
      load_matrices(fragments[step], tile_pointer(tile + flash_panel_place(Block::held_rows, row, chunk)));
    }
  }
  /** Issues d = held rows times the transpose of the rows of a tile. */
  DEVICE void multiply_transposed(float (&d)[Block::read_rows / 2], uint32_t tile) const {
    const uint64_t right = matrix_descriptor(tile, false, 0);
    multiply_tile<false, false>(d, fragments[0], right);
#pragma unroll
    for (int step = 1; step < steps; ++step) {
      multiply_tile<true, false>(d, fragments[step], right + (flash_columns_offset(Block::read_rows, step) >> 4));
    }
  }
};
template <class Block>
struct HeldFactor<Block, false> {
  uint64_t descriptor;

  DEVICE void load(int tile, int warpgroup) {
    const int rows = tile + warpgroup * flash_hopper_rows * flash_line_bytes;
    descriptor = matrix_descriptor(shared_address(shared_memory()) + rows, false, 0);
  }
  DEVICE void multiply_transposed(float (&d)[Block::read_rows / 2], uint32_t tile) const {
    const uint64_t right = matrix_descriptor(tile, false, 0);
    multiply_tile<false, false>(d, descriptor, right);
#pragma unroll
    for (int step = 1; step < Block::size / 16; ++step) {
      multiply_tile<true, false>(d, descriptor + (flash_columns_offset(Block::held_rows, step) >> 4),
                                 right + (flash_columns_offset(Block::read_rows, step) >> 4));
    }
  }
};

/** Issues sums (64, 2 `columns`) += left (64, 16 steps) times the rows of a tile. */
template <int columns, int steps>
DEVICE void multiply_rows(float (&sums)[columns], const uint32_t (&left)[steps][4], uint32_t tile) {
  const uint64_t right = matrix_descriptor(tile, true, 16 * steps * flash_line_bytes);
#pragma unroll
  for (int step = 0; step < steps; ++step) {
    multiply_tile<true, true>(sums, left[step], right + (flash_rows_offset(step) >> 4));
  }
}

/** Rounds scores to the left factor of the next product. Each lane already holds its elements. */
template <int steps>
DEVICE void as_factor(uint32_t (&left)[steps][4], const float (&scores)[8 * steps]) {
#pragma unroll
  for (int step = 0; step < steps; ++step) {
#pragma unroll
    for (int i = 0; i < 4; ++i) left[step][i] = pack_bf16(scores[8 * step + 2 * i], scores[8 * step + 2 * i + 1]);
  }
}

/** Writes a warpgroup's sums (64, size), rounded, to the first `present` rows at `to`, through its rows of a tile. */
template <class Block>
DEVICE void store_held(bf16* to, int stride, int present, int tile, int warpgroup,
                       const float (&sums)[Block::size / 2]) {
  constexpr int warp_bytes = 16 * Block::size * element_bytes, panel_bytes = flash_hopper_rows * flash_line_bytes;
  const int warp = thread_of_warpgroup() / warp_size, offset = warp * warp_bytes;
  const int place = tile + offset / panel_bytes * Block::held_rows * flash_line_bytes + warpgroup * panel_bytes +
                    offset % panel_bytes;
  float rows[1][Block::size / 8][4];
#pragma unroll
  for (int i = 0; i < Block::size / 2; ++i) rows[0][i / 4][i % 4] = sums[i];
  store_rows<Block::size>(to + int64_t{warp * 16} * stride, stride, present - warp * 16, place, rows);
}

template <int count>
DEVICE void scale_sums(float (&sums)[count], float factor) {
#pragma unroll
  for (int i = 0; i < count; ++i) sums[i] *= factor;
}

/**
 * Runs the block's roles: `load` in the producer, and `compute` in each consumer. Block.
 *
 * @param tile the tile of the block, not empty
 */
template <class Block, class Load, class Compute>
DEVICE void run_roles(const Tile& tile, const Load& load, const Compute& compute) {
  begin_block<Block>(tile);
  // setmaxnreg requires a register limit at the start: the 1 in the launch bounds.
  if (threadIdx.x / warpgroup_threads == Block::consumers) {
    release_registers<Block::producer_registers>();
    load();
  } else {
    claim_registers<Block::consumer_registers>();
    compute();
  }
}

}  // namespace palestra::cuda::flash
