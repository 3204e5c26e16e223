#pragma once
#include <cstddef>
#include <cstdint>

#include "paged-plan.h"

namespace palestra::cuda {

constexpr int paged_attention_threads = 32 * block_warps;

/** Arguments of `Ops::paged_attention`. */
template <class T>
struct PagedAttentionArguments {
  T* out;  // (rows, query heads * head_size)
  const T* qkv;
  int64_t stride;
  PlanView plan;
  const char* pages;
  int64_t page_bytes;
  /** Sums of values: for each chunk, the sum of exp2(score - top) * value. Shape (partials, query heads, head_size). */
  float* partial_out;
  /**
   * Statistics of scores: the largest score, top, and the sum of exp2(score - top). Shape (partials, query heads, 2).
   */
  float* partial_sums;
  /** Scale log2(e) / sqrt(head_size), so that scores are exponents of 2. */
  float scale;
  int rows;
  int query_heads;
  int kv_heads;
  int head_size;
  bool is_fp8;
};

/** Pipeline of a kv head's pages through shared memory: steps of some pages, with several steps in flight. */
struct PagedPipeline {
  int head_size;
  bool is_fp8;

  PALESTRA_EVERYWHERE constexpr PageLayout layout() const { return {head_size, is_fp8 ? 1 : 2}; }
  PALESTRA_EVERYWHERE constexpr int step_pages() const { return 128 / head_size; }
  PALESTRA_EVERYWHERE constexpr int step_bytes() const { return step_pages() * layout().head_bytes(); }
  /**
   * Number of stages. A warp uses about 24 KiB in bf16 and 17 KiB in fp8, so two and three thread blocks fit on a
   * multiprocessor with 228 KiB.
   */
  PALESTRA_EVERYWHERE constexpr int stages() const { return is_fp8 ? 4 : 3; }
  PALESTRA_EVERYWHERE constexpr int warp_bytes() const { return stages() * step_bytes(); }
};

}  // namespace palestra::cuda
