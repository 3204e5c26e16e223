#pragma once
#include <string>
#include <vector>

#include "loss.h"

namespace palestra {

/** What the model says of a token: log-probability and entropy at the temperature, and the value before it. */
struct TokenScore {
  double logprob;
  double entropy;
  double value;
};

/** The gradient of the loss in each of them. */
struct TokenGradient {
  double logprob = 0;
  double entropy = 0;
  double value = 0;
};

/** `LossInputs` of one token; 0 where there is no array. */
struct LossToken {
  float weight;
  float advantage;
  float behaviour;
  float proximal;
  float reference;
  float returns;
  float old_value;
};

/** Fails with `Code::invalid_argument` where a loss contradicts itself, or the model has no value head for it. */
void check_loss(const Loss& loss, bool value_head);

/**
 * Copies what the loss needs of the tokens. Fails with `Code::invalid_argument` where an array is missing, and with
 * `Code::not_finite` where a number that is needed is none.
 */
std::vector<LossToken> read_loss_inputs(const Loss& loss, const LossInputs& inputs, const std::vector<int32_t>& tokens);

/** Which of `LossInputs` came: statistics leave out what was not given. */
struct LossGiven {
  bool behaviour;
  bool proximal;
  bool reference;
};

/**
 * The loss of a token and its gradient; adds to the statistics. Logarithms of ratios are held to ±20 before they are
 * exponentiated (GSPO's to at most 10), beyond which the gradient through them is zero.
 *
 * @param sequence_log_ratio the mean of logprob - proximal over the trained tokens of the sequence; for GSPO alone,
 *   whose gradient is that of sg(s) pi / sg(pi): each token's own advantage meets its own log-probability
 */
TokenGradient token_loss(const Loss& loss, const LossGiven& given, const LossToken& token, const TokenScore& score,
                         double sequence_log_ratio, LossStatistics& statistics);

}  // namespace palestra
