#include "../simt/simt.h"
#include "paged-attention.h"
#include "paged-softmax.h"

// Attention over pages for any head size and type, computed directly from its definition. This kernel is the reference
// for the tensor-core kernels, and runs for shapes that they do not support.
namespace palestra::cuda {
namespace {

using namespace palestra::simt;

constexpr int most_columns = 256 / warp_size;

/** A key or a value in its page. */
template <class T>
struct Vector {
  const char* data;
  bool is_fp8;
  float scale;

  DEVICE float operator[](int d) const {
    if (is_fp8) return fp8_to_float(reinterpret_cast<const uint8_t*>(data)[d]) * scale;
    return as_float(reinterpret_cast<const T*>(data)[d]);
  }
};

template <class T>
DEVICE Vector<T> find_vector(const PagedAttentionArguments<T>& a, const int32_t* numbers, int kv_head, int position,
                             bool is_value) {
  const PageLayout layout{a.head_size, a.is_fp8 ? 1 : static_cast<int>(sizeof(T))};
  const char* const part = a.pages + int64_t{numbers[position / positions_of_page]} * a.page_bytes +
                           int64_t{kv_head} * layout.head_bytes();
  const int place = position % positions_of_page;
  const auto* const scales = reinterpret_cast<const float*>(part + layout.key_scales());
  return {part + (is_value ? layout.values() : 0) + place * layout.row_bytes(), a.is_fp8,
          a.is_fp8 ? scales[place + (is_value ? positions_of_page : 0)] : 1};
}

/** A warp computes one row and query head. Each lane has one key for the scores, and some columns for the values. */
template <class T>
DEVICE void attend_plainly(const PagedAttentionArguments<T>& a) {
  const int task = static_cast<int>(blockIdx.x) * block_warps + warp_index(), lane = lane_index();
  const int row = task / a.query_heads, head = task % a.query_heads, kv_head = head / (a.query_heads / a.kv_heads);
  if (row >= a.rows) return;
  const PlanRow plan = a.plan.rows[row];
  if (plan.position < 0) return;
  const int32_t* const numbers = a.plan.words() + plan.pages;
  const T* const query = a.qkv + row * a.stride + head * a.head_size;

  float top = lowest_score, sum = 0, out[most_columns] = {};
  for (int first = 0; first <= plan.position; first += warp_size) {
    float score = lowest_score;
    if (first + lane <= plan.position) {
      const Vector<T> key = find_vector(a, numbers, kv_head, first + lane, false);
      score = 0;
      for (int d = 0; d < a.head_size; ++d) score += as_float(query[d]) * key[d];
      score *= a.scale;
    }
    const float of_keys = warp_max(score), highest = of_keys > top ? of_keys : top;
    const float kept = exp2_fast(top - highest), weight = exp2_fast(score - highest);
    top = highest;
    sum = sum * kept + warp_sum(weight);
    for (float& value : out) value *= kept;
    for (int i = 0; i < warp_size && first + i <= plan.position; ++i) {
      const Vector<T> value = find_vector(a, numbers, kv_head, first + i, true);
      const float of_key = shuffle(weight, i);
      for (int j = 0; j < most_columns; ++j) {
        const int d = j * warp_size + lane;
        if (d < a.head_size) out[j] += of_key * value[d];
      }
    }
  }
  T* const to = a.out + (int64_t{row} * a.query_heads + head) * a.head_size;
  for (int j = 0; j < most_columns; ++j) {
    const int d = j * warp_size + lane;
    if (d < a.head_size) to[d] = from_float<T>(out[j] / sum);
  }
}

}  // namespace

PALESTRA_KERNEL(paged_attention_plain_bf16, PagedAttentionArguments<bf16>, paged_attention_threads) {
  attend_plainly(a);
}
PALESTRA_KERNEL(paged_attention_plain_f32, PagedAttentionArguments<float>, paged_attention_threads) {
  attend_plainly(a);
}

}  // namespace palestra::cuda
