#pragma once
/**
 * Chunks of rows, read and written as floats for every storage type. `wide` means that rows begin at multiples of 16
 * bytes and consist of whole chunks. A thread gets the same elements with and without `wide`, so no result depends on
 * `wide`.
 */
#include <cstring>

#include "../simt/simt.h"
#include "layout.h"

namespace palestra::simt {

/** 16 bytes of any type. nvcc reads them by one instruction, but splits some calls of memcpy into bytes. */
struct alignas(16) [[gnu::may_alias]] Words {
  uint32_t of[4];
};

DEVICE uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}
DEVICE float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

DEVICE Words load_words(const void* from) { return *static_cast<const Words*>(from); }
DEVICE void store_words(void* to, const Words& words) { store_16_bytes(to, words.of); }

DEVICE void unpack(float (&to)[4], const Words& words, float) {
  for (int i = 0; i < 4; ++i) to[i] = float_of(words.of[i]);
}
DEVICE void unpack(float (&to)[8], const Words& words, bf16) {
  for (int i = 0; i < 4; ++i) {
    to[2 * i] = float_of(words.of[i] << 16);
    to[2 * i + 1] = float_of(words.of[i] & 0xffff0000u);
  }
}
DEVICE Words pack(const float* from, float) {
  return {{bits_of(from[0]), bits_of(from[1]), bits_of(from[2]), bits_of(from[3])}};
}
DEVICE Words pack(const float* from, bf16) {
  Words words;
  for (int i = 0; i < 4; ++i) words.of[i] = pack_bf16(from[2 * i], from[2 * i + 1]);
  return words;
}

/** Reads the chunk at `from`. Elements from `count` on are 0 and are not read. */
template <bool wide, class T>
DEVICE Words load_chunk(const T* from, int count) {
  if constexpr (wide) {
    return count > 0 ? load_words(from) : Words{};
  } else {
    float values[cuda::chunk_size<T>];
    for (int i = 0; i < cuda::chunk_size<T>; ++i) values[i] = i < count ? as_float(from[i]) : 0;
    return pack(values, T{});
  }
}

/** Writes the first `count` elements of a chunk. */
template <bool wide, class T>
DEVICE void store_chunk(T* to, const Words& chunk, int count) {
  if constexpr (wide) {
    if (count > 0) store_words(to, chunk);
  } else {
    float values[cuda::chunk_size<T>];
    unpack(values, chunk, T{});
    for (int i = 0; i < cuda::chunk_size<T>; ++i) {
      if (i < count) to[i] = from_float<T>(values[i]);
    }
  }
}

/** Reads as many chunks as make n elements. */
template <bool wide, int n, class T>
DEVICE void load(float (&to)[n], const T* from, int count) {
  constexpr int each = cuda::chunk_size<T>;
  for (int i = 0; i < n; i += each) {
    float chunk[each];
    unpack(chunk, load_chunk<wide>(from + i, count - i), T{});
    for (int j = 0; j < each; ++j) to[i + j] = chunk[j];
  }
}

/** Writes the first `count` of n elements, rounded. */
template <bool wide, int n, class T>
DEVICE void store(T* to, const float (&from)[n], int count) {
  constexpr int each = cuda::chunk_size<T>;
  for (int i = 0; i < n; i += each) store_chunk<wide>(to + i, pack(from + i, T{}), count - i);
}

/** Sums over `lanes` adjacent lanes, a power of two. All lanes get the same bits. Warp. */
template <class T>
DEVICE T lanes_sum(T value, int lanes) {
  for (int mask = lanes / 2; mask > 0; mask /= 2) value += shuffle_xor(value, mask);
  return value;
}

}  // namespace palestra::simt
