#pragma once
#include <exception>
#include <functional>
#include <memory>
#include <vector>

#include "../core/scheduler.h"
#include "lora.h"
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
  /** Of the chunk in which logits exist; 0: as the device likes it. */
  size_t logits_bytes = 0;
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

/** Memory on the device that belongs to a trainer's state. */
struct StateSpan {
  /** `weights/NAME`, `first_moments/NAME` or `second_moments/NAME` of a parameter or adapter. */
  std::string name;
  void* data;
  size_t bytes;
};

template <class T>
struct TrainerState;

/**
 * Gradients, moments and the passes over a model. Each pass is a `Work` whose jobs are a layer or a chunk of the head.
 * A pass that fails or is cancelled drops all gradients gathered since the last step, since a part of them is no batch.
 *
 * With LoRA the base is frozen, and what is trained is the adapters, and the value head where there is one.
 *
 * Works refer to their trainer, and may not outlive it. What is wrong with their arguments is told when they are made.
 */
template <class T>
class Trainer {
 public:
  Trainer(Ops<T>& ops, Model<T>& model, const TrainerOptions& options);
  ~Trainer();

  /** Null without LoRA. */
  const Adapters<T>* adapters() const;
  /** Where a forward pass reads: the model's own arena, with the adapters. */
  const ModelWeights<T>& weights() const;
  /**
   * All memory that a bit-exact resume needs between two steps, beside `Trainer::steps` and `Model::version`; gathered
   * gradients are no part of it.
   */
  std::vector<StateSpan> state() const;
  /** Has to follow where memory of `state` was written. */
  void refresh();
  /** Steps of the optimiser that were made. A checkpoint sets it. */
  int64_t& steps();
  /** The gradients gathered since the last step, by the trained tensor's name; for tests and inspection. */
  std::vector<StateSpan> gradients();

  /** @param work says when it is done; `finish` of it is called in the end */
  std::shared_ptr<Work> score(Pack pack, float temperature, Scores scores,
                              std::function<void(std::exception_ptr)> done);
  /** Adds the gradients of the loss. */
  std::shared_ptr<Work> accumulate(Pack pack, Loss loss, LossInputs inputs, LossStatistics* statistics,
                                   std::function<void(std::exception_ptr)> done);
  /** Adds the gradients that follow from given ones of each token's log-probability, entropy and value, or null. */
  std::shared_ptr<Work> accumulate(Pack pack, float temperature, const float* logprob_gradient,
                                   const float* entropy_gradient, const float* value_gradient,
                                   std::function<void(std::exception_ptr)> done);
  /**
   * AdamW with the gradients, clipped to the global norm; zeroes them; raises the model's version. Where the norm is
   * not finite, nothing is changed but that the gradients are dropped. Weight decay pulls at matrices, not at norms and
   * biases. A step that has begun to write weights is finished even where it is cancelled.
   * @param rule its `step` is counted here, and its `gradient_scale` comes before the norm
   * @param clip_norm 0: not clipped
   * @param gradient_norm before clipping
   */
  std::shared_ptr<Work> step(AdamW rule, double clip_norm, double* gradient_norm,
                             std::function<void(std::exception_ptr)> done);
  /** Drops what was accumulated. */
  std::shared_ptr<Work> zero_gradients(std::function<void(std::exception_ptr)> done);

 private:
  std::unique_ptr<TrainerState<T>> state_;
};

}  // namespace palestra
