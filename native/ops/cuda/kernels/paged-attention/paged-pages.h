#pragma once
#include "../simt/simt.h"
#include "paged-attention.h"

/** Copies pages into shared memory for `paged_attention`. For kernels. */
namespace palestra::cuda::paged {

using namespace palestra::simt;

template <int size, bool is_fp8>
struct Shape {
  static constexpr int head_size = size;
  static constexpr bool fp8 = is_fp8;
  static constexpr int stages = PagedPipeline{size, is_fp8}.stages();
  static constexpr int step_pages = PagedPipeline{size, is_fp8}.step_pages();
  static constexpr int step_bytes = PagedPipeline{size, is_fp8}.step_bytes();
  static constexpr int step_positions = step_pages * positions_of_page;
  static constexpr int steps_of_chunk = chunk_pages / step_pages;
  static constexpr int key_tiles = step_positions / 8;
  static constexpr int row_bytes = PageLayout{size, is_fp8 ? 1 : 2}.row_bytes();
  static constexpr int head_bytes = PageLayout{size, is_fp8 ? 1 : 2}.head_bytes();
  static constexpr int units = row_bytes / 16;
  /** Number of floats of a warp's sums. */
  static constexpr int kept_floats = (4 + size / 2) * warp_size;
  static_assert(4 * block_warps * kept_floats <= (block_warps - 1) * stages * step_bytes,
                "the kept sums fit into the stages of the other warps");

  /** Offset of the scales of 16 keys and 16 values in an fp8 page. */
  DEVICE static constexpr int scales() { return PageLayout{size, 1}.key_scales(); }
  /**
   * Offset of 16 bytes of a row in the copy of a page, with keys in rows 0 to 15 and values in rows 16 to 31. The same
   * unit of eight adjacent rows is in eight different groups of banks. The unit is `from` + `unit`, which have no bits
   * in common. With a constant `from`, few of the resulting sums differ.
   */
  DEVICE static int place(int row, int unit, int from = 0) {
    constexpr int rows_of_line = units < 8 ? 8 / units : 1;
    constexpr int turns = units < 8 ? units : 8;
    const int turn = row / rows_of_line % turns;
    return row * row_bytes + ((unit ^ turn) * 16 ^ from % 8 * 16) + from / 8 * 128;
  }
};

/** The threads that compute an item together: a warp or the block. */
struct Crew {
  bool is_block;

  DEVICE void sync() const {
    if (is_block) {
      __syncthreads();
    } else {
      __syncwarp();
    }
  }
};

/** Copies the pages of an item into shared memory, step by step. */
template <class S>
struct Pages {
  Crew crew;
  char* shared;
  /** The kv head's part of page 0. */
  const char* store;
  int64_t page_bytes;
  /** Page numbers, from the page of the first position on. */
  const int32_t* numbers;
  /** Number of valid positions, from the first on. */
  int positions;
  /** Page numbers of the chunk being fetched; lane l has page l % 16. */
  int32_t chunk_numbers;

  DEVICE int steps() const { return (positions + S::step_positions - 1) / S::step_positions; }
  DEVICE const char* stage(int step) const { return shared + step % S::stages * S::step_bytes; }

  /** Starts to copy a step as a group of copies; the group is empty past the last step. */
  DEVICE void fetch(int step) {
    if (step < steps()) {
      if (step % S::steps_of_chunk == 0) {
        const int page = step * S::step_pages + lane_index() % chunk_pages;
        chunk_numbers = page * positions_of_page < positions ? numbers[page] : 0;
      }
      for (int i = 0; i < S::step_pages; ++i) {
        const int page = step * S::step_pages + i;
        const int64_t number = shuffle(chunk_numbers, page % chunk_pages);
        fetch_page(shared + step % S::stages * S::step_bytes + i * S::head_bytes, store + number * page_bytes,
                   positions - page * positions_of_page);
      }
    }
    commit_copies();
  }

  /**
   * Copies eight rows at a time. Each warp of a block has its own rows. Missing rows become 0, because their weight of
   * 0 must not meet NaN in stale memory.
   */
  DEVICE void fetch_page(char* to, const char* from, int held) const {
    static_assert(block_warps * 8 == 2 * positions_of_page, "eight rows for each warp");
    constexpr int part_bytes = 8 * S::row_bytes;
    const int lane = lane_index();
    const char* const own = from + 16 * lane;
    for (int first = 0; first < 8 * S::units; first += warp_size) {
      const int row = (first + lane) / S::units, at = S::place(row, (first + lane) % S::units);
      for (int part = 0; part < block_warps; ++part) {
        if (crew.is_block && part != warp_index()) continue;
        copy_async(to + part * part_bytes + at, own + part * part_bytes + 16 * first,
                   row < held - part % 2 * 8 ? 16 : 0);
      }
    }
    if constexpr (S::fp8) {
      constexpr int scales_of_unit = 4, count = 2 * positions_of_page / scales_of_unit;
      const int rest = held - scales_of_unit * lane % positions_of_page;
      const int valid = rest < 0 ? 0 : rest < scales_of_unit ? rest : scales_of_unit;
      const int at = S::scales() + 16 * lane;
      if (lane < count && !(crew.is_block && warp_index() > 0)) {
        copy_async(to + at, from + at, valid * static_cast<int>(sizeof(float)));
      }
    }
  }
};

}  // namespace palestra::cuda::paged
