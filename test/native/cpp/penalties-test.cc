// Penalties, biases and top tokens against their definitions, computed in double from the trainer's log-probabilities of every
// token, and the rule that they leave the model's own log-probabilities alone.
#include <algorithm>
#include <cmath>

#include "generate/draws/top-tokens.h"
#include "generate/draws/uniform.h"
#include "generator-rig.h"
#include "ops/cpu/sampling/sampler.h"

namespace palestra::test {
namespace {

constexpr int vocabulary = 61;

TrainerOptions trainer_options() {
  TrainerOptions options;
  options.max_tokens = 160;
  options.recompute = Recompute::none;
  return options;
}

/** Returns the model's log-probabilities of all tokens after these tokens. */
std::vector<double> next_logprobs(Trainer<float>& trainer, std::vector<int32_t> tokens, float temperature) {
  std::vector<double> all;
  tokens.push_back(0);
  for (int32_t token = 0; token < vocabulary; ++token) {
    tokens.back() = token;
    all.push_back(scores_of(trainer, tokens, temperature).back());
  }
  return all;
}

/** Returns the log-probabilities of the definition, for a repetition penalty of 1. Removed tokens have minus infinity. */
std::vector<double> defined(const std::vector<double>& model, const Request& request,
                            const std::vector<int32_t>& sampled) {
  std::vector<double> z = model;
  const double temperature = request.sampling.temperature == 0 ? 1 : request.sampling.temperature;
  for (int32_t token = 0; token < vocabulary; ++token) {
    const auto count = std::count(sampled.begin(), sampled.end(), token);
    double change = -request.penalties.frequency * static_cast<double>(count);
    if (count > 0) change -= request.penalties.presence;
    for (const auto& bias : request.penalties.biases) change += bias.first == token ? bias.second : 0;
    z[token] += change / temperature;
  }
  std::vector<int32_t> ranked(vocabulary);
  for (int32_t token = 0; token < vocabulary; ++token) ranked[token] = token;
  std::stable_sort(ranked.begin(), ranked.end(), [&](int32_t a, int32_t b) { return z[a] > z[b]; });
  const auto normalize = [&] {
    double sum = 0;
    for (double each : z) sum += std::exp(each);
    for (double& each : z) each -= std::log(sum);
  };
  const Sampling& rule = request.sampling;
  normalize();
  if (rule.temperature == 0) return z;
  for (size_t i = 0; i < ranked.size(); ++i) {
    if (rule.top_k > 0 && i >= static_cast<size_t>(rule.top_k)) z[ranked[i]] = -INFINITY;
  }
  normalize();
  double mass = 0;
  for (int32_t token : ranked) {
    const double share = std::exp(z[token]);
    if ((rule.top_p < 1 && mass >= rule.top_p) || z[token] - z[ranked[0]] < std::log(rule.min_p)) z[token] = -INFINITY;
    mass += share;
  }
  normalize();
  return z;
}

Request penalized(uint64_t stream, const Sampling& rule) {
  std::mt19937 random(static_cast<uint32_t>(stream));
  Request request = request_of(random_tokens(random, 3 + static_cast<int>(stream) % 5), 12, stream);
  request.sampling = rule;
  request.penalties.presence = stream % 3 == 0 ? 0.8f : -0.4f;
  request.penalties.frequency = stream % 2 == 0 ? 0.5f : 0;
  if (stream % 4 < 2) request.penalties.biases = {{5, 3.0f}, {17, -100.0f}};
  request.top_tokens = 7;
  return request;
}

const std::vector<Sampling> rules = {{1, 0, 1, 0},    {0.6f, 0, 1, 0},      {1.3f, 5, 1, 0},
                                     {1, 0, 0.8f, 0}, {1, 9, 0.7f, 0.05f}, {0, 0, 1, 0}};

TEST(Penalties, GiveTheDistributionOfTheDefinition) {
  SmallModel tiny;
  Trainer<float> trainer(*tiny.device.ops, tiny.model, trainer_options());
  Player player(tiny);
  std::vector<Request> requests;
  for (uint64_t i = 0; i < 2 * rules.size(); ++i) {
    requests.push_back(penalized(i, rules[i % rules.size()]));
    player.generator.submit(i + 1, requests.back(), 1);
  }
  player.run();
  for (size_t i = 0; i < requests.size(); ++i) {
    const Request& request = requests[i];
    const Sampled& sampled = player[i + 1];
    const bool is_greedy = request.sampling.temperature == 0;
    std::vector<int32_t> tokens = request.tokens, before;
    for (size_t j = 0; j < sampled.tokens.size(); ++j) {
      const auto model = next_logprobs(trainer, tokens, is_greedy ? 1 : request.sampling.temperature);
      const std::vector<double> z = defined(model, request, before);
      const int32_t token = sampled.tokens[j];
      EXPECT_EQ(sampled.model_logprobs[j], static_cast<float>(model[token])) << "request " << i << ", token " << j;
      EXPECT_NEAR(sampled.logprobs[j], is_greedy ? 0 : z[token], 2e-5) << "request " << i << ", token " << j;
      if (is_greedy) {
        EXPECT_EQ(token, std::max_element(z.begin(), z.end()) - z.begin());
      }
      const auto kept = std::count_if(z.begin(), z.end(), [](double each) { return each > -INFINITY; });
      ASSERT_EQ(sampled.tops[j].size(), std::min<size_t>(7, kept)) << "request " << i << ", token " << j;
      double last = INFINITY;
      for (const TopToken& top : sampled.tops[j]) {
        EXPECT_NEAR(top.logprob, z[top.token], 2e-5);
        EXPECT_LE(top.logprob, last);
        last = top.logprob;
      }
      const auto above = std::count_if(z.begin(), z.end(), [&](double each) { return each > last + 1e-4; });
      EXPECT_LT(above, 7) << "a token above the last one is missing";
      tokens.push_back(token);
      before.push_back(token);
    }
    EXPECT_EQ(sampled.tokens.size(), 12u);
  }
}

TEST(Penalties, CountOnlyTheTokensOfTheRequestAndRepetitionAllTokens) {
  LogitPenalties penalties;
  penalties.presence = 1;
  penalties.frequency = 0.5f;
  const auto changes_of = [](const LogitRules& rules) {
    std::vector<LogitChange> changes;
    rules.append(changes, 3);
    std::map<int32_t, std::pair<float, float>> by_token;
    for (const LogitChange& each : changes) {
      EXPECT_EQ(each.row, 3);
      EXPECT_TRUE(by_token.insert({each.token, {each.divisor, each.addend}}).second) << "changed twice";
    }
    return by_token;
  };
  using Changes = std::map<int32_t, std::pair<float, float>>;
  LogitRules rules(penalties, {4, 4, 9});
  EXPECT_TRUE(rules.empty());
  for (int32_t token : {9, 2, 9}) rules.count(token);
  EXPECT_EQ(changes_of(rules), (Changes{{9, {1, -2}}, {2, {1, -1.5f}}}));

  penalties.repetition = 1.25f;
  penalties.biases = {{4, 3.0f}, {7, -1.0f}, {7, -1.0f}};
  LogitRules repeated(penalties, {4, 4, 9});
  EXPECT_EQ(changes_of(repeated), (Changes{{4, {1.25f, 3}}, {9, {1.25f, 0}}, {7, {1, -2}}}));
  repeated.count(7);
  EXPECT_EQ(changes_of(repeated)[7], (std::pair<float, float>{1.25f, -3.5f}));

  EXPECT_FALSE(LogitPenalties().any());
  LogitRules none(LogitPenalties(), {4});
  none.count(4);
  EXPECT_TRUE(none.empty());
}

template <class T>
void expect_changed_and_restored() {
  Device<T> device;
  std::mt19937 random(4);
  const std::vector<float> values = random_values<float>(5 * vocabulary, 8, 3);
  std::vector<T> logits(values.begin(), values.end());
  const std::vector<T> before = logits;
  std::vector<LogitChange> changes;
  for (int32_t row : {1, 4}) {
    for (int32_t token = row; token < vocabulary; token += 3) {
      changes.push_back({row, token, token % 2 == 0 ? 1.7f : 1.0f, static_cast<float>(token % 5) - 2});
    }
  }
  std::vector<T> expected = logits;
  for (const LogitChange& each : changes) {
    T& z = expected[each.row * vocabulary + each.token];
    z = (z > 0 ? z / each.divisor : z * each.divisor) + each.addend;
  }
  device.ops->change_logits(logits.data(), vocabulary, changes);
  EXPECT_EQ(logits, expected);
  device.ops->restore_logits(logits.data());
  EXPECT_EQ(logits, before);
}

TEST(Penalties, ChangesOfLogitsAreUndoneBitForBit) {
  expect_changed_and_restored<float>();
  expect_changed_and_restored<double>();
}

TEST(Penalties, LeaveTheModelsLogProbabilitiesAndOtherSequencesAlone) {
  SmallModel tiny;
  Trainer<float> trainer(*tiny.device.ops, tiny.model, trainer_options());
  std::mt19937 random(9);
  const Request plain = request_of(random_tokens(random, 9), 20, 1);
  Request repeated = plain;
  repeated.penalties.repetition = 3;
  Player player(tiny);
  player.generator.submit(1, plain, 1);
  player.generator.submit(2, repeated, 1);
  player.run();
  EXPECT_EQ(player[1], alone(tiny, plain));
  EXPECT_EQ(player[2], alone(tiny, repeated));
  EXPECT_NE(player[2].tokens, player[1].tokens);
  EXPECT_NE(player[2].logprobs, player[2].model_logprobs);
  std::vector<int32_t> tokens = repeated.tokens;
  tokens.insert(tokens.end(), player[2].tokens.begin(), player[2].tokens.end());
  const std::vector<float> scores = scores_of(trainer, tokens, 1);
  EXPECT_EQ(player[2].model_logprobs, std::vector<float>(scores.begin() + 9, scores.end()));
}

TEST(Penalties, OfRepetitionForbidTokensThatOccurred) {
  SmallModel tiny;
  Request request = request_of({1, 2, 3, 4}, 30, 1, 0);
  request.penalties.repetition = 1e3f;
  request.penalties.frequency = 100;
  request.penalties.presence = 100;
  const Sampled sampled = alone(tiny, request);
  std::vector<int32_t> tokens = sampled.tokens;
  std::sort(tokens.begin(), tokens.end());
  EXPECT_EQ(std::unique(tokens.begin(), tokens.end()), tokens.end());
}

TEST(Penalties, BeginAnewWithEachRequestOfASequence) {
  SmallModel tiny;
  Request request = request_of({1, 2, 3}, 6, 1, 0);
  Player player(tiny);
  player.generator.submit(1, request, 1);
  player.run();
  Request more = request_of({7}, 6, 1, 0);
  more.penalties.presence = 50;
  player.extend(1, more);
  player.run();
  std::vector<int32_t> tokens = request.tokens;
  const std::vector<int32_t>& all = player[1].tokens;
  tokens.insert(tokens.end(), all.begin(), all.begin() + 6);
  more.tokens = tokens;
  more.tokens.push_back(7);
  EXPECT_EQ(std::vector<int32_t>(all.begin() + 6, all.end()), alone(tiny, more).tokens);
}

TEST(TopTokens, AreThoseThatTheSamplerKeeps) {
  std::mt19937 random(6);
  const auto pick = [&](std::vector<float> of) { return of[random() % of.size()]; };
  Sampler sampler;
  constexpr int n = 300;
  sampler.reserve(n);
  for (int round = 0; round < 300; ++round) {
    const std::vector<float> logits = random_values<float>(n, random(), pick({0.05f, 1, 4}));
    std::vector<uint32_t> allowed((n + 31) / 32);
    for (uint32_t& word : allowed) word = static_cast<uint32_t>(random());
    allowed[2] |= 1;
    const Sampling rule{pick({1, 0.5f, 1.7f}), static_cast<int32_t>(pick({0, 0, 7, 40})), pick({1, 0.9f, 0.5f}),
                        pick({0, 0, 0.1f})};
    const bool masks = round % 3 == 0;
    std::map<int32_t, float> drawn;
    Draw draw{rule, 0, masks ? &allowed : nullptr};
    Choice choice{};
    for (int i = 0; i < 400; ++i) {
      draw.uniform = (i + 0.5) / 400;
      const Drawn one = sampler.draw(logits.data(), n, draw);
      drawn[one.token] = one.logprob;
      choice = {one.token, one.logprob, 0};
    }
    const std::vector<TopToken> tops = top_tokens(logits.data(), n, draw, choice, n);
    std::map<int32_t, float> listed;
    double total = 0;
    for (const TopToken& top : tops) {
      listed[top.token] = top.logprob;
      total += std::exp(double{top.logprob});
    }
    EXPECT_NEAR(total, 1, 1e-4) << round;
    for (const auto& each : drawn) {
      ASSERT_TRUE(listed.count(each.first)) << round;
      EXPECT_NEAR(listed[each.first], each.second, 2e-5) << round;
    }
    const std::vector<TopToken> few = top_tokens(logits.data(), n, draw, choice, 3);
    ASSERT_EQ(few.size(), std::min<size_t>(3, tops.size()));
    for (size_t i = 0; i < few.size(); ++i) EXPECT_EQ(few[i].token, tops[i].token);
  }
}

}  // namespace
}  // namespace palestra::test
