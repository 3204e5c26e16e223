#include "request.h"

#include <cmath>

#include "../core/failure.h"

namespace palestra {
namespace {

void expect(bool fits, const char* expected, const std::string& received) {
  if (!fits) throw Failure(Code::invalid_argument, std::string("expected ") + expected + " but received " + received);
}

void check_tokens(const std::vector<int32_t>& tokens, int vocabulary) {
  for (int32_t token : tokens) {
    if (token < 0 || token >= vocabulary) {
      throw Failure(Code::invalid_argument, "expected tokens of 0 to " + std::to_string(vocabulary - 1) +
                                                " but received " + std::to_string(token));
    }
  }
}

bool any_allowed(const std::vector<uint32_t>& allowed, int vocabulary) {
  for (int token = 0; token < vocabulary; ++token) {
    if (allowed[token / 32] >> (token % 32) & 1) return true;
  }
  return false;
}

}  // namespace

void check_request(const Request& request, int vocabulary, int context) {
  check_tokens(request.tokens, vocabulary);
  check_tokens(request.stop_tokens, vocabulary);
  if (request.tokens.size() >= static_cast<size_t>(context)) {
    throw Failure(Code::invalid_argument, "expected fewer tokens than the context of " + std::to_string(context) +
                                              " but received " + std::to_string(request.tokens.size()));
  }
  expect(request.max_new_tokens > 0, "max_new_tokens above 0", std::to_string(request.max_new_tokens));
  const Sampling& rule = request.sampling;
  expect(std::isfinite(rule.temperature) && rule.temperature >= 0, "a finite temperature from 0",
         std::to_string(rule.temperature));
  expect(rule.top_k >= 0, "top_k from 0", std::to_string(rule.top_k));
  expect(rule.top_p > 0 && rule.top_p <= 1, "top_p above 0 and up to 1", std::to_string(rule.top_p));
  expect(rule.min_p >= 0 && rule.min_p <= 1, "min_p of 0 to 1", std::to_string(rule.min_p));
  for (const std::string& stop : request.stop_strings) {
    expect(!stop.empty(), "stop strings of at least one byte", "an empty string");
  }
  if (request.allowed.empty()) return;
  const size_t words = (static_cast<size_t>(vocabulary) + 31) / 32;
  expect(request.allowed.size() == words, "a bit of `allowed` for each token of the vocabulary",
         std::to_string(request.allowed.size() * 32) + " bits");
  expect(any_allowed(request.allowed, vocabulary), "a token that is allowed", "none");
}

}  // namespace palestra
