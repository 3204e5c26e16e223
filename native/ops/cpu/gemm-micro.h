/**
 * The body of all GEMM kernels, written once over a `K` that names registers and instructions:
 *
 *   T, A, B      type of c, and of the units of a and b
 *   Vector       `lanes` sums
 *   rows         of the tile in registers, which has `vectors * lanes` columns
 *   most_sums    vectors of sums that fit the registers, with the columns and the row that they are made of
 *   depth        values of k in a unit
 *   substeps     multiplications that a unit takes, in their order: 2 where pairs are widened
 *   pack_a, pack_b, zero, load, store, load_b, broadcast_a, multiply_add
 *
 * To be included by the files of the instruction sets alone. Everything has internal linkage and nothing inline of
 * other headers is called: the linker keeps one copy of an inline function, and that may be one for instructions which
 * the machine at hand does not have.
 */
#pragma once
#include <cstdint>
#include <cstring>

#include "gemm-kernels.h"
#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace palestra {
namespace {

/** Several rows share each load of b; where there are few rows, several panels of b keep as many sums under way. */
template <class K>
constexpr int panels_at_once(int rows) {
  return rows == 1 ? 4 : 2 * rows * K::vectors <= K::most_sums ? 2 : 1;
}

/** c (R rows, P panels) = or += a b: each sum one chain over k, ascending, in a register. */
template <class K, int R, int P, bool packed>
inline void micro_kernel(const GemmBlock<typename K::T>& block, const typename K::A* a, const typename K::B* b,
                         typename K::T* c, int64_t c_stride) {
  constexpr int width = K::vectors * K::lanes;
  typename K::Vector sum[R][P * K::vectors];
#pragma GCC unroll 16
  for (int i = 0; i < R; ++i)
#pragma GCC unroll 16
    for (int v = 0; v < P * K::vectors; ++v)
      sum[i][v] = block.add ? K::load(c + i * c_stride + v * K::lanes) : K::zero();
  const int64_t a_row = packed ? 1 : block.a_stride;
  const int64_t a_unit = packed ? block.a_height : 1;
  const int64_t b_stride = block.b_stride;
  const int64_t ahead = static_cast<int64_t>(block.units_ahead) * width;
  for (int u = 0; u < block.units; ++u) {
    if constexpr (P == 1)
      for (int v = 0; v < width * static_cast<int>(sizeof(*b)); v += 64)
        __builtin_prefetch(reinterpret_cast<const char*>(b + ahead) + v, 0, 2);
#pragma GCC unroll 2
    for (int s = 0; s < K::substeps; ++s) {
      typename K::Vector columns[P * K::vectors];
#pragma GCC unroll 16
      for (int v = 0; v < P * K::vectors; ++v)
        columns[v] = K::load_b(b + v / K::vectors * b_stride + v % K::vectors * K::lanes, s);
#pragma GCC unroll 16
      for (int i = 0; i < R; ++i) {
        const typename K::Vector row = K::broadcast_a(a + i * a_row, s);
#pragma GCC unroll 16
        for (int v = 0; v < P * K::vectors; ++v) sum[i][v] = K::multiply_add(row, columns[v], sum[i][v]);
      }
    }
    a += a_unit;
    b += width;
  }
#pragma GCC unroll 16
  for (int i = 0; i < R; ++i)
#pragma GCC unroll 16
    for (int v = 0; v < P * K::vectors; ++v) K::store(c + i * c_stride + v * K::lanes, sum[i][v]);
}

template <class K, int P, bool packed, int R = K::rows>
void choose_height(int rows, const GemmBlock<typename K::T>& block, const typename K::A* a, const typename K::B* b,
                   typename K::T* c, int64_t c_stride) {
  if (rows == R) {
    // All that can be asked for: panels by the number of rows, or a single one.
    if constexpr (P == 1 || panels_at_once<K>(R) == P) micro_kernel<K, R, P, packed>(block, a, b, c, c_stride);
  } else if constexpr (R > 1) {
    choose_height<K, P, packed, R - 1>(rows, block, a, b, c, c_stride);
  }
}

/** All rows of the block times the P panels from b. */
template <class K, int P, bool packed>
void multiply_panels(const GemmBlock<typename K::T>& block, const typename K::B* b, typename K::T* c,
                     int64_t c_stride) {
  const auto* a = static_cast<const typename K::A*>(block.a);
  for (int i = 0; i < block.rows; i += block.a_height) {
    const int rows = block.rows - i < block.a_height ? block.rows - i : block.a_height;
    choose_height<K, P, packed>(rows, block, a, b, c + i * c_stride, c_stride);
    a += packed ? block.a_stride : block.a_height * block.a_stride;
  }
}

/** The last panel where it is not full: in a tile of its own, so that nothing beyond c is read or written. */
template <class K, bool packed>
void multiply_edge(const GemmBlock<typename K::T>& block, const typename K::B* b, typename K::T* c, int columns) {
  using T = typename K::T;
  constexpr int width = K::vectors * K::lanes;
  const auto* a = static_cast<const typename K::A*>(block.a);
  for (int i = 0; i < block.rows; i += block.a_height) {
    const int rows = block.rows - i < block.a_height ? block.rows - i : block.a_height;
    alignas(64) T tile[K::rows * width] = {};
    if (block.add)
      for (int r = 0; r < rows; ++r) std::memcpy(tile + r * width, c + (i + r) * block.c_stride, columns * sizeof(T));
    choose_height<K, 1, packed>(rows, block, a, b, tile, width);
    for (int r = 0; r < rows; ++r) std::memcpy(c + (i + r) * block.c_stride, tile + r * width, columns * sizeof(T));
    a += packed ? block.a_stride : block.a_height * block.a_stride;
  }
}

template <class K, bool packed>
void multiply_as(const GemmBlock<typename K::T>& block) {
  constexpr int width = K::vectors * K::lanes;
  const auto* b = static_cast<const typename K::B*>(block.b);
  const int panels = block.columns / width;
  const auto c = [&block](int panel) { return block.c + static_cast<int64_t>(panel) * width; };
  int panel = 0;
  const int together = block.rows <= block.a_height ? panels_at_once<K>(block.rows) : 1;
  for (; together == 4 && panel + 4 <= panels; panel += 4)
    multiply_panels<K, 4, packed>(block, b + panel * block.b_stride, c(panel), block.c_stride);
  for (; together == 2 && panel + 2 <= panels; panel += 2)
    multiply_panels<K, 2, packed>(block, b + panel * block.b_stride, c(panel), block.c_stride);
  for (; panel < panels; ++panel)
    multiply_panels<K, 1, packed>(block, b + panel * block.b_stride, c(panel), block.c_stride);
  const int rest = block.columns - panels * width;
  if (rest > 0) multiply_edge<K, packed>(block, b + panels * block.b_stride, c(panels), rest);
}

template <class K>
void multiply(const GemmBlock<typename K::T>& block) {
  if (block.a_packed) {
    multiply_as<K, true>(block);
  } else if constexpr (K::takes_rows) {
    multiply_as<K, false>(block);
  }
}

/** Values 2u and 2u + 1 of a line, or value u; 0 beyond its end. */
template <class Pack, class T>
inline typename Pack::Unit unit_of(const GemmLines<T>& lines, int line, int unit) {
  const int64_t between = lines.along_k ? 1 : lines.stride;
  const T* first = lines.data + (lines.along_k ? line * lines.stride : line) + unit * Pack::depth * between;
  if constexpr (Pack::depth == 1) {
    return Pack::unit(*first, T{});
  } else {
    return Pack::unit(*first, unit * 2 + 1 < lines.k ? first[between] : T{});
  }
}

#if defined(__AVX2__)
/** Rows of 8 words to columns. */
inline void transpose(__m256i (&r)[8]) {
  __m256 pairs[8], quads[8];
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    pairs[2 * i] = _mm256_unpacklo_ps(_mm256_castsi256_ps(r[2 * i]), _mm256_castsi256_ps(r[2 * i + 1]));
    pairs[2 * i + 1] = _mm256_unpackhi_ps(_mm256_castsi256_ps(r[2 * i]), _mm256_castsi256_ps(r[2 * i + 1]));
  }
#pragma GCC unroll 2
  for (int i = 0; i < 8; i += 4) {
    quads[i] = _mm256_shuffle_ps(pairs[i], pairs[i + 2], 0x44);
    quads[i + 1] = _mm256_shuffle_ps(pairs[i], pairs[i + 2], 0xee);
    quads[i + 2] = _mm256_shuffle_ps(pairs[i + 1], pairs[i + 3], 0x44);
    quads[i + 3] = _mm256_shuffle_ps(pairs[i + 1], pairs[i + 3], 0xee);
  }
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    r[i] = _mm256_castps_si256(_mm256_permute2f128_ps(quads[i], quads[i + 4], 0x20));
    r[i + 4] = _mm256_castps_si256(_mm256_permute2f128_ps(quads[i], quads[i + 4], 0x31));
  }
}

