#pragma once
/** What the host and the kernels of flash-*.cu share: tiles, workspaces, shared memory. bf16, heads of 64 or 128. */
#include "packed-heads.h"

namespace palestra::cuda {

constexpr int flash_threads = 128;
constexpr float flash_log2_e = 1.44269504088896340736f;

/**
 * Tiles begin where their segment begins, so that what else is in the pack does not show, and are numbered through the
 * pack with gaps: segment s has the numbers from `starts[s] / tile_rows + s` on, which are enough for it and are found
 * without a sum over the segments before. A number past a segment's rows is an empty tile.
 */
PALESTRA_EVERYWHERE constexpr int flash_tile_numbers(int rows, int segments, int tile_rows) {
  return rows / tile_rows + segments;
}

/** Queries of a block of the forward pass, and the keys that it reads at a time. */
constexpr int flash_query_rows = 128;
constexpr int flash_key_rows = 64;

/** The queries, and keys and values in a ring of three tiles. */
constexpr int flash_forward_bytes(int size) {
  return (flash_query_rows + 3 * flash_key_rows) * size * 2;
}

/** Queries, or keys, of a block of the backward pass, held in registers; and the rows that it reads at a time. */
PALESTRA_EVERYWHERE constexpr int flash_held_rows(int size) { return size == 64 ? 128 : 64; }
constexpr int flash_read_rows = 64;

/** Of a query: P = exp2(scale log2(e) q k - log2_sum), dS = P (dO v - mean). */
struct FlashStatistics {
  float log2_sum;
  /** D = dO O */
  float mean;
};

/** Statistics lie in tiles of two rows, numbered as all tiles are: those are the 16 bytes of an asynchronous copy. */
PALESTRA_EVERYWHERE constexpr int flash_statistics_rows(int rows, int segments) {
  return 2 * flash_tile_numbers(rows, segments, 2);
}

/** Two tiles of rows and their statistics, twice: one is read while the next arrives. */
PALESTRA_EVERYWHERE constexpr int flash_gradient_bytes(int size) {
  return 2 * (2 * flash_read_rows * size * 2 + flash_read_rows * static_cast<int>(sizeof(FlashStatistics)));
}

/**
 * Values of 64 elements, 32 rows of a warp, have no room in registers beside keys, dK and dV: they stay in shared
 * memory, behind the stages.
 */
PALESTRA_EVERYWHERE constexpr bool flash_keeps_values(int size) { return size != 64; }
constexpr int flash_key_gradient_bytes(int size) {
  return flash_gradient_bytes(size) + (flash_keeps_values(size) ? 0 : flash_held_rows(size) * size * 2);
}

/**
 * In how many parts dK and dV of a kv head are computed, by blocks of their own, and then added in order. Few kv heads
 * would keep few blocks busy: there each query head is a part. Of the heads alone, so that the pack does not show.
 */
constexpr int flash_key_parts(int query_heads, int kv_heads) {
  return kv_heads < 8 ? query_heads / kv_heads : 1;
}

/** Four columns of dK and dV a thread. */
constexpr int flash_key_sum_blocks(int rows, int kv_heads, int size) {
  return static_cast<int>((int64_t{rows} * 2 * kv_heads * size / 4 + flash_threads - 1) / flash_threads);
}

struct FlashGradient : AttentionGradient<bf16> {
  FlashStatistics* statistics;  // (query_heads, flash_statistics_rows)
  int parts;
  /** Query heads of a part: those of a kv head, or one. */
  int part_heads;
  float* partial;  // (parts, rows, [kv_heads of keys | kv_heads of values] * size); not used where parts is 1
};

}  // namespace palestra::cuda
