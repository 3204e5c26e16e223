// Attention over pages, emulated: against sums in double, and bit for bit when chunks are shared, split or run one
// after the other, with any rows beside a row.
#include <gtest/gtest.h>

#include <string>

#include "core/failure.h"
#include "ops/cuda/kernels/paged-attention/paged-attention.h"
#include "paged-rig.h"

namespace palestra::test {
namespace {

struct Case {
  Heads heads;
  KeyValueFormat format;
};

/** Sequences in a store with pages in random order, and NaN in unused places. */
template <class T>
class Rig {
 public:
  explicit Rig(const Case& c, int pages = 200, unsigned seed = 1)
      : heads_(c.heads), format_(c.format), random_(seed), store_(c.heads, c.format, pages) {
    for (int page = 0; page < pages; ++page) free_.push_back(page);
    std::shuffle(free_.begin(), free_.end(), random_);
  }

  /**
   * A sequence with all its keys and values, including those of its rows. Its first pages belong to another sequence.
   */
  Part part(int stored, int rows, const std::vector<int32_t>& shared = {}) {
    Part made{stored, rows, shared};
    const int first = static_cast<int>(shared.size()) * page_positions;
    for (int position = first; position < stored + rows; ++position) {
      if (position % page_positions == 0) made.pages.push_back(take());
      store_.fill(made.pages.back(), position % page_positions, random_);
    }
    return made;
  }
  /** The same with pages of its own. */
  Part copy(const Part& part) {
    Part made = part;
    for (int32_t& page : made.pages) {
      const int32_t own = take();
      store_.copy_page(own, page);
      page = own;
    }
    return made;
  }
  Array<T> random_rows(int rows) {
    std::normal_distribution<double> normal;
    Array<T> made(static_cast<size_t>(rows) * heads_.width());
    // Keys and values of the rows are in the store; their columns are not read.
    for (int row = 0; row < rows; ++row) {
      for (int i = 0; i < heads_.key_column(); ++i) {
        made[static_cast<size_t>(row) * heads_.width() + i] = rounded_to<T>(normal(random_));
      }
    }
    return made;
  }
  Rows<const T> view(Array<T>& qkv) const { return {qkv.data(), heads_.width()}; }
  std::unique_ptr<cuda::CudaPagedBatch> batch(const PagedLimits& limits = {40, 200, 900}) {
    return std::make_unique<cuda::CudaPagedBatch>(stream_, heads_, format_, limits, cuda::has_tiles<T>(heads_));
  }
  size_t width() const { return static_cast<size_t>(heads_.query) * heads_.size; }

  /** Returns (rows, width) of a step, including extra rows. */
  std::vector<T> attend(const Step& step, Rows<const T> qkv, bool reversed = false, int padding = 0,
                        cuda::CudaPagedBatch* batch = nullptr) {
    const auto own = batch ? nullptr : this->batch();
    if (!batch) batch = own.get();
    batch->begin(step.sequences(), step.rows() + padding);
    Array<T> out((step.rows() + padding) * width());
    cuda::EmulatedLauncher launcher(reversed);
    const PagedStore store{batch, store_.data()};
    cuda::paged_attention<T>(launcher, out.data(), qkv, heads_, store);
    return {out.data(), out.data() + (step.rows() + padding) * width()};
  }
  std::vector<double> expected(const Step& step, Rows<const T> qkv) {
    return reference_attention<T>(heads_, store_, step, qkv);
  }
  Store<T>& store() { return store_; }

 private:
  int32_t take() {
    EXPECT_FALSE(free_.empty());
    const int32_t page = free_.back();
    free_.pop_back();
    return page;
  }

