#pragma once
#include <algorithm>
#include <memory>
#include <vector>

#include "timed-op.h"
#include "timed-operands.h"

namespace palestra {

/** Causal attention of sequences side by side, and its gradient. */
template <class T>
class TimedAttention final : public TimedOp {
 public:
  TimedAttention(Operands<T>& operands, const palestra_timing& t)
      : ops_(operands.ops()),
        kind_(static_cast<TimedKind>(t.op)),
        heads_{t.query_heads, t.kv_heads, t.head_size},
        starts_(operands.starts(t.rows, t.length)),
        segments_{static_cast<int>(starts_.size()) - 1, t.rows, std::min(t.length, t.rows), starts_.data()},
        qkv_(operands.activations(size_t(t.rows) * heads_.width())),
        out_(operands.activations(size_t(t.rows) * heads_.query * heads_.size)),
        log_sum_(operands.sums(size_t(t.rows) * heads_.query)) {
    if (kind_ == TimedKind::attention) return;
    dqkv_ = operands.activations(qkv_.size());
    dout_ = operands.activations(out_.size());
    ops_.attention(out_.data(), log_sum_.data(), qkv(), heads_, segments_);
  }

  void call() override {
    if (kind_ == TimedKind::attention) {
      return ops_.attention(out_.data(), log_sum_.data(), qkv(), heads_, segments_);
    }
    ops_.attention_gradient({dqkv_.data(), heads_.width()}, dout_.data(), out_.data(), log_sum_.data(), qkv(), heads_,
                            segments_);
  }

 private:
  Rows<const T> qkv() const { return {qkv_.data(), heads_.width()}; }

  Ops<T>& ops_;
  const TimedKind kind_;
  const Heads heads_;
  const Buffer<int32_t> starts_;
  const Segments segments_;
  Buffer<T> qkv_, out_;
  Buffer<float> log_sum_;
  Buffer<T> dqkv_, dout_;
};

/** The pages of sequences of one length. Sequences of a group share their first pages. */
class PagedTable {
 public:
  explicit PagedTable(const palestra_timing& t)
      : length_(t.length), each_((t.length + page_positions - 1) / page_positions) {
    const int shared = t.shared / page_positions;
    for (int sequence = 0; sequence < t.rows; ++sequence) {
      const bool is_first = sequence % t.group == 0;
      const int first = sequence / t.group * t.group;
      for (int i = 0; i < each_; ++i) {
        const bool is_own = is_first || i >= shared;
        pages_.push_back(is_own ? count_++ : pages_[size_t(first) * each_ + i]);
      }
      starts_.push_back(sequence + 1);
      first_positions_.push_back(length_ - 1);
      first_pages_.push_back(static_cast<int32_t>(pages_.size()));
    }
  }

  /** Number of pages. */
  int count() const { return count_; }
  /** Returns a step of the last row of each sequence. */
  PagedSequences last_rows() const {
    return {static_cast<int>(first_positions_.size()), starts_.data(), first_positions_.data(), first_pages_.data(),
            pages_.data()};
  }
  /** Returns a step of all rows of one sequence. */
  PagedSequences whole(int sequence) const {
    return {1, whole_starts_, &whole_first_position_, whole_first_pages_, pages_.data() + size_t(sequence) * each_};
  }

 private:
  const int length_, each_;
  int count_ = 0;
  std::vector<int32_t> starts_{0}, first_positions_, first_pages_{0}, pages_;
  const int32_t whole_starts_[2] = {0, length_};
  const int32_t whole_first_position_ = 0;
  const int32_t whole_first_pages_[2] = {0, each_};
};

/** Decoding: one row of each sequence attends to all positions up to its own, in pages. */
template <class T>
class TimedPagedAttention final : public TimedOp {
 public:
  TimedPagedAttention(Operands<T>& operands, const palestra_timing& t)
      : ops_(operands.ops()),
        heads_{t.query_heads, t.kv_heads, t.head_size},
        table_(t),
        qkv_(operands.activations(size_t(std::max(t.rows, t.length)) * heads_.width())),
        out_(operands.activations(size_t(t.rows) * heads_.query * heads_.size)) {
    const auto format = static_cast<KeyValueFormat>(t.keys_values);
    batch_ = ops_.make_paged_batch(heads_, format, {t.rows, std::max(t.rows, t.length), t.length});
    pages_ = Buffer<char>(ops_.memory(), ops_.page_bytes(heads_, format) * table_.count(), "a bench");
    fill(operands, t);
    batch_->begin(table_.last_rows(), t.rows);
  }

  void call() override {
    ops_.paged_attention(out_.data(), {qkv_.data(), heads_.width()}, heads_, {batch_.get(), pages_.data()});
  }

 private:
  /** Writes keys and values of every position, as a step would. */
  void fill(Operands<T>& operands, const palestra_timing& t) {
    const Buffer<int32_t> positions = operands.integers(t.length, t.length);
    const Buffer<float> frequencies = operands.sums(heads_.size / 2);
    Buffer<float> turns(ops_.memory(), size_t(t.length) * heads_.size, "a bench");
    ops_.rotary_turns(turns.data(), positions.data(), frequencies.data(), heads_.size, t.length);
    const HeadPreparation<T> how{nullptr, nullptr, 1e-6f, turns.data(), nullptr, nullptr};
    const PagedStore store{batch_.get(), pages_.data()};
    for (int sequence = 0; sequence < t.rows; ++sequence) {
      batch_->begin(table_.whole(sequence), t.length);
      ops_.prepare_heads({qkv_.data(), heads_.width()}, how, heads_, t.length, &store);
    }
    operands.wait();
  }

  Ops<T>& ops_;
  const Heads heads_;
  const PagedTable table_;
  Buffer<T> qkv_, out_;
  Buffer<char> pages_;
  std::unique_ptr<PagedBatch> batch_;
};

}  // namespace palestra
