#include <algorithm>
#include <cmath>

#include "attention-state.h"

namespace palestra {

namespace {

/** Queries and keys of a block of scores. The block and its gradients stay in the inner caches. */
constexpr int query_block = 64;
constexpr int key_block = 256;

/**
 * The rows of a segment as queries, the rows of its sequence (of its ancestors and its own) as keys, and the columns of
 * a key-value head and of its query heads.
 */
template <class T>
struct GradientTask {
  Rows<T> dqkv;
  const T* dout;
  const T* out;
  const accumulator_t<T>* log_sum;
  Rows<const T> qkv;
  Heads heads;
  int first;
  int rows;
  /** Number of keys before the segment's own rows. */
  int before;
  int kv_head;
  Rows<const T> keys;
  Rows<const T> values;
  Rows<T> dkeys;
  Rows<T> dvalues;

  int length() const { return before + rows; }
  int64_t out_stride() const { return int64_t{heads.query} * heads.size; }
  Rows<const T> of_head(const T* all, int head) const {
    return {all + first * out_stride() + head * heads.size, out_stride()};
  }
  template <class U>
  Rows<U> own(Rows<U> all, int column) const {
    return {all[first] + column, all.stride};
  }
};

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

/**
 * With P = exp(Q K^T - log_sum) and D = rowsum(dO * O): dV = P^T dO, dS = P * (dO V^T - D), dQ = dS K, dK = dS^T Q. Q
 * includes the scale of the scores; dQ is multiplied by it at the end.
 */
template <class T>
class KvHeadGradient {
 public:
  using Products = BlockProducts<T>;
  using Lease = typename WorkerScratch<T>::Lease;

  /** Returns the number of elements that an object takes from its lease. */
  static size_t scratch_elements(const Products& products, int rows, int size) {
    return 2 * products.right_elements(rows, size) + products.right_elements(size, rows) +
           2 * products.left_elements(query_block, size) + 2 * products.right_elements(size, query_block) +
           2 * products.left_elements(key_block, query_block) + products.left_elements(query_block, key_block) +
           query_block * (size + 2 * key_block + 1);
  }

  KvHeadGradient(const GradientTask<T>& task, const Products& products, const AttentionKernels<T>& kernels,
                 Lease& lease)
      : task_(task), products_(products), kernels_(kernels) {
    const int size = task.heads.size, rows = task.length();
    const Rows<const T> &keys = task.keys, &values = task.values;
    keys_for_scores_ = products.pack_right(lease.take(products.right_elements(rows, size)),
                                           {keys.data, keys.stride, true, rows, size});
    values_for_scores_ = products.pack_right(lease.take(products.right_elements(rows, size)),
                                             {values.data, values.stride, true, rows, size});
    keys_for_queries_ = products.pack_right(lease.take(products.right_elements(size, rows)),
                                            {keys.data, keys.stride, false, size, rows});
    for (T*& panels : left_) panels = lease.take(products.left_elements(query_block, size));
    for (T*& panels : right_) panels = lease.take(products.right_elements(size, query_block));
    for (T*& panels : transposed_) panels = lease.take(products.left_elements(key_block, query_block));
    rows_of_scores_ = lease.take(products.left_elements(query_block, key_block));
    queries_ = lease.take(query_block * size);
    scores_ = lease.take(query_block * key_block);
    gradients_ = lease.take(query_block * key_block);
    means_ = lease.take(query_block);
  }

  void run() {
    const Heads& heads = task_.heads;
    const int group = heads.query / heads.kv;
    zero_columns(task_.dkeys, task_.length(), heads.size);
    zero_columns(task_.dvalues, task_.length(), heads.size);
    for (int head = task_.kv_head * group; head < (task_.kv_head + 1) * group; ++head) {
      for (int begin = 0; begin < task_.rows; begin += query_block) {
        add_queries(head, begin, std::min(query_block, task_.rows - begin));
      }
    }
  }

