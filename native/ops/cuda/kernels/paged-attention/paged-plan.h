#pragma once
#include <cstdint>

#include "page-layout.h"

/**
 * The plan of a step on the device, uploaded once for all layers. The plan has a `PlanHeader`, a `PlanRow` for each row
 * within the limits, the `PlanItem`s, and words (int32) with page numbers by sequence and lists of rows.
 *
 * Attention over the keys of a row works on chunks of a fixed number of positions: an online softmax within a chunk,
 * followed by a merge of the chunks in order. The result of a chunk for a row depends only on the row and the chunk. So
 * the plan may run chunks side by side or one after the other, for one row or for many rows that share the chunk.
 */
namespace palestra::cuda {

constexpr int chunk_pages = 16;
constexpr int chunk_positions = chunk_pages * positions_of_page;

/** Number of queries, each a row and a head, of a warp and of a thread block. */
constexpr int warp_queries = 16;
constexpr int block_warps = 4;
constexpr int block_queries = block_warps * warp_queries;

struct PlanHeader {
  /** Number of items of up to `block_queries`, one thread block each. These items come last and are started first. */
  int32_t wide_items;
  /** Number of items of up to `warp_queries` and one chunk, one warp each. */
  int32_t narrow_items;
  /** Byte offset of the words. */
  int32_t words;
  int32_t unused;
};

/** A row of the step. A row that belongs to no sequence is -1, -1, -1, 0. */
struct alignas(16) PlanRow {
  /** Destination in the store: page * 16 + position in the page. */
  int32_t slot;
  int32_t position;
  /**
   * Index of the first partial result of the row's chunks. -1: no partial results, because the row's item has all of
   * its chunks.
   */
  int32_t partial;
  /** Index of the first word of its sequence's page numbers. */
  int32_t pages;
};

/**
 * Work for one kv head: the queries of some rows, for all query heads of that kv head, and one chunk or all of them.
 */
struct alignas(16) PlanItem {
  /** The first row, or the index of the first word of the list of rows. */
  int32_t rows;
  int32_t is_list;
  /**
   * First query of the item. Query q is that of row q / group and head q % group, with group = query heads / kv heads.
   */
  int32_t first_query;
  int32_t queries;
  /** Chunk of the item. -1: all chunks, one after the other. */
  int32_t chunk;
  /** Number of valid positions. */
  int32_t keys;
  /** Index of the first word of the page numbers, from position 0 on. */
  int32_t pages;
  int32_t unused;
};

/** A pointer to the plan, split into its parts. `rows` is the limit. */
struct PlanView {
  const PlanHeader* header;
  const PlanRow* rows;
  const PlanItem* items;

  PALESTRA_EVERYWHERE const int32_t* words() const {
    return reinterpret_cast<const int32_t*>(reinterpret_cast<const char*>(header) + header->words);
  }
};

}  // namespace palestra::cuda
