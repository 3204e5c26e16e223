// Attention against sums in double, and the guarantees behind training and generation: equal bits from packed segments
// and from pages, with any rows beside a row, and for any number of threads.
#include <cstring>

#include "attention-rig.h"

namespace palestra::attention {
namespace {

/** softmax(q k^T / sqrt(size)) v, by definition. */
template <class T>
std::vector<double> naive(const Problem<T>& problem, std::vector<double>* log_sum) {
  const Heads& heads = problem.heads;
  std::vector<double> out(problem.out_size());
  log_sum->resize(static_cast<size_t>(problem.rows()) * heads.query);
  for (size_t s = 0; s + 1 < problem.starts.size(); ++s) {
    for (int row = problem.starts[s]; row < problem.starts[s + 1]; ++row) {
      for (int head = 0; head < heads.query; ++head) {
        const int kv_head = head / (heads.query / heads.kv);
        const T* query = problem.view()[row] + head * heads.size;
        double sum = 0;
        double* to = &out[(static_cast<size_t>(row) * heads.query + head) * heads.size];
        for (int other = problem.starts[s]; other <= row; ++other) {
          double score = 0;
          for (int d = 0; d < heads.size; ++d) {
            const T key = problem.view()[other][heads.key_column() + kv_head * heads.size + d];
            score += static_cast<double>(query[d]) * key;
          }
          const double weight = std::exp(score / std::sqrt(heads.size));
          sum += weight;
          for (int d = 0; d < heads.size; ++d) {
            to[d] += weight * problem.view()[other][heads.value_column() + kv_head * heads.size + d];
          }
        }
        for (int d = 0; d < heads.size; ++d) to[d] /= sum;
        (*log_sum)[static_cast<size_t>(row) * heads.query + head] = std::log(sum);
      }
    }
  }
  return out;
}

TEST(Attention, EqualsItsDefinition) {
  const std::vector<Heads> shapes{{1, 1, 8}, {4, 2, 32}, {9, 3, 64}, {6, 1, 40}, {16, 2, 128},
                                  {2, 1, 256}, {30, 1, 16}};
  for (const Heads& heads : shapes) {
    const Problem<float> problem(heads, {1, 15, 16, 17, 70}, heads.size);
    std::vector<double> expected_log_sum;
    const std::vector<double> expected = naive(problem, &expected_log_sum);
    for (InstructionSet isa : instruction_sets()) {
      std::vector<float> log_sum;
      expect_near(run_forward(problem, isa, 1, &log_sum), expected, 3e-6);
      expect_near(log_sum, expected_log_sum, 3e-6);
    }
    Problem<double> exact(heads, {3, 33}, heads.size);
    std::vector<double> log_sum;
    const std::vector<double> exact_expected = naive(exact, &expected_log_sum);
    expect_near(run_forward(exact, InstructionSet::scalar, 1, &log_sum), exact_expected, 1e-13);
    expect_near(log_sum, expected_log_sum, 1e-13);
  }
}

TEST(Attention, InstructionSetsWithFusedMultiplyAddsAgreeBitForBit) {
  if (detect_instruction_set() < InstructionSet::avx512) GTEST_SKIP() << "no AVX-512 here";
  const Problem<float> problem({9, 3, 72}, {90, 21}, 1);
  EXPECT_EQ(run_forward(problem, InstructionSet::avx2, 1), run_forward(problem, InstructionSet::avx512, 1));
}

TEST(Attention, BitsDoNotDependOnSegmentsAndThreads) {
  const Problem<float> problem({6, 2, 64}, {130, 5, 400, 64}, 2);
  for (const Kernels& kernels : training_kernels()) {
    const std::vector<float> together = run_forward(problem, kernels, 1);
    EXPECT_EQ(together, run_forward(problem, kernels, 3));
    std::vector<float> alone;
    for (size_t s = 0; s + 1 < problem.starts.size(); ++s) {
      Problem<float> one(problem.heads, {problem.starts[s + 1] - problem.starts[s]}, 0);
      std::copy_n(problem.view()[problem.starts[s]], one.qkv.size(), one.qkv.begin());
      const std::vector<float> part = run_forward(one, kernels, 1);
      alone.insert(alone.end(), part.begin(), part.end());
    }
    EXPECT_EQ(together, alone);
  }
}

TEST(Attention, LargeScoresKeepTheirSoftmax) {
  Problem<float> problem({1, 1, 8}, {40}, 3);
  for (float& value : problem.qkv) value *= 60;
  const std::vector<float> out = run_forward(problem, detect_instruction_set(), 1);
  for (float value : out) EXPECT_TRUE(std::isfinite(value));
  EXPECT_EQ(out[0], problem.view()[0][16]) << "the first position sees itself alone";
}

/** Sequences of random rows, fed in chunks to a store whose unused slots hold NaN. */
class Pages {
 public:
  Pages(const Problem<float>& problem, InstructionSet isa, int threads, unsigned seed)
      : problem_(problem), machine_(threads), attention_(machine_.memory, machine_.pool, isa, false), random_(seed) {
    first_pages_.push_back(0);
    for (size_t s = 0; s + 1 < problem.starts.size(); ++s) {
      first_pages_.push_back(first_pages_.back() + (length(s) + page_positions - 1) / page_positions);
    }
    for (int p = 0; p < first_pages_.back() + 5; ++p) pages_.push_back(p);
    std::shuffle(pages_.begin(), pages_.end(), random_);
    store_.assign(pages_.size() * page_elements(problem.heads), std::numeric_limits<float>::quiet_NaN());
    done_.assign(problem.starts.size() - 1, 0);
    out_.resize(problem.out_size());
  }

