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

/** c (m, n) = a b over k, which goes in units. */
struct GemmShape {
  int m;
  int n;
  int k;
  int units;
};

/** What stays in registers: the rows of a that share a load of b, and the columns of a panel of b; its bytes a unit. */
struct GemmTile {
  int rows;
  int columns;
  int unit_bytes;
};

/** How a product is cut: c into tiles for the threads, a tile into blocks for the caches. */
struct GemmTiling {
  int rows;
  int columns;
  int columns_at_once;
  int units_at_once;
  /** As `GemmBlock` has it. */
  int units_ahead;
};

GemmTiling tile_product(const GemmShape& shape, const GemmTile& tile, int threads);

/** How many of `panels`, which have `panel_values` each, one tile packs. */
int panels_of_tile(int panels, int64_t panel_values, int threads);

}  // namespace palestra
