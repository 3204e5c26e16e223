// Steps of generation, emulated: prepared heads, the store and attention over pages, against attention over whole
// sequences.
#include <gtest/gtest.h>

#include <numeric>

#include "ops/cuda/paged-attention/prepare-heads.h"
#include "paged-rig.h"

namespace palestra::test {
namespace {

/** Sequences fed in chunks and then token by token, through prepare_heads and the store. */
TEST(CudaGeneration, EqualsAttentionOverWholeSequences) {
  const Heads heads{6, 2, 64};
  const std::vector<int> lengths{290, 37, 1};
  std::mt19937 random(5);
  HostStream stream;
  Store<bf16> store(heads, KeyValueFormat::plain, 40);
  cuda::CudaPagedBatch batch(stream, heads, KeyValueFormat::plain, {3, 150, 300}, true);
  std::vector<int32_t> pages(40);
  std::iota(pages.begin(), pages.end(), 0);
  std::shuffle(pages.begin(), pages.end(), random);

  const size_t width = heads.width(), out_width = heads.query * heads.size;
  std::vector<Array<bf16>> tokens;
  std::vector<std::vector<bf16>> outs(lengths.size());
  for (int length : lengths) tokens.push_back(random_array<bf16>(length * width, random));
  std::vector<int> done(lengths.size());
  for (int most : {100, 97, 88, 3, 1, 1}) {
    std::vector<Part> parts;
    std::vector<int> positions, of_part;
    std::vector<bf16> rows;
    for (size_t s = 0; s < lengths.size(); ++s) {
      const int count = std::min(most, lengths[s] - done[s]);
      if (count == 0) continue;
      const auto first_page = pages.begin() + (s == 0 ? 0 : 18 + 3 * s);
      parts.push_back({done[s], count, {first_page, first_page + (done[s] + count + 15) / 16}});
      of_part.push_back(static_cast<int>(s));
      rows.insert(rows.end(), &tokens[s][done[s] * width], &tokens[s][(done[s] + count) * width]);
      for (int i = 0; i < count; ++i) positions.push_back(done[s]++);
    }
    const Step step(parts);
    batch.begin(step.sequences(), step.rows());
    Array<bf16> qkv(rows.size()), out(step.rows() * out_width);
    std::copy(rows.begin(), rows.end(), qkv.data());
    Array<float> turns = turns_of(positions, heads.size);
    cuda::EmulatedLauncher launcher(most % 2 == 0);
    const PagedStore to{&batch, store.data()};
    cuda::prepare_heads<bf16>(launcher, {qkv.data(), heads.width()},
                              {nullptr, nullptr, 1e-5f, turns.data(), nullptr, nullptr}, heads, step.rows(), &to);
    cuda::paged_attention<bf16>(launcher, out.data(), {qkv.data(), heads.width()}, heads, to);
    for (size_t i = 0; i < parts.size(); ++i) {
      outs[of_part[i]].insert(outs[of_part[i]].end(), &out[step.starts[i] * out_width],
                              &out[step.starts[i + 1] * out_width]);
    }
  }

  for (size_t s = 0; s < lengths.size(); ++s) {
    ASSERT_EQ(done[s], lengths[s]);
    // Prepares the whole sequence at once without a store, then stores its keys and values.
    std::vector<int> positions(lengths[s]);
    std::iota(positions.begin(), positions.end(), 0);
    Array<float> turns = turns_of(positions, heads.size);
    cuda::EmulatedLauncher launcher;
    cuda::prepare_heads<bf16>(launcher, {tokens[s].data(), heads.width()},
                              {nullptr, nullptr, 1e-5f, turns.data(), nullptr, nullptr}, heads, lengths[s], nullptr);
    Store<bf16> whole(heads, KeyValueFormat::plain, 19);
    Part part{0, lengths[s], {}};
    for (int position = 0; position < lengths[s]; ++position) {
      if (position % page_positions == 0) part.pages.push_back(position / page_positions);
      for (int i = 0; i < 2 * heads.kv; ++i) {
        const bf16* const from = &tokens[s][position * width + heads.key_column() + i * heads.size];
        whole.put(part.pages.back(), position % page_positions, i % heads.kv, i / heads.kv, {from, from + heads.size});
      }
    }
    const std::vector<double> expected =
        reference_attention<bf16>(heads, whole, Step({part}), {tokens[s].data(), heads.width()});
    ASSERT_EQ(outs[s].size(), expected.size());
    EXPECT_LT(relative_error(outs[s].data(), expected), 5e-3);
  }
}

}  // namespace
}  // namespace palestra::test
