#pragma once
#include <vector>

#include "../../ops/ops.h"

namespace palestra {

/** One of the most probable tokens at a position. */
struct TopToken {
  int32_t token;
  /** Log-probability under the distribution from which the position's token was drawn. */
  float logprob;
};

/**
 * Returns the most probable tokens of the distribution from which a token was drawn, most probable first, and the lower
 * number first among equal ones. Tokens that mask, top-k, top-p or min-p removed are left out. A greedy draw has the
 * distribution at temperature 1 without cuts.
 *
 * @param logits (vocabulary), on the host, with the changes of the draw
 * @param choice the drawn token with its log-probability; for a greedy draw that under the changed logits
 * @param count largest number of tokens to return
 */
template <class A>
std::vector<TopToken> top_tokens(const A* logits, int vocabulary, const Draw& draw, const Choice& choice, int count);

}  // namespace palestra
