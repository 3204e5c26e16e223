#pragma once
#include <cstdint>

#include "page-layout.h"

/**
 * The plan of a step as it lies on the device, uploaded once for all layers: a `PlanHeader`, a `PlanRow` for each row
 * that the limits allow, the `PlanItem`s, and then words (int32): page numbers by sequence, and lists of rows.
 *
 * Attention over the keys of a row goes by chunks of a fixed number of positions: within a chunk by an online softmax,
 * and the chunks are merged in their order. What a chunk gives a row depends on the row and the chunk alone, so that
 * the plan is free to have chunks done side by side or one after the other, and for one row or for many that share it.
 */
namespace palestra::cuda {

constexpr int chunk_pages = 16;
constexpr int chunk_positions = chunk_pages * positions_of_page;

/** Queries, each a row and a head, that a warp and a thread block take. */
constexpr int warp_queries = 16;
constexpr int block_warps = 4;
constexpr int block_queries = block_warps * warp_queries;

struct PlanHeader {
  /** Items of up to `block_queries`, for a thread block each; they come last and are begun first. */
  int32_t wide_items;
  /** Items of up to `warp_queries` and one chunk, for a warp each. */
  int32_t narrow_items;
  /** Where the words begin, in bytes. */
  int32_t words;
  int32_t unused;
};

/** A row of the step. One that no sequence has: -1, -1, -1, 0. */
struct alignas(16) PlanRow {
  /** Where in the store it goes: page * 16 + position in the page. */
  int32_t slot;
  int32_t position;
  /** Where the partial results of its chunks begin; -1: it has none, its item has all of its chunks. */
  int32_t partial;
  /** The word where its sequence's page numbers begin. */
  int32_t pages;
};

/** Work for one kv head: queries of some rows, all query heads of that kv head, and a chunk or all of them. */
struct alignas(16) PlanItem {
  /** The first row, or the word where the list of rows begins. */
  int32_t rows;
  int32_t is_list;
  /** Query q is that of row q / group and head q % group, group = query heads / kv heads. */
  int32_t first_query;
  int32_t queries;
  /** -1: all, one after the other. */
  int32_t chunk;
  /** Positions from here on hold nothing yet. */
  int32_t keys;
  /** The word where the page numbers begin, of position 0. */
  int32_t pages;
  int32_t unused;
};

/** A pointer to the plan, taken apart. `rows` is what the limits allow. */
struct PlanView {
  const PlanHeader* header;
  const PlanRow* rows;
  const PlanItem* items;

  PALESTRA_EVERYWHERE const int32_t* words() const {
    return reinterpret_cast<const int32_t*>(reinterpret_cast<const char*>(header) + header->words);
  }
};

}  // namespace palestra::cuda
