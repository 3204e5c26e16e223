#pragma once
#include <cstdint>
#include <vector>

namespace palestra {

/**
 * A recursive automaton over bytes, as native/grammar/automaton.ts makes it. The numbers are those of states and edges,
 * the start, the first edge of each state and the end of the last, whether each state ends a rule, and the edges.
 */
class GrammarTable {
 public:
  struct Edge {
    /** Range of bytes; below 0 for an edge without a byte. */
    int32_t low, high;
    int32_t to;
    /** Start of a rule that is passed through before `to`; below 0 for none. */
    int32_t callee;
  };

  explicit GrammarTable(std::vector<int32_t> numbers) : numbers_(std::move(numbers)) {}
  int32_t start() const { return numbers_[2]; }
  bool ends(int32_t state) const { return numbers_[3 + states() + 1 + state] != 0; }
  const Edge* begin(int32_t state) const { return edges() + numbers_[3 + state]; }
  const Edge* end(int32_t state) const { return edges() + numbers_[4 + state]; }
  const std::vector<int32_t>& numbers() const { return numbers_; }

 private:
  int32_t states() const { return numbers_[0]; }
  const Edge* edges() const { return reinterpret_cast<const Edge*>(numbers_.data() + 3 + 2 * states() + 1); }

  std::vector<int32_t> numbers_;
};

}  // namespace palestra
