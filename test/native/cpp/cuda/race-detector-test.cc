// The race detector by itself: it reports each kind of race, in either order of threads, and nothing else.
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "emulator/emulated-launcher.h"
#include "emulator/probe-kernels.h"
#include "emulator/race-probe-kernels.h"

namespace palestra::probe {
namespace {

/** The report of a race when threads run forward. */
struct Told {
  const char* kernel;
  const char* memory;
  const char* thread;
  const char* deed;
  const char* other_thread;
  const char* other_deed;
  const char* reason;
};

const char none[] = "there is no barrier between", under_way[] = "the copy may be under way",
           blocks[] = "nothing orders blocks";
const char first_word[] = "0 behind the pointer at byte 0 of the arguments";

const Told races[] = {
    {"race_read", "shared byte 128", "32", "writes it", "0", "read it", none},
    {"race_rewrite", "shared byte 0", "32", "reads it", "0", "wrote it", none},
    {"race_write", "shared byte 0", "32", "writes it", "0", "wrote it", none},
    {"race_warp_read", "shared byte 4", "1", "writes it", "0", "read it", none},
    {"race_warp_rewrite", "shared byte 0", "1", "reads it", "0", "wrote it", none},
    {"race_shuffle", "shared byte 4", "0", "reads it", "1", "wrote it", none},
    {"race_other_warp", "shared byte 128", "0", "reads it", "32", "wrote it", none},
    {"race_global", "128 behind the pointer at byte 0 of the arguments", "32", "writes it", "0", "read it", none},
    {"race_matrix", "shared byte 0", "0", "loads it with its warp as a matrix", "0", "wrote it", none},
    {"race_matrix_rewrite", "shared byte 0", "0", "writes it", "0", "loaded it with its warp as a matrix", none},
    {"race_copy", "shared byte 0", "0", "reads it", "0", "has begun to copy to it", under_way},
    {"race_copy_read", "shared byte 16", "1", "begins to copy to it", "0", "read it", none},
    {"race_copy_rewrite", "shared byte 0", "32", "reads it", "0", "has begun to copy to it", under_way},
    {"race_copy_twice", "shared byte 0", "0", "begins to copy to it", "0", "has begun to copy to it", under_way},
    {"race_copy_source", first_word, "1", "writes it", "0", "read it", none},
    {"race_blocks_write", first_word, "5", "writes it", "5", "wrote it", blocks},
    {"race_blocks_read", first_word, "5", "writes it", "63", "read it", blocks},
};

/** A test of the probes, whose accesses are watched. */
template <class Param>
class Probes : public testing::TestWithParam<Param> {
 protected:
  void SetUp() override {
    if (!KERNELS_ARE_WATCHED) GTEST_SKIP() << "kernels are compiled for another sanitizer";
  }
  void launch(const char* kernel, bool is_ordered, bool is_reversed, int first_word = 0) {
    cuda::EmulatedLauncher launcher(is_reversed);
    launcher.launch(kernel, {race_blocks}, threads, 4 * race_words, RaceProbe{words_ + first_word, is_ordered});
  }

  alignas(16) uint32_t words_[(race_blocks + 1) * race_words] = {};
};

using Races = Probes<std::tuple<Told, bool>>;

TEST_P(Races, AreReportedWithoutAnOrder) {
  const auto& [told, is_reversed] = GetParam();
  launch(told.kernel, true, is_reversed);
  const std::string place = "[^,;]+(race-probe-kernels.cc:[0-9]|[+]0x)[^,;]*";
  const std::string block = told.reason == blocks ? "[(]1, 0, 0[)]" : "[(]0, 0, 0[)]";
  const std::string first = std::string(": thread ") + told.thread + " of block " + block + " " + told.deed + " at ";
  const std::string second = std::string(", thread ") + told.other_thread + " of block [(]0, 0, 0[)] " +
                             told.other_deed + " at ";
  const std::string by_whom = is_reversed ? ": .*; " : first + place + second + place + "; ";
  EXPECT_DEATH(launch(told.kernel, false, is_reversed),
               std::string(told.kernel) + ": a race for .*" + (is_reversed ? "" : told.memory) + by_whom + told.reason);
}

INSTANTIATE_TEST_SUITE_P(All, Races, testing::Combine(testing::ValuesIn(races), testing::Bool()), [](const auto& of) {
  return std::string(std::get<0>(of.param).kernel) + (std::get<1>(of.param) ? "_reversed" : "_forward");
});

using NoRaces = Probes<bool>;

TEST_P(NoRaces, AreReportedForAdjacentBytesAndLaunches) {
  launch("race_of_none", false, GetParam());
  // A block does what another one did before.
  launch("race_of_none", false, GetParam(), race_words);
}

INSTANTIATE_TEST_SUITE_P(Orders, NoRaces, testing::Bool());

}  // namespace
}  // namespace palestra::probe
