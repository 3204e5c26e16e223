#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "../ops/ops.h"

namespace palestra {

/** What is asked of one sequence. */
struct Request {
  std::vector<int32_t> tokens;
  int max_new_tokens;
  Sampling sampling;
  /** With `stream` the key of the sequence's random draws; the counter is the position. */
  uint64_t seed = 0;
  uint64_t stream = 0;
  std::vector<int32_t> stop_tokens;
  /** As bytes; they end the sequence once what was sampled for this request, written out, contains one. */
  std::vector<std::string> stop_strings;
  /** A bit each token: may it be sampled; empty: all. */
  std::vector<uint32_t> allowed;
};

/**
 * Why a sequence ended. Where several are true of a token, the first of them in this order is told. `failed`: the model
 * gave it no finite numbers; `error`: the step that carried it failed, for want of memory say.
 */
enum class Finish : int32_t { none, stop_token, stop_string, length, context, aborted, failed, error };

/** Fails with `Code::invalid_argument`. @param context positions that the model knows */
void check_request(const Request& request, int vocabulary, int context);

}  // namespace palestra
