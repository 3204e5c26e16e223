#pragma once
#include "../loss/token-loss.h"
#include "../weights/config.h"
#include "../weights/gradients.h"
#include "../weights/weights.h"

namespace palestra {

/** Rows of hidden states whose next tokens are scored. On the host. */
struct HeadChunk {
  const int32_t* rows;
  const int32_t* targets;
  int count;
};

/**
 * Final norm, logits, log-softmax and value of chosen rows, one chunk at a time. The logits of all rows never exist at
 * the same time, and rows that are not trained are not computed.
 */
template <class T>
class Head {
 public:
  using A = accumulator_t<T>;
  /** @param chunk_bytes limit on the logits of a chunk; @param max_rows limit on the rows scored together */
  Head(Ops<T>& ops, const ModelConfig& config, size_t chunk_bytes, int max_rows);

  /** Number of rows of the largest chunk. */
  int chunk_rows() const { return chunk_rows_; }
  /**
   * Scores a chunk of the rows of x (rows, hidden). `scores` returns the result. The logits are kept for `gradient`.
   */
  void score(const T* x, const ModelWeights<T>& weights, const HeadChunk& chunk, float temperature, bool with_entropy);
  /**
   * Waits for the scores of the last chunk. Fails with `Code::not_finite` when the model computes a number that is not
   * finite.
   *
   * @param out (count), on the host
   */
  void scores(TokenScore* out);
  /**
   * Adds the gradients of the last chunk to the rows of dx (rows, hidden) and to the gradients of the weights.
   *
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
  Buffer<int32_t> rows_;       // (chunk rows), like all buffers below
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
