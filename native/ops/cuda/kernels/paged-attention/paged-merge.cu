#include "../simt/simt.h"
#include "paged-attention.h"
#include "paged-softmax.h"

namespace palestra::cuda {
namespace {

using namespace palestra::simt;

/** A warp merges the chunks of a row and a query head in order, and reads some chunks ahead. */
template <int size>
DEVICE void merge_row(const PagedAttentionArguments<bf16>& a) {
  constexpr int width = size / warp_size, ahead = 4;
  const int task = static_cast<int>(blockIdx.x) * block_warps + warp_index();
  const int row = task / a.query_heads, head = task % a.query_heads;
  if (row >= a.rows) return;
  const PlanRow plan = a.plan.rows[row];
  if (plan.partial < 0) return;
  const int chunks = plan.position / chunk_positions + 1, column = lane_index() * width;

  struct alignas(width * sizeof(float)) Part {
    float values[width];
  };
  float top = 0, sum = 0;
  Part out = {};
  for (int first = 0; first < chunks; first += ahead) {
    Part parts[ahead];
    PairOf<float> sums[ahead];
    for (int i = 0; i < ahead; ++i) {
      const int chunk = first + i < chunks ? first + i : chunks - 1;
      const int64_t index = int64_t{plan.partial + chunk} * a.query_heads + head;
      parts[i] = *reinterpret_cast<const Part*>(a.partial_out + index * size + column);
      sums[i] = *reinterpret_cast<const PairOf<float>*>(a.partial_sums + 2 * index);
    }
    for (int i = 0; i < ahead; ++i) {
      if (first + i >= chunks) break;
      if (first + i == 0) {
        top = sums[0].low;
        sum = sums[0].high;
        out = parts[0];
        continue;
      }
      const MergeFactors factors = merge_chunk(top, sum, sums[i].low, sums[i].high);
      for (int d = 0; d < width; ++d) {
        out.values[d] = fmaf(out.values[d], factors.kept, parts[i].values[d] * factors.added);
      }
    }
  }
  const float inverse = 1 / sum;
  auto* const to = reinterpret_cast<uint32_t*>(a.out + (int64_t{row} * a.query_heads + head) * size + column);
  for (int d = 0; d < width; d += 2) to[d / 2] = pack_bf16(out.values[d] * inverse, out.values[d + 1] * inverse);
}

}  // namespace

PALESTRA_KERNEL(paged_merge_64_bf16, PagedAttentionArguments<bf16>, paged_attention_threads) { merge_row<64>(a); }
PALESTRA_KERNEL(paged_merge_128_bf16, PagedAttentionArguments<bf16>, paged_attention_threads) { merge_row<128>(a); }

}  // namespace palestra::cuda
