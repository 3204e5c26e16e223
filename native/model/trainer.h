#pragma once
#include <memory>
#include <vector>

#include "../core/scheduler.h"
#include "loss.h"
#include "model.h"

namespace palestra {

/** What backward recomputes in place of keeping it. */
enum class Recompute : int32_t { none, layer };

struct TrainerOptions {
  /** Rows of the largest pack. */
  int max_tokens;
  Recompute recompute;
  LoraConfig lora;
};

/**
 * Sequences side by side, on the host. Entry t of what a loss takes and gives is about `tokens[t]` given the tokens
 * before it in its sequence; the first of a sequence has none and is never trained.
 */
struct Pack {
  std::vector<int32_t> tokens;
  /** (sequences + 1) */
  std::vector<int32_t> starts;
  /** (tokens): whether the token is scored. */
  std::vector<uint8_t> mask;
};

/** Scores by token of the pack; 0 where the mask is 0. Null where not asked for. On the host. */
struct Scores {
  float* logprob;
  float* entropy;
  float* value;
};

/** An array on the device. */
struct NamedArray {
  std::string name;
  float* data;
  size_t size;
};

/** All that the next step depends on beside the model's weights, for checkpoints. */
struct TrainerArrays {
  LoraConfig lora;
  /** Adapters and moments. */
  std::vector<NamedArray> arrays;
  int64_t* steps;
};

/**
 * Gradients, moments and the passes over a model. Each pass is a `Work` whose jobs are a layer or a chunk of the head.
 * A pass that fails or is cancelled drops all gradients gathered since the last step, since a part of them is no batch.
 */
template <class T>
class Trainer {
 public:
  Trainer(Ops<T>& ops, Model<T>& model, const TrainerOptions& options);
  ~Trainer();

  /** @param work says when it is done; `finish` of it is called in the end */
  std::shared_ptr<Work> score(Pack pack, float temperature, Scores scores, std::function<void(std::exception_ptr)> done);
  /** Adds the gradients of the loss. */
  std::shared_ptr<Work> accumulate(Pack pack, Loss loss, LossInputs inputs, LossStatistics* statistics,
                                   std::function<void(std::exception_ptr)> done);
  /** Adds the gradients that follow from those of each token's log-probability, entropy and value, given by the caller. */
  std::shared_ptr<Work> accumulate(Pack pack, float temperature, const float* logprob_gradient,
                                   const float* entropy_gradient, const float* value_gradient,
                                   std::function<void(std::exception_ptr)> done);
  /**
   * AdamW with the gradients, clipped to the global norm; zeroes them; raises the model's version. Where the norm is not
   * finite, nothing is changed but that the gradients are dropped.
   */
  std::shared_ptr<Work> step(AdamW rule, double clip_norm, double* gradient_norm,
                             std::function<void(std::exception_ptr)> done);

  // On the engine's thread, between passes.

  /** Drops what was accumulated. */
  void zero_gradients();
  TrainerArrays checkpoint();
  /** Adds the adapters' product to rows of a parameter, on the host. */
  void merge(float* values, const Parameter& parameter, int first_row, int rows) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace palestra
