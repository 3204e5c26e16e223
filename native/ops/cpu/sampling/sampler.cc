#include "sampler.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace palestra {
namespace {

/** Number of adjacent tokens that are skipped together on the way to the drawn one. */
constexpr int block = 256;

int32_t bits_of(float value) {
  int32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

float float_of(int32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/**
 * Returns the largest value, or NaN when a value is not finite. The function compares the bits as integers, which order
 * like the floats once the negative ones are inverted. Compilers vectorize this comparison, but may not reorder a
 * maximum of floats.
 */
float highest_finite(const float* values, int n) {
  constexpr int32_t magnitude = 0x7fffffff, infinity = 0x7f800000;
  int32_t largest = 0, highest = -magnitude - 1;
  for (int i = 0; i < n; ++i) {
    const int32_t bits = bits_of(values[i]);
    largest = std::max(largest, bits & magnitude);
    highest = std::max(highest, bits ^ ((bits >> 31) & magnitude));
  }
  if (largest >= infinity) return std::numeric_limits<float>::quiet_NaN();
  return float_of(highest ^ ((highest >> 31) & magnitude));
}

/** Returns the token of the highest logit. Among equal logits, returns the lowest token. */
int32_t most_probable(const float* logits, int vocabulary, const std::vector<uint32_t>* allowed, float highest) {
  if (!allowed) return static_cast<int32_t>(std::find(logits, logits + vocabulary, highest) - logits);
  int32_t best = -1;
  for (int first = 0; first < vocabulary; first += 32) {
    uint32_t bits = (*allowed)[first / 32];
    // Under a grammar, most words are zero.
    for (int i = first; bits != 0 && i < vocabulary; ++i, bits >>= 1) {
      if (bits & 1 && (best < 0 || logits[i] > logits[best])) best = i;
    }
  }
  return best;
}

/**
 * Returns e^x for x <= 0: 2^n e^r, |r| <= ln 2 / 2, with the polynomial of Moshier's Cephes library; 0 below the
 * smallest normal number. Small values are masked without a branch, because a loop with a branch is not vectorized.
 */
inline float power_of_e(float x) {
  constexpr int32_t lowest = 0x42aeac4f;  // bits of 87.33654, the magnitude of ln(2^-126)
  constexpr float rounder = 12582912.0f;  // 1.5 * 2^23
  const int32_t magnitude = bits_of(x) & 0x7fffffff;
  const int32_t below = (lowest - magnitude) >> 31;  // all ones when the power is below the smallest normal number
  const float clamped = -float_of((magnitude & ~below) | (lowest & below));
  const float shifted = clamped * 1.44269504f + rounder;
  const float n = shifted - rounder;
  const float r = (clamped - n * 0.693359375f) + n * 2.12194440e-4f;
  float y = 1.9875691500e-4f;
  y = y * r + 1.3981999507e-3f;
  y = y * r + 8.3334519073e-3f;
  y = y * r + 4.1665795894e-2f;
  y = y * r + 1.6666665459e-1f;
  y = y * r + 5.0000001201e-1f;
  y = y * (r * r) + r + 1;
  const float scale = float_of(static_cast<int32_t>((static_cast<uint32_t>(bits_of(shifted)) << 23) + (127u << 23)));
  return float_of(bits_of(y * scale) & ~below);
}

double sum_of_block(const float* powers) {
  // The code keeps several sums, because a single sum would wait for each of its additions.
  constexpr int lanes = 16;
  double sums[lanes] = {};
  for (int i = 0; i < block; i += lanes) {
    for (int j = 0; j < lanes; ++j) sums[j] += powers[i + j];
  }
  for (int width = lanes / 2; width > 0; width /= 2) {
    for (int j = 0; j < width; ++j) sums[j] += sums[j + width];
  }
  return sums[0];
}

/** Powers from 0 to 1 are in buckets of a sixteenth of an octave. The bits of the powers order as the powers do. */
constexpr int bucket_shift = 19, buckets = (0x3f800000 >> bucket_shift) + 1;
int bucket_of(float power) { return bits_of(power) >> bucket_shift; }

}  // namespace

void Sampler::reserve(int vocabulary) {
  const size_t blocks = (static_cast<size_t>(vocabulary) + block - 1) / block;
  powers_.reserve(blocks * block);
  block_sums_.reserve(blocks);
  bucket_sums_.reserve(buckets);
  candidates_.reserve(static_cast<size_t>(vocabulary));
}

Drawn Sampler::draw(const float* logits, int vocabulary, const Draw& how) {
  const Sampling& rule = how.rule;
  float highest = highest_finite(logits, vocabulary);
  if (!std::isfinite(highest)) return {-1, 0, false};
  if (rule.temperature == 0) return {most_probable(logits, vocabulary, how.allowed, highest), 0, false};
  if (how.allowed) highest = logits[most_probable(logits, vocabulary, how.allowed, highest)];
  raise(logits, vocabulary, rule.temperature, highest);
  if (how.allowed) mask(vocabulary, *how.allowed);
  const bool is_cut = rule.top_k > 0 || rule.top_p < 1 || rule.min_p > 0;
  if (is_cut) cut(rule);

  const double total = sum();
  const int32_t token = token_at(how.uniform, total);
  const double score = static_cast<double>(logits[token] - highest) / rule.temperature;
  return {token, static_cast<float>(score - std::log(total)), !is_cut && !how.allowed};
}

void Sampler::raise(const float* logits, int vocabulary, float temperature, float highest) {
  powers_.resize((static_cast<size_t>(vocabulary) + block - 1) / block * block);
  float* const powers = powers_.data();
  for (int i = 0; i < vocabulary; ++i) powers[i] = power_of_e((logits[i] - highest) / temperature);
  std::fill(powers_.begin() + vocabulary, powers_.end(), 0.0f);
}

void Sampler::mask(int vocabulary, const std::vector<uint32_t>& allowed) {
  for (int first = 0; first < vocabulary; first += 32) {
    const uint32_t bits = allowed[first / 32];
    const int end = std::min(first + 32, vocabulary);
    if (bits == 0) {
      std::fill(&powers_[first], &powers_[first] + (end - first), 0.0f);
    } else if (bits != ~0u) {
      for (int i = first; i < end; ++i) powers_[i] = bits >> (i - first) & 1 ? powers_[i] : 0;
    }
  }
}

void Sampler::cut(const Sampling& rule) {
  if (rule.top_k > 0) keep_until(rule.top_k, [](float) { return 1.0; });
  if (rule.top_p < 1) keep_until(rule.top_p * sum(), [](float power) { return double{power}; });
  for (float& power : powers_) power = power < rule.min_p ? 0 : power;
}

double Sampler::sum() {
  block_sums_.resize(powers_.size() / block);
  double total = 0;
  for (size_t b = 0; b < block_sums_.size(); ++b) total += block_sums_[b] = sum_of_block(&powers_[b * block]);
  return total;
}

template <class Weight>
void Sampler::keep_until(double enough, Weight weight) {
  bucket_sums_.assign(buckets, 0);
  for (float power : powers_) {
    if (power > 0) bucket_sums_[bucket_of(power)] += weight(power);
  }
  int bucket = buckets - 1;
  while (bucket >= 0 && bucket_sums_[bucket] < enough) enough -= bucket_sums_[bucket--];
  if (bucket < 0) return;  // all of them together are at most `enough`
  candidates_.clear();
  for (size_t i = 0; i < powers_.size(); ++i) {
    if (powers_[i] > 0 && bucket_of(powers_[i]) == bucket) candidates_.push_back({powers_[i], static_cast<int32_t>(i)});
  }
  std::sort(candidates_.begin(), candidates_.end(), ranks_before);
  size_t last = 0;
  while (last + 1 < candidates_.size() && (enough -= weight(candidates_[last].power)) > 0) ++last;
  for (size_t i = 0; i < powers_.size(); ++i) {
    if (ranks_before(candidates_[last], {powers_[i], static_cast<int32_t>(i)})) powers_[i] = 0;
  }
}

int32_t Sampler::token_at(double part, double total) const {
  double rest = part * total;
  size_t b = 0;
  while (b + 1 < block_sums_.size() && rest >= block_sums_[b]) rest -= block_sums_[b++];
  for (size_t i = b * block; i < (b + 1) * block; ++i) {
    rest -= powers_[i];
    if (rest < 0) return static_cast<int32_t>(i);
  }
  // Rounding has left a remainder after the last token, so the last token that has a probability is taken.
  size_t last = (b + 1) * block - 1;
  while (last > 0 && powers_[last] == 0) --last;
  return static_cast<int32_t>(last);
}

}  // namespace palestra
