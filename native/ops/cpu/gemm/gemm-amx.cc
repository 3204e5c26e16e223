/**
 * Products by the tile registers of AMX, which multiply 16 rows of 32 bfloat16 values by 32 rows of 16 columns.
 *
 * A unit is 32 values of k, 64 bytes. In a panel of a, each unit of a line lies as it is in memory. In a panel of b,
 * the units of 16 columns are a tile: row p has values 2p and 2p + 1 of each column.
 *
 * A sum is computed in steps of 32 values: the products at even and at odd places are summed apart, and both sums are
 * added to it. Subnormal values are 0.
 */
// GCC 12 warns of values that its own intrinsics leave undefined on purpose.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>

#include "gemm-kernels.h"

namespace palestra {

namespace {

constexpr int depth = 32;
/** Rows of a tile, and columns of 4 bytes. */
constexpr int tile = 16;
constexpr int unit_bytes = 64;
constexpr int tile_bytes = tile * unit_bytes;
/** Lines of a full panel: two tiles. */
constexpr int width = 2 * tile;

using Row = __m512i;

inline void store(void* panels, int64_t unit, Row row) {
  _mm512_storeu_si512(static_cast<char*>(panels) + unit * unit_bytes, row);
}

/** Returns the mask of the first `count` of 16 values. */
inline __mmask16 first_of(int count) {
  return count >= tile ? 0xffff : count <= 0 ? 0 : static_cast<__mmask16>((1u << count) - 1);
}

/** Rounds 32 values of a line that lies along k. Values from `count` on are 0. */
inline Row along_k(const float* values, int count) {
  const __m512 low = _mm512_maskz_loadu_ps(first_of(count), values);
  const __m512 high = _mm512_maskz_loadu_ps(first_of(count - tile), values + tile);
  return reinterpret_cast<Row>(_mm512_cvtne2ps_pbh(high, low));
}

/** Rounds values 2p and 2p + 1 of 16 lines that lie across k, and returns them as pairs. */
inline Row across_k(const float* values, int64_t stride, int lines, int count) {
  const __m512 even = _mm512_maskz_loadu_ps(first_of(lines), values);
  const __m512 odd = count < 2 ? _mm512_setzero_ps() : _mm512_maskz_loadu_ps(first_of(lines), values + stride);
  const Row apart = reinterpret_cast<Row>(_mm512_cvtne2ps_pbh(odd, even));
  const Row order = _mm512_set_epi16(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8, 23, 7, 22, 6, 21, 5,
                                     20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
  return _mm512_permutexvar_epi16(order, apart);
}

/** Transposes 16 rows of 16 words. */
inline void transpose(Row (&r)[tile]) {
  Row s[tile];
#pragma GCC unroll 8
  for (int i = 0; i < tile; i += 2) {
    s[i] = _mm512_unpacklo_epi32(r[i], r[i + 1]);
    s[i + 1] = _mm512_unpackhi_epi32(r[i], r[i + 1]);
  }
#pragma GCC unroll 4
  for (int i = 0; i < tile; i += 4) {
    r[i] = _mm512_unpacklo_epi64(s[i], s[i + 2]);
    r[i + 1] = _mm512_unpackhi_epi64(s[i], s[i + 2]);
    r[i + 2] = _mm512_unpacklo_epi64(s[i + 1], s[i + 3]);
    r[i + 3] = _mm512_unpackhi_epi64(s[i + 1], s[i + 3]);
  }
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    const Row low = _mm512_shuffle_i32x4(r[i], r[i + 4], 0x88), high = _mm512_shuffle_i32x4(r[i], r[i + 4], 0xdd);
    const Row low2 = _mm512_shuffle_i32x4(r[i + 8], r[i + 12], 0x88);
    const Row high2 = _mm512_shuffle_i32x4(r[i + 8], r[i + 12], 0xdd);
    s[i] = _mm512_shuffle_i32x4(low, low2, 0x88);
    s[i + 8] = _mm512_shuffle_i32x4(low, low2, 0xdd);
    s[i + 4] = _mm512_shuffle_i32x4(high, high2, 0x88);
    s[i + 12] = _mm512_shuffle_i32x4(high, high2, 0xdd);
  }
#pragma GCC unroll 16
  for (int i = 0; i < tile; ++i) r[i] = s[i];
}

/** The pairs of a tile of lines from `first` on: row p has the pair p of each line. */
inline void pairs_of(Row (&pairs)[tile], const GemmLines<float>& lines, int first, int p) {
  const int count = lines.count - first, left = lines.k - p;
  if (lines.along_k) {
#pragma GCC unroll 16
    for (int j = 0; j < tile; ++j)
      pairs[j] = j < count ? along_k(lines.data + (first + j) * lines.stride + p, left) : _mm512_setzero_si512();
    transpose(pairs);
  } else {
#pragma GCC unroll 16
    for (int i = 0; i < tile; ++i) {
      const float* values = lines.data + (p + 2 * i) * lines.stride + first;
      pairs[i] = 2 * i < left ? across_k(values, lines.stride, count, left - 2 * i) : _mm512_setzero_si512();
    }
  }
}

void pack_a(void* panels, const GemmLines<float>& lines, int height) {
  const int units = (lines.k + depth - 1) / depth;
  for (int first = 0; first < lines.count; first += height) {
    const int64_t panel = static_cast<int64_t>(first) * units;
    const int count = lines.count - first < height ? lines.count - first : height;
    if (lines.along_k) {
      for (int j = 0; j < height; ++j) {
        const float* line = lines.data + (first + j) * lines.stride;
        for (int u = 0; u < units; ++u)
          store(panels, panel + static_cast<int64_t>(u) * height + j,
                j < count ? along_k(line + u * depth, lines.k - u * depth) : _mm512_setzero_si512());
      }
    } else {
      const GemmLines<float> own{lines.data + first, lines.stride, false, count, lines.k};
      for (int u = 0; u < units; ++u) {
        for (int j = 0; j < height; j += tile) {
          Row rows[tile];
          pairs_of(rows, own, j, u * depth);
          transpose(rows);
          for (int i = 0; i < tile && j + i < height; ++i)
            store(panels, panel + static_cast<int64_t>(u) * height + j + i, rows[i]);
        }
      }
    }
  }
}

void pack_b(void* panels, const GemmLines<float>& lines) {
  const int units = (lines.k + depth - 1) / depth;
  for (int u = 0; u < units; ++u) {
    for (int first = 0; first < lines.count; first += tile) {
      Row rows[tile];
      pairs_of(rows, lines, first, u * depth);
      const int64_t panel = static_cast<int64_t>(first / width) * units * width;
      const int64_t to = panel + static_cast<int64_t>(u) * width + first % width;
      for (int i = 0; i < tile; ++i) store(panels, to + i, rows[i]);
      if (first % width == 0 && lines.count - first <= tile)
        for (int i = tile; i < width; ++i) store(panels, to + i, _mm512_setzero_si512());
    }
  }
}

void unpack_b(float* row, const void* panel, int line, int k) {
  for (int p = 0; p < k; ++p) {
    const int64_t row_of_pairs = static_cast<int64_t>(p / depth) * width + line / tile * tile + p % depth / 2;
    const int64_t at = row_of_pairs * unit_bytes + line % tile * 4 + p % 2 * 2;
    uint16_t half;
    __builtin_memcpy(&half, static_cast<const char*>(panel) + at, sizeof half);
    const uint32_t bits = static_cast<uint32_t>(half) << 16;
    __builtin_memcpy(&row[p], &bits, sizeof bits);
  }
}

/** Sizes of the tile registers, as `ldtilecfg` reads them. */
struct alignas(64) TileSizes {
  uint8_t palette = 1;
  uint8_t start_row = 0;
  uint8_t reserved[14] = {};
  uint16_t row_bytes[16] = {};
  uint8_t rows[16] = {};

