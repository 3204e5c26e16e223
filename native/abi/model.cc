#include <string>
#include <vector>

#include "weight-files.h"

namespace palestra {

namespace {

ModelConfig config_of(const palestra_model_config& c) {
  return {c.vocab_size,
          c.hidden_size,
          c.intermediate_size,
          c.num_hidden_layers,
          c.num_attention_heads,
          c.num_key_value_heads,
          c.head_dim,
          c.max_position_embeddings,
          c.rms_norm_eps,
          c.rope_theta,
          static_cast<RopeScaling>(c.rope_scaling),
          c.rope_factor,
          c.rope_low_freq_factor,
          c.rope_high_freq_factor,
          c.rope_original_max_position_embeddings,
          c.tie_word_embeddings != 0,
          c.qkv_bias != 0,
          c.qk_norm != 0,
          c.value_head != 0};
}

void check_size(const char* name, int32_t value, int32_t most) {
  if (value > most) refuse(std::string(name) + " of 1 to " + std::to_string(most), std::to_string(value));
}

void check_rope(const ModelConfig& c) {
  if (c.rope_scaling != RopeScaling::llama3) return;
  if (c.rope_high_freq_factor <= c.rope_low_freq_factor) {
    refuse("0 < low_freq_factor < high_freq_factor",
           std::to_string(c.rope_low_freq_factor) + " and " + std::to_string(c.rope_high_freq_factor));
  }
  check_size("original_max_position_embeddings", c.rope_original_max_position_embeddings, 1 << 24);
}

/** Checks the limits of the kernels. The caller has checked that all sizes are above 0. */
void check(const ModelConfig& c) {
  check_size("vocab_size", c.vocab_size, 1 << 24);
  check_size("hidden_size", c.hidden_size, 1 << 16);
  check_size("intermediate_size", c.intermediate_size, 1 << 18);
  check_size("num_hidden_layers", c.num_hidden_layers, 1 << 10);
  check_size("num_attention_heads", c.num_attention_heads, 1 << 10);
  check_size("num_key_value_heads", c.num_key_value_heads, c.num_attention_heads);
  check_size("max_position_embeddings", c.max_position_embeddings, 1 << 24);
  if (c.num_attention_heads % c.num_key_value_heads != 0) {
    refuse("num_attention_heads that num_key_value_heads (" + std::to_string(c.num_key_value_heads) + ") divides",
           std::to_string(c.num_attention_heads));
  }
  if (c.head_dim < 8 || c.head_dim > 256 || c.head_dim % 8 != 0) {
    refuse("head_dim to be a multiple of 8 up to 256", std::to_string(c.head_dim));
  }
  if (c.rms_norm_eps >= 1) refuse("rms_norm_eps between 0 and 1", std::to_string(c.rms_norm_eps));
  check_rope(c);
}

TensorSource source_of(const palestra_tensor_source& s) {
  return {s.name, s.path, s.offset, s.bytes, static_cast<StoredType>(s.dtype), s.rows, s.columns, s.interleaved_heads};
}

const Parameter& parameter_of(const ModelObject& object, const std::string& name) {
  const Parameter* parameter = object.model->parameters().find(name);
  if (!parameter) refuse("the name of a parameter", name);
  return *parameter;
}

}  // namespace

}  // namespace palestra

using namespace palestra;

int32_t palestra_model_create(palestra_engine* engine, const palestra_model_config* config, palestra_model** out) {
  return guarded([&] {
    const ModelConfig checked = config_of(*config);
    check(checked);
    const auto object = engines().get(engine);
    std::shared_ptr<ModelObject> made;
    const auto open = std::make_shared<std::atomic<bool>>(false);
    object->run(Lane::train, open, nullptr, nullptr, [&](Done told) {
      return std::make_shared<Parts>(
          1, [&](size_t) { made = std::make_shared<ModelObject>(object, checked); }, std::move(told));
    });
    *out = models().add(std::move(made));
  });
}

int32_t palestra_model_initialise(palestra_model* model, uint64_t seed, palestra_done done, void* user) {
  return guarded([&] {
    const auto object = models().get(model);
    object->engine->run(Lane::train, object->closed, done, user, [=](Done told) {
      return std::make_shared<Parts>(1, [=](size_t) { object->model->initialise(seed); }, told);
    });
  });
}

int32_t palestra_model_read(palestra_model* model, const palestra_tensor_source* sources, int32_t count,
                            palestra_done done, void* user) {
  return guarded([&] {
    const auto object = models().get(model);
    std::vector<TensorSource> copies;
    for (int32_t i = 0; i < count; ++i) copies.push_back(source_of(sources[i]));
    object->engine->run(Lane::train, object->closed, done, user, [=](Done told) {
      auto reading = std::make_shared<WeightReader>(*object, copies);
      const size_t parts = reading->begin();
      return std::make_shared<Parts>(parts, [object, reading](size_t part) { reading->part(part); }, told);
    });
  });
}

int32_t palestra_model_parameter_count(palestra_model* model, int32_t* out) {
  return guarded([&] { *out = static_cast<int32_t>(models().get(model)->model->parameters().all().size()); });
}

int32_t palestra_model_parameter(palestra_model* model, int32_t index, palestra_parameter* out) {
  return guarded([&] {
    const auto object = models().get(model);
    const Parameter& parameter = object->model->parameters().all()[index];
    *out = {parameter.name.c_str(), parameter.rows, parameter.columns, parameter.vector};
  });
}

int32_t palestra_model_get(palestra_model* model, const char* name, float* out, uint64_t count, palestra_done done,
                           void* user) {
  return guarded([&] {
    const auto object = models().get(model);
    const Parameter& parameter = parameter_of(*object, name);
    if (count != parameter.size()) {
      refuse("room for the " + std::to_string(parameter.size()) + " values of " + parameter.name,
             std::to_string(count));
    }
    object->engine->run(Lane::train, object->closed, done, user, [=, &parameter](Done told) {
      return std::make_shared<Parts>(
          1,
          [=, &parameter](size_t) {
            object->model->stream().download(out, object->model->data() + parameter.offset, count * sizeof(float));
          },
          told);
    });
  });
}

int32_t palestra_model_write(palestra_model* model, palestra_trainer* adapters, const char* path, const uint8_t* header,
                             uint64_t header_bytes, const char* const* names, int32_t count, int32_t dtype,
                             palestra_done done, void* user) {
  return guarded([&] {
    const auto object = models().get(model);
    const auto trainer = adapters ? trainers().get(adapters) : nullptr;
    if (trainer && trainer->model != object) refuse("a trainer of this model", "a trainer of another model");
    std::string start(reinterpret_cast<const char*>(header), header_bytes);
    const Dtype stored = dtype == 0 ? Dtype::f32 : Dtype::bf16;
    auto writing = std::make_shared<WeightWriter>(*object, trainer, std::move(start), stored);
    for (int32_t i = 0; i < count; ++i) writing->add(parameter_of(*object, names[i]));
    const std::string place = path;
    object->engine->run(Lane::train, object->closed, done, user, [=](Done told) {
      const size_t parts = writing->begin(place);
      return std::make_shared<Parts>(parts, [object, writing](size_t part) { writing->part(part); }, told);
    });
  });
}

int32_t palestra_model_version(palestra_model* model, int64_t* out) {
  return guarded([&] { *out = models().get(model)->version; });
}

int32_t palestra_model_close(palestra_model* model) {
  return guarded([&] { *models().remove(model)->closed = true; });
}
