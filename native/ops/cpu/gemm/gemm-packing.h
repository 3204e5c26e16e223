/**
 * Packs the factors of a product into panels, over a `Pack` that makes units. A `Pack` has its `Unit`, the number of
 * values of k in a unit (`depth`) and `unit(first, second)`. A `Pack` has `eight_units` when the lines of a panel can
 * be transposed 8 at a time. Pairs of floats are too wide for `eight_units` and have `across` and `along` instead.
 *
 * Only for the files of the instruction sets, for the reason given in gemm-micro.h.
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

/** Returns values 2u and 2u + 1 of a line, or value u. Values beyond the end of the line are 0. */
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
/** Transposes rows of 8 words to columns. */
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
 * Packs the first units of a panel whose lines lie along k, 8 units of 8 lines at a time. In a panel narrower than 8
 * lines, each store runs over into the next unit, which the next store overwrites. The caller therefore packs the last
 * units.
 *
 * @returns the number of packed units
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
 * Packs the full panels of W lines that lie across k: a few units of all panels, followed by the next few. With a
 * stride that is a multiple of a page, only the cache lines of these few units fit into the cache at once, and the
 * panels share them.
 *
 * @returns the number of packed panels
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
        if constexpr (Pack::template has_across<W>) {
          Pack::across(to, values, second);
        } else {
          for (int j = 0; j < W; ++j) to[j] = Pack::unit(values[j], second[j]);
        }
      }
      if (end < units && end < first + at_once)
        for (int j = 0; j < W; ++j) to[j] = Pack::unit(values[j], T{});
    }
  }
  return count;
}

/** @tparam W the usual width, for which the loop is compiled */
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
    if (lines.along_k) {
      if constexpr (Pack::transposes) u = pack_transposed<Pack>(panel, lines, first, width);
      if constexpr (Pack::has_along) u = Pack::along(panel, lines, first, width);
    }
#endif
    for (; u < units; ++u)
      for (int j = 0; j < width; ++j)
        panel[static_cast<int64_t>(u) * width + j] =
            j < valid ? unit_of<Pack>(lines, first + j, u) : typename Pack::Unit{};
  }
}

/** Base of a unit that only the loops above pack. */
struct NoneOfItsOwn {
  static constexpr bool transposes = false;
  static constexpr bool has_along = false;
  template <int W>
  static constexpr bool has_across = false;
};

/** One value, unchanged. */
template <class T>
struct PlainUnits : NoneOfItsOwn {
  using Unit = T;
  static constexpr int depth = 1;
  static constexpr bool transposes = sizeof(T) == 4;
  static Unit unit(T value, T) { return value; }
  static T value(Unit unit, int) { return unit; }
#if defined(__AVX2__)
  static __m256i eight_units(const float* values) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(values));
  }
#endif
};

/** Returns the bits of a float rounded to bfloat16, in the upper half of a word. Rounds to nearest, ties to even. */
inline uint32_t bf16_bits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  const uint32_t rounded = bits + 0x7fffu + ((bits >> 16) & 1u);
  const uint32_t quiet_nan = bits | 0x400000u;
  return ((bits & 0x7fffffffu) > 0x7f800000u ? quiet_nan : rounded) & 0xffff0000u;
}

#if defined(__AVX2__)
/** Returns the same bits for 8 floats. */
inline __m256i bf16_bits(__m256 floats) {
  const __m256i bits = _mm256_castps_si256(floats);
  const __m256i last_kept = _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
  const __m256i rounded = _mm256_add_epi32(bits, _mm256_add_epi32(last_kept, _mm256_set1_epi32(0x7fff)));
  const __m256i quiet_nan = _mm256_or_si256(bits, _mm256_set1_epi32(0x400000));
  const __m256i is_nan = _mm256_castps_si256(_mm256_cmp_ps(floats, floats, _CMP_UNORD_Q));
  return _mm256_and_si256(_mm256_blendv_epi8(rounded, quiet_nan, is_nan),
                          _mm256_set1_epi32(static_cast<int>(0xffff0000)));
}
#endif

