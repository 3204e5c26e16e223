#pragma once
#include <cstdint>
#include <vector>

#include "../ops.h"

namespace palestra {

/** A token out of logits. */
struct Drawn {
  /** -1 where a logit is not a finite number. */
  int32_t token;
  /** Under the distribution that was drawn from; 0 for a certain choice. */
  float logprob;
  /** Whether that is all of the model's distribution: nothing was masked or cut. */
  bool whole;
};

/**
 * Draws a token from logits. In this order: the temperature divides them; tokens that are not allowed leave; top-k
 * keeps the k most probable; top-p keeps the most probable ones until their part of what is left reaches p, the one
 * that reaches it included; min-p drops what is below that part of the highest probability. Tokens of equal probability
 * rank by number, so that a cut between them keeps the lower. The rest is normalised and drawn by the inverse of its
 * cumulative distribution, in the order of the vocabulary.
 *
 * Temperature 0 takes the most probable allowed token, the lowest of equal ones.
 */
class Sampler {
 public:
  /** Takes the memory that draws from so many tokens need: none of them allocates. */
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
  /** The sum of the powers, and those of their blocks. */
  double sum();
  /**
   * Drops what ranks after the tokens whose weights, added up in order of rank, are enough. Only those that share the
   * last one's bucket are put in order.
   */
  template <class Weight>
  void keep_until(double enough, Weight weight);
  int32_t token_at(double part, double total) const;

  /** exp((logit - highest) / temperature), 0 for tokens that left; zeros after the last make whole blocks. */
  std::vector<float> powers_;
  std::vector<double> block_sums_;
  std::vector<double> bucket_sums_;
  std::vector<Candidate> candidates_;
};

}  // namespace palestra
