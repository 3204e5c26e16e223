#include <algorithm>
#include <cmath>

#include "attention-state.h"

namespace palestra {

namespace {

/** Query rows of a head that are multiplied with the keys at once. */
constexpr int query_block = 64;

}  // namespace

/**
 * The forward pass of training with factors in bfloat16. Keys and values of a segment, its ancestors and a kv head
 * are packed once for the panels of GEMM, and the blocks of all the segment's queries read them.
 */
template <class T>
void CpuAttention<T>::State::attend_rounded(T* out, A* log_sum, Rows<const T> qkv, const Heads& heads,
                                            const Segments& segments) {
  const int size = heads.size;
  ancestors.read(segments);
  std::vector<Panels> panels;
  size_t elements = 0;
  double work = 0;
  blocks.clear();
  for (int s = 0; s < segments.count; ++s) {
    const int first = segments.starts[s], rows = segments.starts[s + 1] - first, length = ancestors.count(s) + rows;
    const size_t keys = products.right_elements(length, size), values = products.right_elements(size, length);
    panels.push_back({elements, keys, keys + values});
    elements += heads.kv * (keys + values);
    work += 1.0 * rows * (2 * length - rows) * heads.query * size;
    for (int row = 0; row < rows; row += query_block) {
      blocks.push_back({s, first + row, std::min(query_block, rows - row)});
    }
  }
  reserve_packed(elements);
  const int longest = ancestors.longest();
  const size_t of_block = products.left_elements(query_block, size) + products.left_elements(query_block, longest) +
                          query_block * (size + tiles_of(longest) * page_positions + 1);
  scratch.reserve(std::max(of_block, ancestors.any() ? static_cast<size_t>(longest) * size : 0));
  run_attention_tiles(pool, segments.count * heads.kv, work, [&](int tile) {
    pack_rounded(qkv, heads, segments, panels[tile / heads.kv], tile / heads.kv, tile % heads.kv);
  });
  const int count = static_cast<int>(blocks.size());
  run_attention_tiles(pool, count * heads.query, work, [&](int tile) {
    // The last blocks of a segment have the most keys. These blocks begin first, so that they do not end last.
    const Block& block = blocks[count - 1 - tile / heads.query];
    attend_rounded_block(out, log_sum, qkv, heads, segments, panels[block.sequence], block, tile % heads.query);
  });
}

/** Packs the keys and values of a segment and its ancestors. */
template <class T>
void CpuAttention<T>::State::pack_rounded(Rows<const T> qkv, const Heads& heads, const Segments& segments,
                                          const Panels& panels, int segment, int kv_head) {
  const int size = heads.size, first = segments.starts[segment], own = segments.starts[segment + 1] - first;
  const int rows = ancestors.count(segment) + own;
  typename WorkerScratch<T>::Lease lease(scratch);
  T* const gathered = rows > own ? lease.take(static_cast<size_t>(rows) * size) : nullptr;
  const auto rows_of = [&](int column) -> Rows<const T> {
    if (!gathered) return {qkv[first] + column, qkv.stride};
    gather_sequence(gathered, qkv.from(column), size, ancestors, segments, segment);
    return {gathered, size};
  };
  const Rows<const T> keys = rows_of(heads.key_column() + kv_head * size);
  products.pack_right(packed.data() + panels.keys(kv_head), {keys.data, keys.stride, true, rows, size});
  const Rows<const T> values = rows_of(heads.value_column() + kv_head * size);
  products.pack_right(packed.data() + panels.values(kv_head), {values.data, values.stride, false, size, rows});
}

/** Scores of a row over all its keys are kept, so the maximum is known before the first exponential. */
template <class T>
void CpuAttention<T>::State::attend_rounded_block(T* out, A* log_sum, Rows<const T> qkv, const Heads& heads,
                                                  const Segments& segments, const Panels& panels, const Block& block,
                                                  int head) {
  const int size = heads.size, rows = block.positions, kv_head = head / (heads.query / heads.kv);
  const int before = ancestors.count(block.sequence), first = segments.starts[block.sequence];
  const int begin = before + block.first - first, keys = begin + rows;
  const int length = before + segments.starts[block.sequence + 1] - first;
  const int stride = tiles_of(keys) * page_positions;
  typename WorkerScratch<T>::Lease lease(scratch);
  T* const queries = lease.take(query_block * size);
  T* const scores = lease.take(static_cast<size_t>(query_block) * stride);
  T* const factors = lease.take(query_block);
  const T scale = 1 / std::sqrt(static_cast<T>(size));
  for (int row = 0; row < rows; ++row) {
    const T* const query = qkv[block.first + row] + head * size;
    for (int d = 0; d < size; ++d) queries[row * size + d] = query[d] * scale;
  }
  const auto query_rows = products.pack_left(lease.take(products.left_elements(query_block, size)),
                                             {queries, size, true, rows, size});
  products.multiply({scores, stride}, query_rows, products.right(packed.data() + panels.keys(kv_head), size), keys,
                    size, Into::assign);
  for (int row = 0; row < rows; ++row) {
    T* const own = scores + static_cast<int64_t>(row) * stride;
    std::fill(own + begin + row + 1, own + stride, -std::numeric_limits<T>::infinity());
    const Softmax<T> softmax = kernels.softmax(own, stride);
    factors[row] = 1 / softmax.sum;
    if (log_sum) {
      log_sum[static_cast<int64_t>(block.first + row) * heads.query + head] = softmax.max + std::log(softmax.sum);
    }
  }
  const auto weights = products.pack_left(lease.take(products.left_elements(query_block, keys)),
                                          {scores, stride, true, rows, keys});
  const int64_t out_stride = static_cast<int64_t>(heads.query) * size;
  const Rows<T> outs{out + block.first * out_stride + head * size, out_stride};
  products.multiply(outs, weights, products.right(packed.data() + panels.values(kv_head), length), size, keys,
                    Into::assign);
  for (int row = 0; row < rows; ++row) {
    for (int d = 0; d < size; ++d) outs[row][d] *= factors[row];
  }
}

template void CpuAttention<float>::State::attend_rounded(float*, float*, Rows<const float>, const Heads&,
                                                         const Segments&);
template void CpuAttention<double>::State::attend_rounded(double*, double*, Rows<const double>, const Heads&,
                                                          const Segments&);

}  // namespace palestra