  const Heads heads_;
  const KeyValueFormat format_;
  std::mt19937 random_;
  HostStream stream_;
  Store<T> store_;
  std::vector<int32_t> free_;
};

template <class T>
bool same_bits(const T* a, const T* b, size_t count) {
  return std::memcmp(a, b, count * sizeof(T)) == 0;
}

constexpr KeyValueFormat formats[] = {KeyValueFormat::plain, KeyValueFormat::fp8};

/**
 * Decoding at odd lengths, a group that shares pages, a chunk of a prompt, and a few rows across the end of a chunk.
 */
template <class T>
Step mixed_step(Rig<T>& rig) {
  std::vector<Part> parts{rig.part(0, 1), rig.part(16, 1), rig.part(255, 2)};
  const Part first = rig.part(525, 1);
  const std::vector<int32_t> shared(first.pages.begin(), first.pages.begin() + 32);
  parts.push_back(first);
  parts.push_back(rig.part(230, 40));
  parts.push_back(rig.part(513, 2, shared));
  parts.push_back(rig.part(290, 1, {shared.begin(), shared.begin() + 17}));
  return Step(std::move(parts));
}

template <class T>
Step small_step(Rig<T>& rig) {
  return Step({rig.part(0, 1), rig.part(30, 4), rig.part(46, 1)});
}

template <class T>
void expect_as_defined(const Case& c, Step (*make)(Rig<T>&), double tolerance) {
  Rig<T> rig(c);
  const Step step = make(rig);
  const int padding = 3;
  Array<T> qkv = rig.random_rows(step.rows() + padding);
  const std::vector<double> expected = rig.expected(step, rig.view(qkv));
  for (bool reversed : {false, true}) {
    const std::vector<T> out = rig.attend(step, rig.view(qkv), reversed, padding);
    EXPECT_LT(relative_error(out.data(), expected), tolerance) << c.heads.query << " heads of " << c.heads.size;
    const T untouched = Array<T>(1)[0];
    for (size_t i = expected.size(); i < out.size(); ++i) {
      ASSERT_TRUE(same_bits(&out[i], &untouched, 1)) << "a row of nobody was written";
    }
  }
}

TEST(CudaPagedAttention, EqualsItsDefinitionOnTensorCores) {
  for (KeyValueFormat format : formats) {
    expect_as_defined<bf16>({{7, 1, 64}, format}, mixed_step, 5e-3);
    expect_as_defined<bf16>({{2, 1, 128}, format}, mixed_step, 5e-3);
    expect_as_defined<bf16>({{9, 3, 64}, format}, small_step, 5e-3);
    expect_as_defined<bf16>({{20, 1, 64}, format}, mixed_step, 5e-3);
    expect_as_defined<bf16>({{6, 2, 128}, format}, small_step, 5e-3);
  }
}

TEST(CudaPagedAttention, EqualsItsDefinitionForAnyHeads) {
  for (KeyValueFormat format : formats) {
    expect_as_defined<float>({{2, 1, 64}, format}, small_step, 1e-6);
    expect_as_defined<float>({{3, 3, 40}, format}, small_step, 1e-6);
    expect_as_defined<bf16>({{2, 1, 6}, format}, small_step, 5e-3);
  }
}

/** Offsets of a part's rows in `whole`, and of one sequence's rows in `alone`. */
template <class T>
void expect_rows(const Rig<T>& rig, const std::vector<T>& whole, int first, const std::vector<T>& alone, int rows) {
  EXPECT_TRUE(same_bits(&whole[first * rig.width()], alone.data(), rows * rig.width())) << "row " << first;
}

TEST(CudaPagedAttention, SharedPagesGiveTheBitsOfPrivateOnes) {
  for (const Case& c : {Case{{7, 1, 64}, KeyValueFormat::plain}, Case{{3, 1, 128}, KeyValueFormat::fp8}}) {
    Rig<bf16> rig(c, 800);
    const Part first = rig.part(560, 1);
    const std::vector<int32_t> long_prompt(first.pages.begin(), first.pages.begin() + 34);
    const std::vector<int32_t> short_prompt(first.pages.begin(), first.pages.begin() + 16);
    std::vector<Part> sharing{first};
    for (int i = 0; i < 10; ++i) sharing.push_back(rig.part(545 + i, 1, i % 3 ? long_prompt : short_prompt));
    sharing.push_back(rig.part(600, 2, long_prompt));
    std::vector<Part> by_itself;
    for (const Part& part : sharing) by_itself.push_back(rig.copy(part));
    const Step together(sharing), apart(by_itself);
    Array<bf16> qkv = rig.random_rows(together.rows());
    const std::vector<bf16> out = rig.attend(together, rig.view(qkv));
    EXPECT_EQ(out.size(), together.rows() * rig.width());
    expect_rows(rig, out, 0, rig.attend(apart, rig.view(qkv)), together.rows());
  }
}

TEST(CudaPagedAttention, RowsDoNotDependOnEachOther) {
  for (const Case& c : {Case{{7, 1, 64}, KeyValueFormat::plain}, Case{{2, 1, 128}, KeyValueFormat::plain},
                        Case{{3, 1, 64}, KeyValueFormat::fp8}}) {
    Rig<bf16> rig(c);
    const Step step = mixed_step(rig);
    Array<bf16> qkv = rig.random_rows(step.rows());
    const Rows<const bf16> view = rig.view(qkv);
    const std::vector<bf16> out = rig.attend(step, view);
    for (size_t s = 0; s < step.parts.size(); ++s) {
      const Part& part = step.parts[s];
      const int first = step.starts[s];
      expect_rows(rig, out, first, rig.attend(Step({part}), {view[first], view.stride}), part.rows);
      // Some rows of a prompt's chunk one by one: each is then split, unlike the chunk.
      for (int i = part.rows - 1; i >= 0; i -= 13) {
        expect_rows(rig, out, first + i,
                    rig.attend(Step({{part.stored + i, 1, part.pages}}), {view[first + i], view.stride}), 1);
      }
    }
  }
}

TEST(CudaPagedAttention, SequencesBeyondThePartialResultsHaveTheSameBits) {
  Rig<bf16> rig({{7, 1, 64}, KeyValueFormat::plain});
  const Step step({rig.part(300, 9), rig.part(310, 9), rig.part(1290, 1)});
  Array<bf16> qkv = rig.random_rows(step.rows());
  const auto few = rig.batch({3, 19, 1300}), many = rig.batch({5, 19, 1300});
  for (cuda::CudaPagedBatch* batch : {few.get(), many.get()}) batch->begin(step.sequences(), step.rows());
  const std::vector<bf16> out = rig.attend(step, rig.view(qkv), false, 0, many.get());
  EXPECT_GE(many->plan().rows[18].partial, 0);
  EXPECT_LT(relative_error(out.data(), rig.expected(step, rig.view(qkv))), 5e-3);
  expect_rows(rig, out, 0, rig.attend(step, rig.view(qkv), false, 0, few.get()), step.rows());
  EXPECT_GE(few->plan().rows[0].partial, 0);
  EXPECT_EQ(few->plan().rows[18].partial, -1) << "all were split";
}

TEST(CudaPagedAttention, SupportsAnyAlignment) {
  Rig<bf16> rig({{2, 1, 64}, KeyValueFormat::plain});
  const Step step = small_step(rig);
  Array<bf16> qkv = rig.random_rows(step.rows());
  const int width = 64 * 4, stride = width + 3;
  Array<bf16> shifted(1 + step.rows() * static_cast<size_t>(stride));
  for (int row = 0; row < step.rows(); ++row) std::copy_n(&qkv[row * width], width, &shifted[1 + row * stride]);
  const std::vector<bf16> out = rig.attend(step, {&shifted[1], stride});
  EXPECT_LT(relative_error(out.data(), rig.expected(step, rig.view(qkv))), 5e-3);
}

/** Keeps launches of attention, as a recording of a stream does. */
class Recorder final : public cuda::Launcher {
 public:
  int multiprocessors() const override { return 4; }
  void play() {
    cuda::EmulatedLauncher launcher;
    for (const Launch& l : launches_) launcher.launch(l.kernel.c_str(), l.grid, l.threads, l.shared_bytes, l.arguments);
  }

