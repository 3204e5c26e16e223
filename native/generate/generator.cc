#include "generator.h"

#include <algorithm>
#include <cmath>

#include "../core/failure.h"
#include "forward-step.h"
#include "packed-weights.h"
#include "sampler.h"

namespace palestra {
namespace {

const GeneratorOptions& checked(const GeneratorOptions& options) {
  const auto expect = [](bool fits, const std::string& what, int received) {
    if (!fits) throw Failure(Code::invalid_argument, "expected " + what + " but received " + std::to_string(received));
  };
  expect(options.max_sequences > 0, "max_sequences above 0", options.max_sequences);
  expect(options.max_rows >= options.max_sequences,
         "max_rows from max_sequences (" + std::to_string(options.max_sequences) + ") on", options.max_rows);
  expect(options.weights == Dtype::f32 || options.weights == Dtype::bf16, "weights as f32 or bf16",
         static_cast<int>(options.weights));
  return options;
}

/** Pages that the sequences side by side can ever fill. */
size_t most_pages(const ModelConfig& config, const GeneratorOptions& options) {
  // Twice, for sequences that are kept.
  return 2 * static_cast<size_t>(options.max_sequences) * (config.max_position_embeddings / page_positions + 1);
}

/** From about so many logits on, waking other threads to draw from them is worth it. */
constexpr int64_t shared_logits = 16384;

/** Greedy tokens are told by the model's distribution as it is. */
float temperature_of(const Sequence& sequence) {
  const float temperature = sequence.request.sampling.temperature;
  return temperature == 0 ? 1 : temperature;
}

}  // namespace

template <class T>
struct Generator<T>::State {
  using A = accumulator_t<T>;

