#pragma once
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../../ops/ops.h"

namespace palestra {

/** Penalties of tokens that occurred, and biases of tokens. Without an effect by default. */
struct LogitPenalties {
  /** Subtracted once from the logits of the tokens that were sampled for the request. */
  float presence = 0;
  /** Subtracted from these logits for each time that the token was sampled. */
  float frequency = 0;
  /**
   * Factor of Keskar et al. 2019 for all tokens of the sequence, given ones too: positive logits are divided by it, and
   * negative ones multiplied.
   */
  float repetition = 1;
  /** Numbers to add to logits, by token. */
  std::vector<std::pair<int32_t, float>> biases;

  bool any() const { return presence != 0 || frequency != 0 || repetition != 1 || !biases.empty(); }
};

/** The changes of a sequence's logits before its next draw. Empty for a sequence without penalties. */
class LogitRules {
 public:
  LogitRules() = default;
  /** @param tokens all tokens before the first draw */
  LogitRules(const LogitPenalties& penalties, const std::vector<int32_t>& tokens);

  bool empty() const { return seen_.empty(); }
  /** Counts a sampled token. */
  void count(int32_t token);
  /** Adds the changes of the sequence's logits, which are in this row. */
  void append(std::vector<LogitChange>& changes, int32_t row) const;

 private:
  struct Seen {
    bool occurred = false;
    int sampled = 0;
    float bias = 0;
  };
  bool applies_ = false;
  float presence_ = 0, frequency_ = 0, repetition_ = 1;
  std::unordered_map<int32_t, Seen> seen_;
};

}  // namespace palestra
