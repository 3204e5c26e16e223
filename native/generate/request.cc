#include "request.h"

#include "../core/failure.h"

namespace palestra {
namespace {

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
  for (const auto& bias : request.penalties.biases) check_tokens({bias.first}, vocabulary);
  if (request.tokens.size() >= static_cast<size_t>(context)) {
    throw Failure(Code::invalid_argument, "expected fewer tokens than the context of " + std::to_string(context) +
                                              " but received " + std::to_string(request.tokens.size()));
  }
  if (!request.allowed.empty() && !any_allowed(request.allowed, vocabulary)) {
    throw Failure(Code::invalid_argument, "expected a token that is allowed but received none");
  }
  if (request.grammar && request.stop_tokens.empty()) {
    throw Failure(Code::invalid_argument, "expected stop tokens beside a grammar but received none");
  }
  if (request.grammar && !request.allowed.empty()) {
    throw Failure(Code::invalid_argument, "expected a grammar or allowed tokens but received both");
  }
}

}  // namespace palestra
