#pragma once
#include <array>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "grammar-table.h"

namespace palestra {

/**
 * The positions that texts of a grammar reach, made when first met. A position is a set of states, each with the rules
 * that are open around it, so the grammar is deterministic over positions.
 *
 * Open rules are a graph (Tomita 1985): all places that enter a rule at the same byte share one stack, whose top holds
 * the returns of all. Otherwise, ambiguous rules within each other would double the number of stacks at every level.
 */
class GrammarPositions {
 public:
  static constexpr int32_t dead = -1;

  explicit GrammarPositions(std::shared_ptr<const GrammarTable> table);

  int32_t start() const { return start_; }
  /** Returns the position after a byte, or `dead`. */
  int32_t next(int32_t position, uint8_t byte) {
    const int32_t known = positions_[position].next[byte];
    return known == unknown ? advance(position, byte) : known;
  }
  /** Whether the text up to the position is one of the grammar's. */
  bool complete(int32_t position) const { return positions_[position].complete; }
  /** Number of places and returns of a position, on which the work of a byte depends. */
  size_t width(int32_t position) const { return positions_[position].width; }
  int32_t count() const { return static_cast<int32_t>(positions_.size()); }
  /** Approximate memory, in bytes. */
  size_t bytes() const { return bytes_; }

 private:
  static constexpr int32_t unknown = -2;

  /** The state in which a rule that is open continues, and the stack around that rule. */
  struct Return {
    int32_t state, stack;
    bool operator<(const Return& other) const {
      return state != other.state ? state < other.state : stack < other.stack;
    }
  };
  using Place = Return;
  struct Position {
    std::vector<Place> places;
    bool complete;
    size_t width;
    std::array<int32_t, 256> next;
  };
  class Closure;

  int32_t advance(int32_t position, uint8_t byte);
  int32_t position_of(const std::vector<Place>& reached);
  int32_t stack_of(std::vector<Return> returns);

  const std::shared_ptr<const GrammarTable> table_;
  std::vector<Position> positions_;
  std::map<std::pair<bool, std::vector<Place>>, int32_t> numbers_;
  /** Returns by stack. Stack 0 has none: the text ends where it would return. */
  std::vector<std::vector<Return>> stacks_;
  std::map<std::vector<Return>, int32_t> stack_numbers_;
  size_t bytes_ = 0;
  int32_t start_;
};

}  // namespace palestra
