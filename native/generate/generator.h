#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "../model/weights/lora.h"
#include "../model/weights/model.h"
#include "request.h"
#include "draws/top-tokens.h"

namespace palestra {

struct GeneratorOptions {
  /** Number of sequences that are decoded side by side. */
  int max_sequences = 64;
  /** Limit on the rows of one step: decoded tokens and chunks of prompts together. At least `max_sequences`. */
  int max_rows = 256;
  /** Memory for keys and values, in bytes. */
  size_t kv_bytes = 0;
  KeyValueFormat keys_values = KeyValueFormat::plain;
  /** Type of the packed weights: f32 or bf16. When the activations are bf16, the weights must be bf16. */
  Dtype weights = Dtype::f32;
};

/** One sampled token, or the end of a sequence. */
struct Event {
  uint64_t sequence;
  int32_t token;  // -1 when the event is only an end
  Finish finish;
  /**
   * Log-probability under the distribution from which the token was sampled: after penalties, biases, temperature, mask,
   * top-k, top-p and min-p. 0 when greedy.
   */
  float logprob;
  /**
   * Log-probability under the model's distribution at the temperature (1 when greedy). Equals the trainer's result bit
   * for bit.
   */
  float model_logprob;
  /** Version of the weights with which the token was sampled. */
  int64_t version;
  /** The most probable tokens of the distribution from which the token was sampled, if the request asks for them. */
  std::vector<TopToken> top;
};

/** Treatment of keys and values when the weights change. */
enum class OnUpdate : int32_t {
  /** Keeps keys and values. The keys and values of earlier positions come from older weights. */
  keep,
  /** Drops keys and values. The new weights compute them again when their sequence continues. */
  recompute,
};

struct GeneratorStatistics {
  /** Number of steps, and numbers of positions that were sampled, computed for prompts, and shared with a sibling. */
  int64_t steps, decoded_tokens, prefilled_tokens, shared_tokens, preemptions;
  int pages, free_pages, running, waiting, kept;
  /** Version of the weights. */
  int64_t version;
};

/**
 * Continuous batching. Each step has one token of every decoding sequence and, in the remaining rows, chunks of
 * prompts. The samples of a sequence depend only on its tokens, seed, stream and the weights, not on the other
 * sequences or on preemption.
 *
 * All methods but `check` are for the engine's thread alone.
 */
template <class T>
class Generator {
 public:
  /**
   * Copies the model's current weights.
   *
   * @param ops operations on the model's device; if they have a separate stream, steps do not wait for training
   * @param adapters adapters to apply, unmerged; or null
   * @param events called after each step that has events, and by `abort` and `release` for the end of a running
   * sequence
   */
  Generator(Ops<T>& ops, Model<T>& model, const Adapters<T>* adapters, const GeneratorOptions& options,
            std::function<void(const std::vector<Event>&)> events);
  ~Generator();

  /**
   * Sets the bytes of each token, for stop strings and grammars.
   *
   * @param special whether a token is no text for grammars, such as the end of a turn
   */
  void set_vocabulary(std::vector<std::string> bytes, std::vector<bool> special);

  /**
   * Fails with `Code::invalid_argument` when a request does not fit this model. May be called from any thread once the
   * vocabulary is set. `submit` and `extend` expect a request that was checked.
   */
  void check(const Request& request) const;

  /**
   * Starts the sequences `first` to `first + count - 1`, which begin with at least one token. The caller uses each
   * number once. Sequence `first + i` draws from stream + i. All sequences begin with the same tokens. The keys and values of these tokens are computed once,
   * or not at all when an unreleased sequence began with the same tokens.
   */
  void submit(uint64_t first, const Request& request, int count);
  /**
   * Extends an ended sequence by further tokens. The keys and values of the sequence are kept. An extension beyond the
   * context ends with `Finish::context` at once and leaves the sequence unchanged.
   */
  void extend(uint64_t sequence, const Request& request);
  /**
   * Ends the sequence at once. The sequence keeps its samples and can be extended. Has no effect on an ended sequence.
   */
  void abort(uint64_t sequence);
  /** Removes a sequence and frees its pages. */
  void release(uint64_t sequence);
  /** Makes `step` do nothing until `resume`. */
  void pause();
  void resume();
  /** Copies the model's weights between two steps, in the order of the model's stream. */
  void update(OnUpdate on_update);

  /** Runs one step. @returns whether more steps are needed. Call `fail` when this method throws. */
  bool step();
  /** Ends all running sequences with `Finish::error`. The sequences can be extended. */
  void fail();

  GeneratorStatistics statistics() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace palestra
