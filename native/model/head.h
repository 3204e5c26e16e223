#pragma once
#include "config.h"
#include "gradients.h"
#include "token-loss.h"
#include "weights.h"

namespace palestra {

/** Rows of hidden states whose next token is scored. On the host. */
struct HeadChunk {
  const int32_t* rows;
  const int32_t* targets;
  int count;
};

/**
 * Final norm, logits, log-softmax and value of chosen rows, a chunk of them at a time, so that the logits of all rows
 * never exist; nor does what rows that nobody trains would cost.
 */
template <class T>
class Head {
 public:
  using A = accumulator_t<T>;
  /** @param chunk_bytes of logits; @param max_rows that are ever scored together */
  Head(Ops<T>& ops, const ModelConfig& config, size_t chunk_bytes, int max_rows);

  /** Rows of the largest chunk. */
  int chunk_rows() const { return chunk_rows_; }
  /** Scores a chunk of the rows of x (rows, hidden), for `scores`; its logits stay for `gradient`. */
  void score(const T* x, const ModelWeights<T>& weights, const HeadChunk& chunk, float temperature, bool with_entropy);
  /**
   * Waits for those of the chunk that was scored last. Fails with `Code::not_finite` where the model gives no number.
   * @param out (count), on the host
   */
  void scores(TokenScore* out);
  /**
   * Adds the gradients of the chunk that was scored last, to the rows of dx (rows, hidden) and to those of the weights.
   * @param of_scores (count), on the host
   */
  void gradient(T* dx, const ModelWeights<T>& weights, const ModelGradients<A>& gradients,
                const TokenGradient* of_scores);

 private:
  void value_gradient(const ModelWeights<T>& weights, const ModelGradients<A>& gradients,
                      const TokenGradient* of_scores);
  Weight value_weight(const ModelWeights<T>& weights) const;

  Ops<T>& ops_;
  ModelConfig config_;
  int chunk_rows_;
  HeadChunk chunk_ = {};
  float temperature_ = 1;
  bool has_values_ = false;
  TokenStatistics<A> statistics_ = {};
  std::vector<A> staged_;      // (chunk rows), on the host
  std::vector<T> staged_values_;
  Buffer<int32_t> rows_;       // (chunk rows), as all that follow
  Buffer<int32_t> targets_;
  Buffer<T> hidden_;           // (.., hidden)
  Buffer<T> normed_;           // (.., hidden)
  Buffer<T> dnormed_;          // (.., hidden)
  Buffer<A> rstd_;
  Buffer<A> logits_;           // (.., vocabulary)
  Buffer<A> log_sum_, logprob_, entropy_, dlogprob_, dentropy_;
  Buffer<T> value_, dvalue_;
};

}  // namespace palestra
