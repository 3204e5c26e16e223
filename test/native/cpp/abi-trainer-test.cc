/** Gradients and timing through the C ABI. */
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "abi-rig.h"

namespace {

using namespace palestra::abi;
using palestra::Code;

std::vector<palestra_parameter> parameters_of(palestra_model* model) {
  int32_t count = 0;
  EXPECT_EQ(palestra_model_parameter_count(model, &count), 0);
  std::vector<palestra_parameter> all(count);
  for (int32_t i = 0; i < count; ++i) EXPECT_EQ(palestra_model_parameter(model, i, &all[i]), 0);
  return all;
}

std::vector<float> gradient_of(palestra_trainer* trainer, const palestra_parameter& parameter) {
  std::vector<float> values(static_cast<size_t>(parameter.rows) * parameter.columns, NAN);
  EXPECT_EQ(palestra_trainer_gradient(trainer, parameter.name, values.data(), values.size(), nullptr, nullptr), 0)
      << palestra_last_error();
  return values;
}

void accumulate(palestra_trainer* trainer) {
  const Example example;
  const palestra_pack pack = example.pack();
  const std::vector<float> of_logprob{0, 0.5f, -1, 2, 0.25f};
  EXPECT_EQ(palestra_trainer_accumulate_gradients(trainer, &pack, 1, of_logprob.data(), nullptr, nullptr, nullptr,
                                                  nullptr),
            0);
}

TEST(AbiGradient, TheNormOfAllGradientsIsTheStepsNorm) {
  palestra_engine* engine = new_engine();
  palestra_model* model = new_model(engine);
  palestra_trainer* trainer = new_trainer(model);
  accumulate(trainer);
  double squares = 0;
  for (const palestra_parameter& parameter : parameters_of(model)) {
    double own = 0;
    for (const float value : gradient_of(trainer, parameter)) own += double{value} * value;
    EXPECT_GT(own, 0) << parameter.name;
    squares += own;
  }
  const palestra_adamw rule{1e-3f, 0.9f, 0.999f, 1e-8f, 0, 0};
  double norm = 0;
  EXPECT_EQ(palestra_trainer_step(trainer, &rule, &norm, nullptr, nullptr), 0);
  EXPECT_NEAR(norm, std::sqrt(squares), 1e-6 * norm);
  EXPECT_EQ(palestra_engine_close(engine), 0);
}

TEST(AbiGradient, AccumulatesUntilItIsDropped) {
  palestra_engine* engine = new_engine();
  palestra_model* model = new_model(engine);
  palestra_trainer* trainer = new_trainer(model);
  const palestra_parameter norm = parameters_of(model).back();
  accumulate(trainer);
  const std::vector<float> once = gradient_of(trainer, norm);
  accumulate(trainer);
  const std::vector<float> twice = gradient_of(trainer, norm);
  for (size_t i = 0; i < once.size(); ++i) EXPECT_NEAR(twice[i], 2 * once[i], 1e-5 * (1 + std::abs(once[i])));
  EXPECT_EQ(palestra_trainer_zero_gradients(trainer, nullptr, nullptr), 0);
  for (const float value : gradient_of(trainer, norm)) EXPECT_EQ(value, 0);
  EXPECT_EQ(palestra_engine_close(engine), 0);
}

TEST(AbiGradient, UntrainedTensorsAndWrongSizesAreRefused) {
  palestra_engine* engine = new_engine();
  palestra_model* model = new_model(engine);
  palestra_trainer_options options{};
  options.max_tokens = 16;
  options.lora_rank = 2;
  options.lora_alpha = 4;
  options.lora_targets = 1;
  palestra_trainer* trainer = nullptr;
  ASSERT_EQ(palestra_trainer_create(model, &options, &trainer), 0) << palestra_last_error();
  const std::string projection = "model.layers.0.self_attn.q_proj";
  const std::string adapter = "base_model.model." + projection + ".lora_A.weight";
  std::vector<float> values(2 * 32);
  const auto ask = [&](const std::string& name, uint64_t count) {
    return palestra_trainer_gradient(trainer, name.c_str(), values.data(), count, nullptr, nullptr);
  };
  EXPECT_EQ(ask(adapter, values.size()), 0) << palestra_last_error();
  EXPECT_EQ(ask(adapter, values.size() - 1), of(Code::invalid_argument));
  EXPECT_NE(std::string(palestra_last_error()).find("room for the 64 gradients"), std::string::npos);
  EXPECT_EQ(ask(projection + ".weight", 32 * 32), of(Code::invalid_argument));
  EXPECT_EQ(palestra_engine_close(engine), 0);
}

palestra_timing timing_of(int32_t op) {
  palestra_timing timing{};
  timing.op = op;
  timing.rows = 9;
  timing.out = 24;
  timing.in = 16;
  timing.query_heads = 4;
  timing.kv_heads = 2;
  timing.head_size = 8;
  timing.length = 37;
  timing.shared = 20;
  timing.group = 3;
  timing.sets = timing.rounds = 2;
  timing.calls = 3;
  return timing;
}

TEST(AbiTime, EveryOpTakesTimeAndFreesItsOperands) {
  palestra_engine* engine = new_engine();
  uint64_t used = 0;
  for (const bool again : {false, true}) {
    for (int32_t op = 0; op <= 8; ++op) {
      const palestra_timing timing = timing_of(op);
      double seconds = NAN;
      EXPECT_EQ(palestra_engine_time(engine, &timing, &seconds), 0) << op << ": " << palestra_last_error();
      EXPECT_GT(seconds, 0) << op;
      EXPECT_LT(seconds, 1) << op;
    }
    palestra_engine_info info;
    EXPECT_EQ(palestra_engine_describe(engine, &info), 0);
    if (again) {
      EXPECT_EQ(info.memory_used, used);  // Workspaces stay allocated, but do not grow.
    }
    used = info.memory_used;
  }
  EXPECT_EQ(palestra_engine_close(engine), 0);
}

TEST(AbiTime, UnsupportedShapesAreRefused) {
  palestra_engine* engine = new_engine();
  const auto refused = [&](int32_t op, int32_t palestra_timing::*field, int32_t value) {
    palestra_timing timing = timing_of(op);
    timing.*field = value;
    double seconds;
    return palestra_engine_time(engine, &timing, &seconds) == of(Code::invalid_argument);
  };
  EXPECT_TRUE(refused(0, &palestra_timing::op, 9));
  EXPECT_TRUE(refused(0, &palestra_timing::rows, 0));
  EXPECT_TRUE(refused(0, &palestra_timing::packed, 3));
  EXPECT_TRUE(refused(1, &palestra_timing::packed, 1));
  EXPECT_TRUE(refused(3, &palestra_timing::kv_heads, 3));
  EXPECT_TRUE(refused(3, &palestra_timing::head_size, 12));
  EXPECT_TRUE(refused(6, &palestra_timing::shared, 37));
  EXPECT_TRUE(refused(6, &palestra_timing::group, 0));
  EXPECT_TRUE(refused(7, &palestra_timing::calls, 0));
  EXPECT_FALSE(refused(7, &palestra_timing::out, 0));
  EXPECT_EQ(palestra_engine_close(engine), 0);
}

}  // namespace
