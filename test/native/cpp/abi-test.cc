/** The C ABI from the view of a C caller: statuses, closed handles, many threads at once. */
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "abi-rig.h"

namespace {

using namespace palestra::abi;
using palestra::Code;

/** Counts the outcomes it receives, by code. */
struct Counter {
  std::atomic<int> told{0};
  std::atomic<int> closed{0};
  std::atomic<int> cancelled{0};
  static void done(void* user, int32_t code, const char*) {
    auto& counter = *static_cast<Counter*>(user);
    counter.closed += code == of(Code::closed);
    counter.cancelled += code == of(Code::cancelled);
    ++counter.told;
  }
};

/** Holds the engine's thread in the callback of a call until the gate is opened. */
struct Gate {
  std::promise<void> opening;
  std::promise<void> arrival;
  static void done(void* user, int32_t, const char*) {
    auto& gate = *static_cast<Gate*>(user);
    gate.arrival.set_value();
    gate.opening.get_future().wait();
  }
  void hold(palestra_model* model) {
    EXPECT_EQ(palestra_model_initialise(model, 1, done, this), 0);
    arrival.get_future().wait();
  }
};

void ignore_events(void*, const palestra_event*, int32_t, const palestra_top_token*) {}

TEST(Abi, AClosedHandleIsRecognized) {
  palestra_engine_info info;
  palestra_engine* engine = new_engine();
  EXPECT_EQ(palestra_engine_close(engine), 0);
  EXPECT_EQ(palestra_engine_close(engine), of(Code::closed));
  EXPECT_EQ(palestra_engine_describe(engine, &info), of(Code::closed));
}

TEST(Abi, ParentsMayBeClosedBeforeTheirChildren) {
  palestra_engine* engine = new_engine();
  palestra_model* model = new_model(engine);
  palestra_trainer* trainer = new_trainer(model);
  EXPECT_EQ(palestra_model_close(model), 0);
  EXPECT_EQ(palestra_engine_close(engine), 0);
  const Example example;
  const palestra_pack pack = example.pack();
  float logprob[5];
  EXPECT_EQ(palestra_trainer_score(trainer, &pack, 1, logprob, nullptr, nullptr, nullptr, nullptr), of(Code::closed));
  EXPECT_EQ(palestra_trainer_close(trainer), 0);
}

TEST(Abi, AModelIsNotReadWithoutItsTensors) {
  palestra_engine* engine = new_engine();
  const palestra_model_config config = small_config();
  palestra_model* model = nullptr;
  ASSERT_EQ(palestra_model_create(engine, &config, &model), 0);
  EXPECT_EQ(palestra_model_read(model, nullptr, 0, nullptr, nullptr), of(Code::format));
  EXPECT_EQ(palestra_engine_close(engine), 0);
}

TEST(Abi, ConfigsBeyondTheLimitsOfTheKernelsAreRefused) {
  palestra_engine* engine = new_engine();
  palestra_model* model = nullptr;
  const auto refused = [&](auto change) {
    palestra_model_config config = small_config();
    change(config);
    return palestra_model_create(engine, &config, &model) == of(Code::invalid_argument);
  };
  EXPECT_TRUE(refused([](auto& c) { c.vocab_size = (1 << 24) + 1; }));
  EXPECT_TRUE(refused([](auto& c) { c.num_hidden_layers = (1 << 10) + 1; }));
  for (const int32_t size : {4, 7, 12, 264}) EXPECT_TRUE(refused([&](auto& c) { c.head_dim = size; })) << size;
  EXPECT_TRUE(refused([](auto& c) { c.num_key_value_heads = 3; }));
  EXPECT_TRUE(refused([](auto& c) {
    c.rope_scaling = 2;
    c.rope_low_freq_factor = c.rope_high_freq_factor = 4;
    c.rope_original_max_position_embeddings = 64;
  }));
  EXPECT_TRUE(refused([](auto& c) { c.rms_norm_eps = 1; }));
  EXPECT_EQ(palestra_engine_close(engine), 0);
}

TEST(Abi, EachCallEndsOnceWhenItsHandlesAreClosed) {
  const Example example;
  const palestra_pack pack = example.pack();
  std::vector<float> logprob(100 * 5);
  for (const bool close_trainer : {false, true}) {
    palestra_engine* engine = new_engine();
    palestra_model* model = new_model(engine);
    palestra_trainer* trainer = new_trainer(model);
    Counter counter;
    Gate gate;
    gate.hold(model);
    for (int i = 0; i < 100; ++i) {
      float* const out = &logprob[5 * i];
      ASSERT_EQ(palestra_trainer_score(trainer, &pack, 1, out, nullptr, nullptr, Counter::done, &counter), 0);
    }
    if (close_trainer) {
      EXPECT_EQ(palestra_trainer_close(trainer), 0);
    }
    std::thread closing([&] { EXPECT_EQ(palestra_engine_close(engine), 0); });
    gate.opening.set_value();
    closing.join();
    EXPECT_EQ(counter.told, 100);
    if (close_trainer) {
      EXPECT_EQ(counter.closed, 100);
    }
  }
}

TEST(Abi, CancelEndsTheWorkQueuedWithThatUser) {
  palestra_engine* engine = new_engine();
  palestra_model* model = new_model(engine);
  palestra_trainer* trainer = new_trainer(model);
  Counter first, second;
  Gate gate;
  gate.hold(model);
  const Example example;
  const palestra_pack pack = example.pack();
  float logprob[5];
  for (int i = 0; i < 50; ++i) {
    for (Counter* counter : {&first, &second}) {
      ASSERT_EQ(palestra_trainer_score(trainer, &pack, 1, logprob, nullptr, nullptr, Counter::done, counter), 0);
    }
  }
  EXPECT_EQ(palestra_cancel(engine, &first), 0);
  gate.opening.set_value();
  EXPECT_EQ(palestra_trainer_score(trainer, &pack, 1, logprob, nullptr, nullptr, nullptr, nullptr), 0);
  EXPECT_EQ(first.told, 50);
  EXPECT_EQ(first.cancelled, 50);
  EXPECT_EQ(second.told, 50);
  EXPECT_EQ(second.cancelled, 0);
  EXPECT_EQ(palestra_engine_close(engine), 0);
}

TEST(Abi, CallsOnAGeneratorThatAnotherThreadClosesGetAnOutcome) {
  palestra_engine* engine = new_engine();
  palestra_model* model = new_model(engine);
  palestra_generator_options options{};
  options.max_sequences = options.max_rows = 4;
  options.kv_bytes = 1 << 20;
  Counter pauses;
  int accepted = 0;
  for (int i = 0; i < 200; ++i) {
    palestra_generator* generator = nullptr;
    ASSERT_EQ(palestra_generator_create(model, nullptr, &options, ignore_events, nullptr, &generator), 0);
    std::promise<void> asking;
    std::thread asks([&] {
      int asked = 0;
      while (palestra_generator_pause(generator, Counter::done, &pauses) == 0) {
        if (++asked == 3) asking.set_value();
      }
      accepted += asked;
    });
    asking.get_future().wait();
    EXPECT_EQ(palestra_generator_close(generator), 0);
    asks.join();
  }
  EXPECT_EQ(palestra_engine_close(engine), 0);
  EXPECT_EQ(pauses.told, accepted);
}

TEST(Abi, AnOverflowingNumberOfPagesIsOutOfMemory) {
  palestra_engine* engine = new_engine();
  palestra_model_config config = small_config();
  config.num_hidden_layers = config.num_attention_heads = config.num_key_value_heads = 1;
  config.max_position_embeddings = 1 << 24;
  palestra_model* model = nullptr;
  ASSERT_EQ(palestra_model_create(engine, &config, &model), 0);
  ASSERT_EQ(palestra_model_initialise(model, 1, nullptr, nullptr), 0);
  palestra_generator_options options{};
  options.max_sequences = options.max_rows = 1 << 16;
  // Numbers of 1 KiB pages that overflow an int to a negative or a small number.
  for (const uint64_t pages : {uint64_t{3} << 30, (uint64_t{1} << 32) + 5}) {
    options.kv_bytes = pages << 10;
    palestra_generator* generator = nullptr;
    EXPECT_EQ(palestra_generator_create(model, nullptr, &options, ignore_events, nullptr, &generator),
              of(Code::out_of_memory))
        << palestra_last_error();
  }
  EXPECT_EQ(palestra_engine_close(engine), 0);
}

TEST(Abi, ThreadsTrainAndGenerateOnOneEngineAtOnce) {
  palestra_engine* engine = new_engine();
  palestra_model* model = new_model(engine);
  palestra_trainer* trainer = new_trainer(model);
  palestra_generator_options options{};
  options.max_sequences = 4;
  options.max_rows = 8;
  options.kv_bytes = 1 << 20;
  palestra_generator* generator = nullptr;
  ASSERT_EQ(palestra_generator_create(model, nullptr, &options, ignore_events, nullptr, &generator), 0);
  const Example example;

  const auto train = [&] {
    const palestra_pack pack = example.pack();
    const std::vector<float> weight(5, 1);
    palestra_loss loss{};
    loss.temperature = 1;
    palestra_loss_inputs inputs{};
    inputs.weight = weight.data();
    palestra_loss_statistics statistics;
    const palestra_adamw rule{1e-3f, 0.9f, 0.999f, 1e-8f, 0, 0};
    double norm;
    for (int i = 0; i < 20; ++i) {
      EXPECT_EQ(palestra_trainer_accumulate(trainer, &pack, &loss, &inputs, &statistics, nullptr, nullptr), 0);
      EXPECT_EQ(palestra_trainer_step(trainer, &rule, &norm, nullptr, nullptr), 0);
      EXPECT_EQ(palestra_generator_update(generator, i % 2, nullptr, nullptr), 0);
    }
  };
  const auto generate = [&] {
    palestra_request request{};
    request.tokens = example.tokens.data();
    request.token_count = 5;
    request.max_new_tokens = 8;
    request.temperature = request.top_p = 1;
    for (int i = 0; i < 50; ++i) {
      uint64_t names[3];
      EXPECT_EQ(palestra_generator_submit(generator, &request, 3, names), 0) << palestra_last_error();
      EXPECT_EQ(palestra_generator_abort(generator, names[1]), 0);
      if (i % 10 == 0) {
        EXPECT_EQ(palestra_generator_pause(generator, nullptr, nullptr), 0);
        EXPECT_EQ(palestra_generator_resume(generator), 0);
      }
      for (const uint64_t name : names) EXPECT_EQ(palestra_generator_release(generator, name), 0);
    }
  };
  const auto look = [&] {
    palestra_engine_info info;
    palestra_generator_statistics statistics;
    int64_t version;
    for (int i = 0; i < 200; ++i) {
      EXPECT_EQ(palestra_engine_describe(engine, &info), 0);
      EXPECT_EQ(palestra_generator_describe(generator, &statistics), 0);
      EXPECT_EQ(palestra_model_version(model, &version), 0);
    }
  };
  std::vector<std::thread> threads;
  threads.emplace_back(train);
  threads.emplace_back(generate);
  threads.emplace_back(generate);
  threads.emplace_back(look);
  for (auto& thread : threads) thread.join();
  int64_t version;
  EXPECT_EQ(palestra_model_version(model, &version), 0);
  EXPECT_EQ(version, 20);
  EXPECT_EQ(palestra_generator_pause(generator, nullptr, nullptr), 0);
  EXPECT_EQ(palestra_generator_close(generator), 0);
  EXPECT_EQ(palestra_engine_close(engine), 0);
}

}  // namespace
