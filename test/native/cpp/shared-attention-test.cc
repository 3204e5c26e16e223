// Attention to the rows of ancestors against attention in whole sequences, whose beginnings are repeated: equal bits
// forwards, and gradients equal to the sums over the repetitions.
#include "attention-rig.h"

namespace palestra::attention {
namespace {

/** A tree of segments, and the sequences from its roots to each of its segments, one after the other. */
template <class T>
struct Tree {
  Problem<T> shared;
  Problem<T> whole;
  /** Row of the tree for each row of the sequences. */
  std::vector<int> rows;
  /** Whether a row of the sequences is a row of the last segment of its sequence: the first sequence with this row. */
  std::vector<bool> own;

  Tree(const Heads& heads, const std::vector<int>& lengths, const std::vector<int32_t>& parents, unsigned seed)
      : shared(heads, lengths, seed), whole(heads, {}, 0) {
    shared.parents = parents;
    for (size_t s = 0; s < lengths.size(); ++s) {
      std::vector<int32_t> line;
      for (auto at = static_cast<int32_t>(s); at >= 0; at = parents[at]) line.insert(line.begin(), at);
      for (int32_t segment : line) {
        for (int row = shared.starts[segment]; row < shared.starts[segment + 1]; ++row) {
          rows.push_back(row);
          own.push_back(segment == static_cast<int32_t>(s));
        }
      }
      whole.starts.push_back(static_cast<int32_t>(rows.size()));
    }
    whole.qkv = repeated(shared.qkv, heads.width());
  }

  std::vector<T> repeated(const std::vector<T>& of_tree, int width) const {
    std::vector<T> values;
    for (int row : rows) values.insert(values.end(), of_tree.begin() + row * width, of_tree.begin() + (row + 1) * width);
    return values;
  }
  /** Like `repeated`, with 0 where a row is repeated. */
  std::vector<T> once(const std::vector<T>& of_tree, int width) const {
    std::vector<T> values = repeated(of_tree, width);
    for (size_t i = 0; i < rows.size(); ++i) {
      if (!own[i]) std::fill_n(values.begin() + i * width, width, T(0));
    }
    return values;
  }
  /** Sums the rows of the sequences by row of the tree. */
  std::vector<double> summed(const std::vector<T>& of_sequences, int width) const {
    std::vector<double> sums(static_cast<size_t>(shared.rows()) * width);
    for (size_t i = 0; i < rows.size(); ++i) {
      for (int d = 0; d < width; ++d) sums[rows[i] * width + d] += of_sequences[i * width + d];
    }
    return sums;
  }
};

struct Shape {
  std::vector<int> lengths;
  std::vector<int32_t> parents;
};

/** Forests whose segments end within pages and at their ends, before and after blocks of keys and queries. */
std::vector<Shape> shapes() {
  return {{{37, 20, 1, 9}, {-1, 0, 0, 0}},
          {{16, 16, 5, 33}, {-1, 0, 1, 1}},
          {{3, 4, 2, 40, 7, 30}, {-1, 0, 1, 2, -1, 4}},
          {{70, 64, 300, 5, 260}, {-1, 0, 0, 1, 2}},
          {{9, 12}, {-1, -1}}};
}

TEST(SharedAttention, GivesTheBitsOfWholeSequences) {
  for (const Heads& heads : {Heads{6, 2, 64}, Heads{3, 1, 40}}) {
    for (const Shape& shape : shapes()) {
      const Tree<float> tree(heads, shape.lengths, shape.parents, 3);
      for (const Kernels& kernels : training_kernels()) {
        std::vector<float> log_sum, whole_log_sum;
        const std::vector<float> out = run_forward(tree.shared, kernels, 1, &log_sum);
        const std::vector<float> whole = run_forward(tree.whole, kernels, 1, &whole_log_sum);
        EXPECT_EQ(tree.repeated(out, heads.query * heads.size), whole) << name_of(kernels.isa) << kernels.bf16;
        EXPECT_EQ(tree.repeated(log_sum, heads.query), whole_log_sum);
      }
    }
  }
}

template <class T>
std::vector<T> random_dout(const Problem<T>& problem) {
  return random_values<T>(problem.out_size(), 9);
}

TEST(SharedAttentionGradient, IsTheSumOverWholeSequences) {
  for (const Heads& heads : {Heads{6, 2, 24}, Heads{9, 3, 64}}) {
    const int width = heads.query * heads.size;
    for (const Shape& shape : shapes()) {
      const Tree<double> exact(heads, shape.lengths, shape.parents, 3);
      const std::vector<double> dout = random_dout(exact.shared);
      const std::vector<double> whole =
          exact.summed(run_gradient(exact.whole, exact.once(dout, width), InstructionSet::scalar, 1), heads.width());
      EXPECT_LT(relative_error(run_gradient(exact.shared, dout, InstructionSet::scalar, 1), whole), 1e-13);
      const Tree<float> tree(heads, shape.lengths, shape.parents, 3);
      for (const Kernels& kernels : training_kernels()) {
        const double error = relative_error(run_gradient(tree.shared, random_dout(tree.shared), kernels, 1), whole);
        EXPECT_LT(error, kernels.bf16 ? 1.0 / 128 : 2e-6) << name_of(kernels.isa);
      }
    }
  }
}

TEST(SharedAttentionGradient, BitsDoNotDependOnThreads) {
  const Shape shape = shapes()[3];
  const Tree<float> tree({6, 3, 64}, shape.lengths, shape.parents, 10);
  for (const Kernels& kernels : training_kernels()) {
    EXPECT_EQ(run_gradient(tree.shared, random_dout(tree.shared), kernels, 1),
              run_gradient(tree.shared, random_dout(tree.shared), kernels, 4));
  }
}

}  // namespace
}  // namespace palestra::attention
