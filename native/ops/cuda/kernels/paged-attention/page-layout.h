#pragma once
#include <cstdint>

#include "../../../../core/half.h"

namespace palestra::cuda {

/** `palestra::page_positions`, for kernels. */
constexpr int positions_of_page = 16;

/**
 * A page of a layer's keys and values. For each kv head the page has the keys (16, head_size), followed by the values
 * (16, head_size), row-major. In fp8 the keys and values are e4m3, followed by the scales of the 16 keys and of the 16
 * values as floats. An element is its e4m3 times the scale of its vector. The scale is the vector's largest magnitude /
 * 448. All parts begin at multiples of 16 bytes.
 */
struct PageLayout {
  int head_size;
  /** Number of bytes of an element: 1 in fp8. */
  int element_bytes;

  PALESTRA_EVERYWHERE constexpr bool is_scaled() const { return element_bytes == 1; }
  PALESTRA_EVERYWHERE constexpr int row_bytes() const { return head_size * element_bytes; }
  /** Offset of the values in a kv head's part. The keys are at 0. */
  PALESTRA_EVERYWHERE constexpr int values() const { return positions_of_page * row_bytes(); }
  PALESTRA_EVERYWHERE constexpr int key_scales() const { return 2 * values(); }
  PALESTRA_EVERYWHERE constexpr int value_scales() const {
    return key_scales() + positions_of_page * static_cast<int>(sizeof(float));
  }
  /** Size of a kv head's part. */
  PALESTRA_EVERYWHERE constexpr int head_bytes() const {
    return key_scales() + (is_scaled() ? 2 * positions_of_page * static_cast<int>(sizeof(float)) : 0);
  }
};

}  // namespace palestra::cuda