 private:
  /** Adds what `count` queries of a head give to keys and values, and computes their own gradients. */
  void add_queries(int head, int begin, int count) {
    const int size = task_.heads.size;
    const T scale = 1 / std::sqrt(static_cast<T>(size));
    const Rows<const T> queries{task_.own(task_.qkv, head * size)[begin], task_.qkv.stride};
    const Rows<const T> douts{task_.of_head(task_.dout, head)[begin], task_.out_stride()};
    const Rows<const T> outs{task_.of_head(task_.out, head)[begin], task_.out_stride()};
    for (int row = 0; row < count; ++row) {
      for (int d = 0; d < size; ++d) queries_[row * size + d] = queries[row][d] * scale;
      means_[row] = dot(douts[row], outs[row], size);
    }
    const auto query_rows = products_.pack_left(left_[0], {queries_, size, true, count, size});
    const auto dout_rows = products_.pack_left(left_[1], {douts.data, douts.stride, true, count, size});
    const auto query_columns = products_.pack_right(right_[0], {queries_, size, false, size, count});
    const auto dout_columns = products_.pack_right(right_[1], {douts.data, douts.stride, false, size, count});

    const Rows<T> dqueries{task_.own(task_.dqkv, head * size)[begin], task_.dqkv.stride};
    const Rows<T> &dkeys = task_.dkeys, &dvalues = task_.dvalues;
    zero_columns(dqueries, count, size);
    const int end = task_.before + begin + count;
    for (int key = 0; key < end; key += key_block) {
      const int keys = std::min(key_block, end - key);
      products_.multiply({scores_, key_block}, query_rows, products_.part(keys_for_scores_, key, 0), keys, size,
                         Into::assign);
      products_.multiply({gradients_, key_block}, dout_rows, products_.part(values_for_scores_, key, 0), keys, size,
                         Into::assign);
      differentiate_scores(head, begin, count, key, keys);
      const auto weights = products_.pack_left(transposed_[0], {scores_, key_block, false, keys, count});
      const auto dscores = products_.pack_left(transposed_[1], {gradients_, key_block, false, keys, count});
      const auto dscore_rows = products_.pack_left(rows_of_scores_, {gradients_, key_block, true, count, keys});
      products_.multiply({dvalues[key], dvalues.stride}, weights, dout_columns, size, count, Into::add);
      products_.multiply({dkeys[key], dkeys.stride}, dscores, query_columns, size, count, Into::add);
      products_.multiply(dqueries, dscore_rows, products_.part(keys_for_queries_, 0, key), size, keys, Into::add);
    }
    for (int row = 0; row < count; ++row) {
      for (int d = 0; d < size; ++d) dqueries[row][d] *= scale;
    }
  }

  /** Replaces the block's scores by P, and the gradients of P by dS. Both are 0 for keys after the query. */
  void differentiate_scores(int head, int begin, int count, int key, int keys) {
    const int padded = tiles_of(keys) * page_positions;
    for (int row = 0; row < count; ++row) {
      const int own = begin + row, seen = std::min(keys, task_.before + own + 1 - key);
      T* const scores = scores_ + row * key_block;
      std::fill(scores + std::max(0, seen), scores + padded, -std::numeric_limits<T>::infinity());
      kernels_.softmax_gradient(scores, gradients_ + row * key_block, padded,
                                task_.log_sum[int64_t{task_.first + own} * task_.heads.query + head],
                                means_[row]);
    }
  }