/**
 * The first units of a panel whose lines lie along k, 8 units of 8 lines at a time. A panel that is narrower than 8
 * lines is written with stores that run over into the next unit, which the next store puts right; hence the last units
 * are left to the caller.
 * @returns how many units are done
 */
template <class Pack, class T>
int pack_transposed(typename Pack::Unit* panel, const GemmLines<T>& lines, int first, int width) {
  const int full_units = lines.k / Pack::depth;
  const int valid = lines.count - first < width ? lines.count - first : width;
  int u = 0;
  for (; u + 16 <= full_units; u += 8) {
    for (int j = 0; j < width; j += 8) {
      __m256i block[8];
#pragma GCC unroll 8
      for (int i = 0; i < 8; ++i)
        block[i] = j + i < valid ? Pack::eight_units(lines.data + (first + j + i) * lines.stride + u * Pack::depth)
                                 : _mm256_setzero_si256();
      transpose(block);
#pragma GCC unroll 8
      for (int i = 0; i < 8; ++i)
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(panel + static_cast<int64_t>(u + i) * width + j), block[i]);
    }
  }
  return u;
}
#endif

/**
 * The full panels of W lines that lie across k. A few units of all panels, then the next few: where the stride is a
 * multiple of a page, no more of their cache lines can be kept at once, and panels share them.
 * @returns how many panels are done
 */
