#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "../ops/ops.h"

namespace palestra {

/** Request of one sequence. */
struct Request {
  std::vector<int32_t> tokens;
  int max_new_tokens;
  Sampling sampling;
  /** Seed and `stream` are the key of the sequence's random draws; the counter is the position. */
  uint64_t seed = 0;
  uint64_t stream = 0;
  std::vector<int32_t> stop_tokens;
  /** Stop strings, as bytes. One of them in the text sampled for this request ends the sequence. */
  std::vector<std::string> stop_strings;
  /** One bit per token that may be sampled; empty: all tokens. */
  std::vector<uint32_t> allowed;
};

/**
 * Why a sequence ended. When several reasons apply to a token, the first in this order counts. `failed`: the model
 * computed a number that is not finite. `error`: the step failed, for example for lack of memory.
 */
enum class Finish : int32_t { none, stop_token, stop_string, length, context, aborted, failed, error };

/** Fails with `Code::invalid_argument`. @param context number of positions that the model supports */
void check_request(const Request& request, int vocabulary, int context);

}  // namespace palestra
