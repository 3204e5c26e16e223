#pragma once
#include <string>
#include <vector>

#include "loss.h"

namespace palestra {

/** Scores of one token: log-probability and entropy at the temperature, and the value before it. */
struct TokenScore {
  double logprob;
  double entropy;
  double value;
};

/** The derivatives of the loss with respect to the scores of a token. */
struct TokenGradient {
  double logprob = 0;
  double entropy = 0;
  double value = 0;
};

/** `LossInputs` of one token. A field whose array is null is 0. */
struct LossToken {
  float weight;
  float advantage;
  float behaviour;
  float proximal;
  float reference;
  float returns;
  float old_value;
};

/**
 * Fails with `Code::invalid_argument` on contradicting options, and on a value loss of a model that has no value head.
 */
void check_loss(const Loss& loss, bool value_head);

/**
 * Copies the inputs that the loss needs. Fails with `Code::invalid_argument` on a missing array and with
 * `Code::not_finite` on a number that is not finite.
 */
std::vector<LossToken> read_loss_inputs(const Loss& loss, const LossInputs& inputs, const std::vector<int32_t>& tokens);

/** The given arrays of `LossInputs`. Statistics leave out arrays that are not given. */
struct LossGiven {
  bool behaviour;
  bool proximal;
  bool reference;
};

/**
 * Returns the gradient of one token's loss and adds to the statistics. Log-ratios are clamped to ±20 before exp (GSPO's
 * to at most 10). Beyond the clamp the gradient through a ratio is zero.
 *
 * @param sequence_log_ratio the mean of logprob - proximal over the trained tokens of the sequence, for GSPO. The
 * gradient of the ratio is that of sg(s) pi / sg(pi), so each token combines its own advantage and log-probability
 */
TokenGradient token_loss(const Loss& loss, const LossGiven& given, const LossToken& token, const TokenScore& score,
                         double sequence_log_ratio, LossStatistics& statistics);

}  // namespace palestra
