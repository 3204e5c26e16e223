#pragma once
#include <algorithm>

#include "timed-op.h"
#include "timed-operands.h"

namespace palestra {

/** Computes y = x w^T and its two gradients, in which y stands for dy. */
template <class T>
class TimedProduct final : public TimedOp {
 public:
  TimedProduct(Operands<T>& operands, const palestra_timing& t)
      : ops_(operands.ops()),
        kind_(static_cast<TimedKind>(t.op)),
        rows_(t.rows),
        x_(operands.activations(size_t(t.rows) * t.in)),
        y_(operands.activations(size_t(t.rows) * t.out)),
        w_(operands.activations(size_t(t.out) * t.in)),
        weight_{w_.data(), t.out, t.in, dtype_of<T>, false} {
    if (kind_ == TimedKind::weight_gradient) dw_ = operands.sums(size_t(t.out) * t.in);
    if (t.packed == 0) return;
    const Dtype stored = t.packed == 2 ? Dtype::bf16 : Dtype::f32;
    packed_ = Buffer<char>(ops_.memory(), ops_.packed_bytes(t.out, t.in, stored), "a bench");
    weight_ = ops_.pack(packed_.data(), weight_, stored);
  }

  void call() override {
    const Rows<T> x{x_.data(), weight_.in}, y{y_.data(), weight_.out};
    const Rows<const T> x_read{x.data, x.stride}, y_read{y.data, y.stride};
    if (kind_ == TimedKind::linear) return ops_.linear(y, x_read, weight_, nullptr, rows_, Into::assign);
    if (kind_ == TimedKind::input_gradient) return ops_.linear_input_gradient(x, y_read, weight_, rows_, Into::assign);
    ops_.linear_weight_gradient(dw_.data(), y_read, x_read, weight_.out, weight_.in, rows_);
  }

 private:
  Ops<T>& ops_;
  const TimedKind kind_;
  const int rows_;
  Buffer<T> x_, y_, w_;
  Buffer<float> dw_;
  Buffer<char> packed_;
  Weight weight_;
};

/** Forward and backward pass of the head, as in `Head`. The logits exist for one chunk of rows at a time. */
template <class T>
class TimedHead final : public TimedOp {
 public:
  TimedHead(Operands<T>& operands, const palestra_timing& t)
      : ops_(operands.ops()),
        rows_(t.rows),
        chunk_(chunk_of(t, ops_.logits_bytes())),
        x_(operands.activations(size_t(t.rows) * t.in)),
        dx_(operands.activations(size_t(t.rows) * t.in)),
        w_(operands.activations(size_t(t.out) * t.in)),
        weight_{w_.data(), t.out, t.in, dtype_of<T>, false},
        dw_(operands.sums(size_t(t.out) * t.in)),
        logits_(operands.sums(size_t(chunk_) * t.out)),
        columns_(operands.sums(size_t(5) * chunk_)),
        targets_(operands.integers(t.rows, t.out)) {}

  void call() override {
    for (int row = 0; row < rows_; row += chunk_) call(row, std::min(chunk_, rows_ - row));
  }

 private:
  static int chunk_of(const palestra_timing& t, size_t logits_bytes) {
    const size_t rows = logits_bytes / (sizeof(float) * static_cast<size_t>(t.out));
    return static_cast<int>(std::clamp<size_t>(rows, 1, static_cast<size_t>(t.rows)));
  }
  float* column(int index) const { return columns_.data() + size_t(index) * chunk_; }

  void call(int row, int count) {
    const int width = weight_.in, vocabulary = weight_.out;
    const Rows<const T> x{x_.data() + size_t(row) * width, width};
    const TokenStatistics<float> statistics{column(0), column(1), column(2)};
    const int32_t* const targets = targets_.data() + row;
    ops_.logits(logits_.data(), x, weight_, count);
    ops_.token_statistics(statistics, logits_.data(), targets, vocabulary, count, 1);
    ops_.logits_gradient(logits_.data(), statistics, column(3), column(4), targets, vocabulary, count, 1);
    ops_.logits_input_gradient({dx_.data() + size_t(row) * width, width}, logits_.data(), weight_, count);
    ops_.logits_weight_gradient(dw_.data(), logits_.data(), x, vocabulary, width, count);
  }

  Ops<T>& ops_;
  const int rows_, chunk_;
  Buffer<T> x_, dx_, w_;
  const Weight weight_;
  Buffer<float> dw_, logits_, columns_;
  Buffer<int32_t> targets_;
};

}  // namespace palestra
