#include "attention.h"

#include <algorithm>
#include <cmath>

#include "attention-state.h"

namespace palestra {

template <class T>
CpuAttention<T>::CpuAttention(Memory& memory, ThreadPool& pool, InstructionSet isa, bool bf16)
    : state_(new State(memory, pool, isa, bf16)) {}

template <class T>
CpuAttention<T>::~CpuAttention() = default;

template <class T>
void CpuAttention<T>::forward(T* out, A* log_sum, Rows<const T> qkv, const Heads& heads, const Segments& segments) {
  if (state_->bf16) {
    state_->attend_rounded(out, log_sum, qkv, heads, segments);
  } else {
    const StoredSequences<T> sequences = state_->pack(qkv, heads, segments);
    state_->attend(out, log_sum, qkv, heads, sequences);
  }
}

template <class T>
void CpuAttention<T>::store(Rows<const T> qkv, const Heads& heads, const StoredSequences<T>& sequences) {
  state_->store(qkv, heads, sequences);
}

template <class T>
void CpuAttention<T>::paged(T* out, Rows<const T> qkv, const Heads& heads, const StoredSequences<T>& sequences) {
  state_->attend(out, nullptr, qkv, heads, sequences);
}

template <class T>
StoredSequences<T> CpuAttention<T>::State::pack(Rows<const T> qkv, const Heads& heads, const Segments& segments) {
  ancestors.read(segments);
  first_positions.clear();
  first_pages.assign(1, 0);
  pages.clear();
  int32_t used = 0;
  for (int s = 0; s < segments.count; ++s) {
    const int first = ancestors.count(s), rows = segments.starts[s + 1] - segments.starts[s];
    // A page with rows of the parent is shared if the parent fills it.
    const int shared = first / page_positions;
    for (int i = 0; i < shared; ++i) pages.push_back(pages[first_pages[segments.parents[s]] + i]);
    for (int i = shared; i < tiles_of(first + rows); ++i) pages.push_back(used++);
    first_positions.push_back(first);
    first_pages.push_back(static_cast<int32_t>(pages.size()));
  }
  reserve_packed(static_cast<size_t>(used) * page_elements(heads));
  const StoredSequences<T> sequences{
      {segments.count, segments.starts, first_positions.data(), first_pages.data(), pages.data()}, packed.data()};
  store(qkv, heads, sequences);
  if (ancestors.any()) store_ancestors(qkv, heads, sequences);
  return sequences;
}

template <class T>
void CpuAttention<T>::State::store_ancestors(Rows<const T> qkv, const Heads& heads,
                                             const StoredSequences<T>& sequences) {
  for (int s = 0; s < sequences.count; ++s) {
    const int first = ancestors.count(s);
    for (int position = first - first % page_positions; position < first; ++position) {
      for (int kv_head = 0; kv_head < heads.kv; ++kv_head) {
        store_row(qkv, heads, sequences, s, ancestors.rows(s)[position], position, kv_head);
      }
    }
  }
}

template <class T>
void CpuAttention<T>::State::reserve_packed(size_t elements) {
  if (packed.size() >= elements) return;
  packed = Buffer<T>();
  packed = Buffer<T>(memory, elements, "packed keys and values");
}

template <class T>
void CpuAttention<T>::State::store(Rows<const T> qkv, const Heads& heads, const StoredSequences<T>& sequences) {
  const int size = heads.size;
  const double work = 2.0 * (sequences.starts[sequences.count] - sequences.starts[0]) * heads.kv * size;
  run_attention_tiles(pool, sequences.count * heads.kv, work, [&](int tile) {
    const int s = tile / heads.kv, kv_head = tile % heads.kv;
    int position = sequences.first_positions[s];
    for (int row = sequences.starts[s]; row < sequences.starts[s + 1]; ++row, ++position) {
      store_row(qkv, heads, sequences, s, row, position, kv_head);
    }
  });
}

template <class T>
void CpuAttention<T>::State::store_row(Rows<const T> qkv, const Heads& heads, const StoredSequences<T>& sequences,
                                       int sequence, int row, int position, int kv_head) {
  const int size = heads.size, slot = position % page_positions;
  const int64_t page = sequences.pages[sequences.first_pages[sequence] + position / page_positions];
  T* const keys = sequences.store + (page * heads.kv + kv_head) * 2 * size * page_positions;
  const T* const key = qkv[row] + heads.key_column() + kv_head * size;
  for (int d = 0; d < size; ++d) keys[d * page_positions + slot] = key[d];
  const T* const value = qkv[row] + heads.value_column() + kv_head * size;
  std::copy(value, value + size, keys + (page_positions + slot) * size);
}

template <class T>
void CpuAttention<T>::State::attend(T* out, A* log_sum, Rows<const T> qkv, const Heads& heads,
                                    const StoredSequences<T>& sequences) {
  const int group = heads.query / heads.kv;
  const int block_positions = std::max(1, attention_block_rows / group);
  blocks.clear();
  int longest = 0;
  double work = 0;
  for (int s = 0; s < sequences.count; ++s) {
    const int end = sequences.starts[s + 1];
    for (int first = sequences.starts[s]; first < end; first += block_positions) {
      blocks.push_back({s, first, std::min(block_positions, end - first)});
    }
    const int rows = end - sequences.starts[s];
    const int keys = sequences.first_positions[s] + rows;
    longest = std::max(longest, keys);
    work += 2.0 * rows * keys * heads.query * heads.size;
  }
  const size_t rows = static_cast<size_t>(block_positions) * group;
  scratch.reserve(rows * (2 * heads.size + tiles_of(longest) * page_positions));
  const int count = static_cast<int>(blocks.size());
  run_attention_tiles(pool, count * heads.kv, work, [&](int tile) {
    // The last blocks of a sequence have the most keys. These blocks begin first, so that they do not end last.
    attend_block(out, log_sum, qkv, heads, sequences, blocks[count - 1 - tile / heads.kv], tile % heads.kv);
  });
}

/** Prefetch distance, in tiles. */
constexpr int prefetched_tiles = 2;

/**
 * Prefetches into the second-level cache. The hardware prefetcher stops at the end of a memory page, which is the
 * length of one tile.
 */
template <class T>
void prefetch(const T* tile, int elements) {
  constexpr int line = 64 / sizeof(T);
  for (int i = 0; i < elements; i += line) __builtin_prefetch(tile + i, 0, 2);
}

/**
 * Rows of the block are ordered by position, and within a position by head, so each row has at least the keys of the
 * row before. The scores of a row over all its keys are kept. The maximum is therefore known before the first
 * exponential, and no sum is rescaled.
 */
template <class T>
void CpuAttention<T>::State::attend_block(T* out, A* log_sum, Rows<const T> qkv, const Heads& heads,
                                          const StoredSequences<T>& sequences, const Block& block, int kv_head) {
  const int size = heads.size, group = heads.query / heads.kv, rows = block.positions * group;
  const int first_position = sequences.first_positions[block.sequence] + block.first - sequences.starts[block.sequence];
  const auto keys_of = [&](int row) { return first_position + row / group + 1; };
  const auto first_with = [&](int tile) { return std::max(0, tile * page_positions - first_position) * group; };
  const int tiles = tiles_of(keys_of(rows - 1));
  const int stride = tiles * page_positions;
  const int32_t* const pages = sequences.pages + sequences.first_pages[block.sequence];
  const auto keys_at = [&](int tile) -> const T* {
    return sequences.store + (static_cast<int64_t>(pages[tile]) * heads.kv + kv_head) * 2 * size * page_positions;
  };

  typename WorkerScratch<T>::Lease lease(scratch);
  T* const queries = lease.take(static_cast<size_t>(rows) * size);
  T* const sums = lease.take(static_cast<size_t>(rows) * size);
  T* const scores = lease.take(static_cast<size_t>(rows) * stride);
  const T scale = 1 / std::sqrt(static_cast<T>(size));
  for (int row = 0; row < rows; ++row) {
    const T* const query = qkv[block.first + row / group] + (kv_head * group + row % group) * size;
    for (int d = 0; d < size; ++d) queries[row * size + d] = query[d] * scale;
  }

  for (int tile = 0; tile < tiles; ++tile) {
    if (tile + prefetched_tiles < tiles) prefetch(keys_at(tile + prefetched_tiles), size * page_positions);
    const int first = first_with(tile);
    kernels.product({scores + first * static_cast<int64_t>(stride) + tile * page_positions, stride,
                     queries + first * size, size, 1, keys_at(tile), page_positions, rows - first, size,
                     page_positions, Into::assign});
  }
  for (int row = 0; row < rows; ++row) {
    T* const own = scores + static_cast<int64_t>(row) * stride;
    const int keys = keys_of(row), padded = tiles_of(keys) * page_positions;
    std::fill(own + keys, own + padded, -std::numeric_limits<T>::infinity());
    const Softmax<T> softmax = kernels.softmax(own, padded);
    queries[row * size] = 1 / softmax.sum;  // the query is no longer needed
    if (log_sum) {
      const int64_t position = block.first + row / group;
      log_sum[position * heads.query + kv_head * group + row % group] = softmax.max + std::log(softmax.sum);
    }
  }
  for (int tile = 0; tile < tiles; ++tile) {
    if (tile + prefetched_tiles < tiles) {
      prefetch(keys_at(tile + prefetched_tiles) + size * page_positions, size * page_positions);
    }
    // Rows that attend to the same part of the tile are computed together. The part of the page beyond these keys may
    // hold arbitrary values.
    for (int row = first_with(tile); row < rows;) {
      const int keys = keys_in_tile(keys_of(row), tile);
      const int end = keys == page_positions ? rows : row + group;
      kernels.product({sums + row * size, size, scores + static_cast<int64_t>(row) * stride + tile * page_positions,
                       stride, 1, keys_at(tile) + size * page_positions, size, end - row, keys, size,
                       tile ? Into::add : Into::assign});
      row = end;
    }
  }
  for (int row = 0; row < rows; ++row) {
    const int64_t position = block.first + row / group;
    T* const to = out + (position * heads.query + kv_head * group + row % group) * size;
    const T factor = queries[row * size];
    for (int d = 0; d < size; ++d) to[d] = sums[row * size + d] * factor;
  }
}

template class CpuAttention<float>;
template class CpuAttention<double>;

}  // namespace palestra
