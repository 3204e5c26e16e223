#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "../model/lora.h"
#include "../model/model.h"
#include "request.h"

namespace palestra {

struct GeneratorOptions {
  /** Sequences that are decoded side by side. */
  int max_sequences = 64;
  /** Rows of one step, decoded tokens and chunks of prompts together; at least `max_sequences`. */
  int max_rows = 256;
  /** Memory for keys and values. */
  size_t kv_bytes = 0;
  KeyValueFormat keys_values = KeyValueFormat::plain;
  /** Of the packed weights: f32 or bf16; bf16 alone where activations are. */
  Dtype weights = Dtype::f32;
};

/** One sampled token, or the end of a sequence. */
struct Event {
  uint64_t sequence;
  int32_t token;  // -1: only the end
  Finish finish;
  /** Under the distribution that was sampled from: after temperature, mask, top-k, top-p and min-p. 0 where greedy. */
  float logprob;
  /** Under the model's distribution at the temperature (1 where greedy), as the trainer computes it: the same bits. */
  float model_logprob;
  /** Of the weights that it was sampled with. */
  int64_t version;
};

/** What happens to keys and values when weights change. */
enum class OnUpdate : int32_t {
  /** They stay: those of positions before the update are of older weights. */
  keep,
  /** They are dropped, and computed again by the new weights when their sequence goes on. */
  recompute,
};

struct GeneratorStatistics {
  /** Positions: sampled, computed of prompts, and of prompts taken from a sibling. */
  int64_t steps, decoded_tokens, prefilled_tokens, shared_tokens, preemptions;
  int pages, free_pages, running, waiting, kept;
  /** Of the weights. */
  int64_t version;
};

/**
 * Continuous batching: each step carries one token of every decoding sequence and, in the rows that are left, chunks of
 * prompts. What a sequence samples depends on its tokens, seed, stream and the weights alone, whatever runs beside it,
 * and whether its pages were taken from it in between.
 *
 * For the engine's thread alone, but for `check`.
 */
template <class T>
class Generator {
 public:
  /**
   * Takes over the model's weights as they are.
   * @param ops of the model's device; its own, where steps are not to wait for what training asks
   * @param adapters that it goes through, unmerged; or null
   * @param events called after each step that has any, and by `abort` and `release` for the end of a sequence under way
   */
  Generator(Ops<T>& ops, Model<T>& model, const Adapters<T>* adapters, const GeneratorOptions& options,
            std::function<void(const std::vector<Event>&)> events);
  ~Generator();

  /** Bytes of each token, for stop strings. */
  void set_vocabulary(std::vector<std::string> bytes);

  /**
   * Fails with `Code::invalid_argument` where a request does not fit this model. From any thread, once the vocabulary
   * is set: then `submit` and `extend` do not fail for the request.
   * @param fewest_tokens 1 to begin a sequence, 0 to go on with one
   */
  void check(const Request& request, int fewest_tokens) const;

  /**
   * Begins the sequences `first` to `first + count - 1`, names that the caller gives and uses once; sequence `first + i`
   * draws from stream + i. They begin with the same tokens, whose keys and values are computed and kept once, and not at
   * all where a sequence that was not released began with them, too.
   */
  void submit(uint64_t first, const Request& request, int count);
  /**
   * Goes on with a sequence that has ended, after its tokens and then these, its keys and values kept. What would pass
   * the context ends with `Finish::context` at once, and the sequence stays as it was.
   */
  void extend(uint64_t sequence, const Request& request);
  /** Ends it at once; what it sampled stays, and it may be extended. Nothing where it has ended already. */
  void abort(uint64_t sequence);
  /** Forgets a sequence and gives its pages back. */
  void release(uint64_t sequence);
  /** From now on `step` does nothing. */
  void pause();
  void resume();
  /** Takes over the model's weights, as its stream has them by now, between two steps. */
  void update(OnUpdate on_update);

  /** One step. @returns whether there is anything to do next. Where it fails, `fail` has to follow. */
  bool step();
  /** Ends all that is under way with `Finish::error`; it may be extended. */
  void fail();

  GeneratorStatistics statistics() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace palestra
