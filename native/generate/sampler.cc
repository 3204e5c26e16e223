#include "sampler.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "../core/philox.h"

namespace palestra {
namespace {

bool is_allowed(const std::vector<uint32_t>& allowed, int token) {
  return allowed.empty() || (allowed[token / 32] >> (token % 32) & 1);
}

/** The most probable allowed token, the lowest of equal ones; -1 where a logit is not finite. */
int32_t most_probable(const float* logits, int vocabulary, const std::vector<uint32_t>& allowed) {
  // x - x is 0 for numbers alone, and unlike a test of each the compiler adds it up by vectors.
  float strange = 0;
  float highest = -std::numeric_limits<float>::infinity();
  for (int i = 0; i < vocabulary; ++i) {
    strange += logits[i] - logits[i];
    highest = logits[i] > highest ? logits[i] : highest;
  }
  if (!(strange == 0)) return -1;
  if (allowed.empty()) return static_cast<int32_t>(std::find(logits, logits + vocabulary, highest) - logits);
  int32_t best = -1;
  for (int i = 0; i < vocabulary; ++i) {
    if (is_allowed(allowed, i) && (best < 0 || logits[i] > logits[best])) best = i;
  }
  return best;
}

/**
 * e^x for x <= 0, without a branch so that the compiler makes vectors of it: 2^n e^r, |r| <= ln 2 / 2, with the
 * polynomial of Moshier's Cephes library; 0 below the smallest normal number.
 */
inline float power_of_e(float x) {
  constexpr float lowest = -87.33654f, rounder = 12582912.0f;  // 1.5 * 2^23
  const float shifted = (x > lowest ? x : lowest) * 1.44269504f + rounder;
  const float n = shifted - rounder;
  const float r = ((x > lowest ? x : lowest) - n * 0.693359375f) + n * 2.12194440e-4f;
  float y = 1.9875691500e-4f;
  y = y * r + 1.3981999507e-3f;
  y = y * r + 8.3334519073e-3f;
  y = y * r + 4.1665795894e-2f;
  y = y * r + 1.6666665459e-1f;
  y = y * r + 5.0000001201e-1f;
  y = y * (r * r) + r + 1;
  uint32_t bits;
  std::memcpy(&bits, &shifted, sizeof bits);
  bits = (bits << 23) + (127u << 23);
  float scale;
  std::memcpy(&scale, &bits, sizeof scale);
  return x < lowest ? 0 : y * scale;
}

float score(float logit, float highest, float temperature) { return (logit - highest) / temperature; }

/** Neighbouring tokens that are passed over together on the way to the one that was drawn. */
constexpr int block = 256;

double sum_of_block(const float* powers) {
  // Several sums side by side, since one would wait for each of its additions.
  constexpr int lanes = 8;
  double sums[lanes] = {};
  for (int i = 0; i < block; i += lanes) {
    for (int j = 0; j < lanes; ++j) sums[j] += powers[i + j];
  }
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

}  // namespace

double uniform_at(uint64_t seed, uint64_t stream, uint32_t position) {
  const auto words = philox({position, static_cast<uint32_t>(stream), static_cast<uint32_t>(stream >> 32), 0},
                            {static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)});
  return (static_cast<double>(words[0] >> 5) * 0x1p26 + static_cast<double>(words[1] >> 6)) * 0x1p-53;
}

Choice Sampler::draw_whole(const float* logits, int vocabulary, float temperature, float highest, double uniform) {
  const int blocks = (vocabulary + block - 1) / block;
  powers_.assign(static_cast<size_t>(blocks) * block, 0);
  block_sums_.resize(blocks);
  for (int i = 0; i < vocabulary; ++i) powers_[i] = power_of_e(score(logits[i], highest, temperature));
  double total = 0;
  for (int b = 0; b < blocks; ++b) total += block_sums_[b] = sum_of_block(&powers_[static_cast<size_t>(b) * block]);

  double rest = uniform * total;
  int b = 0;
  while (b + 1 < blocks && rest >= block_sums_[b]) rest -= block_sums_[b++];
  // Rounding may leave a rest after the last of all: then it is the last one that has a probability.
  int32_t token = -1;
  for (int i = b * block; i < std::min(vocabulary, (b + 1) * block) && (token < 0 || rest >= 0); ++i) {
    if (powers_[i] == 0) continue;
    token = i;
    rest -= powers_[i];
  }
  if (token < 0) token = static_cast<int32_t>(std::find(logits, logits + vocabulary, highest) - logits);
  return {token, static_cast<float>(score(logits[token], highest, temperature) - std::log(total)), true};
}

void Sampler::gather(const float* logits, int vocabulary, const Sampling& rule, const std::vector<uint32_t>& allowed,
                     float highest) {
  candidates_.clear();
  for (int i = 0; i < vocabulary; ++i) {
    if (is_allowed(allowed, i)) candidates_.push_back({power_of_e(score(logits[i], highest, rule.temperature)), i});
  }
}

/** Top-k and top-p, which leave the candidates in the order of rank. */
void Sampler::rank(const Sampling& rule) {
  const auto before = [](const Candidate& a, const Candidate& b) {
    return a.power > b.power || (a.power == b.power && a.token < b.token);
  };
  if (rule.top_k > 0 && static_cast<size_t>(rule.top_k) < candidates_.size()) {
    std::nth_element(candidates_.begin(), candidates_.begin() + rule.top_k, candidates_.end(), before);
    candidates_.resize(rule.top_k);
  }
  if (rule.top_p < 1) {
    double total = 0;
    for (const Candidate& candidate : candidates_) total += candidate.power;
    // All below this together are less than what top-p leaves over: they need no rank. Half, for rounding.
    const double lowest = 0.5 * (1.0 - rule.top_p) * total / static_cast<double>(candidates_.size());
    const auto negligible = [&](const Candidate& candidate) { return candidate.power < lowest; };
    candidates_.erase(std::remove_if(candidates_.begin(), candidates_.end(), negligible), candidates_.end());
    std::sort(candidates_.begin(), candidates_.end(), before);
    double sum = 0;
    size_t kept = 0;
    while (kept < candidates_.size() && sum < rule.top_p * total) sum += candidates_[kept++].power;
    candidates_.resize(std::max<size_t>(1, kept));
  } else {
    std::sort(candidates_.begin(), candidates_.end(), before);
  }
}

Choice Sampler::draw(const float* logits, int vocabulary, const Sampling& rule, const std::vector<uint32_t>& allowed,
                     double uniform) {
  const int32_t best = most_probable(logits, vocabulary, allowed);
  if (best < 0) return {-1, 0, false};
  if (rule.temperature == 0) return {best, 0, false};
  const float highest = logits[best];
  const bool ranked = rule.top_k > 0 || rule.top_p < 1;
  if (!ranked && rule.min_p == 0 && allowed.empty()) {
    return draw_whole(logits, vocabulary, rule.temperature, highest, uniform);
  }
  gather(logits, vocabulary, rule, allowed, highest);
  if (ranked) rank(rule);
  const auto improbable = [&](const Candidate& candidate) { return candidate.power < rule.min_p; };
  candidates_.erase(std::remove_if(candidates_.begin(), candidates_.end(), improbable), candidates_.end());

  double total = 0;
  for (const Candidate& candidate : candidates_) total += candidate.power;
  double rest = uniform * total;
  int32_t token = best;
  for (const Candidate& candidate : candidates_) {
    if (candidate.power == 0) continue;
    token = candidate.token;
    if ((rest -= candidate.power) < 0) break;
  }
  return {token, static_cast<float>(score(logits[token], highest, rule.temperature) - std::log(total)), false};
}

}  // namespace palestra
