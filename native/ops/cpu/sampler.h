#pragma once
#include <cstdint>
#include <vector>

#include "../ops.h"

namespace palestra {

/** A token drawn from logits. */
struct Drawn {
  /** -1 when a logit is not finite. */
  int32_t token;
  /** Log-probability under the distribution that was drawn from; 0 for a certain choice. */
  float logprob;
  /** Whether that is the model's whole distribution, with nothing masked or cut. */
  bool whole;
};

/**
 * Draws a token from logits, in this order:
 *   1. The temperature divides the logits.
 *   2. Tokens that are not allowed are removed.
 *   3. top-k keeps the k most probable tokens.
 *   4. top-p keeps the most probable tokens until their share of the rest reaches p, including the one that reaches it.
 *   5. min-p removes tokens below that fraction of the highest probability.
 *
 * Tokens of equal probability rank by number, so a cut between them keeps the lower. The rest is normalised and drawn
 * by the inverse of its cumulative distribution, in the order of the vocabulary.
 *
 * Temperature 0 takes the most probable allowed token, the lowest of equal ones.
 */
class Sampler {
 public:
  /** Allocates the memory for draws from that many tokens; draws do not allocate. */
  void reserve(int vocabulary);
  /** @param logits (vocabulary) */
  Drawn draw(const float* logits, int vocabulary, const Draw& how);

 private:
  struct Candidate {
    float power;
    int32_t token;
  };
  static bool ranks_before(const Candidate& a, const Candidate& b) {
    return a.power > b.power || (a.power == b.power && a.token < b.token);
  }
  void raise(const float* logits, int vocabulary, float temperature, float highest);
  void mask(int vocabulary, const std::vector<uint32_t>& allowed);
  void cut(const Sampling& rule);
  /** Returns the sum of the powers, and keeps those of their blocks. */
  double sum();
  /**
   * Drops the tokens ranked after those whose weights, added in order of rank, are enough. Only tokens in the bucket of
   * the last one are sorted.
   */
  template <class Weight>
  void keep_until(double enough, Weight weight);
  int32_t token_at(double part, double total) const;

  /** exp((logit - highest) / temperature); 0 for removed tokens. Zeros after the last fill up the last block. */
  std::vector<float> powers_;
  std::vector<double> block_sums_;
  std::vector<double> bucket_sums_;
  std::vector<Candidate> candidates_;
};

}  // namespace palestra
