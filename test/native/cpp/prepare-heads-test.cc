// Preparing queries and keys in one call, and the pages they are stored in, give the bits of separate calls.
#include <limits>

#include "device.h"

namespace palestra::test {
namespace {

constexpr Heads heads{6, 2, 24};
constexpr int rows = 21, width = (6 + 2 * 2) * 24;

class PrepareHeads : public ::testing::TestWithParam<InstructionSet> {
 protected:
  PrepareHeads() {
    std::vector<int32_t> positions(rows);
    for (int i = 0; i < rows; ++i) positions[i] = i;
    const std::vector<float> frequencies(heads.size / 2, 0.3f);
    ops_.rotary_turns(turns_.data(), positions.data(), frequencies.data(), heads.size, rows);
  }
  /** The separate calls, one after the other. */
  std::vector<float> one_by_one(bool norms) {
    std::vector<float> qkv = qkv_;
    const Rows<float> view{qkv.data(), width}, keys = view.from(heads.key_column());
    if (norms) {
      ops_.rms_norm(view, query_rstd_.data(), {view.data, width}, norm_.data(), heads.size, rows, 1e-5f, heads.query);
      ops_.rms_norm(keys, key_rstd_.data(), {keys.data, width}, norm_.data() + heads.size, heads.size, rows, 1e-5f,
                    heads.kv);
    }
    ops_.rotate(view, turns_.data(), heads.query + heads.kv, heads.size, rows, 1);
    return qkv;
  }
  HeadPreparation<float> how(bool norms, float* query_rstd, float* key_rstd) const {
    return {norms ? norm_.data() : nullptr, norms ? norm_.data() + heads.size : nullptr, 1e-5f, turns_.data(),
            query_rstd, key_rstd};
  }

  Device<float> device_{2, GetParam()};
  Ops<float>& ops_ = *device_.ops;
  std::vector<float> qkv_ = random_values<float>(rows * width, 1), norm_ = random_values<float>(2 * heads.size, 2);
  std::vector<float> turns_ = std::vector<float>(rows * heads.size);
  std::vector<float> query_rstd_ = std::vector<float>(rows * heads.query);
  std::vector<float> key_rstd_ = std::vector<float>(rows * heads.kv);
};

TEST_P(PrepareHeads, EqualsNormsAndRotation) {
  for (bool norms : {false, true}) {
    std::vector<float> qkv = qkv_, query_rstd(query_rstd_.size()), key_rstd(key_rstd_.size());
    ops_.prepare_heads({qkv.data(), width}, how(norms, query_rstd.data(), key_rstd.data()), heads, rows, nullptr);
    EXPECT_EQ(qkv, one_by_one(norms));
    EXPECT_EQ(query_rstd, query_rstd_);
    EXPECT_EQ(key_rstd, key_rstd_);
  }
}

/** Two sequences, fed in two steps with extra rows behind those of the sequences. */
TEST_P(PrepareHeads, StoresKeysAndValuesForPagedAttention) {
  const std::vector<float> prepared = one_by_one(true);
  const std::vector<int32_t> segments = {0, 18, rows};
  std::vector<float> expected(rows * heads.query * heads.size);
  ops_.attention(expected.data(), nullptr, {prepared.data(), width}, heads, {2, rows, 18, segments.data()});

  const size_t bytes = ops_.page_bytes(heads, KeyValueFormat::plain);
  EXPECT_EQ(bytes, 2u * 2 * 24 * page_positions * sizeof(float));
  std::vector<char> pages(5 * bytes, static_cast<char>(0xff));
  const auto batch = ops_.make_paged_batch(heads, KeyValueFormat::plain, {2, rows, 64});
  const PagedStore store{batch.get(), pages.data()};
  const auto feed = [&](std::vector<int32_t> starts, std::vector<int32_t> first_positions, std::vector<int> from) {
    std::vector<float> qkv, turns;
    for (int row : from) {
      qkv.insert(qkv.end(), &qkv_[row * width], &qkv_[row * width] + width);
      turns.insert(turns.end(), &turns_[row * heads.size], &turns_[row * heads.size] + heads.size);
    }
    const std::vector<int32_t> first_pages = {0, 2, 3}, numbers = {4, 0, 2};
    const int count = static_cast<int>(from.size());
    batch->begin({2, starts.data(), first_positions.data(), first_pages.data(), numbers.data()}, count);
    HeadPreparation<float> own = how(true, nullptr, nullptr);
    own.turns = turns.data();
    ops_.prepare_heads({qkv.data(), width}, own, heads, count, &store);
    std::vector<float> out(count * heads.query * heads.size);
    ops_.paged_attention(out.data(), {qkv.data(), width}, heads, store);
    for (int i = 0; i < starts.back(); ++i) {
      const size_t size = heads.query * heads.size;
      EXPECT_EQ(std::vector<float>(&out[i * size], &out[i * size] + size),
                std::vector<float>(&expected[from[i] * size], &expected[from[i] * size] + size))
          << "row " << from[i];
    }
  };
  std::vector<int> first(17);
  for (int i = 0; i < 15; ++i) first[i] = i;
  first[15] = 18;
  first[16] = 20;  // extra rows
  feed({0, 15, 16}, {0, 0}, first);
  feed({0, 3, 5}, {15, 1}, {15, 16, 17, 19, 20, 0, 0});
}

INSTANTIATE_TEST_SUITE_P(Machine, PrepareHeads, ::testing::ValuesIn(instruction_sets()),
                         [](const auto& info) { return std::string(name_of(info.param)); });

TEST(KeyValueFormats, ACpuDoesNotSupportFp8) {
  Device<float> device;
  try {
    device.ops->page_bytes(heads, KeyValueFormat::fp8);
    FAIL() << "expected a failure";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), Code::invalid_argument);
    EXPECT_STREQ(failure.what(),
                 "expected keys and values as the activations are, which is all that a CPU keeps, but received fp8");
  }
}

}  // namespace
}  // namespace palestra::test
