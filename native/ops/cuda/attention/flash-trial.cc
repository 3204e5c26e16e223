#include "flash-trial.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "../../../core/memory.h"
#include "../../../core/philox.h"

namespace palestra::cuda {
namespace {

constexpr const char* purpose = "trial of attention by wgmma";
/** Two kernels that round to bf16 at different places differ by half of that. */
constexpr double tolerance = 1e-2;

struct Problem {
  int query_heads, kv_heads;
  std::vector<int32_t> starts;
};
/** With few kv heads, blocks share the query heads of a kv head. With eight, one block has them all. */
const Problem problems[] = {{3, 1, {0, 1, 64, 264, 329, 629}}, {16, 8, {0, 130, 133, 333}}};

struct Results {
  std::vector<bf16> out, dqkv;
  std::vector<float> log_sum;
};

template <class T>
bool have_same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/** One problem on the device. */
class Bench {
 public:
  Bench(const Problem& problem, int size, Stream& stream)
      : heads_{problem.query_heads, problem.kv_heads, size}, rows_(problem.starts.back()), stream_(stream),
        starts_(stream.memory(), problem.starts.size(), purpose),
        qkv_(stream.memory(), size_t(rows_) * heads_.width(), purpose),
        dout_(stream.memory(), size_t(rows_) * heads_.query * size, purpose),
        out_(stream.memory(), dout_.size(), purpose), dqkv_(stream.memory(), qkv_.size(), purpose),
        log_sum_(stream.memory(), size_t(rows_) * heads_.query, purpose), trouble_(stream.memory(), 1, purpose) {
    stream.upload(starts_.data(), problem.starts.data(), starts_.bytes());
    fill(qkv_, 1);
    fill(dout_, 2);
    int longest = 0;
    for (size_t s = 1; s < problem.starts.size(); ++s) {
      longest = std::max(longest, problem.starts[s] - problem.starts[s - 1]);
    }
    run_ = {qkv_.data(), dout_.data(), out_.data(), log_sum_.data(), dqkv_.data(), heads_,
            {static_cast<int>(problem.starts.size()) - 1, rows_, longest, starts_.data()}, trouble_.data()};
  }

  /** Returns the results of `work`, whose destinations start as NaN. Sets `hangs` if a kernel waited for ever. */
  Results results_of(const std::function<void(const FlashTrialRun&)>& work, bool& hangs) {
    Results results = {std::vector<bf16>(out_.size(), to_bf16(NAN)), std::vector<bf16>(dqkv_.size(), to_bf16(NAN)),
                       std::vector<float>(log_sum_.size(), NAN)};
    int trouble = 0;
    stream_.upload(out_.data(), results.out.data(), out_.bytes());
    stream_.upload(dqkv_.data(), results.dqkv.data(), dqkv_.bytes());
    stream_.upload(log_sum_.data(), results.log_sum.data(), log_sum_.bytes());
    stream_.upload(trouble_.data(), &trouble, sizeof trouble);
    work(run_);
    stream_.download(results.out.data(), out_.data(), out_.bytes());
    stream_.download(results.dqkv.data(), dqkv_.data(), dqkv_.bytes());
    stream_.download(results.log_sum.data(), log_sum_.data(), log_sum_.bytes());
    stream_.download(&trouble, trouble_.data(), sizeof trouble);
    hangs = trouble != 0;
    return results;
  }

  /** Returns ||a - b|| / ||b|| of columns, or NaN when a has a value that is not a number. */
  template <class T>
  double relative_error(const std::vector<T>& a, const std::vector<T>& b, int64_t begin, int64_t end) const {
    const size_t stride = b.size() / rows_;
    double difference = 0, norm = 0;
    for (size_t row = 0; row < b.size(); row += stride) {
      for (size_t i = row + begin; i < row + end; ++i) {
        const double expected = as_double(b[i]), error = as_double(a[i]) - expected;
        difference += error * error;
        norm += expected * expected;
      }
    }
    return std::sqrt(difference / norm);
  }

