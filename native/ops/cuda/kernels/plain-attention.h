#pragma once
#include "packed-heads.h"

namespace palestra::cuda {

/** Elements of a head, a multiple of 8, at most. */
constexpr int plain_attention_largest_head = 256;

constexpr int plain_attention_threads = 128;
/** A warp has a row and a head: rows of a block. */
constexpr int plain_attention_rows = plain_attention_threads / 32;

}  // namespace palestra::cuda
