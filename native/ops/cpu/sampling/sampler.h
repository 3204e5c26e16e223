#pragma once
#include <cstdint>
#include <vector>

#include "../../ops.h"

namespace palestra {

/** A token drawn from logits. */
struct Drawn {
  /** Id of the token. -1 when a logit is not finite. */
  int32_t token;
  /** Log-probability under the distribution from which the token was drawn. 0 for a certain choice. */
  float logprob;
  /** Whether that distribution is the model's whole distribution, with no token masked or cut. */
  bool whole;
};

/**
 * Draws a token from logits, in this order:
 *   1. The temperature divides the logits.
 *   2. Tokens that are not allowed are removed.
 *   3. top-k keeps the k most probable tokens.
 *   4. top-p keeps the most probable tokens until their share of the remaining probability reaches p. The token that
 *      reaches p is kept.
 *   5. min-p removes tokens below that fraction of the highest probability.
 *
 * Tokens of equal probability rank by number, so a cut between them keeps the lower number. The remaining tokens are
 * normalized and drawn by the inverse of the cumulative distribution, in the order of the vocabulary.
 *
 * Temperature 0 takes the most probable allowed token, and the lowest number among equal ones.
 */
class Sampler {
 public:
  /** Allocates the memory for draws from `vocabulary` tokens. Draws do not allocate. */
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
  /** Returns the sum of the powers, and keeps the sums of their blocks. */
  double sum();
  /**
   * Drops the lowest-ranked tokens that are not needed. The weights of the kept tokens, added in order of rank, are
   * enough. Only tokens in the bucket of the last kept token are sorted.
   */
  template <class Weight>
  void keep_until(double enough, Weight weight);
  int32_t token_at(double part, double total) const;

  /**
   * Powers exp((logit - highest) / temperature), with 0 for removed tokens. Zeros after the last power fill up the last
   * block.
   */
  std::vector<float> powers_;
  std::vector<double> block_sums_;
  std::vector<double> bucket_sums_;
  std::vector<Candidate> candidates_;
};

}  // namespace palestra
