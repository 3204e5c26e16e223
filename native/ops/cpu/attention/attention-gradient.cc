#include <algorithm>
#include <cmath>

#include "attention-state.h"

namespace palestra {

/**
 * Keys and values of a segment and kv head sum the gradients of all queries in one order: head by head, ascending. A
 * tile of the pool is therefore a pair of segment and kv head.
 */
template <class T>
void CpuAttention<T>::gradient(Rows<T> dqkv, const T* dout, const T* out, const A* log_sum, Rows<const T> qkv,
                               const Heads& heads, const Segments& segments) {
  double work = 0;
  int longest = 0;
  for (int s = 0; s < segments.count; ++s) {
    const int rows = segments.starts[s + 1] - segments.starts[s];
    longest = std::max(longest, rows);
    work += 2.5 * rows * rows * heads.query * heads.size;
  }
  const size_t keys = static_cast<size_t>(tiles_of(longest)) * page_positions;
  state_->scratch.reserve(2 * keys * heads.size + attention_block_rows * (heads.size + 2 * page_positions + 1));
  run_attention_tiles(state_->pool, segments.count * heads.kv, work, [&](int tile) {
    const int s = tile / heads.kv;
    const int first = segments.starts[s], rows = segments.starts[s + 1] - first;
    state_->gradient_of_kv_head(dqkv, dout, out, log_sum, qkv, heads, first, rows, tile % heads.kv);
  });
}

namespace {

/** (rows, size) to tiles of (size, 16). Lanes past the last row keep their values. */
template <class T>
void transpose_to_tiles(T* to, Rows<const T> from, int rows, int size) {
  for (int row = 0; row < rows; ++row) {
    T* const tile = to + static_cast<int64_t>(row / page_positions) * size * page_positions + row % page_positions;
    for (int d = 0; d < size; ++d) tile[d * page_positions] = from[row][d];
  }
}

template <class T>
void zero_columns(Rows<T> x, int rows, int width) {
  for (int row = 0; row < rows; ++row) std::fill(x[row], x[row] + width, T(0));
}

template <class T>
T dot(const T* a, const T* b, int n) {
  T sum = 0;
  for (int i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

/**
 * With P = exp(Q K^T - log_sum) and D = rowsum(dO * O): dV = P^T dO, dS = P * (dO V^T - D), dQ = dS K, dK = dS^T Q. Q
 * includes the scale of the scores; dQ is multiplied by it at the end.
 */
template <class T>
void CpuAttention<T>::State::gradient_of_kv_head(Rows<T> dqkv, const T* dout, const T* out, const A* log_sum,
                                                 Rows<const T> qkv, const Heads& heads, int first, int rows,
                                                 int kv_head) {
  constexpr int lanes = page_positions;
  const int size = heads.size, group = heads.query / heads.kv, tiles = tiles_of(rows);
  const int64_t out_stride = static_cast<int64_t>(heads.query) * size;
  const T scale = 1 / std::sqrt(static_cast<T>(size));
  const Rows<const T> keys{qkv[first] + heads.key_column() + kv_head * size, qkv.stride};
  const Rows<const T> values{qkv[first] + heads.value_column() + kv_head * size, qkv.stride};
  const Rows<T> dkeys{dqkv[first] + heads.key_column() + kv_head * size, dqkv.stride};
  const Rows<T> dvalues{dqkv[first] + heads.value_column() + kv_head * size, dqkv.stride};

  typename WorkerScratch<T>::Lease lease(scratch);
  T* const key_tiles = lease.take(static_cast<size_t>(tiles) * lanes * size);
  T* const value_tiles = lease.take(static_cast<size_t>(tiles) * lanes * size);
  T* const queries = lease.take(attention_block_rows * size);
  T* const scores = lease.take(attention_block_rows * lanes);
  T* const gradients = lease.take(attention_block_rows * lanes);
  T* const means = lease.take(attention_block_rows);
  transpose_to_tiles(key_tiles, keys, rows, size);
  transpose_to_tiles(value_tiles, values, rows, size);
  zero_columns(dkeys, rows, size);
  zero_columns(dvalues, rows, size);

  for (int head = kv_head * group; head < (kv_head + 1) * group; ++head) {
    for (int begin = 0; begin < rows; begin += attention_block_rows) {
      const int block = std::min(attention_block_rows, rows - begin);
      const Rows<const T> douts{dout + (first + begin) * out_stride + head * size, out_stride};
      const Rows<const T> outs{out + (first + begin) * out_stride + head * size, out_stride};
      const Rows<T> dqueries{dqkv[first + begin] + head * size, dqkv.stride};
      for (int row = 0; row < block; ++row) {
        const T* const query = qkv[first + begin + row] + head * size;
        for (int d = 0; d < size; ++d) queries[row * size + d] = query[d] * scale;
        means[row] = dot(douts[row], outs[row], size);
      }
      zero_columns(dqueries, block, size);
      for (int tile = 0; tile < tiles_of(begin + block); ++tile) {
        const int skipped = std::max(0, tile * lanes - begin);
        const int seen = block - skipped, present = keys_in_tile(rows, tile);
        const T* const own_queries = queries + skipped * size;
        const Rows<const T> own_douts{douts[skipped], out_stride};
        const Rows<const T> own_keys{keys[tile * lanes], keys.stride};
        kernels.product({scores, lanes, own_queries, size, 1, key_tiles + static_cast<int64_t>(tile) * lanes * size,
                         lanes, seen, size, lanes, Into::assign});
        kernels.product({gradients, lanes, own_douts.data, out_stride, 1,
                         value_tiles + static_cast<int64_t>(tile) * lanes * size, lanes, seen, size, lanes,
                         Into::assign});
        for (int row = 0; row < seen; ++row) {
          const int position = begin + skipped + row;
          T* const own = scores + row * lanes;
          std::fill(own + keys_in_tile(position + 1, tile), own + lanes, -std::numeric_limits<T>::infinity());
          kernels.softmax_gradient(own, gradients + row * lanes,
                                   log_sum[static_cast<int64_t>(first + position) * heads.query + head],
                                   means[skipped + row]);
        }
        kernels.product({dvalues[tile * lanes], dvalues.stride, scores, 1, lanes, own_douts.data, out_stride, present,
                         seen, size, Into::add});
        kernels.product({dkeys[tile * lanes], dkeys.stride, gradients, 1, lanes, own_queries, size, present, seen, size,
                         Into::add});
        kernels.product({dqueries[skipped], dqueries.stride, gradients, lanes, 1, own_keys.data, own_keys.stride, seen,
                         present, size, Into::add});
      }
      for (int row = 0; row < block; ++row) {
        for (int d = 0; d < size; ++d) dqueries[row][d] *= scale;
      }
    }
  }
}

template void CpuAttention<float>::gradient(Rows<float>, const float*, const float*, const float*, Rows<const float>,
                                            const Heads&, const Segments&);
template void CpuAttention<double>::gradient(Rows<double>, const double*, const double*, const double*,
                                             Rows<const double>, const Heads&, const Segments&);

}  // namespace palestra
