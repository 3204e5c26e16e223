#include "prepare-heads.h"

#include "../simt/simt.h"

namespace palestra::cuda {
namespace {

using namespace palestra::simt;

/** A head vector of a row: its kind and number, and its destination in the store. */
template <class T>
struct HeadVector {
  bool is_there;
  bool is_query;
  bool is_value;
  int row;
  /** Index among the heads of its kind. */
  int head;
  T* data;

  DEVICE bool is_key() const { return !is_query && !is_value; }
};

template <class T>
DEVICE HeadVector<T> find_vector(const PrepareHeadsArguments<T>& a, int task) {
  const int heads = a.query_heads + (a.plan ? 2 : 1) * a.kv_heads;
  const bool is_there = task < a.rows * heads;
  const int row = is_there ? task / heads : 0, head = is_there ? task % heads : 0;
  const bool is_query = head < a.query_heads, is_value = head >= a.query_heads + a.kv_heads;
  return {is_there, is_query, is_value, row, is_query ? head : (head - a.query_heads) % a.kv_heads,
          a.qkv + row * a.stride + head * a.head_size};
}

/** Weights of the vector's norm. Null: no norm. */
template <class T>
DEVICE const T* norm_of(const PrepareHeadsArguments<T>& a, const HeadVector<T>& vector) {
  return vector.is_query ? a.query_norm : vector.is_value ? nullptr : a.key_norm;
}

template <class T>
DEVICE void keep_rstd(const PrepareHeadsArguments<T>& a, const HeadVector<T>& vector, float rstd) {
  float* const to = vector.is_query ? a.query_rstd : a.key_rstd;
  const int heads = vector.is_query ? a.query_heads : a.kv_heads;
  if (to && vector.is_there) to[int64_t{vector.row} * heads + vector.head] = rstd;
}

/** Address of the vector in the store. */
struct Place {
  char* data;  // null: not stored
  float* scale;
};

template <class T>
DEVICE Place place_of(const PrepareHeadsArguments<T>& a, const HeadVector<T>& vector) {
  if (!a.plan || vector.is_query || !vector.is_there) return {nullptr, nullptr};
  const int slot = a.plan[vector.row].slot;
  if (slot < 0) return {nullptr, nullptr};
  const PageLayout layout{a.head_size, a.is_fp8 ? 1 : static_cast<int>(sizeof(T))};
  const int position = slot % positions_of_page;
  char* const part =
      a.pages + int64_t{slot / positions_of_page} * a.page_bytes + int64_t{vector.head} * layout.head_bytes();
  auto* const scales = reinterpret_cast<float*>(part + (vector.is_value ? layout.value_scales() : layout.key_scales()));
  return {part + (vector.is_value ? layout.values() : 0) + position * layout.row_bytes(), scales + position};
}

/** Returns bits that order as the magnitudes do. A NaN is the highest. */
DEVICE uint32_t magnitude_bits(float value) {
  union {
    float number;
    uint32_t bits;
  } both = {value};
  return both.bits & 0x7fffffffu;
}
DEVICE float from_bits(uint32_t bits) {
  union {
    uint32_t bits;
    float number;
  } both = {bits};
  return both.number;
}

/** Returns the factor of a vector with that largest magnitude before the vector is rounded to fp8. */
DEVICE float inverse_of(float scale) { return scale > 0 ? 1 / scale : 0; }

/** Four adjacent elements, of 8 or 16 bytes. */
template <class T>
struct alignas(4 * sizeof(T)) Four {
  T values[4];
};

/**
 * Adjacent lanes share a head vector. Each lane has four elements of the first half and the four elements that are
 * rotated with them. All lanes take part in the warp's collective functions, even lanes that have no vector.
 */
template <int size>
DEVICE void prepare(const PrepareHeadsArguments<bf16>& a) {
  constexpr int lanes = size / 8, half = size / 2;
  const int part = static_cast<int>(threadIdx.x) % lanes * 4;
  const HeadVector<bf16> vector = find_vector(
      a, static_cast<int>(blockIdx.x) * prepared_heads(size, false) + static_cast<int>(threadIdx.x) / lanes);
  Four<bf16> stored[2] = {};
  float x[2][4];
  for (int i = 0; i < 2; ++i) {
    // Missing vectors are skipped, because another block writes to the place that they would have.
    if (vector.is_there) stored[i] = *reinterpret_cast<const Four<bf16>*>(vector.data + i * half + part);
    for (int j = 0; j < 4; ++j) x[i][j] = to_float(stored[i].values[j]);
  }

  if (a.query_norm || a.key_norm) {
    float squares = 0;
    for (int i = 0; i < 8; ++i) squares = fmaf(x[i / 4][i % 4], x[i / 4][i % 4], squares);
    for (int mask = lanes / 2; mask > 0; mask /= 2) squares += shuffle_xor(squares, mask);
    if (const bf16* const norm = norm_of(a, vector)) {
      const float rstd = 1 / sqrtf(squares / size + a.epsilon);
      if (part == 0) keep_rstd(a, vector, rstd);
      for (int i = 0; i < 2; ++i) {
        const Four<bf16> w = *reinterpret_cast<const Four<bf16>*>(norm + i * half + part);
        for (int j = 0; j < 4; ++j) x[i][j] = x[i][j] * rstd * to_float(w.values[j]);
      }
    }
  }
  if (!vector.is_value) {
    const float* const turns = a.turns + int64_t{vector.row} * size + part;
    const Four<float> cosines = *reinterpret_cast<const Four<float>*>(turns);
    const Four<float> sines = *reinterpret_cast<const Four<float>*>(turns + half);
    for (int j = 0; j < 4; ++j) {
      const float low = x[0][j], high = x[1][j];
      stored[0].values[j] = round_bf16(fmaf(low, cosines.values[j], -(high * sines.values[j])));
      stored[1].values[j] = round_bf16(fmaf(high, cosines.values[j], low * sines.values[j]));
    }
    for (int i = 0; i < 2 && vector.is_there; ++i) {
      *reinterpret_cast<Four<bf16>*>(vector.data + i * half + part) = stored[i];
    }
  }
  if (!a.plan) return;

  const Place place = place_of(a, vector);
  if (!a.is_fp8) {
    for (int i = 0; i < 2 && place.data; ++i) {
      *reinterpret_cast<Four<bf16>*>(place.data + (i * half + part) * sizeof(bf16)) = stored[i];
    }
    return;
  }
  uint32_t largest = 0;
  for (int i = 0; i < 8; ++i) {
    const uint32_t bits = magnitude_bits(to_float(stored[i / 4].values[i % 4]));
    largest = bits > largest ? bits : largest;
  }
  for (int mask = lanes / 2; mask > 0; mask /= 2) {
    const uint32_t other = shuffle_xor(largest, mask);
    largest = other > largest ? other : largest;
  }
  const float scale = from_bits(largest) / largest_fp8, inverse = inverse_of(scale);
  if (!place.data) return;
  for (int i = 0; i < 2; ++i) {
    float scaled[4];
    for (int j = 0; j < 4; ++j) scaled[j] = to_float(stored[i].values[j]) * inverse;
    *reinterpret_cast<uint32_t*>(place.data + i * half + part) =
        pack_fp8(scaled[0], scaled[1]) | static_cast<uint32_t>(pack_fp8(scaled[2], scaled[3])) << 16;
  }
  if (part == 0) *place.scale = scale;
}

/**
 * A warp has a head vector of any even size up to 256 and any alignment. A lane has elements that are rotated together.
 */
template <class T>
DEVICE void prepare_plainly(const PrepareHeadsArguments<T>& a) {
  constexpr int most_pairs = 128 / warp_size;
  const int lane = lane_index(), half = a.head_size / 2;
  const HeadVector<T> vector =
      find_vector(a, static_cast<int>(blockIdx.x) * prepared_heads(a.head_size, true) + warp_index());
  if (!vector.is_there) return;
  float x[most_pairs][2] = {};
  for (int i = 0; i < most_pairs; ++i) {
    for (int j = 0; j < 2 && i * warp_size + lane < half; ++j) {
      x[i][j] = as_float(vector.data[j * half + i * warp_size + lane]);
    }
  }
  if (const T* const norm = norm_of(a, vector)) {
    float squares = 0;
    for (int i = 0; i < most_pairs; ++i) squares = fmaf(x[i][0], x[i][0], fmaf(x[i][1], x[i][1], squares));
    const float rstd = 1 / sqrtf(warp_sum(squares) / static_cast<float>(a.head_size) + a.epsilon);
    if (lane == 0) keep_rstd(a, vector, rstd);
    for (int i = 0; i < most_pairs; ++i) {
      for (int j = 0; j < 2 && i * warp_size + lane < half; ++j) {
        x[i][j] = x[i][j] * rstd * as_float(norm[j * half + i * warp_size + lane]);
      }
    }
  }
  uint32_t largest = 0;
  for (int i = 0; i < most_pairs; ++i) {
    const int pair = i * warp_size + lane;
    if (pair >= half) continue;
    if (!vector.is_value) {
      const float* const turns = a.turns + int64_t{vector.row} * a.head_size + pair;
      const float low = x[i][0], high = x[i][1], cosine = turns[0], sine = turns[half];
      const T turned[2] = {from_float<T>(fmaf(low, cosine, -(high * sine))),
                           from_float<T>(fmaf(high, cosine, low * sine))};
      for (int j = 0; j < 2; ++j) {
        vector.data[j * half + pair] = turned[j];
        x[i][j] = as_float(turned[j]);
      }
    }
    for (float value : x[i]) largest = magnitude_bits(value) > largest ? magnitude_bits(value) : largest;
  }
  const Place place = place_of(a, vector);
  if (!place.data) return;
  const float scale = from_bits(warp_max(largest)) / largest_fp8, inverse = inverse_of(scale);
  if (a.is_fp8 && lane == 0) *place.scale = scale;
  for (int i = 0; i < most_pairs; ++i) {
    for (int j = 0; j < 2 && i * warp_size + lane < half; ++j) {
      const int d = j * half + i * warp_size + lane;
      if (a.is_fp8) {
        reinterpret_cast<uint8_t*>(place.data)[d] = static_cast<uint8_t>(pack_fp8(x[i][j] * inverse, 0));
      } else {
        reinterpret_cast<T*>(place.data)[d] = from_float<T>(x[i][j]);
      }
    }
  }
}

}  // namespace

PALESTRA_KERNEL(prepare_heads_64_bf16, PrepareHeadsArguments<bf16>, prepare_heads_threads) { prepare<64>(a); }
PALESTRA_KERNEL(prepare_heads_128_bf16, PrepareHeadsArguments<bf16>, prepare_heads_threads) { prepare<128>(a); }
PALESTRA_KERNEL(prepare_heads_plain_bf16, PrepareHeadsArguments<bf16>, prepare_heads_threads) { prepare_plainly(a); }
PALESTRA_KERNEL(prepare_heads_plain_f32, PrepareHeadsArguments<float>, prepare_heads_threads) { prepare_plainly(a); }

}  // namespace palestra::cuda
