#pragma once
#include <exception>
#include <functional>
#include <memory>
#include <vector>

#include "../../core/scheduler.h"
#include "../loss/loss.h"
#include "../weights/lora.h"
#include "../weights/model.h"

namespace palestra {

/** Activations that the backward pass recomputes instead of keeping them. */
enum class Recompute : int32_t { none, layer };

struct TrainerOptions {
  /** Largest number of rows in a pack. */
  int max_tokens;
  Recompute recompute;
  LoraConfig lora;
  /** Memory for the logits of one chunk in bytes. 0: the device's default. */
  size_t logits_bytes = 0;
};

/**
 * Sequences, concatenated, on the host. Entry t of every per-token array describes `tokens[t]` given the tokens before
 * it in its sequence. The first token of a sequence has no tokens before it and is never trained.
 *
 * A sequence with a parent continues the parent's sequence, so several sequences share the tokens with which they
 * begin. Its first token is not trained either: the row that would predict it belongs to the parent. Repeat the last
 * shared token at the start of a continuation whose next token is trained, and leave it out of the parent.
 */
struct Pack {
  std::vector<int32_t> tokens;
  /** Index of the first token of each sequence, followed by the number of tokens: [sequences + 1]. */
  std::vector<int32_t> starts;
  /** Whether each token is scored: [tokens]. */
  std::vector<uint8_t> mask;
  /** Parent of each sequence, which is an earlier sequence, or -1: [sequences]. Empty: no sequence has a parent. */
  std::vector<int32_t> parents = {};
};

/** Scores on the host, one per token of the pack, with 0 where the mask is 0. Null arrays are not computed. */
struct Scores {
  float* logprob;
  float* entropy;
  float* value;
};

/** Device memory of a trainer's state. */
struct StateSpan {
  /** `weights/NAME`, `first_moments/NAME` or `second_moments/NAME`, with the name of a parameter or adapter. */
  std::string name;
  void* data;
  size_t bytes;
};

template <class T>
struct TrainerState;

/**
 * Gradients, moments and the passes over a model. Each pass is a `Work` whose jobs are one layer or one chunk of the
 * head. A pass that fails or is cancelled drops all gradients since the last step, because a part of a batch must not
 * be applied.
 *
 * With LoRA the base is frozen; the adapters and the value head, if any, are trained.
 *
 * Works refer to their trainer and must not outlive it. A pack or a loss that does not fit the model fails when its work
 * is made.
 */
template <class T>
class Trainer {
 public:
  Trainer(Ops<T>& ops, Model<T>& model, const TrainerOptions& options);
  ~Trainer();

  /** Adapters of the trainer. Null without LoRA. */
  const Adapters<T>* adapters() const;
  /** Weights that a forward pass reads: the model's own arena, with the adapters. */
  const ModelWeights<T>& weights() const;
  /**
   * All memory that a bit-exact resume between two steps needs, in addition to `Trainer::steps` and `Model::version`.
   * Accumulated gradients are not included.
   */
  std::vector<StateSpan> state() const;
  /** Must be called after writing to the memory of `state`. */
  void refresh();
  /** Number of optimizer steps so far. A checkpoint sets it. */
  int64_t& steps();
  /** Gradients accumulated since the last step, by the trained tensor's name. For tests and inspection. */
  std::vector<StateSpan> gradients();

  /** @param done receives the outcome when the work finishes */
  std::shared_ptr<Work> score(Pack pack, float temperature, Scores scores,
                              std::function<void(std::exception_ptr)> done);
  /** Adds the gradients of the loss. */
  std::shared_ptr<Work> accumulate(Pack pack, Loss loss, LossInputs inputs, LossStatistics* statistics,
                                   std::function<void(std::exception_ptr)> done);
  /**
   * Adds gradients for given derivatives with respect to each token's log-probability, entropy and value. Null arrays
   * count as zeros.
   */
  std::shared_ptr<Work> accumulate(Pack pack, float temperature, const float* logprob_gradient,
                                   const float* entropy_gradient, const float* value_gradient,
                                   std::function<void(std::exception_ptr)> done);
  /**
   * Applies AdamW to the gradients, clipped to the global norm, zeroes the gradients and raises the model's version.
   * When the norm is not finite, the step drops the gradients and changes no weights. Weight decay applies to matrices,
   * not to norms and biases. A step that has begun to write weights completes even when it is cancelled.
   *
   * @param rule rule of AdamW; the trainer counts the rule's `step`, and applies its `gradient_scale` before the norm
   * @param clip_norm limit on the norm; 0: no clipping
   * @param gradient_norm receives the norm before clipping
   */
  std::shared_ptr<Work> step(AdamW rule, double clip_norm, double* gradient_norm,
                             std::function<void(std::exception_ptr)> done);
  /** Drops the accumulated gradients. */
  std::shared_ptr<Work> zero_gradients(std::function<void(std::exception_ptr)> done);

 private:
  std::unique_ptr<TrainerState<T>> state_;
};

}  // namespace palestra
