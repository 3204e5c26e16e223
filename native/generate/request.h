#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "../ops/ops.h"
#include "grammar/grammar-table.h"
#include "draws/logit-rules.h"

namespace palestra {

/** Request of one sequence. */
struct Request {
  std::vector<int32_t> tokens;
  int max_new_tokens;
  Sampling sampling;
  /** Seed of the random draws. The seed and `stream` are the key of a draw, and the position is its counter. */
  uint64_t seed = 0;
  uint64_t stream = 0;
  std::vector<int32_t> stop_tokens;
  /** Stop strings, as bytes. The sequence ends when the text sampled for this request contains one of the strings. */
  std::vector<std::string> stop_strings;
  /** Bit mask of the tokens that may be sampled, with one bit per token of the vocabulary. Empty: all tokens. */
  std::vector<uint32_t> allowed;
  /** Grammar of the text that is sampled for this request, or null. */
  std::shared_ptr<const GrammarTable> grammar;
  LogitPenalties penalties;
  /** Number of most probable tokens to report with each sampled token. */
  int top_tokens = 0;
};

/**
 * Reason why a sequence ended. When several reasons apply to a token, the first in this order counts. `failed`: the
 * model computed a number that is not finite, or no token can continue the text of a grammar. `error`: the step failed, for example for lack of memory.
 */
enum class Finish : int32_t { none, stop_token, stop_string, length, context, aborted, failed, error };

/**
 * Checks a request against the model. Fails with `Code::invalid_argument`. The caller has checked the values that do not
 * depend on the model. @param context number of positions that the model supports
 */
void check_request(const Request& request, int vocabulary, int context);

}  // namespace palestra
