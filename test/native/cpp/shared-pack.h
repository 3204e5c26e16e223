#pragma once
#include "tiny-models.h"

namespace palestra::test {

/** A random tree of sequences, and the same sequences with the tokens of their ancestors repeated. */
struct SharedPack {
  Pack shared;
  Pack whole;
  /** Index in `whole` of each token of `shared`. */
  std::vector<size_t> places;

  SharedPack(int sequences, int vocabulary, uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<int> lengths;
    for (int s = 0; s < sequences; ++s) lengths.push_back(1 + static_cast<int>(random() % 5));
    shared = random_pack(lengths, vocabulary, seed);
    for (int s = 0; s < sequences; ++s) {
      shared.mask[shared.starts[s]] = 0;  // It would be predicted from the parent's last row.
      shared.parents.push_back(static_cast<int32_t>(random() % (s + 1)) - 1);
    }
    whole.starts.push_back(0);
    for (int s = 0; s < sequences; ++s) add_sequence(s);
  }

  /** Returns an input of the loss for `whole`, given that for `shared`. */
  std::vector<float> repeated(const std::vector<float>& input) const {
    std::vector<float> values(whole.tokens.size(), 0);
    for (size_t t = 0; t < places.size(); ++t) values[places[t]] = input[t];
    return values;
  }

 private:
  void add_sequence(int s) {
    std::vector<int32_t> line;
    for (int32_t at = shared.parents[s]; at >= 0; at = shared.parents[at]) line.insert(line.begin(), at);
    for (int32_t segment : line) {
      for (int32_t t = shared.starts[segment]; t < shared.starts[segment + 1]; ++t) add(shared.tokens[t], 0);
    }
    for (int32_t t = shared.starts[s]; t < shared.starts[s + 1]; ++t) {
      places.push_back(whole.tokens.size());
      add(shared.tokens[t], shared.mask[t]);
    }
    whole.starts.push_back(static_cast<int32_t>(whole.tokens.size()));
  }
  void add(int32_t token, uint8_t mask) {
    whole.tokens.push_back(token);
    whole.mask.push_back(mask);
  }
};

inline Rollout repeated(const Rollout& rollout, const SharedPack& pack) {
  Rollout all = rollout;
  for (auto input : {&Rollout::weight, &Rollout::advantage, &Rollout::behaviour, &Rollout::proximal,
                     &Rollout::reference, &Rollout::returns, &Rollout::old_values}) {
    all.*input = pack.repeated(rollout.*input);
  }
  return all;
}

}  // namespace palestra::test
