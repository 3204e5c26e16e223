#pragma once
/**
 * Cuts a distribution by rank and finds the token at a point of its cumulative distribution. For blocks of
 * `head_threads`.
 */
#include "tokens.h"

namespace palestra::cuda {

/**
 * Steps per octave of a token's key. The key is the token's distance below the highest. Probabilities with equal keys
 * are equal in float. Tokens below 2^-126 of the highest cannot be drawn.
 */
constexpr float key_steps = 33554432;
constexpr float lowest_height = -126;
constexpr uint32_t last_key = 126u << 25, no_key = 0xffffffffu;

DEVICE uint32_t key_of(float z) { return z >= lowest_height ? static_cast<uint32_t>(-z * key_steps) : no_key; }
DEVICE float power_of_key(uint32_t key) { return simt::exp2_fast(static_cast<float>(key) * (-1 / key_steps)); }

/**
 * The last token that is kept, in the order of key and, for equal keys, number. Also has the lowest kept power relative
 * to the highest.
 */
struct Cut {
  static constexpr int32_t any_number = 0x7fffffff;

  uint32_t key = last_key;
  int32_t number = any_number;
  float min_power = 0;

  DEVICE bool keeps(uint32_t of, int32_t which) const { return of < key || (of == key && which <= number); }
};

/**
 * Weight of a token. The weight is the token's power or, for `ties`, 1 if the token's key is that of the last kept
 * token. Tokens that are not kept have weight 0.
 */
struct Weight {
  Cut cut;
  bool ties = false;

