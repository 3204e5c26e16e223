#include "packed-attention.h"

#include <algorithm>

namespace palestra {
namespace {

/** Makes a buffer at least this large. Its content is lost. */
template <class Value>
void grow(Buffer<Value>& buffer, Stream& stream, size_t size) {
  if (buffer.size() >= size) return;
  if (buffer) {
    Value last;  // Waits for queued work that uses the buffer.
    stream.download(&last, buffer.data(), sizeof last);
  }
  buffer = Buffer<Value>();
  buffer = Buffer<Value>(stream.memory(), size, "repeated rows of shared sequences");
}

}  // namespace

template <class T>
void PackedAttention<T>::begin(const Segments& segments, const std::vector<int32_t>& starts,
                               const std::vector<int32_t>& parents, int max_rows) {
  segments_ = segments;
  parts_.clear();
  if (!parents.empty() && !ops_.attends_to_parents()) plan(starts, parents, max_rows);
}

template <class T>
void PackedAttention<T>::plan(const std::vector<int32_t>& starts, const std::vector<int32_t>& parents, int max_rows) {
  std::vector<std::vector<int32_t>> sequences;  // rows of each sequence, with those of its ancestors
  for (size_t s = 0; s < parents.size(); ++s) {
    sequences.push_back(parents[s] < 0 ? std::vector<int32_t>() : sequences[parents[s]]);
    for (int32_t row = starts[s]; row < starts[s + 1]; ++row) sequences.back().push_back(row);
  }
  std::vector<int32_t> indices;
  int most = 0;
  for (size_t s = 0; s < sequences.size();) {
    Part part = {};
    part.first = starts[s];
    part.starts.push_back(0);
    part.rows_at = static_cast<int>(indices.size());
    std::vector<int32_t> own;
    do {
      const auto length = static_cast<int32_t>(sequences[s].size()), end = part.starts.back() + length;
      indices.insert(indices.end(), sequences[s].begin(), sequences[s].end());
      for (int32_t row = end - (starts[s + 1] - starts[s]); row < end; ++row) own.push_back(row);
      part.starts.push_back(end);
      part.segments.longest = std::max(part.segments.longest, length);
      ++s;
    } while (s < sequences.size() && part.starts.back() + static_cast<int64_t>(sequences[s].size()) <= max_rows);
    part.own = static_cast<int>(own.size());
    part.own_at = static_cast<int>(indices.size());
    indices.insert(indices.end(), own.begin(), own.end());
    part.segments.count = static_cast<int>(part.starts.size()) - 1;
    part.segments.rows = part.starts.back();
    most = std::max(most, part.segments.rows);
    parts_.push_back(std::move(part));
  }
  std::vector<int> starts_at;
  for (const Part& part : parts_) {
    starts_at.push_back(static_cast<int>(indices.size()));
    indices.insert(indices.end(), part.starts.begin(), part.starts.end());
  }
  const size_t rows = most;
  grow(indices_, ops_, indices.size());
  grow(qkv_, ops_, rows * heads_.width());
  grow(dqkv_, ops_, rows * heads_.width());
  grow(out_, ops_, rows * out_width());
  grow(dout_, ops_, rows * out_width());
  grow(log_sum_, ops_, rows * heads_.query);
  ops_.upload(indices_.data(), indices.data(), sizeof(int32_t) * indices.size());
  for (size_t i = 0; i < parts_.size(); ++i) parts_[i].segments.starts = this->indices(starts_at[i]);
}

template <class T>
Rows<T> PackedAttention<T>::statistics(const A* values) const {
  return {reinterpret_cast<T*>(const_cast<A*>(values)), statistics_width()};
}

template <class T>
void PackedAttention<T>::attend(int, T* out, Rows<const T> qkv, int) {
  if (parts_.empty()) return ops_.attention(out, log_sum, qkv, heads_, segments_);
  const int width = heads_.width();
  for (const Part& part : parts_) {
    const Rows<T> repeated{qkv_.data(), width};
    ops_.gather_rows(repeated, qkv, indices(part.rows_at), width, part.segments.rows);
    ops_.attention(out_.data(), log_sum ? log_sum_.data() : nullptr, {repeated.data, width}, heads_, part.segments);
    ops_.gather_rows({out + int64_t{part.first} * out_width(), out_width()}, {out_.data(), out_width()},
                     indices(part.own_at), out_width(), part.own);
    if (!log_sum) continue;
    const Rows<T> from = statistics(log_sum_.data());
    ops_.gather_rows(statistics(log_sum + int64_t{part.first} * heads_.query), {from.data, from.stride},
                     indices(part.own_at), statistics_width(), part.own);
  }
}

/** The outputs of repeated rows have no gradient, but their keys and values have those of all sequences. */
template <class T>
void PackedAttention<T>::gradient(Rows<T> dqkv, const T* dout, const T* out, const A* log_sum, Rows<const T> qkv) {
  if (parts_.empty()) return ops_.attention_gradient(dqkv, dout, out, log_sum, qkv, heads_, segments_);
  const int width = heads_.width();
  ops_.zero(dqkv.data, sizeof(T) * segments_.rows * width);
  for (const Part& part : parts_) {
    const int rows = part.segments.rows;
    const int32_t* const rows_of_pack = indices(part.rows_at);
    ops_.gather_rows({qkv_.data(), width}, qkv, rows_of_pack, width, rows);
    ops_.gather_rows({out_.data(), out_width()}, {out, out_width()}, rows_of_pack, out_width(), rows);
    const Rows<T> from = statistics(log_sum);
    ops_.gather_rows(statistics(log_sum_.data()), {from.data, from.stride}, rows_of_pack, statistics_width(), rows);
    ops_.zero(dout_.data(), sizeof(T) * rows * out_width());
    ops_.scatter_rows({dout_.data(), out_width()}, {dout + int64_t{part.first} * out_width(), out_width()},
                      indices(part.own_at), out_width(), part.own);
    ops_.attention_gradient({dqkv_.data(), width}, dout_.data(), out_.data(), log_sum_.data(), {qkv_.data(), width},
                            heads_, part.segments);
    for (size_t s = 0; s + 1 < part.starts.size(); ++s) {
      const int first = part.starts[s];
      ops_.scatter_rows(dqkv, {dqkv_.data() + int64_t{first} * width, width}, rows_of_pack + first, width,
                        part.starts[s + 1] - first);
    }
  }
}

template class PackedAttention<bf16>;
template class PackedAttention<float>;
template class PackedAttention<double>;

}  // namespace palestra
