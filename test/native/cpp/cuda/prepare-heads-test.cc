// Queries and keys before attention, emulated: norm, rotation and stored values against the formulas in double.
#include <gtest/gtest.h>

#include <string>

#include "core/failure.h"
#include "ops/cuda/paged-attention/prepare-heads.h"
#include "paged-rig.h"

namespace palestra::test {
namespace {

struct Case {
  Heads heads;
  bool has_norm = false;
  bool has_store = false;
  KeyValueFormat format = KeyValueFormat::plain;
  /** Elements between rows, and before the first one, beyond those of the heads. */
  int gap = 0;
  int shift = 0;
};

/** x rstd w, then rotated; w may be null. @returns rstd */
template <class T>
double reference_head(std::vector<double>& x, const T* w, const float* turns, double epsilon) {
  const int size = static_cast<int>(x.size()), half = size / 2;
  double squares = 0;
  for (double value : x) squares += value * value;
  const double rstd = 1 / std::sqrt(squares / size + epsilon);
  for (int d = 0; w && d < size; ++d) x[d] *= rstd * widened(w[d]);
  for (int d = 0; d < half; ++d) {
    const double low = x[d], high = x[half + d];
    x[d] = low * turns[d] - high * turns[half + d];
    x[half + d] = high * turns[d] + low * turns[half + d];
  }
  return rstd;
}

constexpr float epsilon = 1e-5f;

/** Five rows of two sequences, the last row without one, prepared by a kernel and by the formulas. */
template <class T>
class Prepared {
 public:
  Prepared(const Case& c, bool reversed)
      : c_(c),
        stride_(c.heads.width() + c.gap),
        random_(7),
        qkv_(random_array<T>(c.shift + rows * static_cast<size_t>(stride_), random_, 3)),
        norms_(random_array<T>(2 * c.heads.size, random_)),
        turns_(turns_of({21, 22, 23, 24, 700}, c.heads.size)),
        rstd_(rows * static_cast<size_t>(c.heads.query + c.heads.kv)),
        before_(qkv_.data(), qkv_.data() + c.shift + rows * static_cast<size_t>(stride_)),
        store_(c.heads, c.format, 9),
        batch_(stream_, c.heads, c.format, {4, 8, 1000}, cuda::has_tiles<T>(c.heads)) {
    const Step step({{21, 4, {6, 2}}});
    batch_.begin(step.sequences(), rows);
    const PagedStore store{&batch_, store_.data()};
    const T* const norm = c.has_norm ? norms_.data() : nullptr;
    const HeadPreparation<T> how{norm,         norm ? norm + c.heads.size : nullptr,
                                 epsilon,      turns_.data(),
                                 rstd_.data(), rstd_.data() + rows * c.heads.query};
    cuda::EmulatedLauncher launcher(reversed);
    cuda::prepare_heads<T>(launcher, {&qkv_[c.shift], stride_}, how, c.heads, rows, c.has_store ? &store : nullptr);
  }

  void expect_as_defined(double tolerance) {
    const Heads& heads = c_.heads;
    std::vector<double> expected;
    std::vector<T> out;
    for (int row = 0; row < rows; ++row) {
      for (int head = 0; head < heads.query + 2 * heads.kv; ++head) {
        const size_t at = c_.shift + row * static_cast<size_t>(stride_) + head * heads.size;
        std::vector<double> x(heads.size);
        for (int d = 0; d < heads.size; ++d) x[d] = widened(before_[at + d]);
        const bool is_query = head < heads.query, is_value = head >= heads.query + heads.kv;
        const T* const norm = c_.has_norm ? &norms_[is_query ? 0 : heads.size] : nullptr;
        if (!is_value) {
          const double rstd = reference_head(x, norm, &turns_[row * heads.size], epsilon);
          const size_t kept = is_query ? row * heads.query + head
                                       : rows * heads.query + row * heads.kv + head - heads.query;
          if (c_.has_norm) {
            EXPECT_NEAR(rstd_[kept], rstd, 1e-5 * rstd);
          } else {
            EXPECT_TRUE(std::isnan(rstd_[kept])) << "there is no norm";
          }
        }
        expected.insert(expected.end(), x.begin(), x.end());
        out.insert(out.end(), &qkv_[at], &qkv_[at] + heads.size);
        if (c_.has_store && !is_query) expect_stored(row, (head - heads.query) % heads.kv, is_value, &qkv_[at]);
      }
      for (int i = heads.width(); i < stride_; ++i) {
        const size_t at = c_.shift + row * static_cast<size_t>(stride_) + i;
        ASSERT_EQ(0, std::memcmp(&qkv_[at], &before_[at], sizeof(T))) << "what lies between rows is not theirs";
      }
    }
    EXPECT_LT(relative_error(out.data(), expected), tolerance);
  }