  void set(int number, int count, int columns) {
    row_bytes[number] = static_cast<uint16_t>(columns * 4);
    rows[number] = static_cast<uint8_t>(count);
  }
};

inline int at_most(int count) { return count < tile ? count : tile; }

/** Registers 0 to 3 are the sums, 4 and 5 the tiles of a, 6 and 7 those of b. */
void configure(int rows, int columns) {
  TileSizes sizes;
  for (int i = 0; i * tile < rows; ++i) {
    sizes.set(4 + i, at_most(rows - i * tile), tile);
    for (int j = 0; j * tile < columns; ++j)
      sizes.set(2 * i + j, at_most(rows - i * tile), at_most(columns - j * tile));
  }
  for (int j = 0; j * tile < columns; ++j) sizes.set(6 + j, tile, at_most(columns - j * tile));
  _tile_loadconfig(&sizes);
}

/** Computes c = or += a b for up to 2 by 2 tiles. */
template <bool two_rows, bool two_columns>
inline void multiply_tiles(const GemmBlock<float>& block, const char* a, const char* b, float* c) {
  const int64_t c_stride = block.c_stride * static_cast<int64_t>(sizeof(float));
  float* below = c + tile * block.c_stride;
  if (block.add) {
    _tile_loadd(0, c, c_stride);
    if constexpr (two_columns) _tile_loadd(1, c + tile, c_stride);
    if constexpr (two_rows) _tile_loadd(2, below, c_stride);
    if constexpr (two_rows && two_columns) _tile_loadd(3, below + tile, c_stride);
  } else {
    _tile_zero(0);
    if constexpr (two_columns) _tile_zero(1);
    if constexpr (two_rows) _tile_zero(2);
    if constexpr (two_rows && two_columns) _tile_zero(3);
  }
  const int64_t a_step = static_cast<int64_t>(block.a_height) * unit_bytes;
  const int64_t ahead = static_cast<int64_t>(block.units_ahead) * width * unit_bytes;
  for (int u = 0; u < block.units; ++u, a += a_step, b += width * unit_bytes) {
    if (ahead > 0)
      for (int line = 0; line < width * unit_bytes; line += 64) __builtin_prefetch(b + ahead + line, 0, 2);
    _tile_loadd(6, b, unit_bytes);
    _tile_loadd(4, a, unit_bytes);
    _tile_dpbf16ps(0, 4, 6);
    if constexpr (two_columns) {
      _tile_loadd(7, b + tile_bytes, unit_bytes);
      _tile_dpbf16ps(1, 4, 7);
    }
    if constexpr (two_rows) {
      _tile_loadd(5, a + tile_bytes, unit_bytes);
      _tile_dpbf16ps(2, 5, 6);
      if constexpr (two_columns) _tile_dpbf16ps(3, 5, 7);
    }
  }
  _tile_stored(0, c, c_stride);
  if constexpr (two_columns) _tile_stored(1, c + tile, c_stride);
  if constexpr (two_rows) _tile_stored(2, below, c_stride);
  if constexpr (two_rows && two_columns) _tile_stored(3, below + tile, c_stride);
}

void multiply(const GemmBlock<float>& block) {
  int configured_rows = 0, configured_columns = 0;
  for (int j = 0; j < block.columns; j += width) {
    const char* b = static_cast<const char*>(block.b) + j / width * block.b_stride * unit_bytes;
    const int columns = block.columns - j < width ? block.columns - j : width;
    const char* a = static_cast<const char*>(block.a);
    for (int i = 0; i < block.rows; i += block.a_height, a += block.a_stride * unit_bytes) {
      const int rows = block.rows - i < block.a_height ? block.rows - i : block.a_height;
      if (rows != configured_rows || columns != configured_columns) configure(rows, columns);
      configured_rows = rows;
      configured_columns = columns;
      float* c = block.c + i * block.c_stride + j;
      if (rows > tile) {
        columns > tile ? multiply_tiles<true, true>(block, a, b, c) : multiply_tiles<true, false>(block, a, b, c);
      } else {
        columns > tile ? multiply_tiles<false, true>(block, a, b, c) : multiply_tiles<false, false>(block, a, b, c);
      }
    }
  }
  // Registers in use would make each switch of threads slower.
  _tile_release();
}

}  // namespace

const GemmKernels<float> gemm_amx_bf16 = {"amxbf16 32x32", width, width, depth, unit_bytes, unit_bytes, false,
                                          64, 8, pack_a, pack_b, unpack_b, multiply};

}  // namespace palestra
