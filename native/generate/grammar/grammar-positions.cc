#include "grammar-positions.h"

#include <algorithm>
#include <set>

namespace palestra {

/** The places that are reached without a byte. Rules that are entered here have stacks without numbers until the end. */
class GrammarPositions::Closure {
 public:
  explicit Closure(GrammarPositions& all) : all_(all) {}

  void add(Place place) {
    if (seen_.insert(place).second) open_.push_back(place);
  }

  void run() {
    while (!open_.empty()) {
      const Place place = open_.back();
      open_.pop_back();
      const GrammarTable& table = *all_.table_;
      bool reads = false;
      for (const auto* edge = table.begin(place.state); edge != table.end(place.state); ++edge) {
        if (edge->low >= 0) {
          reads = true;
        } else if (edge->callee < 0) {
          add({edge->to, place.stack});
        } else {
          enter(edge->callee, {edge->to, place.stack});
        }
      }
      if (reads) reading_.push_back(place);
      if (table.ends(place.state)) leave(place.stack);
    }
  }

  bool complete() const { return complete_; }

  /** Returns the places that read a byte, in order. */
  std::vector<Place> reading() {
    std::vector<Place> places;
    for (const Place& place : reading_) places.push_back({place.state, number(place.stack)});
    std::sort(places.begin(), places.end());
    return places;
  }

 private:
  /** A rule that was entered here. Its stack is `-1 - index`. */
  struct Entered {
    std::set<Return> returns;
    /** Whether the rule's end was reached without a byte. */
    bool left = false;
    int32_t number = -1;
  };

  void enter(int32_t callee, Return back) {
    const auto found = by_callee_.emplace(callee, static_cast<int32_t>(entered_.size()));
    if (found.second) entered_.emplace_back();
    Entered& rule = entered_[found.first->second];
    if (!rule.returns.insert(back).second) return;
    if (rule.left) add(back);
    add({callee, -1 - found.first->second});
  }

  void leave(int32_t stack) {
    if (stack < 0) {
      Entered& rule = entered_[-1 - stack];
      rule.left = true;
      for (const Return& back : rule.returns) add(back);
    } else if (stack == 0) {
      complete_ = true;
    } else {
      for (const Return& back : all_.stacks_[stack]) add(back);
    }
  }

  /** Numbers a stack. No rule enters itself before its first byte, so the recursion ends. */
  int32_t number(int32_t stack) {
    if (stack >= 0) return stack;
    Entered& rule = entered_[-1 - stack];
    if (rule.number < 0) {
      std::vector<Return> returns;
      for (const Return& back : rule.returns) returns.push_back({back.state, number(back.stack)});
      std::sort(returns.begin(), returns.end());
      rule.number = all_.stack_of(std::move(returns));
    }
    return rule.number;
  }

  GrammarPositions& all_;
  std::set<Place> seen_;
  std::vector<Place> open_, reading_;
  std::vector<Entered> entered_;
  std::unordered_map<int32_t, int32_t> by_callee_;
  bool complete_ = false;
};

GrammarPositions::GrammarPositions(std::shared_ptr<const GrammarTable> table)
    : table_(std::move(table)), stacks_(1), start_(position_of({{table_->start(), 0}})) {}

int32_t GrammarPositions::advance(int32_t position, uint8_t byte) {
  std::vector<Place> reached;
  for (const Place& place : positions_[position].places) {
    for (const auto* edge = table_->begin(place.state); edge != table_->end(place.state); ++edge) {
      if (edge->low <= byte && byte <= edge->high) reached.push_back({edge->to, place.stack});
    }
  }
  const int32_t next = reached.empty() ? dead : position_of(reached);
  positions_[position].next[byte] = next;
  return next;
}

int32_t GrammarPositions::position_of(const std::vector<Place>& reached) {
  Closure closure(*this);
  for (const Place& place : reached) closure.add(place);
  closure.run();
  std::vector<Place> places = closure.reading();
  const auto found = numbers_.emplace(std::make_pair(closure.complete(), places), count());
  if (found.second) {
    bytes_ += sizeof(Position) + 2 * places.size() * sizeof(Place) + 128;
    size_t width = places.size();
    for (const Place& place : places) width += stacks_[place.stack].size();
    positions_.push_back({std::move(places), closure.complete(), width, {}});
    positions_.back().next.fill(unknown);
  }
  return found.first->second;
}

int32_t GrammarPositions::stack_of(std::vector<Return> returns) {
  const auto found = stack_numbers_.emplace(returns, static_cast<int32_t>(stacks_.size()));
  if (found.second) {
    bytes_ += 2 * returns.size() * sizeof(Return) + 128;
    stacks_.push_back(std::move(returns));
  }
  return found.first->second;
}

}  // namespace palestra
