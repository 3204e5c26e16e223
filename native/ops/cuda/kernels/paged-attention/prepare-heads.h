#pragma once
#include <cstdint>

#include "paged-plan.h"

namespace palestra::cuda {

constexpr int prepare_heads_threads = 128;

/** Arguments of `Ops::prepare_heads`; T is bf16 or float. */
template <class T>
struct PrepareHeadsArguments {
  T* qkv;
  int64_t stride;
  const T* query_norm;  // or null
  const T* key_norm;    // or null
  const float* turns;   // (rows, head_size)
  float* query_rstd;    // (rows, query heads), or null
  float* key_rstd;      // (rows, kv heads), or null
  const PlanRow* plan;  // (rows); null when nothing is stored, and then the heads of values are skipped
  char* pages;
  int64_t page_bytes;
  float epsilon;
  int rows;
  int query_heads;
  int kv_heads;
  int head_size;
  bool is_fp8;
};

/** Number of head vectors that a thread block prepares, including those of the values if there is a store. */
PALESTRA_EVERYWHERE constexpr int prepared_heads(int head_size, bool is_plain) {
  return is_plain ? prepare_heads_threads / 32 : prepare_heads_threads * 8 / head_size;
}

}  // namespace palestra::cuda
