#include <string>
#include <vector>

#include "generator-object.h"

namespace palestra {

namespace {

/** @param own type of the model's activations */
GeneratorOptions options_of(const palestra_generator_options& o, Dtype own) {
  GeneratorOptions options;
  options.max_sequences = o.max_sequences;
  options.max_rows = o.max_rows;
  options.kv_bytes = o.kv_bytes;
  options.weights = o.weights == 0 ? own : o.weights == 1 ? Dtype::f32 : Dtype::bf16;
  options.keys_values = o.keys_values == 1 ? KeyValueFormat::fp8 : KeyValueFormat::plain;
  return options;
}

std::vector<int32_t> copy_of(const int32_t* tokens, int32_t count, const char* name) {
  if (count < 0) refuse(std::string(name) + " of a count of at least 0", std::to_string(count));
  return {tokens, tokens + count};
}

std::vector<uint32_t> allowed_of(const uint32_t* allowed, int32_t vocabulary) {
  if (!allowed) return {};
  return {allowed, allowed + (vocabulary + 31) / 32};
}

/** Copies a request. The generator checks the content of the copy. */
Request copy_of(const palestra_request& r, const ModelConfig& config) {
  Request request;
  request.tokens = copy_of(r.tokens, r.token_count, "tokens");
  request.max_new_tokens = r.max_new_tokens;
  request.sampling.temperature = r.temperature;
  request.sampling.top_k = r.top_k;
  request.sampling.top_p = r.top_p;
  request.sampling.min_p = r.min_p;
  request.seed = r.seed;
  request.stream = r.stream;
  request.stop_tokens = copy_of(r.stop_tokens, r.stop_token_count, "stop_tokens");
  for (int32_t i = 0; i < r.stop_string_count; ++i) {
    request.stop_strings.emplace_back(r.stop_strings[i], static_cast<size_t>(r.stop_string_bytes[i]));
  }
  request.allowed = allowed_of(r.allowed, config.vocab_size);
  if (r.grammar) request.grammar = std::make_shared<GrammarTable>(copy_of(r.grammar, r.grammar_count, "grammar"));
  request.penalties.presence = r.presence_penalty;
  request.penalties.frequency = r.frequency_penalty;
  request.penalties.repetition = r.repetition_penalty == 0 ? 1 : r.repetition_penalty;
  for (int32_t i = 0; i < r.bias_count; ++i) request.penalties.biases.emplace_back(r.bias_tokens[i], r.biases[i]);
  request.top_tokens = r.top_tokens;
  return request;
}

}  // namespace

}  // namespace palestra

using namespace palestra;

int32_t palestra_generator_create(palestra_model* model, palestra_trainer* adapters,
                                  const palestra_generator_options* options, palestra_events events, void* user,
                                  palestra_generator** out) {
  return guarded([&] {
    const auto object = models().get(model);
    const auto trainer = adapters ? trainers().get(adapters) : nullptr;
    if (trainer && trainer->model != object) refuse("a trainer of this model", "a trainer of another model");
    const GeneratorOptions copied = options_of(*options, object->model->dtype());
    std::shared_ptr<GeneratorObject> made;
    // The generator is made in the trainers' lane, where no optimizer step is half done, because it copies weights.
    object->engine->run(Lane::train, object->closed, nullptr, nullptr, [&](Done told) {
      return std::make_shared<Parts>(
          1, [&](size_t) { made = std::make_shared<GeneratorObject>(object, trainer, copied, events, user); },
          std::move(told));
    });
    *out = generators().add(std::move(made));
  });
}

int32_t palestra_generator_set_vocabulary(palestra_generator* generator, const uint8_t* bytes,
                                          const uint64_t* offsets, const uint8_t* special) {
  return guarded([&] {
    const auto object = generators().get(generator);
    std::vector<std::string> tokens;
    for (int32_t i = 0; i < object->config().vocab_size; ++i) {
      tokens.emplace_back(reinterpret_cast<const char*>(bytes + offsets[i]), offsets[i + 1] - offsets[i]);
    }
    object->set_vocabulary(std::move(tokens), std::vector<bool>(special, special + object->config().vocab_size));
  });
}

int32_t palestra_generator_submit(palestra_generator* generator, const palestra_request* request, int32_t count,
                                  uint64_t* out) {
  return guarded([&] {
    const auto object = generators().get(generator);
    const uint64_t first = object->submit(copy_of(*request, object->config()), count);
    for (int32_t i = 0; i < count; ++i) out[i] = first + static_cast<uint64_t>(i);
  });
}

int32_t palestra_generator_extend(palestra_generator* generator, uint64_t sequence, const palestra_request* request) {
  return guarded([&] {
    const auto object = generators().get(generator);
    object->extend(sequence, copy_of(*request, object->config()));
  });
}

int32_t palestra_generator_abort(palestra_generator* generator, uint64_t sequence) {
  return guarded([&] { generators().get(generator)->abort(sequence); });
}

int32_t palestra_generator_release(palestra_generator* generator, uint64_t sequence) {
  return guarded([&] { generators().get(generator)->release(sequence); });
}

int32_t palestra_generator_pause(palestra_generator* generator, palestra_done done, void* user) {
  return guarded([&] { generators().get(generator)->pause(done, user); });
}

int32_t palestra_generator_resume(palestra_generator* generator) {
  return guarded([&] { generators().get(generator)->resume(); });
}

int32_t palestra_generator_update(palestra_generator* generator, int32_t on_update, palestra_done done, void* user) {
  return guarded([&] {
    generators().get(generator)->update(static_cast<OnUpdate>(on_update), done, user);
  });
}

int32_t palestra_generator_describe(palestra_generator* generator, palestra_generator_statistics* out) {
  return guarded([&] { *out = generators().get(generator)->describe(); });
}

int32_t palestra_generator_failure(palestra_generator* generator, int32_t* out) {
  return guarded([&] { *out = report(generators().get(generator)->failure()); });
}

int32_t palestra_generator_close(palestra_generator* generator) {
  return guarded([&] { generators().remove(generator)->close(); });
}
