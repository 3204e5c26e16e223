// Changes of logits by kernel, against those on the host, bit for bit.
#include "ops/cuda/logits/changes.h"

#include "emulator/emulated-launcher.h"
#include "host-stream.h"
#include "ops/cpu/sampling/logit-changes.h"
#include "values.h"

namespace palestra::test {
namespace {

class CudaLogitChangesTest : public ::testing::TestWithParam<bool> {
 protected:
  HostStream stream;
  cuda::EmulatedLauncher launcher{GetParam()};
  cuda::CudaLogitChanges changes{stream.memory()};
};

TEST_P(CudaLogitChangesTest, EqualThoseOfTheHostAndAreUndone) {
  std::mt19937 random(3);
  constexpr int vocabulary = 1003, rows = 3;
  // Small counts after large ones reuse memory, and large ones after small ones grow it.
  for (int step : {97, 2, 500, 1, 2000}) {
    const auto before = random_values<float>(rows * vocabulary, random(), 4);
    std::vector<LogitChange> all;
    for (int32_t place = 0; place < rows * vocabulary; place += step) {
      all.push_back({place / vocabulary, place % vocabulary, random() % 2 ? 1.0f : 1.3f, static_cast<float>(random() % 7) - 3});
    }
    std::vector<float> logits(before.begin(), before.end()), expected = logits;
    CpuLogitChanges<float> host;
    host.change(expected.data(), vocabulary, all);
    changes.change(stream, launcher, logits.data(), vocabulary, all);
    EXPECT_EQ(logits, expected);
    EXPECT_NE(logits, std::vector<float>(before.begin(), before.end()));
    changes.restore(launcher, logits.data());
    EXPECT_EQ(logits, std::vector<float>(before.begin(), before.end()));
  }
}

INSTANTIATE_TEST_SUITE_P(Orders, CudaLogitChangesTest, ::testing::Bool(),
                         [](const auto& order) { return order.param ? "Reversed" : "Forward"; });

}  // namespace
}  // namespace palestra::test
