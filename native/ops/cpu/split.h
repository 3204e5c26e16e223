#pragma once
#include <algorithm>

#include "../../core/thread-pool.h"
#include "row-kernels.h"

namespace palestra {

/** Elements that one tile goes over: some tens of microseconds, small enough to share and large enough to wake for. */
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

/** Runs `part` on ranges that cover 0 ... count - 1, each worth about a tile where one costs `elements_each`. */
template <class Part>
void split_rows(ThreadPool& pool, int64_t count, int64_t elements_each, Part&& part) {
  split_by(pool, count, std::max<int64_t>(1, tile_elements / std::max<int64_t>(1, elements_each)), part);
}

/** The same for sums over rows, which go down whole cache lines of columns. */
template <class Part>
void split_columns(ThreadPool& pool, int64_t width, int64_t rows, Part&& part) {
  constexpr int64_t line = 64;
  split_by(pool, width, std::max(line, tile_elements / std::max<int64_t>(1, rows) / line * line), part);
}

}  // namespace palestra
