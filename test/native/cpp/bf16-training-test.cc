// Training in bf16 on an asynchronous stream: rounded copies stay equal to their rounded sources, jobs that would wait
// report it, and the numbers are those of float up to rounding.
#include <cstdio>

#include "files/checkpoint.h"
#include "lazy-rig.h"
#include "model/trainer/optimiser.h"

namespace palestra::test {
namespace {

constexpr AdamW rule = {0.01f, 0.9f, 0.999f, 1e-8f, 0.1f, 0, 1};

class Bf16Training : public ::testing::TestWithParam<TinyModel> {};

TEST_P(Bf16Training, EqualsFloatUpToRounding) {
  const Pack pack = random_pack({9, 2, 11}, GetParam().config.vocab_size, 5);
  Rig<float> exact(GetParam().config);
  LazyRig rig(exact.model);
  EXPECT_LT(relative_error(rig.score(pack), exact.score(pack)), 0.02);
  rig.accumulate(pack);
  const std::vector<float> ones(pack.tokens.size(), 1.0f);
  run(*exact.trainer->accumulate(pack, 1, ones.data(), ones.data(),
                                 GetParam().config.value_head ? ones.data() : nullptr, ignore));
  EXPECT_LT(relative_error(rig.gradients(), exact.gradients()), 0.05);
}

TEST_P(Bf16Training, EachStepRoundsTheWeightsAgain) {
  const Pack pack = random_pack({9, 11}, GetParam().config.vocab_size, 5);
  Rig<float> exact(GetParam().config);
  for (Recompute recompute : {Recompute::none, Recompute::layer}) {
    LazyRig rig(exact.model, {32, recompute, {}});
    expect_rounded(rig, rig.model.arena());
    const std::vector<float> before = rig.score(pack);
    rig.accumulate(pack);
    EXPECT_GT(rig.step(rule), 0);
    expect_rounded(rig, rig.model.arena());
    EXPECT_NE(rig.score(pack), before);
  }
}

TEST_P(Bf16Training, InitialWeightsAreRounded) {
  Rig<float> exact(GetParam().config);
  LazyRig rig(exact.model);
  rig.model.initialise(3);
  expect_rounded(rig, rig.model.arena());
}

INSTANTIATE_TEST_SUITE_P(Models, Bf16Training, ::testing::ValuesIn(tiny_models()),
                         [](const auto& info) { return std::string(info.param.name); });

constexpr LoraConfig lora = {3, 6, 0x7f, 11};

/** A trainer with adapters whose b is not 0. */
struct AdapterRig : LazyRig {
  explicit AdapterRig(Rig<float>& like, uint32_t seed) : LazyRig(like.model, {32, Recompute::none, lora}) {
    const auto noise = random_values<float>(trainer->adapters()->arena_size(), seed, 0.3);
    ops.upload(trainer->adapters()->data(), noise.data(), noise.size() * sizeof(float));
    trainer->refresh();
  }
};

TEST(Bf16Adapters, AreRoundedAgainByEachStep) {
  Rig<float> exact(tiny_models()[5].config);
  LazyRig fresh(exact.model, {32, Recompute::none, lora});
  expect_rounded(fresh, fresh.trainer->adapters()->arena());
  AdapterRig rig(exact, 1);
  expect_rounded(rig, rig.trainer->adapters()->arena());
  const Pack pack = random_pack({9, 11}, 13, 5);
  const std::vector<float> before(rig.trainer->adapters()->data(),
                                  rig.trainer->adapters()->data() + rig.trainer->adapters()->arena_size());
  rig.accumulate(pack);
  rig.step(rule);
  expect_rounded(rig, rig.trainer->adapters()->arena());
  expect_rounded(rig, rig.model.arena());
  EXPECT_GT(relative_error(std::vector<float>(rig.trainer->adapters()->data(),
                                              rig.trainer->adapters()->data() + before.size()),
                           before),
            1e-3);
}

/** A weight with merged adapters gives the same results as both side by side. */
TEST(Bf16Adapters, MergeIntoTheWeights) {
  Rig<float> exact(tiny_models()[0].config);
  AdapterRig rig(exact, 2);
  const Pack pack = random_pack({9, 11}, 13, 5);
  const std::vector<float> apart = rig.score(pack);
  LazyRig merged(exact.model);
  EXPECT_GT(relative_error(merged.score(pack), apart), 0.1) << "the adapters do something";
  for (const Parameter& parameter : rig.model.parameters().all()) {
    Buffer<float> copy(rig.memory, parameter.size(), "a merged weight");
    rig.ops.copy(copy.data(), rig.model.data() + parameter.offset, copy.bytes());
    rig.trainer->adapters()->merge(parameter.name, copy.data());
    std::vector<float> values(copy.size());
    rig.ops.download(values.data(), copy.data(), copy.bytes());
    merged.ops.upload(merged.model.data() + parameter.offset, values.data(), copy.bytes());
  }
  merged.model.refresh();
  EXPECT_LT(relative_error(merged.score(pack), apart), 0.02);
}

/** A tensor so large that a step needs two jobs for it. */
TEST(Bf16Optimiser, RoundsAllBlocksOfATensor) {
  HostMemory memory(size_t{1} << 30);
  ThreadPool pool(1);
  LazyOps ops(memory, pool);
  const size_t n = (size_t{1} << 22) + 777;
  WeightArena<bf16> arena(ops, n, "weights");
  Optimiser<bf16> optimiser(ops, {{"large", arena.master(), arena.rounded_by_step(0), 0, n, true}}, n);
  const auto gradients = random_values<float>(n, 1);
  ops.upload(optimiser.gradients(), gradients.data(), n * sizeof(float));
  ASSERT_EQ(optimiser.update_blocks(), 2);
  for (int block = 0; block < 2; ++block) optimiser.update(block, {0.01f, 0.9f, 0.999f, 1e-8f, 0, 1, 1});
  ops.queue().finish();
  for (size_t i : {size_t{0}, n / 2, n - 778, n - 777, n - 1}) {
    EXPECT_NE(arena.master()[i], 0) << i;
    EXPECT_EQ(arena.rounded()[i].bits, to_bf16(arena.master()[i]).bits) << i;
  }
}

TEST(Bf16Checkpoint, ARunContinuesBitForBit) {
  Rig<float> exact(tiny_models()[5].config);
  AdapterRig first(exact, 3), second(exact, 4);
  const Pack pack = random_pack({9, 11}, 13, 5);
  first.accumulate(pack);
  first.step(rule);
  const std::string path = ::testing::TempDir() + "bf16-checkpoint-" + std::to_string(::getpid());
  CheckpointWriter writer(path, checkpointed(first.model, *first.trainer, lora));
  for (size_t part = 0; part < writer.parts(); ++part) writer.part(part);
  CheckpointReader reader(path, checkpointed(second.model, *second.trainer, lora));
  for (size_t part = 0; part < reader.parts(); ++part) reader.part(part);
  std::remove(path.c_str());
  EXPECT_EQ(second.model.version, 1);
  EXPECT_EQ(second.trainer->steps(), 1);
  expect_rounded(second, second.model.arena());
  expect_rounded(second, second.trainer->adapters()->arena());
  EXPECT_EQ(second.score(pack), first.score(pack));
}

/** Returns the jobs of a work, with a flag for each that was ready before the stream had done the job before it. */
std::string jobs_of(LazyRig& rig, Work& work) {
  std::string jobs;
  for (bool more = true; more;) {
    const bool at_once = work.ready();
    const bool idle = rig.ops.queue().is_done();
    rig.ops.queue().finish();
    EXPECT_TRUE(work.ready()) << "job " << jobs.size();
    jobs += at_once ? idle ? 'd' : 'a' : 'w';
    more = work.advance();
  }
  work.finish(nullptr);
  return jobs;
}

TEST(Bf16Jobs, SayWhenTheyWouldWait) {
  Rig<float> exact(tiny_models()[0].config);
  LazyRig rig(exact.model, {32, Recompute::none, {}, 4 * 13 * sizeof(float)});
  rig.ops.queue().finish();
  Pack pack = random_pack({7}, 13, 5);
  std::fill(pack.mask.begin(), pack.mask.end(), 1);
  const std::vector<float> ones(pack.tokens.size(), 1.0f);
  // Embedding, two layers, two chunks of the head (queued, then awaited), then two layers and the embedding backwards.
  const auto pass = rig.trainer->accumulate(pack, 1, ones.data(), nullptr, nullptr, ignore);
  EXPECT_EQ(jobs_of(rig, *pass), "daaawawaaa");
  double norm = 0;
  const auto step = rig.trainer->step(rule, 0, &norm, ignore);
  EXPECT_EQ(jobs_of(rig, *step), "wd") << "the norm waits for the pass, the update for nothing";
}

}  // namespace
}  // namespace palestra::test
