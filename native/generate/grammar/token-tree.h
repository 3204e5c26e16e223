#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace palestra {

/** The bytes of a vocabulary's tokens as a tree. The nodes are in depth-first order. */
class TokenTree {
 public:
  struct Node {
    uint8_t byte;
    /** Number of bytes up to this node's. */
    uint16_t depth;
    /** Index of the first node behind this node's descendants. */
    int32_t end;
    /** Range in `tokens()` of the tokens whose last byte is this node's. */
    int32_t first_token, end_token;
  };

  /** @param special whether a token is no text */
  TokenTree(const std::vector<std::string>& vocabulary, const std::vector<bool>& special);

  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<int32_t>& tokens() const { return tokens_; }
  int depth() const { return depth_; }

 private:
  std::vector<Node> nodes_;
  std::vector<int32_t> tokens_;
  int depth_ = 0;
};

}  // namespace palestra
