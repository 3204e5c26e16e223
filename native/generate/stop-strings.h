#pragma once
#include <algorithm>
#include <string>
#include <vector>

namespace palestra {

/** Searches a stream of bytes for strings, which may span several pieces. */
class StopStrings {
 public:
  StopStrings() = default;
  explicit StopStrings(std::vector<std::string> strings) : strings_(std::move(strings)) {
    for (const std::string& string : strings_) longest_ = std::max(longest_, string.size());
  }

  bool empty() const { return strings_.empty(); }
  /** Whether one of the strings is complete with this piece. */
  bool complete(const std::string& piece) {
    tail_ += piece;
    for (const std::string& string : strings_) {
      if (tail_.find(string) != std::string::npos) return true;
    }
    if (tail_.size() >= longest_) tail_.erase(0, tail_.size() - longest_ + 1);
    return false;
  }

 private:
  std::vector<std::string> strings_;
  size_t longest_ = 0;
  /** The last bytes of the stream, in which a string can still begin: one byte fewer than the longest string has. */
  std::string tail_;
};

}  // namespace palestra
