#pragma once
#include "packed-heads.h"

namespace palestra::cuda {

/** Largest supported head size. Head sizes must be multiples of 8. */
constexpr int plain_attention_largest_head = 256;

constexpr int plain_attention_threads = 128;
/** Number of rows of a block. Each warp of the block has one row and one head. */
constexpr int plain_attention_rows = plain_attention_threads / 32;

}  // namespace palestra::cuda
