#include "paged-attention.h"

#include "paged-sums.h"

// Attention over pages on tensor cores. One function serves both a warp with its own item and a block whose warps share
// an item. The instructions are the same in both cases, so a row gets the same bits.
namespace palestra::cuda {
namespace {

using namespace paged;

/** The two of a warp's 16 queries whose elements a lane has. The queries are g = lane / 4 and g + 8. */
struct Queries {
  /** Position of each query. -1: no query. */
  int position[2];
  /**
   * Index of the result among all rows and query heads. If chunks are split, the index of the first chunk's partial
   * result.
   */
  int result[2];
};

/**
 * Finds the queries and loads q (16, head_size) for `multiply_bf16`. In fp8, of every 16 elements of a key, a lane gets
 * the four adjacent elements 4t to 4t + 3, with even and odd ones paired. q is arranged in the same way.
 */
template <class S>
DEVICE Queries load_queries(uint32_t (&q)[S::head_size / 16][4], const PagedAttentionArguments<bf16>& a,
                            const PlanItem& item, int kv_head, int first) {
  const int group = a.query_heads / a.kv_heads, t = lane_index() % 4;
  Queries found;
  for (int half = 0; half < 2; ++half) {
    const int number = first + lane_index() / 4 + 8 * half;
    const bool exists = number < item.queries;
    const int query = item.first_query + (exists ? number : 0), head = kv_head * group + query % group;
    const int row = item.is_list ? a.plan.words()[item.rows + query / group] : item.rows + query / group;
    const PlanRow plan = a.plan.rows[row];
    found.position[half] = exists ? plan.position : -1;
    found.result[half] = (item.chunk >= 0 ? plan.partial : row) * a.query_heads + head;
    const bf16* const from = a.qkv + row * a.stride + head * S::head_size;
    for (int k = 0; k < S::head_size / 16; ++k) {
      PairOf<uint32_t> words;
      if constexpr (S::fp8) {
        const PairOf<uint32_t> four = *reinterpret_cast<const PairOf<uint32_t>*>(from + 16 * k + 4 * t);
        words = {(four.low & 0xffffu) | four.high << 16, four.low >> 16 | (four.high & 0xffff0000u)};
      } else {
        words = {*reinterpret_cast<const uint32_t*>(from + 16 * k + 2 * t),
                 *reinterpret_cast<const uint32_t*>(from + 16 * k + 8 + 2 * t)};
      }
      q[k][half] = exists ? words.low : 0;
      q[k][2 + half] = exists ? words.high : 0;
    }
  }
  return found;
}

template <class S>
DEVICE void store_partial(const PagedAttentionArguments<bf16>& a, const Queries& queries, int chunk,
                          const Sums<S>& sums) {
  for (int half = 0; half < 2; ++half) {
    if (queries.position[half] < chunk * chunk_positions) continue;
    const int64_t index = queries.result[half] + int64_t{chunk} * a.query_heads;
    float* const to = a.partial_out + index * S::head_size;
    sums.each_pair(half, [&](int column, float low, float high) {
      *reinterpret_cast<PairOf<float>*>(to + column) = {low, high};
    });
    if (lane_index() % 4 == 0) {
      *reinterpret_cast<PairOf<float>*>(a.partial_sums + 2 * index) = {sums.top[half], sums.sum[half]};
    }
  }
}

template <class S>
DEVICE void store_out(const PagedAttentionArguments<bf16>& a, const Queries& queries, const Sums<S>& sums) {
  for (int half = 0; half < 2; ++half) {
    if (queries.position[half] < 0) continue;
    bf16* const to = a.out + int64_t{queries.result[half]} * S::head_size;
    const float inverse = 1 / sums.sum[half];
    sums.each_pair(half, [&](int column, float low, float high) {
      *reinterpret_cast<uint32_t*>(to + column) = pack_bf16(low * inverse, high * inverse);
    });
  }
}

template <class S>
DEVICE void attend_item(const PagedAttentionArguments<bf16>& a, const PlanItem& item, int kv_head, bool is_wide) {
  const int warp = warp_index(), first_query = is_wide ? warp * warp_queries : 0;
  const bool is_split = item.chunk >= 0, has_queries = first_query < item.queries;
  const int first = is_split ? item.chunk * chunk_positions : 0;
  const int last = is_split && item.keys > first + chunk_positions ? first + chunk_positions : item.keys;
  Pages<S> pages{{is_wide},
                 shared_memory() + (is_wide ? 0 : warp * S::stages * S::step_bytes),
                 a.pages + kv_head * S::head_bytes,
                 a.page_bytes,
                 a.plan.words() + item.pages + first / positions_of_page,
                 last - first,
                 0};
  for (int step = 0; step < S::stages - 1; ++step) pages.fetch(step);
  uint32_t q[S::head_size / 16][4];
  const Queries queries = load_queries<S>(q, a, item, kv_head, first_query);

  // Between chunks, sums are kept in shared memory. Only blocks with one item have enough shared memory for these sums.
  auto* const kept = reinterpret_cast<float*>(shared_memory() + S::stages * S::step_bytes) + warp * S::kept_floats +
                     lane_index();
  for (int step = 0; step < pages.steps();) {
    Sums<S> sums;
    const int chunk = (first + step * S::step_positions) / chunk_positions;
    const int end = step + S::steps_of_chunk < pages.steps() ? step + S::steps_of_chunk : pages.steps();
    for (; step < end; ++step) {
      wait_for_copies<S::stages - 2>();
      pages.crew.sync();
      pages.fetch(step + S::stages - 1);
      if (has_queries) sums.add_step(q, pages.stage(step), first + step * S::step_positions, queries.position, a.scale);
    }
    if (!has_queries) continue;
    sums.add_lanes();
    if (is_split) {
      store_partial(a, queries, chunk, sums);
    } else {
      if (chunk > 0) sums.merge(kept);
      if (step < pages.steps()) {
        sums.keep(kept);
      } else {
        store_out(a, queries, sums);
      }
    }
  }
}

template <class S>
DEVICE void attend(const PagedAttentionArguments<bf16>& a) {
  const PlanHeader header = *a.plan.header;
  const int wide_blocks = header.wide_items * a.kv_heads, block = static_cast<int>(blockIdx.x);
  const bool is_wide = block < wide_blocks;
  const int work = is_wide ? block : (block - wide_blocks) * block_warps + warp_index();
  if (!is_wide && work >= header.narrow_items * a.kv_heads) return;
  const PlanItem item = a.plan.items[work / a.kv_heads + (is_wide ? header.narrow_items : 0)];
  attend_item<S>(a, item, work % a.kv_heads, is_wide);
}

}  // namespace

PALESTRA_KERNEL(paged_attention_64_bf16, PagedAttentionArguments<bf16>, paged_attention_threads) {
  attend<Shape<64, false>>(a);
}
PALESTRA_KERNEL(paged_attention_128_bf16, PagedAttentionArguments<bf16>, paged_attention_threads) {
  attend<Shape<128, false>>(a);
}
PALESTRA_KERNEL(paged_attention_fp8_64_bf16, PagedAttentionArguments<bf16>, paged_attention_threads) {
  attend<Shape<64, true>>(a);
}
PALESTRA_KERNEL(paged_attention_fp8_128_bf16, PagedAttentionArguments<bf16>, paged_attention_threads) {
  attend<Shape<128, true>>(a);
}

}  // namespace palestra::cuda
