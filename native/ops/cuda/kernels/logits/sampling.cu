#include "sampling.h"

#include <cmath>

#include "row-statistics.h"
#include "selection.h"

namespace palestra::cuda {

using namespace palestra::simt;

namespace {

/** The shared memory of a block. */
struct Scratch {
  Selection selection;
  float* heights;    // (most_listed)
  int32_t* tokens;   // (most_listed)
  double* sums;      // (warps)
};

DEVICE Scratch scratch_of_block() {
  auto* const sums = reinterpret_cast<double*>(shared_memory());
  auto* const counts = reinterpret_cast<float*>(sums + 2 * bins);
  float* const heights = counts + bins * head_threads;
  return {{sums + bins, counts}, heights, reinterpret_cast<int32_t*>(heights + most_listed), sums};
}

/** Returns the highest allowed logit; minus infinity if none is allowed. */
DEVICE float highest_allowed(Tokens row, const Scratch& s) {
  row.highest = 0;
  row.factor = 1;
  float highest = no_height;
  visit_part(row, part_of({0, row.count}, warp_index()), [&](int, const float (&logits)[tokens_at_once]) {
    for (float logit : logits) highest = logit > highest ? logit : highest;
  });
  return block_max<head_threads>(highest, reinterpret_cast<float*>(s.sums));
}

/**
 * Lists the tokens of at least that height. Each warp writes the tokens of its part, and all tokens are moved together
 * afterwards.
 *
 * @returns number of listed tokens; -1 if a warp finds more tokens than fit into its part of the list
 */
DEVICE int list_tokens(const Tokens& row, float lowest, const Scratch& s) {
  const int lane = lane_index(), warp = warp_index();
  const Range part = part_of({0, row.count}, warp);
  float* const heights = s.heights + warp * listed_by_warp;
  int32_t* const tokens = s.tokens + warp * listed_by_warp;
  int listed = 0;
  for (int begin = part.begin; begin < part.end; begin += warp_size * tokens_at_once) {
    const int first = begin + lane * tokens_at_once;
    float z[1][tokens_at_once];
    row.heights(z, first, 0, part.end);
    int own = 0;
    for (float each : z[0]) own += each >= lowest;
    int end = own;
    for (int step = 1; step < warp_size; step *= 2) {
      const int before = shuffle(end, lane < step ? lane : lane - step);
      if (lane >= step) end += before;
    }
    int at = listed + end - own;
    for (int j = 0; j < tokens_at_once; ++j) {
      if (!(z[0][j] >= lowest)) continue;
      if (at < listed_by_warp) {
        heights[at] = z[0][j];
        tokens[at] = first + j;
      }
      ++at;
    }
    listed += shuffle(end, warp_size - 1);
  }
  __syncthreads();
  if (lane == 0) s.sums[warp] = listed;
  constexpr int each = listed_by_warp / warp_size;
  float own_heights[each];
  int32_t own_tokens[each];
  for (int i = 0; i < each; ++i) {
    const int at = i * warp_size + lane;
    own_heights[i] = at < listed ? heights[at] : 0;
    own_tokens[i] = at < listed ? tokens[at] : 0;
  }
  __syncthreads();
  int before = 0, total = 0;
  bool fits = true;
  for (int w = 0; w < sampling_warps; ++w) {
    const int of_warp = static_cast<int>(s.sums[w]);
    if (w == warp) before = total;
    total += of_warp;
    fits = fits && of_warp <= listed_by_warp;
  }
  for (int i = 0; i < each; ++i) {
    const int at = i * warp_size + lane;
    if (!fits || at >= listed) continue;
    s.heights[before + at] = own_heights[i];
    s.tokens[before + at] = own_tokens[i];
  }
  __syncthreads();
  return fits ? total : -1;
}

/**
 * Chooses the tokens for the cuts. A list of the tokens near the highest, read once, suffices if all kept tokens are in
 * the list. Otherwise the cuts use the row, which is read again for every digit of a key.
 *
 * @param total sum of the powers of the row
 */
DEVICE Tokens choose_tokens(const Tokens& row, const DrawRule& rule, double total, const Scratch& s) {
  float lowest = -12;
  int listed = list_tokens(row, lowest, s);
  while (listed < 0 && lowest < -2) listed = list_tokens(row, lowest /= 2, s);
  if (listed <= 0) return row;
  const Tokens list{s.heights, s.tokens, nullptr, listed, 0, 1, true};
  if (rule.top_k > 0) return listed >= rule.top_k ? list : row;
  const double enough = static_cast<double>(rule.top_p) * total;
  if (rule.top_p < 1) return sum_all(list, Weight{}, s.selection) >= enough ? list : row;
  return rule.min_p >= exp2_fast(lowest + 1) ? list : row;
}

/** Cuts the tokens in the order of ops/cpu/sampling/sampler.h. @param total sum of the powers of the row */
DEVICE Cut cut_tokens(const Tokens& tokens, const DrawRule& rule, double total, const Scratch& s) {
  Cut cut;
  // A loop keeps the code small.
  for (int turn = 0; turn < 2; ++turn) {
    const bool by_power = turn == 1;
    if (by_power ? !(rule.top_p < 1) : rule.top_k <= 0) continue;
    if (by_power && rule.top_k > 0) total = sum_all(tokens, Weight{cut}, s.selection);
    const double enough = by_power ? static_cast<double>(rule.top_p) * total : static_cast<double>(rule.top_k);
    keep_until(cut, tokens, enough, by_power, s.selection);
  }
  cut.min_power = rule.min_p;
  return cut;
}

}  // namespace

/** Reads rows once for the model's distribution, and once or twice more for the drawn token. */
PALESTRA_KERNEL(sample_f32, SampleRows, head_threads) {
  const Scratch s = scratch_of_block();
  const DrawRule& rule = a.rules[blockIdx.x];
  const float* const logits = a.logits + int64_t{blockIdx.x} * a.vocabulary;
  const RowSums model = a.wide ? sum_row<true, WithCheck>(logits, a.vocabulary, rule.factor, s.sums)
                               : sum_row<false, WithCheck>(logits, a.vocabulary, rule.factor, s.sums);
  Tokens tokens{logits, nullptr, nullptr, a.vocabulary, model.highest, rule.draw_factor, a.wide};
  if (rule.first_word >= 0) {
    tokens.allowed = a.allowed + rule.first_word;
    tokens.highest = highest_allowed(tokens, s);
  }
  const float highest = tokens.highest;
  if (!model.is_finite || !(highest > no_height)) {
    if (threadIdx.x == 0) a.tokens[blockIdx.x] = {-1, 0, 0};
    return;
  }

  Cut cut;
  if (rule.top_k > 0 || rule.top_p < 1 || rule.min_p > 0) {
    const bool is_model = !tokens.allowed || rule.top_k > 0 || !(rule.top_p < 1);
    const double total = is_model ? model.powers : sum_all(tokens, Weight{}, s.selection);
    tokens = choose_tokens(tokens, rule, total, s);
    cut = cut_tokens(tokens, rule, total, s);
  }
  const Place place = locate(tokens, {cut}, rule.uniform, true, s.selection);
  if (threadIdx.x != 0) return;
  const int number = tokens.number(place.position);
  const bool is_greedy = rule.draw_factor != rule.factor;
  a.tokens[blockIdx.x] = {
      number, is_greedy ? 0 : log_probability(logits[number], highest, log(place.total), rule.inverse_temperature),
      log_probability(logits[number], model.highest, log(model.powers), rule.inverse_temperature)};
}

}  // namespace palestra::cuda