  const Heads& heads() const { return heads_; }

 private:
  static double as_double(float value) { return value; }
  static double as_double(bf16 value) { return to_float(value); }

  void fill(const Buffer<bf16>& to, uint32_t seed) {
    std::vector<bf16> values(to.size());
    for (size_t i = 0; i < values.size(); ++i) {
      values[i] = to_bf16(4 * uniform(philox({static_cast<uint32_t>(i), 0, 0, 0}, {seed, 0})[0]) - 2);
    }
    stream_.upload(to.data(), values.data(), to.bytes());
  }

  const Heads heads_;
  const int rows_;
  Stream& stream_;
  Buffer<int32_t> starts_;
  Buffer<bf16> qkv_, dout_, out_, dqkv_;
  Buffer<float> log_sum_;
  Buffer<int> trouble_;
  FlashTrialRun run_;
};

/** A verdict on one kernel. Adds to `what` why it is wrong. */
class Verdict {
 public:
  Verdict(std::string kernel, bool& right, std::string& what)
      : kernel_(std::move(kernel)), right_(right), what_(what) {}

  void expect(bool is_so, const std::string& trouble) {
    if (is_so || !right_) return;
    right_ = false;
    what_ += (what_.empty() ? "" : ", ") + kernel_ + " " + trouble;
  }
  void expect_near(double error, const char* result) {
    expect(error < tolerance, "is off by " + std::to_string(error) + " in " + result);
  }

 private:
  const std::string kernel_;
  bool& right_;
  std::string& what_;
};

}  // namespace

FlashTrial try_flash_hopper(int head_size, Stream& stream,
                            const std::function<void(const FlashTrialRun&, const FlashHopperUse&)>& run) {
  FlashTrial trial = {{true, true, true}, ""};
  const std::string size = std::to_string(head_size);
  Verdict forward("flash_hopper_forward_" + size, trial.right.forward, trial.what);
  Verdict queries("flash_hopper_query_gradient_" + size, trial.right.query_gradient, trial.what);
  Verdict keys("flash_hopper_key_gradient_" + size, trial.right.key_gradient, trial.what);
  for (const Problem& problem : problems) {
    Bench bench(problem, head_size, stream);
    const int64_t key = bench.heads().key_column(), value = bench.heads().value_column(), end = bench.heads().width();
    bool hangs = false;
    const Results expected = bench.results_of([&](const FlashTrialRun& given) { run(given, {}); }, hangs);
    const auto try_kernel = [&](Verdict& verdict, const FlashHopperUse& use, const auto& judge) {
      const auto work = [&](const FlashTrialRun& given) { run(given, use); };
      const Results got = bench.results_of(work, hangs);
      verdict.expect(!hangs, "waited for ever");
      if (hangs) return;
      judge(got);
      const Results again = bench.results_of(work, hangs);
      verdict.expect(have_same_bits(got.out, again.out) && have_same_bits(got.dqkv, again.dqkv) &&
                         have_same_bits(got.log_sum, again.log_sum),
                     "gives other bits when it runs again");
    };
    if (trial.right.forward) {
      try_kernel(forward, {true, false, false}, [&](const Results& got) {
        forward.expect_near(bench.relative_error(got.out, expected.out, 0, key), "its output");
        forward.expect_near(bench.relative_error(got.log_sum, expected.log_sum, 0, bench.heads().query), "its sums");
      });
    }
    if (trial.right.query_gradient) {
      try_kernel(queries, {false, true, false}, [&](const Results& got) {
        queries.expect_near(bench.relative_error(got.dqkv, expected.dqkv, 0, key), "dQ");
      });
    }
    if (trial.right.key_gradient) {
      try_kernel(keys, {false, false, true}, [&](const Results& got) {
        keys.expect_near(bench.relative_error(got.dqkv, expected.dqkv, key, value), "dK");
        keys.expect_near(bench.relative_error(got.dqkv, expected.dqkv, value, end), "dV");
      });
    }
  }
  return trial;
}

}  // namespace palestra::cuda
