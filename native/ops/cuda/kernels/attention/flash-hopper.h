#pragma once
/**
 * Definitions that the host and the kernels of flash-*-hopper.cu share: attention by wgmma, which only sm_90a has. For
 * bf16 and heads of 64 or 128.
 *
 * A tile of rows in shared memory consists of panels of 64 columns. A line of a panel has 128 bytes of one row, and its
 * chunks of 16 bytes are swizzled as wgmma's 128-byte mode expects: chunk c of row r is at c ^ r % 8. Tiles begin at
 * multiples of 1024 bytes, where the pattern begins.
 */
#include "flash.h"

namespace palestra::cuda {

/** Number of rows that a warpgroup holds. */
constexpr int flash_hopper_rows = 64;
constexpr int flash_line_bytes = 128;

/** Offset of a chunk of a row in a tile of `rows` rows. */
PALESTRA_EVERYWHERE constexpr int flash_panel_place(int rows, int row, int chunk) {
  return (chunk / 8 * rows + row) * flash_line_bytes + ((chunk % 8) ^ (row % 8)) * 16;
}

// Offsets for matrix descriptors (wgmma.h).

/** From the start of a tile's rows to 16 columns, as k of a factor whose lines run along k. */
PALESTRA_EVERYWHERE constexpr int flash_columns_offset(int rows, int step) {
  return step / 4 * rows * flash_line_bytes + step % 4 * 32;
}
/** From the start of a tile to 16 rows, as k of a right factor whose lines run along the columns. */
PALESTRA_EVERYWHERE constexpr int flash_rows_offset(int step) { return step * 16 * flash_line_bytes; }

/**
 * A block. Its consumers are warpgroups that hold 64 rows each of `held_` matrices. One more warpgroup, the producer,
 * loads `read_rows_` rows of two matrices at a time into a ring of stages. Each stage has a barrier for its arrival and
 * a barrier for its release.
 */
template <int size_, int consumers_, int held_, int read_rows_>
struct FlashHopperBlock {
  static constexpr int size = size_;
  static constexpr int consumers = consumers_;
  static constexpr int read_rows = read_rows_;
  static constexpr int stages = 4;
  static constexpr int held_rows = consumers * flash_hopper_rows;
  static constexpr int threads = 128 * (consumers + 1);
  static constexpr int producer_registers = consumers == 2 ? 40 : 32;
  static constexpr int consumer_registers = consumers == 2 ? 232 : 160;

  // Offsets in shared memory.
  static constexpr int held_bytes = held_rows * size * 2;
  static constexpr int read_bytes = read_rows * size * 2;
  static constexpr int first_held = 0;
  static constexpr int second_held = held_bytes;
  static constexpr int first_stage = held_ * held_bytes;
  static constexpr int stage_bytes = 2 * read_bytes;
  /** The statistics of queries that are read with their dO. */
  static constexpr int statistics = first_stage + stages * stage_bytes;
  static constexpr int statistics_bytes = read_rows * static_cast<int>(sizeof(FlashStatistics));
  static constexpr int barriers = statistics + stages * statistics_bytes;
  static constexpr int tile = barriers + stages * 16;
  static constexpr int shared_bytes = tile + 16;

  static_assert(consumers * 128 * consumer_registers + 128 * producer_registers <= 65536,
                "registers of a multiprocessor");
  static_assert(shared_bytes <= 227 << 10, "shared memory of a block");
};

/** The forward pass: queries are held. A tile of 128 keys of 128 elements would leave room for two stages only. */
template <int size>
struct FlashHopperForwards : FlashHopperBlock<size, size == 64 ? 3 : 2, 1, size == 64 ? 128 : 64> {
  /** Whether held rows stay in registers as left factors, instead of being read again for each product. */
  static constexpr bool keeps_held = size == 128;
};
/** dQ: queries and dO are held. */
template <int size>
struct FlashHopperQueries : FlashHopperBlock<size, size == 64 ? 3 : 2, 2, 64> {
  static constexpr bool keeps_held = true;
};
/** dK and dV, whose sums take twice as many registers as dQ: keys and values are held. */
template <int size>
struct FlashHopperKeys : FlashHopperBlock<size, 2, 2, 64> {
  static constexpr bool keeps_held = size == 64;
  /** Whether registers are left for the next scores while the products of the last sums are under way. */
  static constexpr bool overlaps = size == 64;
};

struct FlashHopperForward : AttentionForward<bf16> {
  /** Null, or set to 1 when a barrier stays closed for a second. In that case the results are wrong. */
  int* trouble;
};
struct FlashHopperGradient : FlashGradient {
  int* trouble;
};

}  // namespace palestra::cuda
