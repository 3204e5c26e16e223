#pragma once
/**
 * Definitions that the host and the kernels of flash-*.cu share: tiles, workspaces, shared memory. For bf16 and heads
 * of 64 or 128.
 */
#include "packed-heads.h"

namespace palestra::cuda {

constexpr int flash_threads = 128;
constexpr float flash_log2_e = 1.44269504088896340736f;

/**
 * Number of tile numbers. Tiles begin where their segment begins, so results do not depend on other segments of the
 * pack. Tiles are numbered through the pack with gaps: segment s has the numbers from `starts[s] / tile_rows + s` on. A
 * segment never needs more numbers than that, and the first number is found without a sum over the earlier segments. A
 * number beyond a segment's rows is an empty tile.
 */
PALESTRA_EVERYWHERE constexpr int flash_tile_numbers(int rows, int segments, int tile_rows) {
  return rows / tile_rows + segments;
}

/** Number of queries of a block in the forward pass. The number of keys that are read at a time follows. */
constexpr int flash_query_rows = 128;
constexpr int flash_key_rows = 64;

/** Shared memory for the queries, and for keys and values in a ring of three tiles. */
constexpr int flash_forward_bytes(int size) {
  return (flash_query_rows + 3 * flash_key_rows) * size * 2;
}

/**
 * Number of queries or keys that a block of the backward pass holds in registers, and of rows that it reads at a time.
 */
PALESTRA_EVERYWHERE constexpr int flash_held_rows(int size) { return size == 64 ? 128 : 64; }
constexpr int flash_read_rows = 64;

/** Statistics of a query: P = exp2(scale log2(e) q k - log2_sum), dS = P (dO v - mean). */
struct FlashStatistics {
  float log2_sum;
  /** Mean D = dO O. */
  float mean;
};

/**
 * Number of rows of statistics. The rows are stored in tiles of two, numbered like all tiles: the 16 bytes of an
 * asynchronous copy.
 */
PALESTRA_EVERYWHERE constexpr int flash_statistics_rows(int rows, int segments) {
  return 2 * flash_tile_numbers(rows, segments, 2);
}

/** Two stages of two tiles of rows and their statistics. One stage is read while the next arrives. */
PALESTRA_EVERYWHERE constexpr int flash_gradient_bytes(int size) {
  return 2 * (2 * flash_read_rows * size * 2 + flash_read_rows * static_cast<int>(sizeof(FlashStatistics)));
}

/**
 * Whether held values stay in shared memory, behind the stages. Values of 64 elements, with 32 rows per warp, do not
 * fit into registers beside keys, dK and dV.
 */
PALESTRA_EVERYWHERE constexpr bool flash_keeps_values(int size) { return size != 64; }
constexpr int flash_key_gradient_bytes(int size) {
  return flash_gradient_bytes(size) + (flash_keeps_values(size) ? 0 : flash_held_rows(size) * size * 2);
}

/**
 * Number of parts in which separate blocks compute dK and dV of a kv head. The parts are added in order. Few kv heads
 * would occupy few blocks, so each query head is a part in that case. The number depends on the heads alone, so results
 * do not depend on the pack.
 */
constexpr int flash_key_parts(int query_heads, int kv_heads) {
  return kv_heads < 8 ? query_heads / kv_heads : 1;
}

/** Number of blocks, with four columns of dK and dV per thread. */
constexpr int flash_key_sum_blocks(int rows, int kv_heads, int size) {
  return static_cast<int>((int64_t{rows} * 2 * kv_heads * size / 4 + flash_threads - 1) / flash_threads);
}

struct FlashGradient : AttentionGradient<bf16> {
  FlashStatistics* statistics;  // (query_heads, flash_statistics_rows)
  int parts;
  /** Number of query heads of a part: all query heads of a kv head, or one. */
  int part_heads;
  float* partial;  // (parts, rows, [kv_heads of keys | kv_heads of values] * size); unused when parts is 1
};

}  // namespace palestra::cuda
