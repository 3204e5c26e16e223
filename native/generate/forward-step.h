#pragma once
#include <vector>

#include "../model/decoder.h"
#include "key-value-store.h"
#include "roster.h"

namespace palestra {

/** A row whose next token is to be sampled. */
struct SampledRow {
  Sequence* sequence;
  /** Of the step. */
  int32_t row;
};

/** The forward pass of a step: from parts of sequences to logits of the rows that sample. */
template <class T>
class ForwardStep {
 public:
  using A = accumulator_t<T>;
  ForwardStep(Ops<T>& ops, const ModelConfig& config, KeyValueStore<T>& store, int max_rows, int max_sequences,
              int adapter_rank);

  /** Computes the parts' rows and writes their keys and values. */
  void run(const ModelWeights<T>& weights, const std::vector<Part>& parts);
  /** Rows of logits at a time. */
  int logits_rows() const { return logits_rows_; }
  /** Logits of these rows of the last `run`, on the host, at most `logits_rows()`. */
  const A* logits(const ModelWeights<T>& weights, const SampledRow* rows, int count);
  /** Log-probability of a token of each of `count` rows of the last `logits`, from `first` on, by the trainer's op. */
  void logprobs(A* out, const int32_t* tokens, int first, int count, float temperature);

 private:
  /** Attention over the pages of the sequences in the step. */
  class PagedAttention final : public Attention<T> {
   public:
    PagedAttention(Ops<T>& ops, const Heads& heads, KeyValueStore<T>& store) : ops_(ops), heads_(heads), store_(store) {}
    void attend(int layer, T* out, Rows<const T> qkv, int rows) override;
    PagedSequences<T> sequences{};

   private:
    Ops<T>& ops_;
    const Heads heads_;
    KeyValueStore<T>& store_;
  };
  /** Collects integers that go to the device together. */
  const int32_t* upload_parts(const std::vector<Part>& parts, int rows);

  Ops<T>& ops_;
  const ModelConfig config_;
  Decoder<T> decoder_;
  PagedAttention attention_;
  const int logits_rows_;
  Buffer<T> x_;        // (max rows, hidden)
  Buffer<T> sampled_;  // (logits rows, hidden)
  Buffer<A> logits_;   // (logits rows, vocabulary)
  Buffer<A> scores_;   // (2, logits rows): log-sums and log-probabilities
  Buffer<int32_t> integers_;
  Buffer<int32_t> indices_;  // (logits rows)
  std::vector<int32_t> staged_;
  std::vector<A> host_logits_;
};

}  // namespace palestra