  /** Expects NaN wherever no row of the step stores values. */
  void expect_nothing_else_stored() {
    const unsigned char* const bytes = static_cast<const unsigned char*>(store_.data());
    const size_t written = std::count_if(bytes, bytes + 9 * store_.page_bytes(), [](int byte) { return byte != 0xff; });
    const size_t each = store_.page_bytes() / page_positions;
    EXPECT_LE(written, c_.has_store ? 4 * each : 0);
    EXPECT_GE(written, c_.has_store ? 2 * each : 0);
  }

 private:
  static constexpr int rows = 5;

  void expect_stored(int row, int kv_head, bool is_value, const T* vector) {
    if (row == 4) return;
    const int position = 21 + row;
    const std::vector<double> stored = store_.read(position < 32 ? 2 : 6, position % page_positions, kv_head, is_value);
    double largest = 0;
    for (int d = 0; d < c_.heads.size; ++d) largest = std::max(largest, std::abs(widened(vector[d])));
    for (int d = 0; d < c_.heads.size; ++d) {
      // Adjacent e4m3 values differ by at most an eighth; below 2^-6 of 448 units, by 2^-9 of a unit.
      const double allowed = c_.format == KeyValueFormat::plain
                                 ? 0
                                 : std::max(std::abs(widened(vector[d])) / 15.9, largest / largest_fp8 * 0.00098);
      ASSERT_NEAR(stored[d], widened(vector[d]), allowed) << "row " << row << ", element " << d;
    }
  }

  const Case c_;
  const int stride_;
  std::mt19937 random_;
  Array<T> qkv_, norms_;
  Array<float> turns_, rstd_;
  const std::vector<T> before_;
  HostStream stream_;
  Store<T> store_;
  cuda::CudaPagedBatch batch_;
};

template <class T>
void expect_as_defined(const Case& c, double tolerance) {
  for (bool reversed : {false, true}) {
    SCOPED_TRACE("heads of " + std::to_string(c.heads.size));
    Prepared<T> prepared(c, reversed);
    prepared.expect_as_defined(tolerance);
    prepared.expect_nothing_else_stored();
  }
}

constexpr KeyValueFormat formats[] = {KeyValueFormat::plain, KeyValueFormat::fp8};

TEST(CudaPrepareHeads, EqualTheFormulasWithoutAStore) {
  for (bool has_norm : {false, true}) {
    for (const Heads& heads : {Heads{14, 2, 64}, Heads{3, 1, 128}, Heads{2, 2, 6}, Heads{2, 1, 80}, Heads{1, 1, 256}}) {
      expect_as_defined<bf16>({heads, has_norm}, 3e-3);
      expect_as_defined<float>({heads, has_norm}, 1e-6);
    }
  }
}

TEST(CudaPrepareHeads, AreStoredInEitherFormat) {
  for (KeyValueFormat format : formats) {
    for (const Heads& heads : {Heads{14, 2, 64}, Heads{3, 1, 128}, Heads{9, 3, 64}, Heads{2, 2, 6}, Heads{2, 1, 80}}) {
      expect_as_defined<bf16>({heads, true, true, format}, 3e-3);
      expect_as_defined<float>({heads, false, true, format}, 1e-6);
    }
  }
}

TEST(CudaPrepareHeads, SupportsAnyStrideAndAlignment) {
  for (KeyValueFormat format : formats) {
    expect_as_defined<bf16>({{5, 1, 64}, true, true, format, 4, 4}, 3e-3);
    expect_as_defined<bf16>({{5, 1, 64}, true, true, format, 1, 0}, 3e-3);
    expect_as_defined<bf16>({{2, 1, 128}, true, true, format, 0, 3}, 3e-3);
  }
}

TEST(CudaPrepareHeads, NanSurvivesFp8) {
  const Heads heads{2, 1, 64};
  const float infinity = std::numeric_limits<float>::infinity();
  for (float bad : {std::numeric_limits<float>::quiet_NaN(), infinity}) {
    HostStream stream;
    Store<bf16> store(heads, KeyValueFormat::fp8, 1);
    cuda::CudaPagedBatch batch(stream, heads, KeyValueFormat::fp8, {1, 1, 16}, true);
    batch.begin(Step({{0, 1, {0}}}).sequences(), 1);
    Array<bf16> qkv(heads.width());
    std::fill_n(qkv.data(), heads.width(), to_bf16(1));
    qkv[heads.value_column() + 5] = to_bf16(bad);
    Array<float> turns = turns_of({0}, heads.size);
    cuda::EmulatedLauncher launcher;
    const PagedStore to{&batch, store.data()};
    cuda::prepare_heads<bf16>(launcher, {qkv.data(), heads.width()},
                              {nullptr, nullptr, epsilon, turns.data(), nullptr, nullptr}, heads, 1, &to);
    EXPECT_FALSE(std::isfinite(store.read(0, 0, 0, 1)[5]));
    EXPECT_NEAR(store.read(0, 0, 0, 0)[5], 1, 1e-6);
  }
}

}  // namespace
}  // namespace palestra::test
