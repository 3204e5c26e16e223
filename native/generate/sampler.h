#pragma once
#include <cstdint>
#include <vector>

#include "../ops/ops.h"

namespace palestra {

/** A uniform number in [0, 1) of 53 random bits, that of this position of this stream. */
double uniform_at(uint64_t seed, uint64_t stream, uint32_t position);

struct Choice {
  /** -1 where a logit is not a finite number. */
  int32_t token;
  /** Under the distribution that was drawn from; 0 for a certain choice. */
  float logprob;
  /** Whether that is all of the model's distribution: nothing was masked or cut. */
  bool whole;
};

/**
 * Draws a token from logits. In this order: the temperature divides them; tokens that are not allowed leave; top-k keeps
 * the k most probable; top-p keeps the most probable ones until their part of what is left reaches p, the one that
 * reaches it included; min-p drops what is below that part of the highest probability. Equal ones rank by number, the
 * lower first, so that a cut between them keeps the lower. The rest is normalised and drawn by the inverse of its
 * cumulative distribution, in the order of rank where top-k or top-p cut, else in that of the vocabulary.
 *
 * Temperature 0 takes the most probable allowed token.
 */
class Sampler {
 public:
  /**
   * @param logits (vocabulary)
   * @param allowed a bit each token; empty: all
   */
  Choice draw(const float* logits, int vocabulary, const Sampling& rule, const std::vector<uint32_t>& allowed,
              double uniform);

 private:
  struct Candidate {
    float power;  // exp(score - highest)
    int32_t token;
  };
  Choice draw_whole(const float* logits, int vocabulary, float temperature, float highest, double uniform);
  void gather(const float* logits, int vocabulary, const Sampling& rule, const std::vector<uint32_t>& allowed,
              float highest);
  void rank(const Sampling& rule);

  std::vector<float> powers_;
  std::vector<double> block_sums_;
  std::vector<Candidate> candidates_;
};

}  // namespace palestra
