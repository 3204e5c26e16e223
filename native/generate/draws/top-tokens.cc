#include "top-tokens.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace palestra {
namespace {

template <class A>
class Ranked {
 public:
  Ranked(const A* logits, int vocabulary, const Draw& draw) : logits_(logits), draw_(draw) {
    for (int32_t token = 0; token < vocabulary; ++token) {
      if (!draw.allowed || (*draw.allowed)[token / 32] >> (token % 32) & 1) allowed_.push_back(token);
    }
  }
  /** Returns the most probable tokens in order. */
  std::vector<int32_t> first(int count) {
    const auto end = allowed_.begin() + std::min<size_t>(count, allowed_.size());
    std::partial_sort(allowed_.begin(), end, allowed_.end(), [this](int32_t a, int32_t b) {
      return logits_[a] > logits_[b] || (logits_[a] == logits_[b] && a < b);
    });
    return {allowed_.begin(), end};
  }
  /** Returns the sum of the powers of the tokens that top-k keeps, relative to the highest. */
  double kept_power(double highest) const {
    std::vector<double> powers;
    for (int32_t token : allowed_) powers.push_back(std::exp((logits_[token] - highest) / draw_.rule.temperature));
    const auto k = static_cast<size_t>(draw_.rule.top_k);
    if (k > 0 && k < powers.size()) {
      std::nth_element(powers.begin(), powers.begin() + k, powers.end(), std::greater<double>());
      powers.resize(k);
    }
    double sum = 0;
    for (double power : powers) sum += power;
    return sum;
  }

 private:
  const A* const logits_;
  const Draw& draw_;
  std::vector<int32_t> allowed_;
};

}  // namespace

template <class A>
std::vector<TopToken> top_tokens(const A* logits, int vocabulary, const Draw& draw, const Choice& choice, int count) {
  const Sampling& rule = draw.rule;
  const bool is_greedy = rule.temperature == 0;
  const double temperature = is_greedy ? 1 : rule.temperature;
  const double chosen = is_greedy ? choice.model_logprob : choice.logprob;
  if (!is_greedy && rule.top_k > 0) count = std::min(count, rule.top_k);
  Ranked<A> ranked(logits, vocabulary, draw);
  const std::vector<int32_t> tokens = ranked.first(count);
  const double highest = tokens.empty() ? 0 : logits[tokens[0]];
  const bool cuts_mass = !is_greedy && rule.top_p < 1;
  const double enough = cuts_mass ? rule.top_p * ranked.kept_power(highest) : std::numeric_limits<double>::infinity();
  const double lowest = is_greedy ? 0 : rule.min_p;
  std::vector<TopToken> kept;
  double mass = 0;
  for (int32_t token : tokens) {
    const double power = std::exp((logits[token] - highest) / temperature);
    // The drawn token stays in any case: rounding may differ from that of the draw.
    if (token == choice.token || (mass < enough && power >= lowest)) {
      const double behind = (logits[token] - logits[choice.token]) / temperature;
      kept.push_back({token, static_cast<float>(chosen + behind)});
    }
    mass += power;
  }
  return kept;
}

template std::vector<TopToken> top_tokens(const float*, int, const Draw&, const Choice&, int);
template std::vector<TopToken> top_tokens(const double*, int, const Draw&, const Choice&, int);

}  // namespace palestra
