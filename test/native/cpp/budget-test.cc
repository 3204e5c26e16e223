// Memory that runs out at any place: budgets from almost nothing to enough, through the C ABI. Each call succeeds or
// fails with OUT_OF_MEMORY and its amounts, leaks nothing, and leaves the engine usable.
#include <gtest/gtest.h>

#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/failure.h"
#include "engine.h"

namespace {

using palestra::Code;

constexpr int32_t out_of_memory = static_cast<int32_t>(Code::out_of_memory);
/** The step of the sequence failed; see engine.h. */
constexpr int32_t finish_error = 7;

/** The end of a sequence, for a thread that waits for it. */
class End {
 public:
  static void hear(void* end, const palestra_event* events, int32_t count, const palestra_top_token*) {
    auto& self = *static_cast<End*>(end);
    std::lock_guard<std::mutex> lock(self.mutex_);
    for (int32_t i = 0; i < count; ++i) self.finish_ = events[i].finish ? events[i].finish : self.finish_;
    self.ended_.notify_all();
  }
  int32_t wait() {
    std::unique_lock<std::mutex> lock(mutex_);
    ended_.wait(lock, [this] { return finish_ != 0; });
    return std::exchange(finish_, 0);
  }

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  int32_t finish_ = 0;
};

/** All calls of an engine, under one budget. */
class Scenario {
 public:
  explicit Scenario(uint64_t budget) {
    palestra_engine_options options{};
    options.threads = 2;
    options.memory_bytes = budget;
    options.train_share = options.generate_share = 1;
    EXPECT_EQ(palestra_engine_create(&options, &engine_), 0) << palestra_last_error();
  }
  ~Scenario() {
    EXPECT_EQ(palestra_engine_close(engine_), 0);
    std::remove(path_.c_str());
  }

