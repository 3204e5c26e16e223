// Ten thousand operations in random order on few pages: nothing leaks, every token has the version of its time, and
// each sequence samples the same tokens as it does alone.
#include "generator-rig.h"

namespace palestra {
namespace {

using namespace test;

/** Tokens sampled one after the other with the same weights, and the tokens before them. */
struct Streak {
  Request request;
  std::vector<int32_t> tokens;
  std::vector<float> logprobs, model_logprobs;
};

/** The given and the sampled tokens of one sequence, in order. */
struct Record {
  std::vector<int32_t> tokens;
  Request request;
  int left = 0;
  bool under_way = true;
  int64_t version = -1;  // of the last run; -1: nothing to continue
};

class Storm {
 public:
  Storm()
      : generator(*tiny.device.ops, tiny.model, nullptr, tiny_options(6, 17, 15),
                  [this](const std::vector<Event>& events) {
                    for (const Event& event : events) hear(event);
                  }) {}

  void play(int operations) {
    for (int i = 0; i < operations; ++i) play_one();
    generator.resume();
    while (generator.step()) {
    }
    for (const auto& [id, record] : records) {
      EXPECT_FALSE(record.under_way) << "sequence " << id << " never ended";
    }
  }

  SmallModel tiny;
  std::mt19937 random{2026};
  std::map<uint64_t, Record> records;
  std::map<int64_t, std::vector<Streak>> runs;  // by version
  int64_t version = 1, told = 0, aborted = 0, ended_by_context = 0;
  bool paused = false;
  uint64_t next_id = 0;
  Generator<float> generator;

 private:
  void play_one() {
    const unsigned dice = random() % 100;
    if (dice < 62) {
      const int64_t before = told;
      const bool more = generator.step();
      EXPECT_TRUE(!paused || (!more && told == before)) << "a paused generator went on";
    } else if (dice < 71) {
      if (records.size() < 24) submit();
    } else if (dice < 87) {
      extend();
    } else if (dice < 90) {
      abort();
    } else if (dice < 94) {
      release();
    } else if (dice < 98) {
      paused ? generator.resume() : generator.pause();
      paused = !paused;
    } else {
      update();
    }
  }

  Request any_request(int tokens) {
    Request request = request_of(random_tokens(random, tokens), 1 + static_cast<int>(random() % 70), random() % 1000);
    request.seed = random();
    const float temperatures[] = {0, 0.6f, 1, 1, 1.3f};
    request.sampling.temperature = temperatures[random() % 5];
    if (random() % 4 == 0) request.sampling.top_k = 1 + static_cast<int>(random() % 20);
    if (random() % 4 == 0) request.sampling.top_p = 0.5f + 0.05f * (random() % 10);
    if (random() % 6 == 0) request.sampling.min_p = 0.1f;
    return request;
  }
  void submit() {
    const Request request = any_request(1 + static_cast<int>(random() % 50));
    const int count = 1 + static_cast<int>(random() % 4);
    for (int i = 0; i < count; ++i) {
      Record& record = records[next_id + i];
      record.tokens = request.tokens;
      record.request = request;
      record.request.stream += i;
      record.left = request.max_new_tokens;
    }
    generator.submit(next_id, request, count);
    next_id += count;
  }
  Record* any(bool under_way, uint64_t* id) {
    if (records.empty()) return nullptr;
    auto entry = records.begin();
    std::advance(entry, random() % records.size());
    *id = entry->first;
    return entry->second.under_way == under_way ? &entry->second : nullptr;
  }
  void extend() {
    uint64_t id;
    Record* record = any(false, &id);
    if (!record) return;
    const Request request = any_request(static_cast<int>(random() % 20));
    const bool fits = record->tokens.size() + request.tokens.size() < 160;
    if (fits) record->tokens.insert(record->tokens.end(), request.tokens.begin(), request.tokens.end());
    record->request = request;
    record->left = request.max_new_tokens;
    record->under_way = true;
    record->version = -1;
    generator.extend(id, request);
    EXPECT_EQ(record->under_way, fits);
  }
  void abort() {
    uint64_t id;
    Record* record = any(true, &id);
    if (!record) return;
    generator.abort(id);
    EXPECT_FALSE(record->under_way);
    ++aborted;
  }
  void release() {
    uint64_t id;
    if (!any(random() % 4 == 0, &id)) return;
    generator.release(id);
    records.erase(id);
  }
  void update() {
    if (random() % 3 == 0) return generator.update(OnUpdate::keep);  // the same weights: no token may change
    tiny.change(static_cast<uint64_t>(++version));
    generator.update(OnUpdate::recompute);
  }

  void hear(const Event& event) {
    ++told;
    ASSERT_TRUE(records.count(event.sequence)) << "an event of a sequence that was released";
    Record& record = records[event.sequence];
    ASSERT_TRUE(record.under_way) << "an event after the end";
    EXPECT_EQ(event.version, version);
    if (event.token >= 0) {
      if (record.version != version) {
        record.version = version;
        runs[version].push_back({record.request, {}, {}, {}});
        last_run[event.sequence] = runs[version].size() - 1;
        runs[version].back().request.tokens = record.tokens;
      }
      Streak& run = runs[version][last_run[event.sequence]];
      run.tokens.push_back(event.token);
      run.logprobs.push_back(event.logprob);
      run.model_logprobs.push_back(event.model_logprob);
      record.tokens.push_back(event.token);
      --record.left;
    }
    record.under_way = event.finish == Finish::none;
    EXPECT_EQ(event.finish == Finish::length, record.left == 0 && event.token >= 0);
    if (event.finish == Finish::context) {
      ++ended_by_context;
      EXPECT_TRUE(event.token < 0 || record.tokens.size() == 160);
    }
  }

  std::map<uint64_t, size_t> last_run;
};

TEST(Generator, TenThousandRandomOperationsLeakNothing) {
  Storm storm;
  storm.play(10000);
  const auto statistics = storm.generator.statistics();
  // The storm has reached the intended situations.
  EXPECT_GT(statistics.preemptions, 20);
  EXPECT_GT(statistics.shared_tokens, 1000);
  EXPECT_GT(statistics.decoded_tokens, 5000);
  EXPECT_GT(storm.version, 50);
  EXPECT_GT(storm.aborted, 50);
  EXPECT_GT(storm.ended_by_context, 5);

  for (const auto& entry : storm.records) storm.generator.release(entry.first);
  const auto after = storm.generator.statistics();
  EXPECT_EQ(after.free_pages, after.pages);
  EXPECT_EQ(after.running + after.waiting + after.kept, 0);

  int64_t compared = 0;
  SmallModel tiny;
  for (auto& [version, runs] : storm.runs) {
    tiny.change(static_cast<uint64_t>(version));
    Player player(tiny, tiny_options(1, 200));
    uint64_t id = 0;
    for (Streak& run : runs) {
      run.request.max_new_tokens = static_cast<int>(run.tokens.size());
      player.generator.submit(++id, run.request, 1);
      player.run();
      ASSERT_EQ(player[id].tokens, run.tokens) << "version " << version;
      ASSERT_EQ(player[id].logprobs, run.logprobs);
      ASSERT_EQ(player[id].model_logprobs, run.model_logprobs);
      compared += static_cast<int64_t>(run.tokens.size());
      player.generator.release(id);
    }
  }
  EXPECT_EQ(compared, statistics.decoded_tokens);
}

}  // namespace
}  // namespace palestra
