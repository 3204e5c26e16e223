#include "generator.h"

#include "../core/failure.h"
#include "generator-state.h"

namespace palestra {
namespace {

template <class T>
const GeneratorOptions& checked(const GeneratorOptions& options) {
  const auto expect = [](bool fits, const std::string& what, int received) {
    if (!fits) throw Failure(Code::invalid_argument, "expected " + what + " but received " + std::to_string(received));
  };
  expect(options.max_rows >= options.max_sequences,
         "max_rows from max_sequences (" + std::to_string(options.max_sequences) + ") on", options.max_rows);
  if (dtype_of<T> == Dtype::bf16) {
    expect(options.weights == Dtype::bf16, "weights as bf16, since activations are", static_cast<int>(options.weights));
  }
  return options;
}

/** Returns the largest number of pages that the sequences side by side can fill. */
size_t most_pages(const ModelConfig& config, const GeneratorOptions& options) {
  // The store has twice as many pages, for kept sequences.
  return 2 * static_cast<size_t>(options.max_sequences) * (config.max_position_embeddings / page_positions + 1);
}

}  // namespace

template <class T>
Generator<T>::State::State(Ops<T>& ops, Model<T>& model, const Adapters<T>* adapters, const GeneratorOptions& options,
                           std::function<void(const std::vector<Event>&)> events)
    : ops(ops),
      model(model),
      adapters(adapters),
      listener(std::move(events)),
      weights(ops, model.config(), checked<T>(options).weights),
      store(ops, model.config(), options.keys_values, options.kv_bytes, most_pages(model.config(), options)),
      forward(ops, model.config(), store, options.keys_values,
              {options.max_rows, options.max_sequences, adapters ? adapters->rank() : 0}),
      scheduler(store.pages(), options.max_sequences, options.max_rows,
             [this](int32_t to, int32_t from) { store.copy_page(to, from); }) {
  copy_weights();
}

template <class T>
Generator<T>::Generator(Ops<T>& ops, Model<T>& model, const Adapters<T>* adapters, const GeneratorOptions& options,
                        std::function<void(const std::vector<Event>&)> events)
    : state_(std::make_unique<State>(ops, model, adapters, options, std::move(events))) {}

template <class T>
Generator<T>::~Generator() = default;

template <class T>
void Generator<T>::State::copy_weights() {
  ModelWeights<T> current = model.weights();
  if (adapters) adapters->attach(current);
  // The copy of the weights comes after the writes that training has queued, and before the writes that training queues
  // later.
  ops.wait_for(model.ops());
  weights.copy(current);
  model.ops().wait_for(ops);
  version = model.version;
}

template <class T>
void Generator<T>::set_vocabulary(std::vector<std::string> bytes, std::vector<bool> special) {
  state_->vocabulary = std::move(bytes);
  state_->grammars.set_vocabulary(state_->vocabulary, std::move(special));
}

template <class T>
void Generator<T>::check(const Request& request) const {
  const ModelConfig& config = state_->model.config();
  check_request(request, config.vocab_size, config.max_position_embeddings);
  if ((!request.stop_strings.empty() || request.grammar) && state_->vocabulary.empty()) {
    const std::string need = request.grammar ? "a grammar" : "stop strings";
    throw Failure(Code::invalid_argument, "expected a vocabulary to be set for " + need + " but received none");
  }
}

template <class T>
Sequence& Generator<T>::State::find(uint64_t id) const {
  Sequence* const sequence = scheduler.find(id);
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
  sequence.grammar = request.grammar ? grammars.begin(request.grammar) : GrammarCursor();
  sequence.logit_rules = LogitRules(request.penalties, sequence.tokens);
  scheduler.enqueue(sequence);
}

template <class T>
void Generator<T>::submit(uint64_t first, const Request& request, int count) {
  for (int i = 0; i < count; ++i) {
    Sequence& sequence = state_->scheduler.add(first + i);
    state_->begin(sequence, request, request.stream + i);
    state_->scheduler.join_siblings(sequence);
  }
}

template <class T>
void Generator<T>::extend(uint64_t id, const Request& request) {
  Sequence& sequence = state_->find(id);
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
  state_->scheduler.remove(id);
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
  if (on_update == OnUpdate::recompute) return state_->scheduler.drop_all();
  state_->scheduler.part_siblings();
}

template <class T>
void Generator<T>::State::finish(Sequence& sequence, int32_t token, Finish finish, float logprob, float model_logprob) {
  events.push_back({sequence.id, token, finish, logprob, model_logprob, version, {}});
  if (finish != Finish::none) scheduler.keep(sequence);
}

template <class T>
void Generator<T>::State::tell() {
  if (events.empty()) return;
  // The events are moved away first, because the listener may call back.
  const std::vector<Event> told = std::move(events);
  events.clear();
  if (listener) listener(told);
}

template <class T>
bool Generator<T>::step() {
  State& state = *state_;
  if (state.paused) return false;
  std::vector<Sequence*> exhausted;
  const std::vector<Part>& parts = state.scheduler.plan(exhausted);
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
    state.sample(rows);
  }
  state.tell();
  return !state.scheduler.idle();
}

template <class T>
void Generator<T>::fail() {
  for (Sequence* sequence : state_->scheduler.under_way()) {
    // The failed step may have written some of the sequence's keys and values.
    state_->scheduler.drop(*sequence);
    state_->finish(*sequence, -1, Finish::error);
  }
  state_->tell();
}

template <class T>
GeneratorStatistics Generator<T>::statistics() const {
  const SequenceScheduler& scheduler = state_->scheduler;
  return {state_->steps,         state_->decoded,       state_->prefilled,
          scheduler.shared_positions(), scheduler.preemptions(),  scheduler.pages().total(),
          scheduler.pages().free(), scheduler.running(),      scheduler.waiting(),
          scheduler.kept(),         state_->version};
}

template class Generator<bf16>;
template class Generator<float>;
template class Generator<double>;

}  // namespace palestra
