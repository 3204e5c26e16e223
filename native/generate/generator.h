#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "../core/scheduler.h"
#include "../model/model.h"

namespace palestra {

struct GeneratorOptions {
  /** Sequences that are decoded side by side. */
  int max_sequences = 64;
  /** Rows of one step, decoded tokens and chunks of prompts together. */
  int max_rows = 256;
  /** Memory for keys and values. */
  size_t kv_bytes = 0;
  /** Of the packed weights. */
  Dtype weights = Dtype::f32;
};

enum class Finish : int32_t { none, stop_token, stop_string, length, context, aborted, failed };

/** What is asked of one sequence. */
struct Request {
  std::vector<int32_t> tokens;
  int max_new_tokens;
  Sampling sampling;
  /** With `stream` the key of the sequence's random draws; the counter is the position. */
  uint64_t seed = 0;
  uint64_t stream = 0;
  std::vector<int32_t> stop_tokens;
  /** As bytes; they end the sequence once what was sampled, written out, contains one. */
  std::vector<std::string> stop_strings;
  /** A bit each token: may it be sampled; empty: all. */
  std::vector<uint32_t> allowed;
};

/** One sampled token, or the end of a sequence. */
struct Event {
  uint64_t sequence;
  int32_t token;  // -1: only the end
  Finish finish;
  /** Under the distribution that was sampled from: after temperature, top-k, top-p, min-p and mask. */
  float logprob;
  /** Under the model's distribution at the temperature, as the trainer computes it. */
  float model_logprob;
  int64_t version;
};

/** What happens to keys and values of sequences under way when weights change. */
enum class OnUpdate : int32_t { keep, recompute };

/**
 * Continuous batching: each step carries one token of every decoding sequence and, in the rows that are left, chunks of
 * prompts. What a sequence samples depends on its tokens, seed, stream and the weights alone, whatever runs beside it.
 */
template <class T>
class Generator {
 public:
  /** @param events called on the engine's thread after each step */
  Generator(Ops<T>& ops, Model<T>& model, const GeneratorOptions& options,
            std::function<void(const std::vector<Event>&)> events);
  ~Generator();

  /** Bytes of each token, for stop strings. */
  void set_vocabulary(std::vector<std::string> bytes);

  /** Sequences that begin with the same tokens; keys and values of the prompt are computed and kept once. */
  std::vector<uint64_t> submit(const Request& request, int count);
  /** Goes on with a finished sequence after these further tokens, its keys and values kept. */
  void extend(uint64_t sequence, const Request& request);
  /** Ends it at once; what it sampled stays, and it may be extended. */
  void abort(uint64_t sequence);
  /** Forgets a sequence and gives its pages back. */
  void release(uint64_t sequence);
  void pause();
  void resume();
  /** Takes over the model's weights, between two steps. */
  void update(OnUpdate on_update);

  /** One step. @returns whether there is anything to do next */
  bool step();

  struct Statistics {
    int64_t steps, decoded_tokens, prefilled_tokens, shared_tokens, preemptions;
    int pages, free_pages, running, waiting, kept;
    int64_t version;
  };
  Statistics statistics() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace palestra