  /** @returns whether rows are left */
  bool feed(int longest_chunk) {
    std::vector<int32_t> starts{0}, first_positions, first_pages{0}, pages;
    std::vector<float> qkv;
    std::vector<int> order;
    for (size_t s = 0; s < done_.size(); ++s) order.push_back(static_cast<int>(s));
    std::shuffle(order.begin(), order.end(), random_);
    std::vector<int> fed;
    for (int s : order) {
      const int count = std::min<int>(length(s) - done_[s], random_() % (longest_chunk + 1));
      if (count == 0) continue;
      fed.push_back(s);
      const float* from = problem_.view()[problem_.starts[s] + done_[s]];
      qkv.insert(qkv.end(), from, from + static_cast<size_t>(count) * problem_.heads.width());
      starts.push_back(starts.back() + count);
      first_positions.push_back(done_[s]);
      pages.insert(pages.end(), pages_.begin() + first_pages_[s], pages_.begin() + first_pages_[s + 1]);
      first_pages.push_back(static_cast<int32_t>(pages.size()));
      done_[s] += count;
    }
    const StoredSequences<float> sequences{{static_cast<int>(fed.size()), starts.data(), first_positions.data(),
                                            first_pages.data(), pages.data()},
                                           store_.data()};
    const Rows<const float> view{qkv.data(), problem_.heads.width()};
    const int width = problem_.heads.query * problem_.heads.size;
    std::vector<float> out(static_cast<size_t>(starts.back()) * width);
    attention_.store(view, problem_.heads, sequences);
    attention_.paged(out.data(), view, problem_.heads, sequences);
    for (size_t i = 0; i < fed.size(); ++i) {
      const int first = problem_.starts[fed[i]] + first_positions[i];
      std::copy_n(out.begin() + static_cast<size_t>(starts[i]) * width,
                  static_cast<size_t>(starts[i + 1] - starts[i]) * width,
                  out_.begin() + static_cast<size_t>(first) * width);
    }
    for (size_t s = 0; s < done_.size(); ++s) {
      if (done_[s] < length(s)) return true;
    }
    return false;
  }
  const std::vector<float>& out() const { return out_; }

 private:
  int length(size_t s) const { return problem_.starts[s + 1] - problem_.starts[s]; }

