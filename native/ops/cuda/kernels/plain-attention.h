#pragma once
#include "packed-heads.h"

namespace palestra::cuda {

/** Largest supported head size; sizes must be multiples of 8. */
constexpr int plain_attention_largest_head = 256;

constexpr int plain_attention_threads = 128;
/** Rows of a block, in which each warp has one row and one head. */
constexpr int plain_attention_rows = plain_attention_threads / 32;

}  // namespace palestra::cuda
