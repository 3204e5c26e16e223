/**
 * The body of all GEMM kernels, written once over a `K` that provides registers and instructions:
 *
 *   T, A, B      type of c, and of the units of a and b
 *   Vector       `lanes` sums
 *   rows         of the tile in registers, which has `vectors * lanes` columns
 *   most_sums    limit of the vectors of sums in registers, beside the columns and the row they are computed from
 *   depth        values of k in a unit
 *   substeps     multiplications per unit, in their order: 2 where pairs are widened
 *   takes_rows   whether a may be plain rows
 *   PackA, PackB how units are made, see gemm-packing.h
 *   zero, load, store, load_b, broadcast_a, multiply_add
 *
 * Only for the files of the instruction sets. Everything has internal linkage and calls no inline function of other
 * headers. The linker keeps one copy of an inline function, which might use instructions that the machine lacks.
 */
#pragma once
#include <cstdint>
#include <cstring>

#include "gemm-packing.h"

namespace palestra {
namespace {

/** Multiplies several rows with each load of b. With few rows, several panels of b keep as many sums in flight. */
template <class K>
constexpr int panels_at_once(int rows) {
  return rows == 1 ? 4 : 2 * rows * K::vectors <= K::most_sums ? 2 : 1;
}

/** Computes c (R rows, P panels) = or += a b. Each sum is one chain over k, ascending, in a register. */
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
    // Only two numbers of panels are possible: the number that follows from the rows, or a single panel.
    if constexpr (P == 1 || panels_at_once<K>(R) == P) micro_kernel<K, R, P, packed>(block, a, b, c, c_stride);
  } else if constexpr (R > 1) {
    choose_height<K, P, packed, R - 1>(rows, block, a, b, c, c_stride);
  }
}

/** Multiplies all rows of the block with the P panels from b on. */
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

/** Multiplies the last panel, if it is not full. A separate tile prevents reads and writes beyond c. */
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
void unpack_b(typename K::T* values, const void* panel, int line, int k) {
  constexpr int width = K::vectors * K::lanes;
  const auto* units = static_cast<const typename K::B*>(panel) + line;
  for (int p = 0; p < k; ++p)
    values[p] = K::PackB::value(units[p / K::depth * static_cast<int64_t>(width)], p % K::depth);
}

/** Units of a panel that the inner caches keep. */
constexpr int cached_units = 256;

template <class K>
constexpr GemmKernels<typename K::T> kernels_of(const char* name) {
  return {name,
          K::rows,
          K::vectors * K::lanes,
          K::depth,
          sizeof(typename K::A),
          sizeof(typename K::B),
          K::takes_rows,
          cached_units,
          1,
          pack_a<K>,
          pack_b<K>,
          unpack_b<K>,
          multiply<K>};
}

}  // namespace
}  // namespace palestra