/** Two values as bfloat16 in one word, the first in its lower half. */
struct Bf16Pairs : NoneOfItsOwn {
  using Unit = uint32_t;
  static constexpr int depth = 2;
  static Unit unit(float first, float second) { return bf16_bits(second) | bf16_bits(first) >> 16; }
  static float value(Unit unit, int place) {
    const uint32_t bits = place == 0 ? unit << 16 : unit & 0xffff0000u;
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
#if defined(__AVX2__)
  static constexpr bool transposes = true;
  static __m256i eight_units(const float* values) {
    const __m256i low = _mm256_srli_epi32(bf16_bits(_mm256_loadu_ps(values)), 16);
    const __m256i high = _mm256_srli_epi32(bf16_bits(_mm256_loadu_ps(values + 8)), 16);
    return _mm256_permute4x64_epi64(_mm256_packus_epi32(low, high), 0xd8);
  }
#endif
};

/** Two values that are rounded to bfloat16 and stored as floats. */
struct RoundedPair {
  float values[2];
};
struct RoundedPairs : NoneOfItsOwn {
  using Unit = RoundedPair;
  static constexpr int depth = 2;
  static Unit unit(float first, float second) {
    const uint32_t bits[2] = {bf16_bits(first), bf16_bits(second)};
    Unit unit;
    std::memcpy(&unit, bits, sizeof unit);
    return unit;
  }
#if defined(__AVX2__)
  static constexpr bool has_along = true;
  template <int W>
  static constexpr bool has_across = W == 4;

  /** One unit of 4 lines. */
  static void across(RoundedPair* to, const float* first, const float* second) {
    const __m256 both = _mm256_castps128_ps256(_mm_loadu_ps(first));
    const __m256i bits = bf16_bits(_mm256_insertf128_ps(both, _mm_loadu_ps(second), 1));
    const __m128i firsts = _mm256_castsi256_si128(bits), seconds = _mm256_extracti128_si256(bits, 1);
    store_two(to, _mm_unpacklo_epi32(firsts, seconds));
    store_two(to + 2, _mm_unpackhi_epi32(firsts, seconds));
  }

  /**
   * Packs the first units of a panel whose lines lie along k, 4 units of 2 lines at a time. @returns the number of
   * packed units
   */
  static int along(RoundedPair* panel, const GemmLines<float>& lines, int first, int width) {
    const int full_units = lines.k / depth;
    const int valid = lines.count - first < width ? lines.count - first : width;
    int u = 0;
    for (; u + 4 <= full_units; u += 4) {
      RoundedPair* to = panel + static_cast<int64_t>(u) * width;
      const float* line = lines.data + first * lines.stride + u * depth;
      for (int j = 0; j < width; j += 2, line += 2 * lines.stride) {
        const __m256i one = j < valid ? bf16_bits(_mm256_loadu_ps(line)) : _mm256_setzero_si256();
        const __m256i two = j + 1 < valid ? bf16_bits(_mm256_loadu_ps(line + lines.stride)) : _mm256_setzero_si256();
        const __m256i even = _mm256_unpacklo_epi64(one, two), odd = _mm256_unpackhi_epi64(one, two);
        const __m128i units[] = {_mm256_castsi256_si128(even), _mm256_castsi256_si128(odd),
                                 _mm256_extracti128_si256(even, 1), _mm256_extracti128_si256(odd, 1)};
        for (int i = 0; i < 4; ++i) {
          if (j + 1 < width) {
            store_two(to + i * width + j, units[i]);
          } else {
            _mm_storel_epi64(reinterpret_cast<__m128i*>(to + i * width + j), units[i]);
          }
        }
      }
    }
    return u;
  }

 private:
  static void store_two(RoundedPair* to, __m128i units) { _mm_storeu_si128(reinterpret_cast<__m128i*>(to), units); }
#endif
};

}  // namespace
}  // namespace palestra