  const Problem<float>& problem_;
  Machine machine_;
  CpuAttention<float> attention_;
  std::mt19937 random_;
  std::vector<int32_t> first_pages_, pages_;
  std::vector<float> store_;
  std::vector<int> done_;
  std::vector<float> out_;
};

TEST(Attention, PagesGiveTheBitsOfPackedSegments) {
  for (const Heads& heads : {Heads{2, 2, 8}, Heads{4, 1, 32}, Heads{9, 3, 64}, Heads{8, 2, 128}, Heads{3, 1, 24}}) {
    const Problem<float> problem(heads, {1, 16, 50, 33, 97}, heads.size);
    for (InstructionSet isa : instruction_sets()) {
      const std::vector<float> expected = run_forward(problem, isa, 1);
      for (int longest_chunk : {1, 7, 40}) {
        Pages pages(problem, isa, 2, longest_chunk);
        while (pages.feed(longest_chunk)) {
        }
        ASSERT_EQ(0, std::memcmp(expected.data(), pages.out().data(), expected.size() * sizeof(float)))
            << name_of(isa) << ", heads of " << heads.size << ", chunks of up to " << longest_chunk;
      }
    }
  }
}

TEST(AttentionGradient, EqualsFiniteDifferences) {
  for (const Heads& heads : {Heads{1, 1, 8}, Heads{4, 2, 16}, Heads{6, 2, 24}}) {
    Problem<double> problem(heads, {1, 18, 27}, 5);
    const std::vector<double> dout = random_values<double>(problem.out_size(), 6);
    const std::vector<double> gradient = run_gradient(problem, dout, InstructionSet::scalar, 1);
    std::mt19937 random(7);
    const auto value_at = [&](size_t i, double x) {
      const double kept = problem.qkv[i];
      problem.qkv[i] = x;
      const std::vector<double> out = run_forward(problem, InstructionSet::scalar, 1);
      problem.qkv[i] = kept;
      double sum = 0;
      for (size_t j = 0; j < out.size(); ++j) sum += out[j] * dout[j];
      return sum;
    };
    for (int n = 0; n < 200; ++n) {
      const size_t i = random() % problem.qkv.size();
      const double h = 1e-5, x = problem.qkv[i];
      const double expected = (value_at(i, x + h) - value_at(i, x - h)) / (2 * h);
      ASSERT_NEAR(gradient[i], expected, 1e-6 * std::max(1.0, std::abs(expected))) << "column " << i % heads.width();
    }
  }
}

TEST(AttentionGradient, InFloatEqualsThatInDoubleForAllHeadSizes) {
  for (const Heads& heads : {Heads{2, 1, 8}, Heads{9, 3, 64}, Heads{4, 2, 128}, Heads{14, 2, 40}}) {
    Problem<double> exact(heads, {70, 1, 16}, 8);
    Problem<float> problem(heads, {70, 1, 16}, 8);
    const std::vector<double> dout = random_values<double>(exact.out_size(), 9);
    const std::vector<double> expected = run_gradient(exact, dout, InstructionSet::scalar, 1);
    for (InstructionSet isa : instruction_sets()) {
      expect_near(run_gradient(problem, random_values<float>(exact.out_size(), 9), isa, 1), expected, 5e-5);
    }
  }
}

/** A value of bfloat16 has 8 bits, so a factor's relative error is at most 1 / 512. */
TEST(AttentionGradient, OfFactorsInBfloat16IsRightUpToRounding) {
  for (const Heads& heads : {Heads{2, 1, 8}, Heads{9, 3, 64}, Heads{4, 2, 128}, Heads{14, 2, 40}, Heads{2, 2, 72}}) {
    const std::vector<int> lengths{70, 1, 16, 300, 33};
    const Problem<float> problem(heads, lengths, 8);
    const Problem<double> exact(heads, lengths, 8);
    std::vector<double> expected_log_sum;
    const std::vector<double> expected = naive(exact, &expected_log_sum);
    const std::vector<double> gradient =
        run_gradient(exact, random_values<double>(exact.out_size(), 9), InstructionSet::scalar, 1);
    const std::vector<float> dout = random_values<float>(exact.out_size(), 9);
    for (const Kernels& kernels : rounding_kernels()) {
      const char* const isa = name_of(kernels.isa);
      std::vector<float> log_sum;
      EXPECT_LT(relative_error(run_forward(problem, kernels, 1, &log_sum), expected), 1.0 / 256) << isa;
      EXPECT_LT(relative_error(log_sum, expected_log_sum), 1.0 / 512) << isa;
      EXPECT_LT(relative_error(run_gradient(problem, dout, kernels, 1), gradient), 1.0 / 128) << isa;
    }
  }
}

TEST(AttentionGradient, BitsDoNotDependOnSegmentsAndThreads) {
  const Problem<float> problem({6, 3, 64}, {200, 31, 300}, 10);
  const std::vector<float> dout = random_values<float>(problem.out_size(), 11);
  const int width = problem.heads.query * problem.heads.size;
  for (const Kernels& kernels : training_kernels()) {
    const std::vector<float> together = run_gradient(problem, dout, kernels, 1);
    EXPECT_EQ(together, run_gradient(problem, dout, kernels, 4));
    std::vector<float> alone;
    for (size_t s = 0; s + 1 < problem.starts.size(); ++s) {
      const int first = problem.starts[s], end = problem.starts[s + 1];
      Problem<float> one(problem.heads, {end - first}, 0);
      std::copy_n(problem.view()[first], one.qkv.size(), one.qkv.begin());
      const std::vector<float> part =
          run_gradient(one, std::vector<float>(dout.begin() + first * width, dout.begin() + end * width), kernels, 1);
      alone.insert(alone.end(), part.begin(), part.end());
    }
    EXPECT_EQ(together, alone);
  }
}

}  // namespace
}  // namespace palestra::attention
