#pragma once
#include "forward-step.h"
#include "generator.h"
#include "packed-weights.h"

namespace palestra {

template <class T>
struct Generator<T>::State {
  State(Ops<T>& ops, Model<T>& model, const Adapters<T>* adapters, const GeneratorOptions& options,
        std::function<void(const std::vector<Event>&)> events);

  void copy_weights();
  Sequence& find(uint64_t id) const;
  void begin(Sequence& sequence, const Request& request, uint64_t stream);
  void finish(Sequence& sequence, int32_t token, Finish finish, float logprob = 0, float model_logprob = 0);
  /** Sends the events to the listener. */
  void tell();
  void sample(const std::vector<SampledRow>& rows);
  std::vector<SampledRow> without_stuck(const std::vector<SampledRow>& rows);
  void take(Sequence& sequence, const Choice& choice);
  Finish finish_after(Sequence& sequence, int32_t token);

  Ops<T>& ops;
  Model<T>& model;
  const Adapters<T>* const adapters;
  const std::function<void(const std::vector<Event>&)> listener;
  PackedWeights<T> weights;
  KeyValueStore<T> store;
  ForwardStep<T> forward;
  SequenceScheduler scheduler;
  std::vector<std::string> vocabulary;
  Grammars grammars;
  std::vector<Event> events;
  bool paused = false;
  int64_t version = 0;
  int64_t steps = 0, decoded = 0, prefilled = 0;
};

}  // namespace palestra
