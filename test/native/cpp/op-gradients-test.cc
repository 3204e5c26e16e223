// Every operation's gradient against central differences of the operation itself, in double.
#include "device.h"

namespace palestra::test {
namespace {

using Values = std::vector<double>;
constexpr double tolerance = 1e-6;

class OpGradients : public ::testing::Test {
 protected:
  Device<double> device_{2};
  Ops<double>& ops_ = *device_.ops;
};

Weight weight(const Values& w, int out, int in) { return {w.data(), out, in, Dtype::f64, false}; }

TEST_F(OpGradients, LinearMap) {
  const int rows = 5, out = 7, in = 11;
  Values x = random_values<double>(rows * in, 1), w = random_values<double>(out * in, 2);
  Values b = random_values<double>(out, 3);
  const Values dy = random_values<double>(rows * out, 4);
  const auto f = [&] {
    Values y(rows * out);
    ops_.linear({y.data(), out}, {x.data(), in}, weight(w, out, in), b.data(), rows, Into::assign);
    return inner_product(y, dy);
  };
  Values dx(rows * in), dw(out * in), db(out);
  ops_.linear_input_gradient({dx.data(), in}, {dy.data(), out}, weight(w, out, in), rows, Into::assign);
  ops_.linear_weight_gradient(dw.data(), {dy.data(), out}, {x.data(), in}, out, in, rows);
  ops_.bias_gradient(db.data(), {dy.data(), out}, out, rows);
  EXPECT_LT(relative_error(dx, finite_differences(x, f)), tolerance);
  EXPECT_LT(relative_error(dw, finite_differences(w, f)), tolerance);
  EXPECT_LT(relative_error(db, finite_differences(b, f)), tolerance);
}

TEST_F(OpGradients, Embedding) {
  const int rows = 6, vocabulary = 5, width = 9;
  const std::vector<int32_t> tokens = {3, 0, 3, 4, 1, 3};
  Values table = random_values<double>(vocabulary * width, 1);
  const Values dy = random_values<double>(rows * width, 2);
  const auto f = [&] {
    Values y(rows * width);
    ops_.embed({y.data(), width}, weight(table, vocabulary, width), tokens.data(), rows);
    return inner_product(y, dy);
  };
  Values dtable(vocabulary * width);
  ops_.embed_gradient(dtable.data(), {dy.data(), width}, tokens.data(), vocabulary, width, rows);
  EXPECT_LT(relative_error(dtable, finite_differences(table, f)), tolerance);
}

class RmsNormGradient : public OpGradients, public ::testing::WithParamInterface<int> {};

TEST_P(RmsNormGradient, OfInputAndWeight) {
  const int rows = 4, width = 19, heads = GetParam(), stride = width * heads + 3;
  Values x = random_values<double>(rows * stride, 1), w = random_values<double>(width, 2);
  Values dy = random_values<double>(rows * stride, 3);
  for (int row = 0; row < rows; ++row) std::fill_n(dy.begin() + row * stride + width * heads, 3, 0.0);
  const auto f = [&] {
    Values y(rows * stride);
    ops_.rms_norm({y.data(), stride}, nullptr, {x.data(), stride}, w.data(), width, rows, 1e-3f, heads);
    return inner_product(y, dy);
  };
  Values y(rows * stride), rstd(rows * heads), dx(rows * stride), dw(width);
  ops_.rms_norm({y.data(), stride}, rstd.data(), {x.data(), stride}, w.data(), width, rows, 1e-3f, heads);
  ops_.rms_norm_gradient({dx.data(), stride}, dw.data(), {dy.data(), stride}, {x.data(), stride}, w.data(), rstd.data(),
                         width, rows, Into::assign, heads);
  EXPECT_LT(relative_error(dx, finite_differences(x, f)), tolerance);
  EXPECT_LT(relative_error(dw, finite_differences(w, f)), tolerance);

  Values in_place = dy, added = dx;
  ops_.rms_norm_gradient({in_place.data(), stride}, nullptr, {in_place.data(), stride}, {x.data(), stride}, w.data(),
                         rstd.data(), width, rows, Into::assign, heads);
  EXPECT_EQ(in_place, dx);
  ops_.rms_norm_gradient({added.data(), stride}, nullptr, {dy.data(), stride}, {x.data(), stride}, w.data(),
                         rstd.data(), width, rows, Into::add, heads);
  for (double& value : added) value /= 2;
  EXPECT_LT(relative_error(added, dx), 1e-14);
}

INSTANTIATE_TEST_SUITE_P(Heads, RmsNormGradient, ::testing::Values(1, 3));

TEST_F(OpGradients, RotationIsReversed) {
  const int rows = 3, heads = 2, size = 10, stride = 25;
  const std::vector<int32_t> positions = {0, 7, 4000};
  const std::vector<float> frequencies = {1.0f, 0.3f, 0.1f, 0.03f, 0.01f};
  Values x = random_values<double>(rows * stride, 1);
  const Values dy = random_values<double>(rows * stride, 2);
  const auto rotated = [&](Values values, int direction) {
    Values turns(rows * size);
    ops_.rotary_turns(turns.data(), positions.data(), frequencies.data(), size, rows);
    ops_.rotate({values.data(), stride}, turns.data(), heads, size, rows, direction);
    return values;
  };
  const auto f = [&] { return inner_product(rotated(x, 1), dy); };
  EXPECT_LT(relative_error(rotated(dy, -1), finite_differences(x, f)), tolerance);
  EXPECT_LT(relative_error(rotated(rotated(x, 1), -1), x), 1e-14);
  EXPECT_NEAR(rotated(x, 1)[stride], x[stride] * std::cos(7.0) - x[stride + 5] * std::sin(7.0), 1e-14);
}

TEST_F(OpGradients, Attention) {
  const Heads heads{4, 2, 8};
  const std::vector<int32_t> starts = {0, 5, 6, 13};
  const Segments segments{3, 13, 7, starts.data()};
  const int width = heads.width(), attended = heads.query * heads.size;
  Values qkv = random_values<double>(segments.rows * width, 1);
  const Values dout = random_values<double>(segments.rows * attended, 2);
  const auto f = [&] {
    Values out(segments.rows * attended);
    ops_.attention(out.data(), nullptr, {qkv.data(), width}, heads, segments);
    return inner_product(out, dout);
  };
  Values out(segments.rows * attended), log_sum(segments.rows * heads.query), dqkv(segments.rows * width);
  ops_.attention(out.data(), log_sum.data(), {qkv.data(), width}, heads, segments);
  ops_.attention_gradient({dqkv.data(), width}, dout.data(), out.data(), log_sum.data(), {qkv.data(), width}, heads,
                          segments);
  EXPECT_LT(relative_error(dqkv, finite_differences(qkv, f)), tolerance);
}

TEST_F(OpGradients, SwiGlu) {
  const int rows = 3, width = 21;
  Values gate_up = random_values<double>(rows * 2 * width, 1, 3);
  const Values dy = random_values<double>(rows * width, 2);
  const auto f = [&] {
    Values y(rows * width);
    ops_.swiglu(y.data(), gate_up.data(), width, rows);
    return inner_product(y, dy);
  };
  Values gradient(rows * 2 * width), y(rows * width), again(rows * width);
  ops_.swiglu(y.data(), gate_up.data(), width, rows);
  ops_.swiglu_gradient(gradient.data(), again.data(), dy.data(), gate_up.data(), width, rows);
  EXPECT_LT(relative_error(gradient, finite_differences(gate_up, f)), tolerance);
  EXPECT_EQ(again, y);
  Values in_place = gate_up, from_dy = dy;
  ops_.swiglu_gradient(in_place.data(), from_dy.data(), from_dy.data(), in_place.data(), width, rows);
  EXPECT_EQ(in_place, gradient);
  EXPECT_EQ(from_dy, y);
}

TEST_F(OpGradients, TokenStatistics) {
  const int rows = 3, vocabulary = 1037;
  const double temperature = 0.7;
  const std::vector<int32_t> targets = {0, 1036, 511};
  Values logits = random_values<double>(rows * vocabulary, 1, 2);
  const Values by_logprob = {0.5, -1.5, 0}, by_entropy = {0.25, 0, -2};
  Values log_sum(rows), logprob(rows), entropy(rows);
  const TokenStatistics<double> statistics{log_sum.data(), logprob.data(), entropy.data()};
  const auto f = [&] {
    ops_.token_statistics(statistics, logits.data(), targets.data(), vocabulary, rows, temperature);
    return inner_product(logprob, by_logprob) + inner_product(entropy, by_entropy);
  };
  const Values differences = finite_differences(logits, f);
  f();
  Values gradient = logits;
  ops_.logits_gradient(gradient.data(), statistics, by_logprob.data(), by_entropy.data(), targets.data(), vocabulary,
                       rows, temperature);
  EXPECT_LT(relative_error(gradient, differences), tolerance);
}

TEST_F(OpGradients, GatherAndScatterAreTransposes) {
  const int rows = 7, width = 5, count = 3;
  const std::vector<int32_t> indices = {6, 0, 3};
  const Values x = random_values<double>(rows * width, 1), dy = random_values<double>(count * width, 2);
  Values y(count * width), dx(rows * width);
  ops_.gather_rows({y.data(), width}, {x.data(), width}, indices.data(), width, count);
  ops_.scatter_rows({dx.data(), width}, {dy.data(), width}, indices.data(), width, count);
  EXPECT_EQ(Values(y.begin(), y.begin() + width), Values(x.end() - width, x.end()));
  EXPECT_NEAR(inner_product(y, dy), inner_product(x, dx), 1e-12);
  ops_.scatter_rows({dx.data(), width}, {dy.data(), width}, indices.data(), width, count);
  EXPECT_NEAR(2 * inner_product(y, dy), inner_product(x, dx), 1e-12);
}

}  // namespace
}  // namespace palestra::test
