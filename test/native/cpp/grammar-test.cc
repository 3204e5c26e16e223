#include <gtest/gtest.h>

#include <array>

#include "generate/grammar/grammar-masks.h"

namespace palestra {
namespace {

using Edge = std::array<int32_t, 4>;

/** Writes a table. @param edges edges of each state @param ends states that end a rule */
std::shared_ptr<GrammarTable> table_of(const std::vector<std::vector<Edge>>& edges, const std::vector<int32_t>& ends) {
  std::vector<int32_t> starts, all, is_end(edges.size());
  for (const auto& own : edges) {
    starts.push_back(static_cast<int32_t>(all.size() / 4));
    for (const Edge& edge : own) all.insert(all.end(), edge.begin(), edge.end());
  }
  const auto count = static_cast<int32_t>(all.size() / 4);
  starts.push_back(count);
  for (int32_t end : ends) is_end[end] = 1;
  std::vector<int32_t> numbers{static_cast<int32_t>(edges.size()), count, 0};
  for (const auto* part : {&starts, &is_end, &all}) numbers.insert(numbers.end(), part->begin(), part->end());
  return std::make_shared<GrammarTable>(numbers);
}

constexpr int32_t open = '(', close = ')', none = -1;

/** Nested brackets. Two rules of the same texts, in states 2 and 6, each hold a value, in state 0: a bracket or nothing. */
std::shared_ptr<GrammarTable> ambiguous_brackets() {
  return table_of({{{none, none, 1, 2}, {none, none, 1, 6}, {none, none, 1, none}},
                   {},
                   {{open, open, 3, none}},
                   {{none, none, 4, 0}},
                   {{close, close, 5, none}},
                   {},
                   {{open, open, 7, none}},
                   {{none, none, 8, 0}},
                   {{close, close, 9, none}},
                   {}},
                  {1, 5, 9});
}

TEST(Grammar, AmbiguousRulesWithinEachOtherNeedNoMorePlacesAtEveryLevel) {
  GrammarPositions positions(ambiguous_brackets());
  const int depth = 1000;
  int32_t at = positions.start();
  EXPECT_TRUE(positions.complete(at));
  for (int level = 0; level < depth; ++level) {
    at = positions.next(at, '(');
    EXPECT_LE(positions.width(at), 8u) << level;
    EXPECT_FALSE(positions.complete(at));
  }
  for (int level = 0; level < depth; ++level) {
    EXPECT_FALSE(positions.complete(at));
    at = positions.next(at, ')');
    ASSERT_NE(at, GrammarPositions::dead) << level;
  }
  EXPECT_TRUE(positions.complete(at));
  EXPECT_EQ(positions.next(at, ')'), GrammarPositions::dead);
}

TEST(Grammar, MasksHaveTheTokensThatFitAndStopTokensWhereTheTextIsComplete) {
  const std::vector<std::string> bytes{"", "(", "((", "()", ")", "))", "())", "x", "()x", "(", "</s>"};
  std::vector<bool> special(bytes.size());
  special[10] = true;
  Grammars grammars;
  grammars.set_vocabulary(bytes, special);
  GrammarCursor cursor = grammars.begin(ambiguous_brackets());
  const std::vector<int32_t> stops{10, 3};
  const auto allowed = [&] {
    std::vector<int32_t> tokens;
    for (int32_t token = 0; token < static_cast<int32_t>(bytes.size()); ++token) {
      if (cursor.allowed(stops)[0] >> token & 1) tokens.push_back(token);
    }
    return tokens;
  };
  EXPECT_EQ(allowed(), (std::vector<int32_t>{1, 2, 3, 9, 10}));
  cursor.advance(2);
  EXPECT_EQ(allowed(), (std::vector<int32_t>{1, 2, 4, 5, 6, 9})) << "token 3 stops, so it is no text";
  cursor.advance(6);
  EXPECT_EQ(allowed(), (std::vector<int32_t>{4}));
  EXPECT_FALSE(cursor.stuck(stops));
  cursor.advance(4);
  EXPECT_EQ(allowed(), (std::vector<int32_t>{3, 10}));
}

TEST(Grammar, AVocabularyWithoutTheNextByteIsStuck) {
  const std::vector<std::string> bytes{"(", ")", "</s>"};
  Grammars grammars;
  grammars.set_vocabulary(bytes, {false, false, true});
  GrammarCursor cursor = grammars.begin(table_of({{{open, open, 1, none}}, {{'x', 'x', 2, none}}, {}}, {2}));
  EXPECT_FALSE(cursor.stuck({2}));
  cursor.advance(0);
  EXPECT_TRUE(cursor.stuck({2}));
}

TEST(Grammar, EqualTablesShareTheirMasks) {
  const std::vector<std::string> bytes{"(", ")", "</s>"};
  Grammars grammars;
  grammars.set_vocabulary(bytes, {false, false, true});
  const std::vector<int32_t> stops;
  GrammarCursor one = grammars.begin(ambiguous_brackets()), other = grammars.begin(ambiguous_brackets());
  EXPECT_EQ(&one.allowed(stops), &other.allowed(stops));
}

TEST(TokenTree, NodesAreInDepthFirstOrder) {
  const std::vector<std::string> bytes{"b", "ab", "a", "abc", "", "a", "left out"};
  const TokenTree tree(bytes, {false, false, false, false, false, false, true});
  ASSERT_EQ(tree.nodes().size(), 4u);
  EXPECT_EQ(tree.tokens(), (std::vector<int32_t>{2, 5, 1, 3, 0}));
  std::string path;
  for (const auto& node : tree.nodes()) {
    path.resize(node.depth - 1);
    path.push_back(static_cast<char>(node.byte));
    for (int32_t at = node.first_token; at < node.end_token; ++at) EXPECT_EQ(bytes[tree.tokens()[at]], path);
  }
  EXPECT_EQ(tree.nodes()[0].end, 3);
  EXPECT_EQ(tree.depth(), 3);
}

}  // namespace
}  // namespace palestra
