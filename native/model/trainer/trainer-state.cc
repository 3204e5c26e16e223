#include "trainer-state.h"

namespace palestra {
namespace {

const char value_head_prefix[] = "value_head.";

bool is_value_head(const Parameter& parameter) {
  return parameter.name.compare(0, sizeof value_head_prefix - 1, value_head_prefix) == 0;
}

/** @param offset offset of the gradients and moments */
template <class T>
Trainable<T> trainable_of(const Parameter& p, const WeightArena<T>& arena, size_t offset) {
  return {p.name, arena.master() + p.offset, arena.rounded_by_step(p.offset), offset, p.size(), !p.vector};
}

template <class T>
std::vector<Trainable<T>> trainables_of(const Model<T>& model, const Adapters<T>* adapters) {
  std::vector<Trainable<T>> trainables;
  for (const Parameter& p : model.parameters().all()) {
    if (!adapters) {
      trainables.push_back(trainable_of(p, model.arena(), p.offset));
    } else if (is_value_head(p)) {
      // Weight and bias of the value head follow the adapters directly.
      const size_t offset = adapters->arena_size() + (trainables.empty() ? 0 : trainables.back().size);
      trainables.push_back(trainable_of(p, model.arena(), offset));
    }
  }
  if (!adapters) return trainables;
  for (const Parameter& p : adapters->parameters()) trainables.push_back(trainable_of(p, adapters->arena(), p.offset));
  return trainables;
}

template <class T>
size_t gradient_arena_size(const Model<T>& model, const Adapters<T>* adapters) {
  if (!adapters) return model.parameters().arena_size();
  return adapters->arena_size() + (model.config().value_head ? model.config().hidden_size + 1 : 0);
}

template <class T>
ModelWeights<T> weights_with(const Model<T>& model, const Adapters<T>* adapters) {
  ModelWeights<T> weights = model.weights();
  if (adapters) adapters->attach(weights);
  return weights;
}

template <class T>
std::unique_ptr<Adapters<T>> make_adapters(Ops<T>& ops, const Model<T>& model, const LoraConfig& lora) {
  if (lora.rank == 0) return nullptr;
  return std::make_unique<Adapters<T>>(ops, model.config(), lora);
}

/** Gradients of the adapters and the value head. */
template <class T>
ModelGradients<accumulator_t<T>> adapter_gradients(const Model<T>& model, const Adapters<T>& adapters,
                                                   accumulator_t<T>* arena) {
  ModelGradients<accumulator_t<T>> gradients;
  gradients.layers.resize(model.config().num_hidden_layers);
  adapters.attach(gradients, arena);
  if (model.config().value_head) gradients.value_head = arena + adapters.arena_size();
  return gradients;
}

}  // namespace

template <class T>
TrainerState<T>::TrainerState(Ops<T>& device, Model<T>& trained, const TrainerOptions& given)
    : ops(device),
      model(trained),
      options(given),
      adapters(make_adapters(device, trained, given.lora)),
      weights(weights_with(trained, adapters.get())),
      optimiser(device, trainables_of(trained, adapters.get()), gradient_arena_size(trained, adapters.get())),
      decoder(device, trained.config(), given.max_tokens, given.lora.rank, given.lora.dropout > 0),
      attention(device, decoder.heads()),
      backward(device, decoder, trained.config(), given.max_tokens, given.lora.rank),
      head(device, trained.config(), given.logits_bytes ? given.logits_bytes : device.logits_bytes(), given.max_tokens),
      activations(device.memory(), trained.config(), given.max_tokens, given.recompute) {
  const ModelConfig& config = trained.config();
  Memory& memory = device.memory();
  const size_t rows = options.max_tokens;
  x = Buffer<T>(memory, rows * config.hidden_size, "the residual stream");
  dx = Buffer<T>(memory, rows * config.hidden_size, "the residual stream's gradient");
  tokens = Buffer<int32_t>(memory, rows, "a pack");
  positions = Buffer<int32_t>(memory, rows, "a pack");
  starts = Buffer<int32_t>(memory, rows + 1, "a pack");
  parents = Buffer<int32_t>(memory, rows, "a pack");
  if (given.lora.dropout > 0) sequences = Buffer<uint32_t>(memory, rows, "a pack");
  if (adapters) {
    gradients = adapter_gradients(trained, *adapters, optimiser.gradients());
    return;
  }
  gradients = gradients_in<A>(optimiser.gradients(), trained.parameters(), config);
  if (config.tie_word_embeddings) {
    embedding_gradients = Buffer<A>(memory, static_cast<size_t>(config.vocab_size) * config.hidden_size, "gradients");
    gradients.embedding = embedding_gradients.data();
    ops.zero(embedding_gradients.data(), embedding_gradients.bytes());
  }
}

template <class T>
void TrainerState<T>::drop_gradients() {
  optimiser.zero_gradients();
  if (embedding_gradients) ops.zero(embedding_gradients.data(), embedding_gradients.bytes());
}

template <class T>
void TrainerState<T>::fold_embedding_gradients() {
  if (!embedding_gradients) return;
  ops.add(gradients.head, embedding_gradients.data(), embedding_gradients.size());
  ops.zero(embedding_gradients.data(), embedding_gradients.bytes());
}

template struct TrainerState<bf16>;
template struct TrainerState<float>;
template struct TrainerState<double>;

}  // namespace palestra