 protected:
  void launch_kernel(const char* kernel, cuda::Grid grid, int threads, size_t bytes, const void* arguments) override {
    launches_.push_back({kernel, grid, threads, bytes, *static_cast<const Arguments*>(arguments)});
  }

 private:
  using Arguments = cuda::PagedAttentionArguments<bf16>;
  struct Launch {
    std::string kernel;
    cuda::Grid grid;
    int threads;
    size_t shared_bytes;
    Arguments arguments;
  };
  std::vector<Launch> launches_;
};

TEST(CudaPagedAttention, ARecordingServesStepsOfItsShape) {
  Rig<bf16> rig({{7, 1, 64}, KeyValueFormat::plain}, 300);
  const Part first = rig.part(700, 1);
  const std::vector<int32_t> prompt(first.pages.begin(), first.pages.begin() + 32);
  const Step recorded({first, rig.part(600, 1, prompt), rig.part(520, 1, prompt), rig.part(270, 2), rig.part(40, 9)});
  const Step fewer({rig.part(280, 3), rig.part(600, 1)});
  const int rows = 16;
  Array<bf16> qkv = rig.random_rows(rows), out(rows * rig.width());
  const auto batch = rig.batch();
  batch->begin(recorded.sequences(), rows);
  const uint64_t shape = batch->shape();
  Recorder recorder;
  const PagedStore store{batch.get(), rig.store().data()};
  cuda::paged_attention<bf16>(recorder, out.data(), rig.view(qkv), {7, 1, 64}, store);
  for (const Step* step : {&recorded, &fewer, &recorded}) {
    batch->begin(step->sequences(), rows);
    ASSERT_EQ(batch->shape(), shape);
    std::fill_n(out.data(), rows * rig.width(), bf16{0x7fff});
    recorder.play();
    const std::vector<bf16> expected = rig.attend(*step, rig.view(qkv), false, rows - step->rows());
    const std::vector<bf16> played(out.data(), out.data() + step->rows() * rig.width());
    expect_rows(rig, expected, 0, played, step->rows());
    EXPECT_EQ(out[step->rows() * rig.width()].bits, 0x7fff) << "a row of nobody was written";
  }
}

TEST(CudaPagedAttention, ShapesDistinguishSteps) {
  Rig<bf16> rig({{7, 1, 64}, KeyValueFormat::plain}, 300);
  const auto batch = rig.batch();
  const auto shape_of = [&](const std::vector<Part>& parts, int rows) {
    batch->begin(Step(parts).sequences(), rows);
    return batch->shape();
  };
  const Part brief = rig.part(30, 1), longer = rig.part(700, 1);
  EXPECT_NE(shape_of({brief}, 8), shape_of({brief}, 16));
  EXPECT_NE(shape_of({brief}, 8), shape_of({longer}, 8));
  EXPECT_EQ(shape_of({brief, brief}, 8), shape_of({brief}, 8));
}

TEST(CudaPagedAttention, RefusesStepsBeyondItsLimits) {
  Rig<bf16> rig({{2, 1, 64}, KeyValueFormat::plain});
  const auto batch = rig.batch({2, 8, 64});
  const Part part = rig.part(20, 1);
  EXPECT_THROW(batch->begin(Step({part, part, part}).sequences(), 3), Failure);
  EXPECT_THROW(batch->begin(Step({part}).sequences(), 9), Failure);
  EXPECT_THROW(batch->begin(Step({rig.part(200, 1)}).sequences(), 1), Failure);
  EXPECT_EQ(cuda::paged_bytes<bf16>({14, 2, 64}, KeyValueFormat::plain), 2u * 2 * 16 * 64 * 2);
  EXPECT_EQ(cuda::paged_bytes<bf16>({14, 2, 64}, KeyValueFormat::fp8), 2u * 2 * 16 * (64 + 4));
}

}  // namespace
}  // namespace palestra::test
