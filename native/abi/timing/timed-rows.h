#pragma once
#include <type_traits>

#include "timed-op.h"
#include "timed-operands.h"

namespace palestra {

template <class T>
class TimedNorm final : public TimedOp {
 public:
  TimedNorm(Operands<T>& operands, const palestra_timing& t)
      : ops_(operands.ops()),
        rows_(t.rows),
        width_(t.in),
        x_(operands.activations(size_t(t.rows) * t.in)),
        y_(operands.activations(size_t(t.rows) * t.in)),
        w_(operands.activations(t.in)),
        rstd_(operands.sums(t.rows)) {}

  void call() override {
    ops_.rms_norm({y_.data(), width_}, rstd_.data(), {x_.data(), width_}, w_.data(), width_, rows_, 1e-6f);
  }

 private:
  Ops<T>& ops_;
  const int rows_, width_;
  Buffer<T> x_, y_, w_;
  Buffer<float> rstd_;
};

template <class T>
class TimedAdamW final : public TimedOp {
 public:
  TimedAdamW(Operands<T>& operands, const palestra_timing& t)
      : ops_(operands.ops()),
        weights_(operands.sums(t.rows)),
        rounded_(operands.activations(std::is_same<T, float>::value ? 0 : t.rows)),
        gradients_(operands.sums(t.rows)),
        first_(operands.sums(t.rows)),
        second_(ops_.memory(), t.rows, "a bench") {
    ops_.zero(second_.data(), second_.bytes());  // squares, none of which may be negative
  }

  void call() override {
    const AdamW rule{1e-5f, 0.9f, 0.95f, 1e-8f, 0.1f, 1, 1};
    ops_.adamw(weights_.data(), rounded_.data(), gradients_.data(), first_.data(), second_.data(), weights_.size(),
               rule);
  }

 private:
  Ops<T>& ops_;
  Buffer<float> weights_;
  Buffer<T> rounded_;
  Buffer<float> gradients_, first_, second_;
};

}  // namespace palestra
