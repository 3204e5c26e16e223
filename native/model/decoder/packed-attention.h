#pragma once
#include <vector>

#include "decoder.h"

namespace palestra {

/**
 * Attention over the packed sequences of a pass, forwards and backwards. On a device whose attention does not accept
 * parents, the rows of each sequence's ancestors are repeated before its own rows, for some sequences at a time.
 */
template <class T>
class PackedAttention final : public Attention<T> {
 public:
  using A = accumulator_t<T>;
  PackedAttention(Ops<T>& ops, const Heads& heads) : ops_(ops), heads_(heads) {}

  /**
   * Begins a pass.
   *
   * @param starts as `segments.starts`, on the host
   * @param parents as `segments.parents`, on the host. Empty: null
   * @param max_rows number of rows that are repeated at a time, unless one sequence is longer
   */
  void begin(const Segments& segments, const std::vector<int32_t>& starts, const std::vector<int32_t>& parents,
             int max_rows);
  void attend(int layer, T* out, Rows<const T> qkv, int rows) override;
  /** Computes dqkv (rows, heads.width()) from the results of `attend`. */
  void gradient(Rows<T> dqkv, const T* dout, const T* out, const A* log_sum, Rows<const T> qkv);

  int rows() const { return segments_.rows; }

  /** Destination of the current layer's log-sums, or null. */
  A* log_sum = nullptr;

 private:
  /** Sequences whose rows are repeated together. Indices are positions in `indices_`. */
  struct Part {
    Segments segments;
    int first;  // row of the pack: the first of the sequences' own rows, which are adjacent
    int own;    // number of own rows
    int rows_at;  // the row of the pack of each repeated row: (segments.rows)
    int own_at;   // the repeated row of each own row: (own)
    std::vector<int32_t> starts;
  };

  void plan(const std::vector<int32_t>& starts, const std::vector<int32_t>& parents, int max_rows);
  const int32_t* indices(int at) const { return indices_.data() + at; }
  /** Views log-sums, which are copied bit for bit, as rows of T. */
  Rows<T> statistics(const A* values) const;
  int statistics_width() const { return heads_.query * static_cast<int>(sizeof(A) / sizeof(T)); }
  int out_width() const { return heads_.query * heads_.size; }

  Ops<T>& ops_;
  const Heads heads_;
  Segments segments_ = {};
  std::vector<Part> parts_;
  Buffer<int32_t> indices_;
  Buffer<T> qkv_, out_, dqkv_, dout_;  // repeated rows
  Buffer<A> log_sum_;
};

}  // namespace palestra
