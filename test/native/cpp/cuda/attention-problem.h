#pragma once
// Packs of random sequences, and attention over them in double, straight from its definition.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "../numbers.h"
#include "ops/ops.h"

namespace palestra::test::packed_attention {

template <class T>
T not_a_number() {
  return rounded_to<T>(std::numeric_limits<double>::quiet_NaN());
}

/**
 * Rows of packed sequences, with a stride `pad` elements longer than their width, and the gradient of their attention.
 */
template <class T>
struct Problem {
  Heads heads;
  std::vector<int32_t> starts{0};
  int64_t stride;
  std::vector<T> qkv, dout;

  Problem(Heads heads, const std::vector<int>& lengths, int pad = 0, double scale = 1)
      : heads(heads), stride(heads.width() + pad) {
    for (int length : lengths) starts.push_back(starts.back() + length);
    qkv = random_values<T>(rows() * stride, 1, scale);
    for (int row = 0; row < rows(); ++row) {
      for (int64_t i = heads.width(); i < stride; ++i) qkv[row * stride + i] = not_a_number<T>();
    }
    dout = random_values<T>(rows() * out_width(), 2);
  }

  int rows() const { return starts.back(); }
  int64_t out_width() const { return int64_t{heads.query} * heads.size; }
  Segments segments() const {
    int longest = 0;
    for (size_t s = 1; s < starts.size(); ++s) longest = std::max(longest, starts[s] - starts[s - 1]);
    return {static_cast<int>(starts.size()) - 1, rows(), longest, starts.data()};
  }
  /** Element d of a head, counted through queries, keys and values. */
  double at(int row, int head, int d) const { return widened(qkv[row * stride + head * heads.size + d]); }

  /** Returns a segment as a pack of its own. */
  Problem alone(int segment) const {
    Problem one(heads, {starts[segment + 1] - starts[segment]}, static_cast<int>(stride) - heads.width());
    std::copy_n(qkv.begin() + starts[segment] * stride, one.qkv.size(), one.qkv.begin());
    std::copy_n(dout.begin() + starts[segment] * out_width(), one.dout.size(), one.dout.begin());
    return one;
  }
};

struct Reference {
  std::vector<double> out, log_sum, dqkv;
};

/** softmax(q k^T / sqrt(size)) v and its gradient, by definition, for one row and head. */
template <class T>
void add_reference(Reference& to, const Problem<T>& problem, int first, int row, int head) {
  const Heads& heads = problem.heads;
  const int key = heads.query + head / (heads.query / heads.kv), value = key + heads.kv, size = heads.size;
  const int64_t index = int64_t{row} * heads.query + head;
  const auto dot = [&](auto&& a, auto&& b) {
    double sum = 0;
    for (int d = 0; d < size; ++d) sum += a(d) * b(d);
    return sum;
  };
  const auto query_at = [&](int d) { return problem.at(row, head, d); };
  const auto dout_at = [&](int d) { return widened(problem.dout[index * size + d]); };
  std::vector<double> p(row + 1 - first), dp(p.size());
  double sum = 0, mean = 0;
  for (int other = first; other <= row; ++other) {
    p[other - first] = std::exp(dot(query_at, [&](int d) { return problem.at(other, key, d); }) / std::sqrt(size));
    dp[other - first] = dot(dout_at, [&](int d) { return problem.at(other, value, d); });
    sum += p[other - first];
  }
  to.log_sum[index] = std::log(sum);
  for (size_t i = 0; i < p.size(); ++i) {
    p[i] /= sum;
    mean += p[i] * dp[i];
    for (int d = 0; d < size; ++d) to.out[index * size + d] += p[i] * problem.at(first + static_cast<int>(i), value, d);
  }
  const auto gradient = [&](int other, int of, int d) -> double& {
    return to.dqkv[other * problem.stride + of * size + d];
  };
  for (int other = first; other <= row; ++other) {
    const double weight = p[other - first], ds = weight * (dp[other - first] - mean) / std::sqrt(size);
    for (int d = 0; d < size; ++d) {
      gradient(row, head, d) += ds * problem.at(other, key, d);
      gradient(other, key, d) += ds * query_at(d);
      gradient(other, value, d) += weight * dout_at(d);
    }
  }
}

template <class T>
Reference reference(const Problem<T>& problem) {
  Reference result{std::vector<double>(problem.rows() * problem.out_width()),
                   std::vector<double>(size_t{1} * problem.rows() * problem.heads.query),
                   std::vector<double>(problem.qkv.size())};
  for (size_t s = 0; s + 1 < problem.starts.size(); ++s) {
    const int first = problem.starts[s];
    for (int row = first; row < problem.starts[s + 1]; ++row) {
      for (int head = 0; head < problem.heads.query; ++head) add_reference(result, problem, first, row, head);
    }
  }
  return result;
}

}  // namespace palestra::test::packed_attention
