#include <cmath>

#include "../../core/failure.h"
#include "token-loss.h"

namespace palestra {
namespace {

void expect(bool fits, const char* what, double received) {
  if (fits) return;
  throw Failure(Code::invalid_argument, std::string("expected ") + what + " but received " + std::to_string(received));
}

/** One array of `LossInputs` and the member of `LossToken` that receives it. */
struct Input {
  const char* name;
  const float* values;
  float LossToken::*field;
  bool needed;
};

std::vector<Input> inputs_of(const Loss& loss, const LossInputs& inputs) {
  const bool weighs_behaviour = loss.behaviour_weight != BehaviourWeight::none;
  const bool has_ratio = loss.policy == Policy::ppo || loss.policy == Policy::gspo || loss.policy == Policy::cispo;
  const bool values = loss.value_coefficient > 0;
  return {
      {"weight", inputs.weight, &LossToken::weight, true},
      {"advantage", inputs.advantage, &LossToken::advantage, loss.policy != Policy::cross_entropy},
      {"behaviour", inputs.behaviour, &LossToken::behaviour, weighs_behaviour},
      {"proximal", inputs.proximal, &LossToken::proximal, has_ratio || weighs_behaviour},
      {"reference", inputs.reference, &LossToken::reference, loss.kl != KlEstimator::none},
      {"returns", inputs.returns, &LossToken::returns, values},
      {"old_values", inputs.old_values, &LossToken::old_value, values && std::isfinite(loss.value_clip)},
  };
}

}  // namespace

void check_loss(const Loss& loss, bool value_head) {
  expect(loss.dual_clip == 0 || loss.dual_clip >= 1, "dual_clip 0 or above 1", loss.dual_clip);
  expect(loss.behaviour_weight == BehaviourWeight::none || loss.behaviour_cap > 0, "behaviour_cap above 0",
         loss.behaviour_cap);
  if (loss.policy == Policy::cross_entropy && loss.behaviour_weight != BehaviourWeight::none) {
    throw Failure(Code::invalid_argument, "expected no behaviour weight for cross-entropy but received one");
  }
  if (loss.kl_coefficient > 0 && loss.kl == KlEstimator::none) {
    throw Failure(Code::invalid_argument, "expected a KL estimator for a kl_coefficient above 0 but received none");
  }
  if (loss.value_coefficient > 0) {
    expect(loss.value_clip > 0, "value_clip above 0 (infinite: none)", loss.value_clip);
    if (!value_head) {
      throw Failure(Code::invalid_argument,
                    "expected a model with a value head for a value loss but received a model without one");
    }
  }
}

std::vector<LossToken> read_loss_inputs(const Loss& loss, const LossInputs& inputs,
                                        const std::vector<int32_t>& tokens) {
  std::vector<LossToken> read(tokens.size(), LossToken{});
  for (const Input& input : inputs_of(loss, inputs)) {
    if (!input.values) {
      if (!input.needed) continue;
      throw Failure(Code::invalid_argument,
                    std::string("expected `") + input.name + "` for this loss but received none");
    }
    for (size_t i = 0; i < tokens.size(); ++i) {
      const float value = input.values[tokens[i]];
      if (!std::isfinite(value)) {
        throw Failure(Code::not_finite, std::string("expected a finite `") + input.name + "` but received " +
                                            std::to_string(value) + " at token " + std::to_string(tokens[i]));
      }
      read[i].*input.field = value;
    }
  }
  return read;
}

}  // namespace palestra
