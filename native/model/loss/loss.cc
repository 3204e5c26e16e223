#include "loss.h"

#include <cmath>

#include "token-loss.h"

namespace palestra {
namespace {

constexpr double highest_log_ratio = 20;
constexpr double highest_sequence_log_ratio = 10;

double clamp(double value, double low, double high) { return value < low ? low : value > high ? high : value; }

/** Value and derivative of exp of a clamped logarithm. */
struct Ratio {
  double value;
  double slope;
};

Ratio ratio_of(double log_ratio, double highest = highest_log_ratio) {
  const double held = clamp(log_ratio, -highest_log_ratio, highest);
  const double value = std::exp(held);
  return {value, held == log_ratio ? value : 0};
}

/** A term of the loss and its derivative with respect to the log-probability (or the value). */
struct Term {
  double loss = 0;
  double slope = 0;
};

/** Returns -min(u A, clip(u) A). With dual clip, the result is at most -dual_clip A where A < 0. */
Term clipped_surrogate(const Loss& loss, double advantage, const Ratio& ratio, LossStatistics& statistics) {
  const double held = clamp(ratio.value, 1.0 - loss.clip_low, 1.0 + loss.clip_high);
  const double plain = ratio.value * advantage, clipped = held * advantage;
  Term term{-plain, -ratio.slope * advantage};
  if (clipped < plain) {
    term = {-clipped, 0};
    if (held > ratio.value) statistics.clipped_low += 1;
    if (held < ratio.value) statistics.clipped_high += 1;
  }
  if (loss.dual_clip > 0 && advantage < 0 && term.loss > -loss.dual_clip * advantage) {
    term = {-loss.dual_clip * advantage, 0};
    statistics.dual_clipped += 1;
  }
  return term;
}

Term policy_term(const Loss& loss, const LossToken& token, double logprob, const Ratio& ratio,
                 LossStatistics& statistics) {
  const double advantage = token.advantage;
  switch (loss.policy) {
    case Policy::cross_entropy:
      break;
    case Policy::reinforce:
      return {-advantage * logprob, -advantage};
    case Policy::ppo:
    case Policy::gspo:
      return clipped_surrogate(loss, advantage, ratio, statistics);
    case Policy::cispo: {
      const double held = clamp(ratio.value, 1.0 - loss.clip_low, 1.0 + loss.clip_high);
      if (held > ratio.value) statistics.clipped_low += 1;
      if (held < ratio.value) statistics.clipped_high += 1;
      return {-held * advantage * logprob, -held * advantage};
    }
  }
  return {-logprob, -1};
}

double behaviour_weight(const Loss& loss, const LossToken& token, LossStatistics& statistics) {
  if (loss.behaviour_weight == BehaviourWeight::none) return 1;
  double weight = ratio_of(static_cast<double>(token.proximal) - token.behaviour).value;
  if (weight > loss.behaviour_cap) {
    weight = loss.behaviour_weight == BehaviourWeight::truncate ? loss.behaviour_cap : 0;
    statistics.behaviour_cut += 1;
  }
  return weight;
}

/** Returns exp(r) - 1 - r, which is never negative. */
double k3(double r) { return ratio_of(r).value - 1 - clamp(r, -highest_log_ratio, highest_log_ratio); }

Term kl_term(KlEstimator estimator, double r) {
  const double held = clamp(r, -highest_log_ratio, highest_log_ratio);
  switch (estimator) {
    case KlEstimator::none:
      break;
    case KlEstimator::k1:
      return {-r, 1};
    case KlEstimator::k2:
      return {r * r / 2, -r};
    case KlEstimator::k3:
      return {k3(r), held == r ? 1 - std::exp(r) : 0};
  }
  return {};
}

Term value_term(const Loss& loss, const LossToken& token, double value) {
  const double returns = token.returns;
  const double plain = (value - returns) * (value - returns) / 2;
  if (std::isinf(loss.value_clip)) return {plain, value - returns};
  const double low = static_cast<double>(token.old_value) - loss.value_clip;
  const double high = static_cast<double>(token.old_value) + loss.value_clip;
  const double held = clamp(value, low, high);
  const double clipped = (held - returns) * (held - returns) / 2;
  if (plain >= clipped) return {plain, value - returns};
  return {clipped, 0};
}

}  // namespace

TokenGradient token_loss(const Loss& loss, const LossGiven& given, const LossToken& token, const TokenScore& score,
                         double sequence_log_ratio, LossStatistics& statistics) {
  const double weight = token.weight;
  const Ratio ratio = loss.policy == Policy::gspo ? ratio_of(sequence_log_ratio, highest_sequence_log_ratio)
                      : given.proximal            ? ratio_of(score.logprob - token.proximal)
                                                  : Ratio{1, 0};
  const double staleness = behaviour_weight(loss, token, statistics);
  const Term policy = policy_term(loss, token, score.logprob, ratio, statistics);
  const Term kl = kl_term(loss.kl, token.reference - score.logprob);
  const Term value = loss.value_coefficient > 0 ? value_term(loss, token, score.value) : Term{};

  statistics.tokens += 1;
  statistics.policy_loss += weight * staleness * policy.loss;
  statistics.kl_loss += weight * kl.loss;
  statistics.value_loss += weight * value.loss;
  statistics.loss += weight * (staleness * policy.loss + loss.kl_coefficient * kl.loss +
                               loss.value_coefficient * value.loss - loss.entropy_coefficient * score.entropy);
  statistics.entropy += score.entropy;
  statistics.ratio += ratio.value;
  if (ratio.value > statistics.highest_ratio) statistics.highest_ratio = ratio.value;
  statistics.behaviour_weight += staleness;
  if (given.proximal) statistics.proximal_kl += k3(token.proximal - score.logprob);
  if (given.reference) statistics.reference_kl += k3(token.reference - score.logprob);
  return {weight * (staleness * policy.slope + loss.kl_coefficient * kl.slope), -weight * loss.entropy_coefficient,
          weight * loss.value_coefficient * value.slope};
}

}  // namespace palestra
