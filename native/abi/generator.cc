#include <cmath>
#include <string>
#include <vector>

#include "generator-object.h"

namespace palestra {

namespace {

constexpr int most_copies = 1 << 16;

GeneratorOptions options_of(const palestra_generator_options& o) {
  const auto check = [](const char* name, int64_t value) {
    if (value < 1 || value > (1 << 16)) refuse(std::string(name) + " of 1 to 65536", std::to_string(value));
  };
  check("max_sequences", o.max_sequences);
  check("max_rows", o.max_rows);
  if (o.weights != 0 && o.weights != 1) refuse("weights 0 (f32) or 1 (bf16)", std::to_string(o.weights));
  GeneratorOptions options;
  options.max_sequences = o.max_sequences;
  options.max_rows = o.max_rows;
  options.kv_bytes = o.kv_bytes;
  options.weights = o.weights == 0 ? Dtype::f32 : Dtype::bf16;
  return options;
}

void check_tokens(const int32_t* tokens, int32_t count, int32_t vocabulary, const char* name) {
  for (int32_t i = 0; i < count; ++i) {
    if (tokens[i] >= 0 && tokens[i] < vocabulary) continue;
    refuse(std::string(name) + " of 0 to " + std::to_string(vocabulary - 1),
           std::to_string(tokens[i]) + " at " + name + "[" + std::to_string(i) + "]");
  }
}

Sampling sampling_of(const palestra_request& r) {
  const auto check = [](const char* name, float value, bool fits, const char* range) {
    if (!fits) refuse(std::string(name) + " " + range, std::to_string(value));
  };
  check("temperature", r.temperature, std::isfinite(r.temperature) && r.temperature >= 0, "of at least 0");
  check("top_p", r.top_p, r.top_p > 0 && r.top_p <= 1, "in (0, 1]");
  check("min_p", r.min_p, r.min_p >= 0 && r.min_p <= 1, "in [0, 1]");
  if (r.top_k < 0) refuse("top_k of at least 0", std::to_string(r.top_k));
  Sampling sampling;
  sampling.temperature = r.temperature;
  sampling.top_k = r.top_k;
  sampling.top_p = r.top_p;
  sampling.min_p = r.min_p;
  return sampling;
}

std::vector<uint32_t> allowed_of(const uint32_t* allowed, int32_t vocabulary) {
  if (!allowed) return {};
  std::vector<uint32_t> bits(allowed, allowed + (vocabulary + 31) / 32);
  // What lies past the vocabulary names no token.
  if (vocabulary % 32 != 0) bits.back() &= (1u << (vocabulary % 32)) - 1;
  for (const uint32_t word : bits) {
    if (word != 0) return bits;
  }
  refuse("at least one allowed token", "none");
}

Request request_of(const palestra_request& r, const ModelConfig& config) {
  if (r.token_count < 1 || r.token_count >= config.max_position_embeddings) {
    refuse("1 to " + std::to_string(config.max_position_embeddings - 1) + " tokens", std::to_string(r.token_count));
  }
  required(r.tokens, "tokens");
  check_tokens(r.tokens, r.token_count, config.vocab_size, "tokens");
  if (r.max_new_tokens < 1) refuse("max_new_tokens of at least 1", std::to_string(r.max_new_tokens));
  if (r.stop_token_count > 0) required(r.stop_tokens, "stop_tokens");
  check_tokens(r.stop_tokens, r.stop_token_count, config.vocab_size, "stop_tokens");

  Request request;
  request.tokens.assign(r.tokens, r.tokens + r.token_count);
  request.max_new_tokens = r.max_new_tokens;
  request.sampling = sampling_of(r);
  request.seed = r.seed;
  request.stream = r.stream;
  if (r.stop_token_count > 0) request.stop_tokens.assign(r.stop_tokens, r.stop_tokens + r.stop_token_count);
  for (int32_t i = 0; i < r.stop_string_count; ++i) {
    const char* text = &required((&required(r.stop_strings, "stop_strings"))[i], "stop_strings");
    const int32_t bytes = (&required(r.stop_string_bytes, "stop_string_bytes"))[i];
    if (bytes < 1) refuse("stop strings of at least one byte", std::to_string(bytes));
    request.stop_strings.emplace_back(text, static_cast<size_t>(bytes));
  }
  request.allowed = allowed_of(r.allowed, config.vocab_size);
  return request;
}

}  // namespace

}  // namespace palestra

using namespace palestra;

int32_t palestra_generator_create(palestra_model* model, palestra_trainer* adapters,
                                  const palestra_generator_options* options, palestra_events events, void* user,
                                  palestra_generator** out) {
  return guarded([&] {
    required(out, "out");
    const auto object = models().get(model);
    object->expect_weights();
    const auto trainer = adapters ? trainers().get(adapters) : nullptr;
    if (trainer && trainer->model != object) refuse("a trainer of this model", "one of another");
    if (!events) refuse("a callback for events", "null");
    const GeneratorOptions checked = options_of(required(options, "options"));
    *out = generators().add(std::make_shared<GeneratorObject>(object, trainer, checked, events, user));
  });
}

int32_t palestra_generator_set_vocabulary(palestra_generator* generator, const uint8_t* bytes, const uint64_t* offsets) {
  return guarded([&] {
    const auto object = generators().get(generator);
    required(offsets, "offsets");
    std::vector<std::string> tokens;
    for (int32_t i = 0; i < object->config().vocab_size; ++i) {
      if (offsets[i] > offsets[i + 1]) refuse("ascending offsets", std::to_string(offsets[i + 1]) + " at " + std::to_string(i + 1));
      tokens.emplace_back(reinterpret_cast<const char*>(bytes + offsets[i]), offsets[i + 1] - offsets[i]);
    }
    object->set_vocabulary(std::move(tokens));
  });
}

int32_t palestra_generator_submit(palestra_generator* generator, const palestra_request* request, int32_t count,
                                  uint64_t* out) {
  return guarded([&] {
    const auto object = generators().get(generator);
    if (count < 1 || count > most_copies) refuse("1 to 65536 sequences", std::to_string(count));
    required(out, "out");
    object->submit(request_of(required(request, "request"), object->config()), count, out);
  });
}

int32_t palestra_generator_extend(palestra_generator* generator, uint64_t sequence, const palestra_request* request) {
  return guarded([&] {
    const auto object = generators().get(generator);
    object->extend(sequence, request_of(required(request, "request"), object->config()));
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
    if (on_update != 0 && on_update != 1) refuse("on_update 0 (keep) or 1 (recompute)", std::to_string(on_update));
    generators().get(generator)->update(static_cast<OnUpdate>(on_update), done, user);
  });
}

int32_t palestra_generator_describe(palestra_generator* generator, palestra_generator_statistics* out) {
  return guarded([&] { required(out, "out") = generators().get(generator)->describe(); });
}

int32_t palestra_generator_close(palestra_generator* generator) {
  return guarded([&] { generators().remove(generator)->close(); });
}