  /** @returns the number of calls that failed for lack of memory */
  int play() {
    play_once();
    failed_ = 0;
    play_once();
    return failed_;
  }
  /**
   * Returns the memory in use, once it is at most the expected amount. A generator's last turn may briefly outlive its
   * closing.
   */
  uint64_t memory_left_behind(uint64_t expected) const {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (info().memory_used > expected && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    return info().memory_used;
  }
  palestra_engine_info info() const {
    palestra_engine_info info;
    EXPECT_EQ(palestra_engine_describe(engine_, &info), 0);
    return info;
  }

 private:
  /** Whether a call succeeded. A failed call must report the requested and the free amount. */
  bool done(int32_t status) {
    if (status == 0) return true;
    const std::string message = palestra_last_error();
    EXPECT_EQ(status, out_of_memory) << message;
    EXPECT_NE(message.find("which are free of a budget of"), std::string::npos) << message;
    EXPECT_NE(message.find("but received a request for"), std::string::npos) << message;
    ++failed_;
    return false;
  }

  void play_once() {
    palestra_model_config config{};
    config.vocab_size = 613;
    config.hidden_size = 40;
    config.intermediate_size = 56;
    config.num_hidden_layers = 2;
    config.num_attention_heads = 4;
    config.num_key_value_heads = 2;
    config.head_dim = 8;
    config.max_position_embeddings = 256;
    config.rms_norm_eps = 1e-5f;
    config.rope_theta = 1e4f;
    palestra_model* model = nullptr;
    if (!done(palestra_model_create(engine_, &config, &model))) return;
    if (done(palestra_model_initialise(model, 1, nullptr, nullptr))) {
      for (const int32_t rank : {0, 4}) train(model, rank);
    }
    EXPECT_EQ(palestra_model_close(model), 0);
  }

  void train(palestra_model* model, int32_t rank) {
    palestra_trainer_options options{};
    options.max_tokens = 96;
    options.recompute = rank > 0;
    options.lora_rank = rank;
    options.lora_alpha = 8;
    options.lora_targets = rank > 0 ? 0x7f : 0;
    palestra_trainer* trainer = nullptr;
    if (done(palestra_trainer_create(model, &options, &trainer))) {
      step(trainer);
      if (done(palestra_trainer_save(trainer, path_.c_str(), nullptr, nullptr)))
        done(palestra_trainer_load(trainer, path_.c_str(), nullptr, nullptr));
      const char* const name = "model.layers.1.mlp.down_proj.weight";
      done(palestra_model_write(model, trainer, path_.c_str(), nullptr, 0, &name, 1, 0, nullptr, nullptr));
    }
    generate(model, trainer);
    if (trainer) EXPECT_EQ(palestra_trainer_close(trainer), 0);
  }

  void step(palestra_trainer* trainer) {
    std::vector<int32_t> tokens(96);
    for (int32_t i = 0; i < 96; ++i) tokens[i] = i * 5;
    const std::vector<int32_t> starts{0, 90, 96};
    const std::vector<uint8_t> mask(96, 1);
    const palestra_pack pack{tokens.data(), 96, starts.data(), 2, mask.data(), nullptr};
    palestra_loss loss{};
    loss.temperature = 1;
    const std::vector<float> weight(96, 1);
    palestra_loss_inputs inputs{};
    inputs.weight = weight.data();
    palestra_loss_statistics statistics;
    done(palestra_trainer_accumulate(trainer, &pack, &loss, &inputs, &statistics, nullptr, nullptr));
    const palestra_adamw rule{1e-3f, 0.9f, 0.999f, 1e-8f, 0, 0};
    double norm;
    done(palestra_trainer_step(trainer, &rule, &norm, nullptr, nullptr));
  }

  void generate(palestra_model* model, palestra_trainer* adapters) {
    palestra_generator_options options{};
    options.max_sequences = 2;
    options.max_rows = 64;
    options.kv_bytes = 1 << 16;
    End end;
    palestra_generator* generator = nullptr;
    if (!done(palestra_generator_create(model, adapters, &options, End::hear, &end, &generator))) return;
    std::vector<int32_t> tokens(200, 7);
    // The long one may fail for lack of scratch memory; the short one after it has a better chance.
    for (const int32_t count : {200, 1}) {
      palestra_request request{};
      request.tokens = tokens.data();
      request.token_count = count;
      request.max_new_tokens = 2;
      request.temperature = request.top_p = 1;
      uint64_t name;
      EXPECT_EQ(palestra_generator_submit(generator, &request, 1, &name), 0) << palestra_last_error();
      const int32_t finish = end.wait();
      EXPECT_NE(finish, 6);
      if (finish != finish_error) continue;
      int32_t code = 0;
      EXPECT_EQ(palestra_generator_failure(generator, &code), 0);
      EXPECT_FALSE(done(code));
    }
    EXPECT_EQ(palestra_generator_close(generator), 0);
  }

  palestra_engine* engine_ = nullptr;
  const std::string path_ = testing::TempDir() + "palestra-budget-" + std::to_string(getpid());
  int failed_ = 0;
};

TEST(Budget, CallsWithoutMemoryReportItAndLeakNothing) {
  Scenario plenty(size_t{1} << 30);
  ASSERT_EQ(plenty.play(), 0);
  const uint64_t enough = plenty.info().memory_highest;
  // Only scratch memory, which the device keeps. A smaller budget cannot leave more of it.
  const uint64_t scratch = plenty.memory_left_behind(enough / 2);
  Scenario just_enough(enough);
  EXPECT_EQ(just_enough.play(), 0);

  constexpr int budgets = 40;
  int calls_failed = 0;
  for (int i = 1; i < budgets; ++i) {
    Scenario scenario(enough * static_cast<uint64_t>(i) / budgets);
    const int failed = scenario.play();
    EXPECT_GT(failed, 0) << "a budget of " << i << " parts of " << budgets;
    EXPECT_LE(scenario.memory_left_behind(scratch), scratch) << "a budget of " << i << " parts of " << budgets;
    calls_failed += failed;
  }
  EXPECT_GT(calls_failed, budgets);
}

}  // namespace
