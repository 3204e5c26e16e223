#include "gemm-tiling.h"

#include <algorithm>
#include <cstdint>

namespace palestra {

namespace {

/** Number of rows of a tile. The tile's part of a stays in the second-level cache. */
constexpr int tile_rows = 96;
/** Number of multiply-adds of a tile at speed 1, which take about 100 microseconds on one core. */
constexpr double tile_work = 5e6;
/** Number of multiply-adds below which a second thread costs more than it saves. */
constexpr double least_tile_work = 6e5;
/**
 * Limits of the values that one tile packs, which take about 30 and 8 microseconds on a core. Smaller tiles are not
 * worth a thread.
 */
constexpr int64_t most_packed_values = 64 << 10;
constexpr int64_t least_packed_values = 16 << 10;
/** Number of multiply-adds that take as long as reading a packed value from memory. */
constexpr int rows_worth_a_read = 12;
/** Up to this number of rows, memory bandwidth is the limit and b is read panel by panel. */
constexpr int most_streamed_rows = 48;
/** Bytes of a panel that are read at a time, while the same number of following bytes is prefetched. */
constexpr int streamed_bytes = 16 << 10;

}  // namespace

GemmTiling tile_product(const GemmShape& shape, const GemmTile& tile, int threads) {
  GemmTiling tiling;
  tiling.rows = round_up(ceil_divide(shape.m, ceil_divide(shape.m, tile_rows)), tile.rows);
  const double work_of_column =
      static_cast<double>(std::max(tiling.rows, rows_worth_a_read * tile.speed)) * shape.k / tile.speed;
  const double whole_work = work_of_column * ceil_divide(shape.m, tiling.rows) * shape.n;
  const double work = std::min(std::max(whole_work / (4 * threads), least_tile_work), tile_work);
  const int64_t columns = round_up<int64_t>(static_cast<int64_t>(work / work_of_column) + 1, tile.columns);
  tiling.columns = static_cast<int>(std::min<int64_t>(columns, shape.n));

  // When all rows pass at once, b is read once, and cutting k gains nothing.
  const bool whole_depth = tiling.rows <= tile.rows;
  const bool streams = shape.m <= most_streamed_rows;
  const int streamed_units = streamed_bytes / tile.unit_bytes;
  const int blocks = whole_depth ? 1 : ceil_divide(shape.units, streams ? streamed_units : tile.cached_units);
  tiling.units_at_once = ceil_divide(shape.units, blocks);
  tiling.units_ahead = streams ? streamed_units : 0;
  tiling.columns_at_once = streams && !whole_depth ? tile.columns : tiling.columns;
  return tiling;
}

int panels_of_tile(int panels, int64_t panel_values, int threads) {
  // With several tiles per thread, all threads finish at nearly the same time.
  const int64_t even = panels * panel_values / (4 * threads);
  const int64_t values = std::min(std::max(even, least_packed_values), most_packed_values);
  return static_cast<int>(std::max<int64_t>(1, values / panel_values));
}

}  // namespace palestra