  const GradientTask<T>& task_;
  const Products& products_;
  const AttentionKernels<T>& kernels_;
  typename Products::Right keys_for_scores_, values_for_scores_, keys_for_queries_;
  T *left_[2], *right_[2], *transposed_[2];
  T *rows_of_scores_, *queries_, *scores_, *gradients_, *means_;
};

}  // namespace

/**
 * Keys and values of a segment and kv head sum the gradients of all queries in one order: head by head, ascending. A
 * tile of the pool is therefore a pair of segment and kv head. A segment with a parent gives gradients to the keys and
 * values of its ancestors, which are kept apart and then added, segment by segment.
 */
template <class T>
void CpuAttention<T>::gradient(Rows<T> dqkv, const T* dout, const T* out, const A* log_sum, Rows<const T> qkv,
                               const Heads& heads, const Segments& segments) {
  State& state = *state_;
  const Ancestors& ancestors = state.ancestors;
  state.ancestors.read(segments);
  const int size = heads.size;
  std::vector<size_t> places;  // of each segment in `sequence_gradients`
  double work = 0;
  size_t elements = 0;
  for (int s = 0; s < segments.count; ++s) {
    const int rows = segments.starts[s + 1] - segments.starts[s], before = ancestors.count(s);
    work += 2.5 * rows * (2.0 * before + rows) * heads.query * size;
    places.push_back(elements);
    if (before > 0) elements += 2 * static_cast<size_t>(heads.kv) * (before + rows) * size;
  }
  if (state.sequence_gradients.size() < elements) {
    state.sequence_gradients = Buffer<T>();
    state.sequence_gradients = Buffer<T>(state.memory, elements, "gradients of shared keys and values");
  }
  state.scratch.reserve(KvHeadGradient<T>::scratch_elements(state.products, ancestors.longest(), size) +
                        (ancestors.any() ? 2 * static_cast<size_t>(ancestors.longest()) * size : 0));
  run_attention_tiles(state.pool, segments.count * heads.kv, work, [&](int tile) {
    const int s = tile / heads.kv, kv_head = tile % heads.kv, first = segments.starts[s];
    const int key_column = heads.key_column() + kv_head * size, value_column = heads.value_column() + kv_head * size;
    GradientTask<T> task{dqkv,  dout, out, log_sum, qkv, heads, first, segments.starts[s + 1] - first,
                         ancestors.count(s), kv_head, {}, {}, {}, {}};
    typename WorkerScratch<T>::Lease lease(state.scratch);
    if (task.before == 0) {
      task.keys = task.own(qkv, key_column);
      task.values = task.own(qkv, value_column);
      task.dkeys = task.own(dqkv, key_column);
      task.dvalues = task.own(dqkv, value_column);
    } else {
      const size_t each = static_cast<size_t>(task.length()) * size;
      const auto gathered = [&](int column) -> Rows<const T> {
        T* const to = lease.take(each);
        gather_sequence(to, qkv.from(column), size, ancestors, segments, s);
        return {to, size};
      };
      task.keys = gathered(key_column);
      task.values = gathered(value_column);
      T* const gradients = state.sequence_gradients.data() + places[s] + kv_head * 2 * each;
      task.dkeys = {gradients, size};
      task.dvalues = {gradients + each, size};
    }
    KvHeadGradient<T>(task, state.products, state.kernels, lease).run();
  });
  if (ancestors.any()) state.add_sequence_gradients(dqkv, heads, segments, places);
}

/** Parents precede their children, so a row is assigned by its own segment before descendants add to it. */
template <class T>
void CpuAttention<T>::State::add_sequence_gradients(Rows<T> dqkv, const Heads& heads, const Segments& segments,
                                                    const std::vector<size_t>& places) {
  const int size = heads.size;
  const double work = 2.0 * places.back();
  run_attention_tiles(pool, 2 * heads.kv, work, [&](int tile) {
    const int kv_head = tile / 2, part = tile % 2;
    const Rows<T> to = dqkv.from((part ? heads.value_column() : heads.key_column()) + kv_head * size);
    for (int s = 0; s < segments.count; ++s) {
      const int before = ancestors.count(s), first = segments.starts[s], own = segments.starts[s + 1] - first;
      if (before == 0) continue;
      const T* from = sequence_gradients.data() + places[s] + static_cast<size_t>(tile) * (before + own) * size;
      for (int i = 0; i < before; ++i, from += size) {
        T* const sum = to[ancestors.rows(s)[i]];
        for (int d = 0; d < size; ++d) sum[d] += from[d];
      }
      for (int row = first; row < first + own; ++row, from += size) std::copy(from, from + size, to[row]);
    }
  });
}

template void CpuAttention<float>::gradient(Rows<float>, const float*, const float*, const float*, Rows<const float>,
                                            const Heads&, const Segments&);
template void CpuAttention<double>::gradient(Rows<double>, const double*, const double*, const double*,
                                             Rows<const double>, const Heads&, const Segments&);

}  // namespace palestra
