#pragma once
#include <algorithm>

#include "../../../core/thread-pool.h"
#include "row-kernels.h"

namespace palestra {

/**
 * Number of elements of a tile, which take some tens of microseconds. The number is small enough to share the work, and
 * large enough to justify waking a thread.
 */
constexpr int64_t tile_elements = 32768;

template <class Part>
void split_by(ThreadPool& pool, int64_t count, int64_t each, Part&& part) {
  const int64_t tiles = (count + each - 1) / each;
  if (tiles <= 1) {
    if (count > 0) part(Range{0, count});
    return;
  }
  pool.run(static_cast<int>(tiles), [&](int tile) { part(Range{tile * each, std::min(count, (tile + 1) * each)}); });
}

/**
 * Runs `part` on ranges that cover 0 ... count - 1. When one entry costs `elements_each`, each range has about the work
 * of a tile.
 */
template <class Part>
void split_rows(ThreadPool& pool, int64_t count, int64_t elements_each, Part&& part) {
  split_by(pool, count, std::max<int64_t>(1, tile_elements / std::max<int64_t>(1, elements_each)), part);
}

/** Runs `part` on ranges for sums over rows. The ranges are whole cache lines of columns. */
template <class Part>
void split_columns(ThreadPool& pool, int64_t width, int64_t rows, Part&& part) {
  constexpr int64_t line = 64;
  split_by(pool, width, std::max(line, tile_elements / std::max<int64_t>(1, rows) / line * line), part);
}

}  // namespace palestra
