#include "token-tree.h"

#include <algorithm>

namespace palestra {
namespace {

constexpr size_t longest = UINT16_MAX;

size_t common_prefix(const std::string& one, const std::string& other) {
  const size_t length = std::min(one.size(), other.size());
  return std::mismatch(one.begin(), one.begin() + static_cast<int64_t>(length), other.begin()).first - one.begin();
}

}  // namespace

TokenTree::TokenTree(const std::vector<std::string>& vocabulary, const std::vector<bool>& special) {
  for (size_t token = 0; token < vocabulary.size(); ++token) {
    const bool is_text = !vocabulary[token].empty() && vocabulary[token].size() <= longest && !special[token];
    if (is_text) tokens_.push_back(static_cast<int32_t>(token));
  }
  std::stable_sort(tokens_.begin(), tokens_.end(),
                   [&](int32_t one, int32_t other) { return vocabulary[one] < vocabulary[other]; });
  std::vector<int32_t> path;
  const auto close = [&](size_t length) {
    for (; path.size() > length; path.pop_back()) nodes_[path.back()].end = static_cast<int32_t>(nodes_.size());
  };
  for (size_t i = 0; i < tokens_.size(); ++i) {
    const std::string& bytes = vocabulary[tokens_[i]];
    const auto at = static_cast<int32_t>(i);
    close(i == 0 ? 0 : common_prefix(vocabulary[tokens_[i - 1]], bytes));
    while (path.size() < bytes.size()) {
      const auto byte = static_cast<uint8_t>(bytes[path.size()]);
      path.push_back(static_cast<int32_t>(nodes_.size()));
      nodes_.push_back({byte, static_cast<uint16_t>(path.size()), 0, at, at});
    }
    nodes_[path.back()].end_token = at + 1;
    depth_ = std::max(depth_, static_cast<int>(bytes.size()));
  }
  close(0);
}

}  // namespace palestra
