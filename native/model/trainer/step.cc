#include <cmath>

#include "pass.h"

namespace palestra {
namespace {

/** Computes the norm of the gradients and after it AdamW, both block by block. */
template <class T>
class Step final : public Work {
 public:
  Step(TrainerState<T>& state, const AdamW& rule, double clip_norm, double* gradient_norm, Done done)
      : state_(state), rule_(rule), clip_norm_(clip_norm), out_(gradient_norm), done_(std::move(done)) {}

  bool advance() override {
    Optimiser<T>& optimiser = state_.optimiser;
    if (next_norm_ == 0) state_.fold_embedding_gradients();
    if (next_norm_ < optimiser.norm_blocks()) {
      squared_norm_ += optimiser.squared_norm(next_norm_++);
      if (next_norm_ < optimiser.norm_blocks()) return true;
      return begin_update();
    }
    return update();
  }

  /** When a norm has arrived on the host, all gradients before it are complete. */
  bool ready() noexcept override { return next_norm_ == state_.optimiser.norm_blocks() || is_done(state_.ops); }

  /** A half-done step must not remain in a model. Once weights are being written, the step completes. */
  void finish(std::exception_ptr failure) noexcept override {
    if (updating_) {
      while (update()) {
      }
      failure = nullptr;
    }
    done_(failure);
  }

 private:
  bool begin_update() {
    const double norm = std::sqrt(squared_norm_) * rule_.gradient_scale;
    if (out_) *out_ = norm;
    if (!std::isfinite(norm)) {
      state_.drop_gradients();
      return false;
    }
    if (clip_norm_ > 0 && norm > clip_norm_) rule_.gradient_scale *= static_cast<float>(clip_norm_ / norm);
    rule_.step = state_.optimiser.steps + 1;
    return state_.optimiser.update_blocks() > 0;
  }

  bool update() {
    updating_ = true;
    state_.optimiser.update(next_update_++, rule_);
    if (next_update_ < state_.optimiser.update_blocks()) return true;
    state_.optimiser.steps += 1;
    state_.model.version += 1;
    updating_ = false;
    return false;
  }

  TrainerState<T>& state_;
  AdamW rule_;
  const double clip_norm_;
  double* const out_;
  const Done done_;
  int next_norm_ = 0;
  double squared_norm_ = 0;
  int next_update_ = 0;
  bool updating_ = false;
};

}  // namespace

template <class T>
std::shared_ptr<Work> make_step(TrainerState<T>& state, const AdamW& rule, double clip_norm, double* gradient_norm,
                                Done done) {
  return std::make_shared<Step<T>>(state, rule, clip_norm, gradient_norm, std::move(done));
}

template std::shared_ptr<Work> make_step(TrainerState<bf16>&, const AdamW&, double, double*, Done);
template std::shared_ptr<Work> make_step(TrainerState<float>&, const AdamW&, double, double*, Done);
template std::shared_ptr<Work> make_step(TrainerState<double>&, const AdamW&, double, double*, Done);

}  // namespace palestra
