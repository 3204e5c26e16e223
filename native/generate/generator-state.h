#pragma once
#include "forward-step.h"
#include "generator.h"
#include "packed-weights.h"
#include "sampler.h"

namespace palestra {

template <class T>
struct Generator<T>::State {
  using A = accumulator_t<T>;

  State(Ops<T>& ops, ThreadPool& pool, Model<T>& model, const Adapters<T>* adapters, const GeneratorOptions& options,
        std::function<void(const std::vector<Event>&)> events);

  void copy_weights();
  Sequence& find(uint64_t id) const;
  void begin(Sequence& sequence, const Request& request, uint64_t stream);
  void finish(Sequence& sequence, int32_t token, Finish finish, float logprob = 0, float model_logprob = 0);
  /** Tells the events. */
  void tell();
  void sample(std::vector<SampledRow> rows);
  void sample_chunk(const SampledRow* rows, int count);
  std::vector<Choice> draw(const A* logits, const SampledRow* rows, int count);
  Finish finish_after(Sequence& sequence, int32_t token);

  ThreadPool& pool;
  Model<T>& model;
  const Adapters<T>* const adapters;
  const std::function<void(const std::vector<Event>&)> listener;
  PackedWeights<T> weights;
  KeyValueStore<T> store;
  ForwardStep<T> forward;
  Roster roster;
  /** One for each thread. */
  std::vector<Sampler> samplers;
  std::vector<std::string> vocabulary;
  std::vector<Event> events;
  bool paused = false;
  int64_t version = 0;
  int64_t steps = 0, decoded = 0, prefilled = 0;
};

}  // namespace palestra
