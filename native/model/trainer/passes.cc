#include <algorithm>
#include <cmath>

#include "../../core/failure.h"
#include "pass.h"

namespace palestra {
namespace {

template <class T>
class ScorePass final : public Pass<T> {
 public:
  ScorePass(TrainerState<T>& state, Pack pack, float temperature, const Scores& scores, Done done)
      : Pass<T>(state, std::move(pack), temperature, false, std::move(done)), out_(scores) {
    for (float* array : {out_.logprob, out_.entropy, out_.value}) {
      if (array) std::fill_n(array, this->pack().tokens.size(), 0.0f);
    }
    this->add_forward_jobs();
    this->add_head_jobs(out_.entropy != nullptr, [this](int first, const std::vector<TokenScore>& scores) {
      for (size_t i = 0; i < scores.size(); ++i) write(this->scored_[first + i], scores[i]);
    });
  }

 private:
  void write(int32_t token, const TokenScore& score) {
    if (out_.logprob) out_.logprob[token] = static_cast<float>(score.logprob);
    if (out_.entropy) out_.entropy[token] = static_cast<float>(score.entropy);
    if (out_.value) out_.value[token] = static_cast<float>(score.value);
  }

  Scores out_;
};

/**
 * A loss of single tokens visits each chunk of logits once. GSPO's ratio belongs to a sequence, which may span several
 * chunks, so the pass visits each chunk twice. The first visit scores, and the second visit adds the gradients.
 */
template <class T>
class LossPass final : public Pass<T> {
 public:
  LossPass(TrainerState<T>& state, Pack pack, const Loss& loss, const LossInputs& inputs, LossStatistics* statistics,
           Done done)
      : Pass<T>(state, std::move(pack), loss.temperature, true, std::move(done)),
        loss_(loss),
        given_{inputs.behaviour != nullptr, inputs.proximal != nullptr, inputs.reference != nullptr},
        out_(statistics) {
    check_loss(loss, state.model.config().value_head);
    keep_weighted(read_loss_inputs(loss, inputs, this->scored_));
    sequence_log_ratios_.resize(tokens_.size());
    this->add_forward_jobs();
    if (loss.policy == Policy::gspo) {
      this->add_head_jobs(false, [this](int first, const std::vector<TokenScore>& scores) {
        for (size_t i = 0; i < scores.size(); ++i) {
          sequence_log_ratios_[first + i] = scores[i].logprob - tokens_[first + i].proximal;
        }
      });
      this->then([this] { average_by_sequence(); });
    }
    this->add_head_jobs(true, [this](int first, const std::vector<TokenScore>& scores) { learn(first, scores); });
    this->add_backward_jobs();
  }

  void finish(std::exception_ptr failure) noexcept override {
    if (!failure && out_) *out_ = statistics_;
    Pass<T>::finish(failure);
  }

 private:
  void keep_weighted(const std::vector<LossToken>& all) {
    std::vector<int32_t> weighted;
    for (size_t i = 0; i < all.size(); ++i) {
      if (all[i].weight == 0) continue;
      weighted.push_back(this->scored_[i]);
      tokens_.push_back(all[i]);
    }
    this->scored_ = std::move(weighted);
  }

  void average_by_sequence() {
    const std::vector<int32_t>& starts = this->pack().starts;
    size_t begin = 0;
    for (size_t s = 1; s < starts.size(); ++s) {
      size_t end = begin;
      double total = 0;
      for (; end < tokens_.size() && this->scored_[end] < starts[s]; ++end) total += sequence_log_ratios_[end];
      for (size_t i = begin; i < end; ++i) sequence_log_ratios_[i] = total / static_cast<double>(end - begin);
      begin = end;
    }
  }

  void learn(int first, const std::vector<TokenScore>& scores) {
    gradients_.resize(scores.size());
    for (size_t i = 0; i < scores.size(); ++i) {
      gradients_[i] = token_loss(loss_, given_, tokens_[first + i], scores[i], sequence_log_ratios_[first + i],
                                 statistics_);
    }
    this->head_gradient(gradients_);
  }

  const Loss loss_;
  const LossGiven given_;
  LossStatistics* const out_;
  LossStatistics statistics_ = {};
  std::vector<LossToken> tokens_;             // by scored token
  std::vector<double> sequence_log_ratios_;  // by scored token
  std::vector<TokenGradient> gradients_;
};

template <class T>
class GradientPass final : public Pass<T> {
 public:
  GradientPass(TrainerState<T>& state, Pack pack, float temperature, const float* logprob, const float* entropy,
               const float* value, Done done)
      : Pass<T>(state, std::move(pack), temperature, true, std::move(done)) {
    read(logprob, entropy, value);
    this->add_forward_jobs();
    this->add_head_jobs(entropy != nullptr, [this](int first, const std::vector<TokenScore>& scores) {
      chunk_.assign(gradients_.begin() + first, gradients_.begin() + first + static_cast<int>(scores.size()));
      this->head_gradient(chunk_);
    });
    this->add_backward_jobs();
  }

 private:
  /** Reads the derivatives, and leaves out tokens whose gradients are all 0. */
  void read(const float* logprob, const float* entropy, const float* value) {
    std::vector<int32_t> touched;
    for (int32_t token : this->scored_) {
      const auto at = [token](const float* values) { return values ? values[token] : 0.0f; };
      const TokenGradient gradient{at(logprob), at(entropy), at(value)};
      if (!std::isfinite(gradient.logprob) || !std::isfinite(gradient.entropy) || !std::isfinite(gradient.value)) {
        throw Failure(Code::not_finite,
                      "expected finite gradients but received NaN or infinity at token " + std::to_string(token));
      }
      if (gradient.logprob == 0 && gradient.entropy == 0 && gradient.value == 0) continue;
      touched.push_back(token);
      gradients_.push_back(gradient);
    }
    this->scored_ = std::move(touched);
  }

  std::vector<TokenGradient> gradients_;  // by scored token
  std::vector<TokenGradient> chunk_;
};

}  // namespace

template <class T>
std::shared_ptr<Work> make_score_pass(TrainerState<T>& state, Pack pack, float temperature, Scores scores, Done done) {
  return std::make_shared<ScorePass<T>>(state, std::move(pack), temperature, scores, std::move(done));
}

template <class T>
std::shared_ptr<Work> make_loss_pass(TrainerState<T>& state, Pack pack, const Loss& loss, const LossInputs& inputs,
                                     LossStatistics* statistics, Done done) {
  return std::make_shared<LossPass<T>>(state, std::move(pack), loss, inputs, statistics, std::move(done));
}

template <class T>
std::shared_ptr<Work> make_gradient_pass(TrainerState<T>& state, Pack pack, float temperature,
                                         const float* logprob_gradient, const float* entropy_gradient,
                                         const float* value_gradient, Done done) {
  return std::make_shared<GradientPass<T>>(state, std::move(pack), temperature, logprob_gradient, entropy_gradient,
                                           value_gradient, std::move(done));
}

#define PALESTRA_PASSES(T)                                                                                       \
  template std::shared_ptr<Work> make_score_pass(TrainerState<T>&, Pack, float, Scores, Done);                  \
  template std::shared_ptr<Work> make_loss_pass(TrainerState<T>&, Pack, const Loss&, const LossInputs&,         \
                                                LossStatistics*, Done);                                         \
  template std::shared_ptr<Work> make_gradient_pass(TrainerState<T>&, Pack, float, const float*, const float*, \
                                                    const float*, Done);
PALESTRA_PASSES(bf16)
PALESTRA_PASSES(float)
PALESTRA_PASSES(double)
#undef PALESTRA_PASSES

}  // namespace palestra
