#include <vector>

#include "elsewhere.h"
#include "held.h"
#include "pending.h"

namespace palestra::addon {

namespace {

palestra_model_config config_of(napi_env env, napi_value given) {
  const auto whole = [&](const char* name) { return integer(env, field(env, given, name)); };
  const auto real = [&](const char* name) { return static_cast<float>(number(env, field(env, given, name))); };
  const auto flag = [&](const char* name) { return static_cast<int32_t>(boolean(env, field(env, given, name))); };
  palestra_model_config config{};
  config.vocab_size = whole("vocabSize");
  config.hidden_size = whole("hiddenSize");
  config.intermediate_size = whole("intermediateSize");
  config.num_hidden_layers = whole("layers");
  config.num_attention_heads = whole("heads");
  config.num_key_value_heads = whole("keyValueHeads");
  config.head_dim = whole("headSize");
  config.max_position_embeddings = whole("maxPositions");
  config.rms_norm_eps = real("rmsNormEpsilon");
  config.rope_theta = real("ropeTheta");
  config.rope_scaling = whole("ropeScaling");
  config.rope_factor = real("ropeFactor");
  config.rope_low_freq_factor = real("ropeLowFrequencyFactor");
  config.rope_high_freq_factor = real("ropeHighFrequencyFactor");
  config.rope_original_max_position_embeddings = whole("ropeOriginalMaxPositions");
  config.tie_word_embeddings = flag("tiedHead");
  config.qkv_bias = flag("qkvBias");
  config.qk_norm = flag("qkNorm");
  config.value_head = flag("valueHead");
  return config;
}

napi_value create(napi_env env, const Arguments& arguments) {
  const auto engine = held<palestra_engine>(env, arguments[0]);
  const palestra_model_config config = config_of(env, arguments[1]);
  const auto model = std::make_shared<palestra_model*>(nullptr);
  return elsewhere(
      env, [=] { return palestra_model_create(engine.handle, &config, model.get()); },
      [=](napi_env later) { return hold<palestra_model, palestra_model_close>(later, *model, engine.completions); });
}

napi_value initialise(napi_env env, const Arguments& arguments) {
  const auto& model = held<palestra_model>(env, arguments[0]);
  const uint64_t seed = big_integer(env, arguments[1]);
  return promise_of(env, model.completions, number(env, arguments[2]), undefined, [&](void* user) {
    return palestra_model_initialise(model.handle, seed, Pending::done, user);
  });
}

/** Sources together with the texts to which they point. */
struct Sources {
  std::vector<std::string> texts;
  std::vector<palestra_tensor_source> all;

  Sources(napi_env env, napi_value given) : texts(2 * length(env, given)) {
    for (uint32_t i = 0; i < texts.size() / 2; ++i) {
      const napi_value source = element(env, given, i);
      texts[2 * i] = text(env, field(env, source, "name"));
      texts[2 * i + 1] = text(env, field(env, source, "path"));
      all.push_back({texts[2 * i].c_str(), texts[2 * i + 1].c_str(),
                     static_cast<uint64_t>(number(env, field(env, source, "offset"))),
                     static_cast<uint64_t>(number(env, field(env, source, "bytes"))),
                     integer(env, field(env, source, "type")), integer(env, field(env, source, "rows")),
                     integer(env, field(env, source, "columns")),
                     integer(env, field(env, source, "interleavedHeads"))});
    }
  }
};

napi_value read(napi_env env, const Arguments& arguments) {
  const auto& model = held<palestra_model>(env, arguments[0]);
  const Sources sources(env, arguments[1]);
  return promise_of(env, model.completions, number(env, arguments[2]), undefined, [&](void* user) {
    return palestra_model_read(model.handle, sources.all.data(), static_cast<int32_t>(sources.all.size()),
                               Pending::done, user);
  });
}

napi_value parameters(napi_env env, const Arguments& arguments) {
  const auto& model = held<palestra_model>(env, arguments[0]);
  int32_t count;
  check_call(palestra_model_parameter_count(model.handle, &count));
  napi_value all, is_vector;
  check(napi_create_array_with_length(env, static_cast<size_t>(count), &all));
  for (int32_t i = 0; i < count; ++i) {
    palestra_parameter parameter;
    check_call(palestra_model_parameter(model.handle, i, &parameter));
    check(napi_get_boolean(env, parameter.is_vector != 0, &is_vector));
    const napi_value item = Object(env)
                                .set("name", parameter.name)
                                .set("rows", static_cast<double>(parameter.rows))
                                .set("columns", static_cast<double>(parameter.columns))
                                .set("isVector", is_vector);
    check(napi_set_element(env, all, static_cast<uint32_t>(i), item));
  }
  return all;
}

napi_value get(napi_env env, const Arguments& arguments) {
  const auto& model = held<palestra_model>(env, arguments[0]);
  const std::string name = text(env, arguments[1]);
  const auto size = static_cast<size_t>(number(env, arguments[2]));
  float* data;
  const auto values = std::make_shared<Kept>(env, new_array(env, size, &data));
  return promise_of(
      env, model.completions, number(env, arguments[3]), [values](napi_env) { return values->value(); },
      [&](void* user) { return palestra_model_get(model.handle, name.c_str(), data, size, Pending::done, user); });
}

napi_value write(napi_env env, const Arguments& arguments) {
  const auto& model = held<palestra_model>(env, arguments[0]);
  palestra_trainer* adapters = trainer_or_null(env, arguments[1]);
  const std::string path = text(env, arguments[2]);
  const TypedArray header = typed_array(env, arguments[3], napi_uint8_array);
  std::vector<std::string> names;
  for (uint32_t i = 0; i < length(env, arguments[4]); ++i) names.push_back(text(env, element(env, arguments[4], i)));
  std::vector<const char*> pointers;
  for (const auto& name : names) pointers.push_back(name.c_str());
  const int32_t dtype = integer(env, arguments[5]);
  return promise_of(env, model.completions, number(env, arguments[6]), undefined, [&](void* user) {
    return palestra_model_write(model.handle, adapters, path.c_str(), static_cast<uint8_t*>(header.data), header.length,
                                pointers.data(), static_cast<int32_t>(pointers.size()), dtype, Pending::done, user);
  });
}

napi_value version(napi_env env, const Arguments& arguments) {
  int64_t version;
  check_call(palestra_model_version(held<palestra_model>(env, arguments[0]).handle, &version));
  return from(env, static_cast<double>(version));
}

napi_value close(napi_env env, const Arguments& arguments) {
  check_call(palestra_model_close(held<palestra_model>(env, arguments[0]).handle));
  return undefined(env);
}

}  // namespace

void export_model(napi_env env, napi_value exports) {
  add_export<create>(env, exports, "createModel");
  add_export<initialise>(env, exports, "initialiseModel");
  add_export<read>(env, exports, "readModel");
  add_export<parameters>(env, exports, "parameters");
  add_export<get>(env, exports, "getParameter");
  add_export<write>(env, exports, "writeModel");
  add_export<version>(env, exports, "modelVersion");
  add_export<close>(env, exports, "closeModel");
}

}  // namespace palestra::addon
