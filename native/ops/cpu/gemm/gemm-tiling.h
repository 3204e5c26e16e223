#pragma once
#include <cstdint>

namespace palestra {

template <class I>
constexpr I ceil_divide(I n, I by) {
  return (n + by - 1) / by;
}

template <class I>
constexpr I round_up(I n, I to) {
  return ceil_divide(n, to) * to;
}

/**
 * Returns the number of rows that share a load of the second factor, of at most `most`. The rows are divided evenly,
 * because few rows leave the processor waiting for its own sums.
 */
inline int height_for(int rows, int most) { return ceil_divide(rows, ceil_divide(rows, most)); }

/** c (m, n) = a b over k, in units. */
struct GemmShape {
  int m;
  int n;
  int k;
  int units;
};

/**
 * The sums that stay in registers. The fields are the rows of a that share a load of b, the columns of a panel of b,
 * the panel's bytes per unit, and `cached_units` and `speed` of the kernels.
 */
struct GemmTile {
  int rows;
  int columns;
  int unit_bytes;
  int cached_units;
  int speed;
};

/** Cuts of a product: c is cut into tiles for the threads, and a tile into blocks for the caches. */
struct GemmTiling {
  int rows;
  int columns;
  int columns_at_once;
  int units_at_once;
  /** `GemmBlock::units_ahead`. */
  int units_ahead;
};

GemmTiling tile_product(const GemmShape& shape, const GemmTile& tile, int threads);

/** Returns the number of panels that one tile packs. Each of the `panels` has `panel_values` values. */
int panels_of_tile(int panels, int64_t panel_values, int threads);

}  // namespace palestra