template <class Pack, int W, class T>
int pack_across(typename Pack::Unit* panels, const GemmLines<T>& lines, int units) {
  constexpr int at_once = 8;
  const int full_units = lines.k / Pack::depth;
  const int count = lines.count / W;
  for (int first = 0; first < units; first += at_once) {
    const int end = first + at_once < full_units ? first + at_once : full_units;
    for (int panel = 0; panel < count; ++panel) {
      typename Pack::Unit* to = panels + (static_cast<int64_t>(panel) * units + first) * W;
      const T* values = lines.data + panel * W + first * Pack::depth * lines.stride;
      for (int u = first; u < end; ++u, to += W, values += Pack::depth * lines.stride) {
        const T* second = values + (Pack::depth - 1) * lines.stride;
        for (int j = 0; j < W; ++j) to[j] = Pack::unit(values[j], second[j]);
      }
      if (end < units && end < first + at_once)
        for (int j = 0; j < W; ++j) to[j] = Pack::unit(values[j], T{});
    }
  }
  return count;
}

/** @tparam W the usual width, which is compiled for */
template <class Pack, int W, class T>
void pack_panels(typename Pack::Unit* panels, const GemmLines<T>& lines, int width) {
  const int units = (lines.k + Pack::depth - 1) / Pack::depth;
  int done = 0;
  if (!lines.along_k && width == W) done = pack_across<Pack, W>(panels, lines, units);
  for (int first = done * width; first < lines.count; first += width) {
    typename Pack::Unit* panel = panels + static_cast<int64_t>(first) * units;
    const int valid = lines.count - first < width ? lines.count - first : width;
    int u = 0;
#if defined(__AVX2__)
    if constexpr (Pack::transposes)
      if (lines.along_k) u = pack_transposed<Pack>(panel, lines, first, width);
#endif
    for (; u < units; ++u)
      for (int j = 0; j < width; ++j)
        panel[static_cast<int64_t>(u) * width + j] =
            j < valid ? unit_of<Pack>(lines, first + j, u) : typename Pack::Unit{};
  }
}

template <class K>
void pack_a(void* panels, const GemmLines<typename K::T>& lines, int height) {
  pack_panels<typename K::PackA, K::rows>(static_cast<typename K::A*>(panels), lines, height);
}

template <class K>
void pack_b(void* panels, const GemmLines<typename K::T>& lines) {
  constexpr int width = K::vectors * K::lanes;
  pack_panels<typename K::PackB, width>(static_cast<typename K::B*>(panels), lines, width);
}

template <class K>
constexpr GemmKernels<typename K::T> kernels_of(const char* name) {
  return {name,
          K::rows,
          K::vectors * K::lanes,
          K::depth,
          sizeof(typename K::A),
          sizeof(typename K::B),
          K::takes_rows,
          pack_a<K>,
          pack_b<K>,
          multiply<K>};
}

// How units are made.

/** One value, as it is. */
template <class T>
struct PlainUnits {
  using Unit = T;
  static constexpr int depth = 1;
  static constexpr bool transposes = sizeof(T) == 4;
  static Unit unit(T value, T) { return value; }
#if defined(__AVX2__)
  static __m256i eight_units(const float* values) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(values));
  }
#endif
};

/** The bits of a float rounded to bfloat16, in the upper half of a word: to the nearest, ties to even. */
inline uint32_t bf16_bits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  const uint32_t rounded = bits + 0x7fffu + ((bits >> 16) & 1u);
  const uint32_t quiet_nan = bits | 0x400000u;
  return ((bits & 0x7fffffffu) > 0x7f800000u ? quiet_nan : rounded) & 0xffff0000u;
}

/** Two values as bfloat16 in one word, the first in its lower half. */
struct Bf16Pairs {
  using Unit = uint32_t;
  static constexpr int depth = 2;
  static constexpr bool transposes = false;
  static Unit unit(float first, float second) { return bf16_bits(second) | bf16_bits(first) >> 16; }
};

/** Two values that are rounded to bfloat16 and kept as floats. */
struct RoundedPair {
  float values[2];
};
struct RoundedPairs {
  using Unit = RoundedPair;
  static constexpr int depth = 2;
  static constexpr bool transposes = false;
  static Unit unit(float first, float second) {
    const uint32_t bits[2] = {bf16_bits(first), bf16_bits(second)};
    Unit unit;
    std::memcpy(&unit, bits, sizeof unit);
    return unit;
  }
};

}  // namespace
}  // namespace palestra
