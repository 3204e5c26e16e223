// Ends of sequences by their samples, by the caller and by a failure; and refused requests.
#include "generator-rig.h"

#include <cmath>
#include <limits>

namespace palestra {
namespace {

using namespace test;

/** Token i is written "<i>", so that a string can span several tokens. */
std::vector<std::string> vocabulary() {
  std::vector<std::string> bytes;
  for (int i = 0; i < 61; ++i) bytes.push_back("<" + std::to_string(i) + ">");
  return bytes;
}

TEST(Generator, SequencesEndAtTokensStringsLengthsAndTheContext) {
  SmallModel tiny;
  Player player(tiny);
  player.generator.set_vocabulary(vocabulary(), std::vector<bool>(vocabulary().size()));
  const Request request = request_of({3, 1, 4}, 12);
  const Sampled whole = alone(tiny, request);
  ASSERT_EQ(whole.finish, Finish::length);
  const auto told = [&](uint64_t id, const Request& with) {
    player.generator.submit(id, with, 1);
    player.run();
    return player[id];
  };

  Request stopped = request;
  stopped.stop_tokens = {whole.tokens[5]};
  const auto found = std::find(whole.tokens.begin(), whole.tokens.end(), whole.tokens[5]);
  const size_t first_of_it = found - whole.tokens.begin();
  EXPECT_EQ(told(1, stopped).finish, Finish::stop_token);
  EXPECT_EQ(player[1].tokens.size(), first_of_it + 1) << "the stop token is told";

  Request across = request;
  const std::string end_of_six = std::to_string(whole.tokens[6]) + ">";
  across.stop_strings = {"never", end_of_six + "<" + std::to_string(whole.tokens[7]) + "><" +
                                      std::to_string(whole.tokens[8])};
  EXPECT_EQ(told(2, across).finish, Finish::stop_string);
  EXPECT_EQ(player[2].tokens.size(), 9u);

  Request prompt_has_it = request;
  prompt_has_it.stop_strings = {"4><" + std::to_string(whole.tokens[0])};
  EXPECT_EQ(told(3, prompt_has_it).finish, Finish::length) << "only what is sampled counts";

  Request two_turns = request;
  two_turns.max_new_tokens = 7;
  told(4, two_turns);
  Request second = across;
  second.tokens = {};
  player.extend(4, second);
  player.run();
  EXPECT_EQ(player[4].finish, Finish::length) << "a string may not begin in an earlier request's tokens";
  EXPECT_EQ(std::vector<int32_t>(player[4].tokens.begin(), player[4].tokens.begin() + 12), whole.tokens);

  Request endless = request;
  endless.max_new_tokens = 1000;
  EXPECT_EQ(told(5, endless).finish, Finish::context);
  EXPECT_EQ(player[5].tokens.size(), 160u - 3) << "the context holds what was given and what was sampled";
  player.extend(5, request_of({1}, 1));
  EXPECT_EQ(player[5].finish, Finish::context);
  EXPECT_EQ(player[5].tokens.size(), 160u - 3);
}

TEST(Generator, ASingleSequenceEndsWhenPagesRunOut) {
  SmallModel tiny;
  Player player(tiny, tiny_options(2, 40, 3));
  player.generator.submit(1, request_of({1, 2, 3}, 100), 1);
  player.run();
  EXPECT_EQ(player[1].finish, Finish::context);
  EXPECT_EQ(player[1].tokens.size(), 3 * 16 - 3 + 1u) << "the last token is sampled and not stored";
  std::mt19937 random(1);
  player.generator.submit(2, request_of(random_tokens(random, 60), 1), 1);
  player.generator.submit(3, request_of({1, 2, 3}, 10), 1);
  player.run();
  EXPECT_EQ(player[2].finish, Finish::context);
  EXPECT_EQ(player[2].tokens.size(), 0u);
  EXPECT_EQ(player[3].finish, Finish::length);
}

TEST(Generator, PauseStopsAtOnceAndAbortKeepsTheSamples) {
  SmallModel tiny;
  Player player(tiny);
  const Request request = request_of({5, 6}, 20);
  player.generator.submit(0, request, 1);
  for (int i = 0; i < 4; ++i) player.generator.step();
  player.generator.pause();
  EXPECT_FALSE(player.generator.step());
  EXPECT_EQ(player[0].tokens.size(), 4u);
  player.generator.abort(0);
  EXPECT_EQ(player[0].finish, Finish::aborted);
  player.generator.abort(0);
  EXPECT_EQ(player[0].ends, 1) << "an end is told once";
  player.generator.resume();
  EXPECT_FALSE(player.generator.step());
  Request rest = request_of({}, 16);
  player.extend(0, rest);
  player.run();
  EXPECT_EQ(player[0], alone(tiny, request)) << "draws go by position";
}

TEST(Generator, OneFailedSequenceLeavesTheOthers) {
  Request good = request_of({5, 6, 7}, 15);
  good.allowed = {0xffffffffu, ~(1u << (60 - 32))};  // all but 60
  Request bad = good;
  bad.tokens = {60, 1};
  ModelConfig config = tiny_config();
  config.tie_word_embeddings = false;
  SmallModel untied(config);
  const Parameter& embedding = *untied.model.parameters().find("model.embed_tokens.weight");
  float* const row = untied.model.data() + embedding.offset + 60 * embedding.columns;
  std::fill(row, row + embedding.columns, std::numeric_limits<float>::quiet_NaN());
  const Sampled expected = alone(untied, good);
  ASSERT_EQ(expected.tokens.size(), 15u);
  Player player(untied, tiny_options(4, 8, 4));
  player.generator.submit(1, good, 1);
  player.generator.submit(2, bad, 2);
  player.generator.submit(4, good, 1);
  player.run();
  EXPECT_EQ(player[1], expected);
  EXPECT_EQ(player[4], expected) << "on pages that held NaN";
  for (int i : {2, 3}) {
    EXPECT_EQ(player[i].finish, Finish::failed);
    EXPECT_EQ(player[i].tokens.size(), 0u);
  }
}

TEST(Generator, AFailedStepEndsRunningSequencesOnceAndLeavesTheRest) {
  SmallModel tiny;
  const Request request = request_of({5, 6, 7, 8}, 30);
  const Sampled expected = alone(tiny, request);
  Player player(tiny, tiny_options(2, 8));
  for (uint64_t id : {1, 2, 3}) player.generator.submit(id, request, 1);  // the last one waits
  for (int i = 0; i < 5; ++i) player.generator.step();
  player.generator.fail();
  EXPECT_FALSE(player.generator.step());
  for (uint64_t id : {1, 2, 3}) {
    EXPECT_EQ(player[id].finish, Finish::error);
    EXPECT_EQ(player[id].ends, 1);
  }
  EXPECT_EQ(player.generator.statistics().free_pages, player.generator.statistics().pages);
  player.generator.submit(4, request, 1);
  player.run();
  EXPECT_EQ(player[4], expected);
  player.extend(1, request_of({}, 30 - static_cast<int>(player[1].tokens.size())));
  player.run();
  EXPECT_EQ(player[1], expected) << "goes on where it was";
}

TEST(Generator, RefusesInvalidRequests) {
  SmallModel tiny;
  Player player(tiny);
  const auto refused = [&](auto&& change) {
    Request request = request_of({1, 2}, 3);
    change(request);
    try {
      player.generator.check(request);
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.code(), Code::invalid_argument);
      EXPECT_NE(std::string(failure.what()).find("but received"), std::string::npos) << failure.what();
      return true;
    }
    return false;
  };
  EXPECT_TRUE(refused([](Request& r) { r.tokens = {61}; }));
  EXPECT_TRUE(refused([](Request& r) { r.tokens = {-1}; }));
  EXPECT_TRUE(refused([](Request& r) { r.tokens.assign(160, 1); }));
  EXPECT_TRUE(refused([](Request& r) { r.stop_tokens = {61}; }));
  EXPECT_TRUE(refused([](Request& r) { r.stop_strings = {"x"}; })) << "there is no vocabulary";
  EXPECT_TRUE(refused([](Request& r) { r.allowed = {0, 1u << 31}; })) << "a bit past the vocabulary";
  EXPECT_FALSE(refused([](Request&) {}));
  player.generator.submit(1, request_of({1, 2}, 3), 1);
  EXPECT_THROW(player.generator.submit(1, request_of({1, 2}, 3), 1), Failure) << "the name is taken";
  EXPECT_THROW(player.generator.extend(2, request_of({}, 1)), Failure);
  EXPECT_THROW(player.generator.abort(2), Failure);
  EXPECT_THROW(player.generator.release(2), Failure);
  EXPECT_THROW(Player(tiny, tiny_options(8, 7)), Failure);
  EXPECT_THROW(Player(tiny, tiny_options(8, 8, 0)), Failure);
  player.run();
  EXPECT_EQ(player[1].finish, Finish::length) << "usable afterwards";
}

}  // namespace
}  // namespace palestra
