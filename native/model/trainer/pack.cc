#include "pack.h"

#include <algorithm>

#include "../../core/failure.h"

namespace palestra {
namespace {

[[noreturn]] void refuse(const std::string& expected, int64_t received) {
  throw Failure(Code::invalid_argument, "expected " + expected + " but received " + std::to_string(received));
}

/** Returns the position of each sequence's first token. */
std::vector<int32_t> first_positions(const Pack& pack) {
  const size_t sequences = pack.starts.size() - 1;
  std::vector<int32_t> first(sequences, 0);
  for (size_t s = 0; s < pack.parents.size(); ++s) {
    const int32_t parent = pack.parents[s];
    if (parent < 0) continue;
    first[s] = first[parent] + pack.starts[parent + 1] - pack.starts[parent];
  }
  return first;
}

void check_parents(const Pack& pack, int max_positions) {
  if (pack.parents.empty()) return;
  const size_t sequences = pack.starts.size() - 1;
  if (pack.parents.size() != sequences) {
    refuse("parents of " + std::to_string(sequences) + " sequences", static_cast<int64_t>(pack.parents.size()));
  }
  for (size_t s = 0; s < sequences; ++s) {
    if (pack.parents[s] >= -1 && pack.parents[s] < static_cast<int64_t>(s)) continue;
    refuse("-1 or an earlier sequence as the parent of sequence " + std::to_string(s), pack.parents[s]);
  }
  const std::vector<int32_t> first = first_positions(pack);
  for (size_t s = 0; s < sequences; ++s) {
    const int64_t length = int64_t{first[s]} + pack.starts[s + 1] - pack.starts[s];
    if (length <= max_positions) continue;
    refuse("1 to " + std::to_string(max_positions) + " tokens in sequence " + std::to_string(s) + " and its ancestors",
           length);
  }
}

void check_starts(const Pack& pack, int max_positions) {
  const int tokens = static_cast<int>(pack.tokens.size());
  if (pack.starts.size() < 2) {
    refuse("starts of one sequence or more, and their end", static_cast<int64_t>(pack.starts.size()));
  }
  if (pack.starts.front() != 0) refuse("the first sequence to start at 0", pack.starts.front());
  if (pack.starts.back() != tokens) refuse("starts to end at " + std::to_string(tokens), pack.starts.back());
  for (size_t i = 1; i < pack.starts.size(); ++i) {
    const int64_t length = int64_t{pack.starts[i]} - pack.starts[i - 1];
    if (length >= 1 && length <= max_positions) continue;
    refuse("1 to " + std::to_string(max_positions) + " tokens in sequence " + std::to_string(i - 1), length);
  }
}

}  // namespace

void check_pack(const Pack& pack, const ModelConfig& config, int max_tokens) {
  if (pack.tokens.empty() || pack.tokens.size() > static_cast<size_t>(max_tokens)) {
    refuse("a pack of 1 to " + std::to_string(max_tokens) + " tokens", static_cast<int64_t>(pack.tokens.size()));
  }
  check_starts(pack, config.max_position_embeddings);
  check_parents(pack, config.max_position_embeddings);
  const auto wrong = std::find_if(pack.tokens.begin(), pack.tokens.end(),
                                  [&](int32_t token) { return token < 0 || token >= config.vocab_size; });
  if (wrong != pack.tokens.end()) {
    refuse("token ids from 0 to " + std::to_string(config.vocab_size - 1), *wrong);
  }
}

std::vector<int32_t> positions_of(const Pack& pack) {
  std::vector<int32_t> positions(pack.tokens.size());
  const std::vector<int32_t> first = first_positions(pack);
  for (size_t s = 0; s + 1 < pack.starts.size(); ++s) {
    for (int32_t t = pack.starts[s]; t < pack.starts[s + 1]; ++t) positions[t] = first[s] + t - pack.starts[s];
  }
  return positions;
}

std::vector<int32_t> scored_tokens(const Pack& pack) {
  std::vector<int32_t> scored;
  for (size_t s = 0; s + 1 < pack.starts.size(); ++s) {
    for (int32_t t = pack.starts[s] + 1; t < pack.starts[s + 1]; ++t) {
      if (pack.mask[t]) scored.push_back(t);
    }
  }
  return scored;
}

std::vector<uint32_t> sequence_numbers(const Pack& pack) {
  std::vector<uint32_t> numbers(pack.tokens.size());
  for (size_t s = 0; s + 1 < pack.starts.size(); ++s) {
    const int32_t parent = pack.parents.empty() ? -1 : pack.parents[s];
    // FNV-1a over the tokens.
    uint32_t number = parent < 0 ? 0x811C9DC5 : numbers[pack.starts[parent + 1] - 1];
    for (int32_t t = pack.starts[s]; t < pack.starts[s + 1]; ++t) {
      number = (number ^ static_cast<uint32_t>(pack.tokens[t])) * 0x01000193;
      numbers[t] = number;
    }
  }
  return numbers;
}

int longest_sequence(const Pack& pack) {
  int longest = 0;
  for (size_t s = 0; s + 1 < pack.starts.size(); ++s) longest = std::max(longest, pack.starts[s + 1] - pack.starts[s]);
  return longest;
}

}  // namespace palestra