  State(Ops<T>& ops, ThreadPool& pool, Model<T>& model, const Adapters<T>* adapters, const GeneratorOptions& options,
        std::function<void(const std::vector<Event>&)> events)
      : pool(pool),
        model(model),
        adapters(adapters),
        listener(std::move(events)),
        weights(ops, model.config(), checked(options).weights),
        store(ops, model.config(), options.kv_bytes, most_pages(model.config(), options)),
        forward(ops, model.config(), store, options.max_rows, options.max_sequences, adapters ? adapters->rank() : 0),
        roster(store.pages(), options.max_sequences, options.max_rows,
               [this](int32_t to, int32_t from) { store.copy_page(to, from); }),
        samplers(pool.threads()) {
    for (Sampler& sampler : samplers) sampler.reserve(model.config().vocab_size);
    copy_weights();
  }

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

template <class T>
Generator<T>::Generator(Ops<T>& ops, ThreadPool& pool, Model<T>& model, const Adapters<T>* adapters, const GeneratorOptions& options,
                        std::function<void(const std::vector<Event>&)> events)
    : state_(std::make_unique<State>(ops, pool, model, adapters, options, std::move(events))) {}

template <class T>
Generator<T>::~Generator() = default;

template <class T>
void Generator<T>::State::copy_weights() {
  ModelWeights<T> master = weights_in(static_cast<const T*>(model.data()), model.parameters(), model.config());
  if (adapters) adapters->attach(master);
  weights.copy(master);
  version = model.version;
}

template <class T>
void Generator<T>::set_vocabulary(std::vector<std::string> bytes) {
  const size_t size = state_->model.config().vocab_size;
  if (bytes.size() != size) {
    throw Failure(Code::invalid_argument, "expected the bytes of " + std::to_string(size) + " tokens but received " +
                                              std::to_string(bytes.size()));
  }
  state_->vocabulary = std::move(bytes);
}

template <class T>
void Generator<T>::check(const Request& request, int fewest_tokens) const {
  const ModelConfig& config = state_->model.config();
  check_request(request, config.vocab_size, config.max_position_embeddings);
  if (static_cast<int>(request.tokens.size()) < fewest_tokens) {
    throw Failure(Code::invalid_argument, "expected at least one token to begin with but received none");
  }
  if (!request.stop_strings.empty() && state_->vocabulary.empty()) {
    throw Failure(Code::invalid_argument, "expected a vocabulary to be set for stop strings but received none");
  }
}

template <class T>
Sequence& Generator<T>::State::find(uint64_t id) const {
  Sequence* const sequence = roster.find(id);
  if (!sequence) {
    throw Failure(Code::invalid_argument, "expected a sequence of this generator but received " + std::to_string(id));
  }
  return *sequence;
}

template <class T>
void Generator<T>::State::begin(Sequence& sequence, const Request& request, uint64_t stream) {
  sequence.tokens.insert(sequence.tokens.end(), request.tokens.begin(), request.tokens.end());
  sequence.request = request;
  sequence.request.tokens.clear();
  sequence.request.stream = stream;
  sequence.sampled = 0;
  sequence.stops = StopStrings(request.stop_strings);
  roster.enqueue(sequence);
}

template <class T>
void Generator<T>::submit(uint64_t first, const Request& request, int count) {
  check(request, 1);
  if (count < 1) {
    throw Failure(Code::invalid_argument, "expected at least one sequence but received " + std::to_string(count));
  }
  for (int i = 0; i < count; ++i) {
    if (!state_->roster.find(first + i)) continue;
    throw Failure(Code::invalid_argument,
                  "expected new sequences but received " + std::to_string(first + i) + " again");
  }
  std::shared_ptr<Siblings> siblings;
  if (count > 1) siblings = std::make_shared<Siblings>();
  for (int i = 0; i < count; ++i) {
    Sequence& sequence = state_->roster.add(first + i);
    if (siblings) siblings->ids.push_back(sequence.id);
    sequence.siblings = siblings;
    state_->begin(sequence, request, request.stream + i);
  }
  if (siblings) siblings->shared_positions = static_cast<int>(request.tokens.size()) - 1;
}

template <class T>
void Generator<T>::extend(uint64_t id, const Request& request) {
  check(request, 0);
  Sequence& sequence = state_->find(id);
  if (sequence.phase != Sequence::Phase::kept) {
    throw Failure(Code::invalid_argument,
                  "expected a sequence that has ended but received " + std::to_string(id) + ", which is under way");
  }
  const size_t context = state_->model.config().max_position_embeddings;
  if (sequence.tokens.size() + request.tokens.size() >= context) {
    state_->finish(sequence, -1, Finish::context);
    state_->tell();
    return;
  }
  state_->begin(sequence, request, request.stream);
}

template <class T>
void Generator<T>::abort(uint64_t id) {
  Sequence& sequence = state_->find(id);
  if (sequence.phase == Sequence::Phase::kept) return;
  state_->finish(sequence, -1, Finish::aborted);
  state_->tell();
}

template <class T>
void Generator<T>::release(uint64_t id) {
  abort(id);
  state_->roster.remove(id);
}

template <class T>
void Generator<T>::pause() {
  state_->paused = true;
}

template <class T>
void Generator<T>::resume() {
  state_->paused = false;
}

template <class T>
void Generator<T>::update(OnUpdate on_update) {
  state_->copy_weights();
  if (on_update == OnUpdate::recompute) state_->roster.drop_all();
}

template <class T>
void Generator<T>::State::finish(Sequence& sequence, int32_t token, Finish finish, float logprob, float model_logprob) {
  events.push_back({sequence.id, token, finish, logprob, model_logprob, version});
  if (finish != Finish::none) roster.keep(sequence);
}

template <class T>
void Generator<T>::State::tell() {
  if (events.empty()) return;
  // Taken away first: the listener may call back.
  const std::vector<Event> told = std::move(events);
  events.clear();
  if (listener) listener(told);
}

template <class T>
bool Generator<T>::step() {
  State& state = *state_;
  if (state.paused) return false;
  std::vector<Sequence*> exhausted;
  const std::vector<Part>& parts = state.roster.plan(exhausted);
  for (Sequence* sequence : exhausted) state.finish(*sequence, -1, Finish::context);
  if (!parts.empty()) {
    state.forward.run(state.weights.get(), parts);
    ++state.steps;
    std::vector<SampledRow> rows;
    int end = 0;
    for (const Part& part : parts) {
      end += part.rows;
      const bool samples = part.rows == part.sequence->pending();
      state.prefilled += samples ? part.rows - 1 : part.rows;
      part.sequence->stored += part.rows;
      if (samples) rows.push_back({part.sequence, end - 1});
    }
    state.sample(std::move(rows));
  }
  state.tell();
  return !state.roster.idle();
}

template <class T>
void Generator<T>::fail() {
  for (Sequence* sequence : state_->roster.under_way()) {
    // How far the step came with it is not known.
    state_->roster.drop(*sequence);
    state_->finish(*sequence, -1, Finish::error);
  }
  state_->tell();
}

template <class T>
void Generator<T>::State::sample(std::vector<SampledRow> rows) {
  // Rows of one temperature side by side: their log-probabilities are one call.
  std::stable_sort(rows.begin(), rows.end(), [](const SampledRow& a, const SampledRow& b) {
    return temperature_of(*a.sequence) < temperature_of(*b.sequence);
  });
  const int count = static_cast<int>(rows.size());
  for (int first = 0; first < count; first += forward.logits_rows()) {
    sample_chunk(&rows[first], std::min(forward.logits_rows(), count - first));
  }
}

/** Rows go round the threads, which evens them out: neighbours have one temperature, and greedy ones cost little. */
template <class T>
std::vector<Choice> Generator<T>::State::draw(const A* logits, const SampledRow* rows, int count) {
  const int size = model.config().vocab_size;
  std::vector<Choice> choices(count);
  const bool is_worth_sharing = static_cast<int64_t>(count) * size >= shared_logits;
  const int tiles = is_worth_sharing ? std::min(static_cast<int>(samplers.size()), count) : 1;
  pool.run(tiles, [&](int tile) {
    for (int i = tile; i < count; i += tiles) {
      const Request& request = rows[i].sequence->request;
      const auto position = static_cast<uint32_t>(rows[i].sequence->tokens.size());
      choices[i] = samplers[tile].draw(logits + static_cast<size_t>(i) * size, size, request.sampling, request.allowed,
                                       uniform_at(request.seed, request.stream, position));
    }
  });
  return choices;
}

template <class T>
void Generator<T>::State::sample_chunk(const SampledRow* rows, int count) {
  const std::vector<Choice> choices = draw(forward.logits(weights.get(), rows, count), rows, count);
  std::vector<int32_t> tokens;
  for (const Choice& choice : choices) tokens.push_back(std::max(0, choice.token));
  std::vector<A> model_logprobs(count);
  for (int first = 0, end = 0; first < count; first = end) {
    const float temperature = temperature_of(*rows[first].sequence);
    while (end < count && temperature_of(*rows[end].sequence) == temperature) ++end;
    forward.logprobs(&model_logprobs[first], &tokens[first], first, end - first, temperature);
  }
  for (int i = 0; i < count; ++i) {
    Sequence& sequence = *rows[i].sequence;
    const float model_logprob = static_cast<float>(model_logprobs[i]);
    if (choices[i].token < 0 || !std::isfinite(model_logprob)) {
      roster.drop(sequence);
      finish(sequence, -1, Finish::failed);
      continue;
    }
    ++decoded;
    const Finish end = finish_after(sequence, tokens[i]);
    finish(sequence, tokens[i], end, choices[i].whole ? model_logprob : choices[i].logprob, model_logprob);
  }
}

template <class T>
Finish Generator<T>::State::finish_after(Sequence& sequence, int32_t token) {
  sequence.tokens.push_back(token);
  ++sequence.sampled;
  const Request& request = sequence.request;
  const std::vector<int32_t>& stops = request.stop_tokens;
  if (std::find(stops.begin(), stops.end(), token) != stops.end()) return Finish::stop_token;
  if (!sequence.stops.empty() && sequence.stops.complete(vocabulary[token])) return Finish::stop_string;
  if (sequence.sampled == request.max_new_tokens) return Finish::length;
  if (sequence.tokens.size() >= static_cast<size_t>(model.config().max_position_embeddings)) return Finish::context;
  return Finish::none;
}

template <class T>
typename Generator<T>::Statistics Generator<T>::statistics() const {
  const Roster& roster = state_->roster;
  return {state_->steps,         state_->decoded,       state_->prefilled,
          roster.shared_positions(), roster.preemptions(),  roster.pages().total(),
          roster.pages().free(), roster.running(),      roster.waiting(),
          roster.kept(),         state_->version};
}

template class Generator<float>;

}  // namespace palestra
