#pragma once
#include <functional>
#include <vector>

#include "trainer-state.h"

namespace palestra {

using Done = std::function<void(std::exception_ptr)>;

/**
 * Whether a job that waits for the stream can continue at once. True for a failed stream, so that the job gets the
 * error.
 */
inline bool is_done(Stream& stream) noexcept {
  try {
    return stream.is_done();
  } catch (...) {
    return true;
  }
}

/** A work whose jobs are known from the start. */
class JobList : public Work {
 public:
  JobList(Stream& stream, Done done) : stream_(stream), done_(std::move(done)) {}
  bool advance() override {
    if (next_ < jobs_.size()) jobs_[next_++].run();
    return next_ < jobs_.size();
  }
  bool ready() noexcept override { return next_ == jobs_.size() || !jobs_[next_].waits || is_done(stream_); }
  void finish(std::exception_ptr failure) noexcept override { done_(failure); }

 protected:
  /** Adds a job that only queues device work. */
  void then(std::function<void()> job) { jobs_.push_back({std::move(job), false}); }
  /** Adds a job that waits for the device work queued before it. */
  void then_await(std::function<void()> job) { jobs_.push_back({std::move(job), true}); }

 private:
  struct Job {
    std::function<void()> run;
    bool waits;
  };

  Stream& stream_;
  Done done_;
  std::vector<Job> jobs_;
  size_t next_ = 0;
};

/**
 * A pass over a pack: embedding, layers, the head chunk by chunk and, when training, the layers backwards. The
 * subclasses decide how to use a chunk of scores.
 */
template <class T>
class Pass : public JobList {
 public:
  void finish(std::exception_ptr failure) noexcept override;

 protected:
  /** @param trained whether gradients follow */
  Pass(TrainerState<T>& state, Pack pack, float temperature, bool trained, Done done);

  /** Tokens to score. A subclass may remove some before it adds its jobs. */
  std::vector<int32_t> scored_;

  void add_forward_jobs();
  /** Scores all tokens in chunks. `use(first, scores)` receives the scores from `scored_[first]` on. */
  void add_head_jobs(bool with_entropy, std::function<void(int first, const std::vector<TokenScore>& scores)> use);
  void add_backward_jobs();
  /** Adds the gradients of the chunk of scores passed to `use`. */
  void head_gradient(const std::vector<TokenGradient>& gradients);
  const Pack& pack() const { return pack_; }

 private:
  void begin();
  /** Dropout of a pass with gradients. Uploads what it refers to. */
  Dropout dropout() const;
  void forward_layer(int index);
  void backward_layer(int index);

  TrainerState<T>& state_;
  Pack pack_;
  float temperature_;
  bool trained_;
  PackedAttention<T>& attention_;
  std::vector<int32_t> rows_;     // row of each scored token
  std::vector<int32_t> targets_;  // id of each scored token
  std::vector<TokenScore> scores_;
};

/** The kinds of passes. Each pass checks its arguments as trainer.h says. */
template <class T>
std::shared_ptr<Work> make_score_pass(TrainerState<T>&, Pack, float temperature, Scores, Done);
template <class T>
std::shared_ptr<Work> make_loss_pass(TrainerState<T>&, Pack, const Loss&, const LossInputs&, LossStatistics*, Done);
template <class T>
std::shared_ptr<Work> make_gradient_pass(TrainerState<T>&, Pack, float temperature, const float* logprob_gradient,
                                         const float* entropy_gradient, const float* value_gradient, Done);
template <class T>
std::shared_ptr<Work> make_step(TrainerState<T>&, const AdamW&, double clip_norm, double* gradient_norm, Done);

}  // namespace palestra