  DEVICE float operator()(float z, int32_t number) const {
    const uint32_t key = key_of(z);
    if (!cut.keeps(key, number)) return 0;
    if (ties) return key == cut.key ? 1 : 0;
    const float power = simt::exp2_fast(z);
    return power >= cut.min_power ? power : 0;
  }
};

/** Shared memory of the block. */
struct Selection {
  double* totals;  // (warps); there are as many as bins
  float* counts;   // (bins, threads)
};
static_assert(bins == sampling_warps, "a warp for each bin");

/** Computes totals[w] = the sum of the weights in warp w's part. */
DEVICE void sum_parts(const Tokens& tokens, const Range& range, const Weight& weight, const Selection& s) {
  double sum = 0;
  visit_part(tokens, part_of(range, simt::warp_index()), [&](int first, const float (&z)[tokens_at_once]) {
    float of[tokens_at_once];
    for (int j = 0; j < tokens_at_once; ++j) of[j] = z[j] >= lowest_height ? weight(z[j], tokens.number(first + j)) : 0;
    sum += static_cast<double>(((of[0] + of[1]) + of[2]) + of[3]);  // in the order of `locate`
  });
  sum = simt::warp_sum(sum);
  __syncthreads();
  if (simt::lane_index() == 0) s.totals[simt::warp_index()] = sum;
  __syncthreads();
}

DEVICE double sum_all(const Tokens& tokens, const Weight& weight, const Selection& s) {
  sum_parts(tokens, {0, tokens.count}, weight, s);
  double total = 0;
  for (int w = 0; w < sampling_warps; ++w) total += s.totals[w];
  return total;
}

/**
 * Returns the first total that is greater than the part left by the earlier totals. If rounding leaves no such total,
 * returns the last total that is not 0.
 */
DEVICE int pass_totals(const double* totals, double& rest) {
  int last = 0;
  double before = rest;
  for (int i = 0; i < sampling_warps; ++i) {
    if (!(totals[i] > 0)) continue;
    last = i;
    before = rest;
    if (rest < totals[i]) break;
    rest -= totals[i];
  }
  rest = before;
  return last;
}

struct Place {
  int position;
  /** Sum of all weights. */
  double total;
};

/**
 * Returns the token whose weight, added to those before it in the order of the vocabulary, exceeds `part`. The search
 * sums parts of parts until four tokens are left.
 *
 * @param is_fraction whether `part` is a fraction of the total
 */
DEVICE Place locate(const Tokens& tokens, const Weight& weight, double part, bool is_fraction, const Selection& s) {
  Range range{0, tokens.count};
  Place place{0, 0};
  double rest = part;
  do {
    sum_parts(tokens, range, weight, s);
    if (range.end - range.begin == tokens.count) {
      for (int w = 0; w < sampling_warps; ++w) place.total += s.totals[w];
      if (is_fraction) rest *= place.total;
    }
    range = part_of(range, pass_totals(s.totals, rest));
  } while (range.end - range.begin > tokens_at_once);
  float z[1][tokens_at_once];
  tokens.heights(z, range.begin, 0, range.end);
  place.position = range.begin;
  float sum = 0;
  for (int j = 0; j < tokens_at_once; ++j) {
    const float own = z[0][j] >= lowest_height ? weight(z[0][j], tokens.number(range.begin + j)) : 0;
    const float before = sum;
    sum += own;
    if (!(sum > before)) continue;
    place.position = range.begin + j;
    if (static_cast<double>(sum) > rest) break;
  }
  return place;
}

/** Computes totals[d] = the weight of the kept tokens whose key begins with `prefix` followed by digit d. */
DEVICE void sum_digits(const Tokens& tokens, const Cut& cut, uint32_t prefix, int shift, bool by_power,
                       const Selection& s) {
  float* const own = s.counts + threadIdx.x;
  for (int digit = 0; digit < bins; ++digit) own[digit * head_threads] = 0;
  visit_part(tokens, part_of({0, tokens.count}, simt::warp_index()), [&](int first, const float (&z)[tokens_at_once]) {
    for (int j = 0; j < tokens_at_once; ++j) {
      const uint32_t key = key_of(z[j]);
      // The key is shifted twice, because the total shift can be 32.
      if (key == no_key || key >> shift >> 4 != prefix || !cut.keeps(key, tokens.number(first + j))) continue;
      own[(key >> shift & 15) * head_threads] += by_power ? simt::exp2_fast(z[j]) : 1;
    }
  });
  __syncthreads();
  double total = 0;
  for (int i = simt::lane_index(); i < head_threads; i += simt::warp_size) {
    total += static_cast<double>(s.counts[simt::warp_index() * head_threads + i]);
  }
  total = simt::warp_sum(total);
  if (simt::lane_index() == 0) s.totals[simt::warp_index()] = total;
  __syncthreads();
}

/**
 * Keeps the highest-ranked tokens of `cut` until their weights, added in order of rank, reach `enough`. Finds the key
 * of the last kept token digit by digit.
 *
 * @param by_power whether a token weighs its power; otherwise each token weighs 1
 */
DEVICE void keep_until(Cut& cut, const Tokens& tokens, double enough, bool by_power, const Selection& s) {
  uint32_t prefix = 0;
  double of_last = 0;
  for (int shift = 28; shift >= 0; shift -= 4) {
    sum_digits(tokens, cut, prefix, shift, by_power, s);
    int digit = 0;
    bool is_enough = false;
    for (int i = 0; i < bins && !is_enough; ++i) {
      if (!(s.totals[i] > 0)) continue;
      digit = i;
      of_last = s.totals[i];
      is_enough = of_last >= enough;
      if (!is_enough) enough -= of_last;
    }
    if (!is_enough && shift == 28) return;  // all of them together are at most `enough`
    if (!is_enough) enough = of_last;       // sums of parts round differently from the sum of all
    prefix = prefix << 4 | static_cast<uint32_t>(digit);
  }
  if (prefix != cut.key) cut.number = Cut::any_number;
  cut.key = prefix;
  const double each = by_power ? static_cast<double>(power_of_key(prefix)) : 1;
  const double kept = enough > each ? ceil(enough / each) : 1;
  if (kept > of_last / each - 0.5) return;
  cut.number = tokens.number(locate(tokens, {cut, true}, kept - 0.5, false, s).position);
}

}  // namespace palestra::cuda
