#include "elsewhere.h"
#include "held.h"
#include "pending.h"

namespace palestra::addon {

namespace {

napi_value create(napi_env env, const Arguments& arguments) {
  const auto model = held<palestra_model>(env, arguments[0]);
  const napi_value given = arguments[1];
  palestra_trainer_options options{};
  options.max_tokens = integer(env, field(env, given, "maxTokens"));
  options.recompute = integer(env, field(env, given, "recompute"));
  options.lora_rank = integer(env, field(env, given, "loraRank"));
  options.lora_alpha = static_cast<float>(number(env, field(env, given, "loraAlpha")));
  options.lora_dropout = static_cast<float>(number(env, field(env, given, "loraDropout")));
  options.lora_targets = static_cast<uint32_t>(integer(env, field(env, given, "loraTargets")));
  options.lora_seed = big_integer(env, field(env, given, "loraSeed"));
  const auto trainer = std::make_shared<palestra_trainer*>(nullptr);
  return elsewhere(
      env, [=] { return palestra_trainer_create(model.handle, &options, trainer.get()); },
      [=](napi_env later) { return hold<palestra_trainer, palestra_trainer_close>(later, *trainer, model.completions); });
}

palestra_pack pack_of(napi_env env, napi_value given) {
  const TypedArray tokens = typed_array(env, field(env, given, "tokens"), napi_int32_array);
  const TypedArray starts = typed_array(env, field(env, given, "starts"), napi_int32_array);
  return {static_cast<int32_t*>(tokens.data), static_cast<int32_t>(tokens.length), static_cast<int32_t*>(starts.data),
          static_cast<int32_t>(starts.length) - 1, array<uint8_t>(env, field(env, given, "mask")),
          array<int32_t>(env, field(env, given, "parents"))};
}

/** An array that the engine writes and the promise returns, or null when it is not requested. */
class Output {
 public:
  Output(napi_env env, size_t length, bool is_wanted) {
    if (is_wanted) kept_ = std::make_shared<Kept>(env, new_array<float>(env, length, &data_));
  }
  float* data() const { return data_; }
  napi_value value(napi_env env) const { return kept_ ? kept_->value() : null(env); }

 private:
  float* data_ = nullptr;
  std::shared_ptr<Kept> kept_;
};

napi_value score(napi_env env, const Arguments& arguments) {
  const auto& trainer = held<palestra_trainer>(env, arguments[0]);
  const palestra_pack pack = pack_of(env, arguments[1]);
  const auto temperature = static_cast<float>(number(env, arguments[2]));
  const size_t tokens = static_cast<size_t>(pack.token_count);
  const Output logprob(env, tokens, true);
  const Output entropy(env, tokens, boolean(env, arguments[3]));
  const Output value(env, tokens, boolean(env, arguments[4]));
  const auto result = [=](napi_env later) -> napi_value {
    return Object(later)
        .set("logprob", logprob.value(later))
        .set("entropy", entropy.value(later))
        .set("value", value.value(later));
  };
  return promise_of(env, trainer.completions, number(env, arguments[5]), result, [&](void* user) {
    return palestra_trainer_score(trainer.handle, &pack, temperature, logprob.data(), entropy.data(), value.data(),
                                  Pending::done, user);
  });
}

palestra_loss loss_of(napi_env env, napi_value given) {
  const auto whole = [&](const char* name) { return integer(env, field(env, given, name)); };
  const auto real = [&](const char* name) { return static_cast<float>(number(env, field(env, given, name))); };
  palestra_loss loss{};
  loss.policy = whole("policy");
  loss.clip_low = real("clipLow");
  loss.clip_high = real("clipHigh");
  loss.dual_clip = real("dualClip");
  loss.behaviour_weight = whole("behaviourWeight");
  loss.behaviour_cap = real("behaviourCap");
  loss.kl = whole("kl");
  loss.kl_coefficient = real("klCoefficient");
  loss.entropy_coefficient = real("entropyCoefficient");
  loss.temperature = real("temperature");
  loss.value_coefficient = real("valueCoefficient");
  loss.value_clip = real("valueClip");
  return loss;
}

palestra_loss_inputs inputs_of(napi_env env, napi_value given) {
  const auto floats = [&](const char* name) -> const float* { return array<float>(env, field(env, given, name)); };
  palestra_loss_inputs inputs{};
  inputs.weight = floats("weight");
  inputs.advantage = floats("advantage");
  inputs.behaviour = floats("behaviour");
  inputs.proximal = floats("proximal");
  inputs.reference = floats("reference");
  inputs.returns = floats("returns");
  inputs.old_values = floats("oldValues");
  return inputs;
}

napi_value statistics_of(napi_env env, const palestra_loss_statistics& s) {
  return Object(env)
      .set("tokens", s.tokens)
      .set("loss", s.loss)
      .set("policyLoss", s.policy_loss)
      .set("klLoss", s.kl_loss)
      .set("valueLoss", s.value_loss)
      .set("entropy", s.entropy)
      .set("ratio", s.ratio)
      .set("highestRatio", s.highest_ratio)
      .set("clippedLow", s.clipped_low)
      .set("clippedHigh", s.clipped_high)
      .set("dualClipped", s.dual_clipped)
      .set("behaviourWeight", s.behaviour_weight)
      .set("behaviourCut", s.behaviour_cut)
      .set("proximalKl", s.proximal_kl)
      .set("referenceKl", s.reference_kl);
}

napi_value accumulate(napi_env env, const Arguments& arguments) {
  const auto& trainer = held<palestra_trainer>(env, arguments[0]);
  const palestra_pack pack = pack_of(env, arguments[1]);
  const palestra_loss loss = loss_of(env, arguments[2]);
  const palestra_loss_inputs inputs = inputs_of(env, arguments[3]);
  const auto statistics = std::make_shared<palestra_loss_statistics>();
  return promise_of(
      env, trainer.completions, number(env, arguments[4]),
      [statistics](napi_env later) { return statistics_of(later, *statistics); },
      [&](void* user) {
        return palestra_trainer_accumulate(trainer.handle, &pack, &loss, &inputs, statistics.get(), Pending::done,
                                           user);
      });
}

napi_value accumulate_gradients(napi_env env, const Arguments& arguments) {
  const auto& trainer = held<palestra_trainer>(env, arguments[0]);
  const palestra_pack pack = pack_of(env, arguments[1]);
  const auto temperature = static_cast<float>(number(env, arguments[2]));
  const float* logprob = array<float>(env, arguments[3]);
  const float* entropy = array<float>(env, arguments[4]);
  const float* value = array<float>(env, arguments[5]);
  return promise_of(env, trainer.completions, number(env, arguments[6]), undefined, [&](void* user) {
    return palestra_trainer_accumulate_gradients(trainer.handle, &pack, temperature, logprob, entropy, value,
                                                 Pending::done, user);
  });
}

palestra_adamw adamw_of(napi_env env, napi_value given) {
  const auto real = [&](const char* name) { return static_cast<float>(number(env, field(env, given, name))); };
  palestra_adamw rule{};
  rule.lr = real("lr");
  rule.beta1 = real("beta1");
  rule.beta2 = real("beta2");
  rule.epsilon = real("epsilon");
  rule.weight_decay = real("weightDecay");
  rule.clip_norm = number(env, field(env, given, "clipNorm"));
  return rule;
}

napi_value step(napi_env env, const Arguments& arguments) {
  const auto& trainer = held<palestra_trainer>(env, arguments[0]);
  const palestra_adamw rule = adamw_of(env, arguments[1]);
  const auto norm = std::make_shared<double>(0);
  return promise_of(
      env, trainer.completions, number(env, arguments[2]), [norm](napi_env later) { return from(later, *norm); },
      [&](void* user) { return palestra_trainer_step(trainer.handle, &rule, norm.get(), Pending::done, user); });
}

napi_value zero_gradients(napi_env env, const Arguments& arguments) {
  const auto& trainer = held<palestra_trainer>(env, arguments[0]);
  return promise_of(env, trainer.completions, number(env, arguments[1]), undefined, [&](void* user) {
    return palestra_trainer_zero_gradients(trainer.handle, Pending::done, user);
  });
}

template <int32_t (*call)(palestra_trainer*, const char*, palestra_done, void*)>
napi_value with_path(napi_env env, const Arguments& arguments) {
  const auto& trainer = held<palestra_trainer>(env, arguments[0]);
  const std::string path = text(env, arguments[1]);
  return promise_of(env, trainer.completions, number(env, arguments[2]), undefined,
                    [&](void* user) { return call(trainer.handle, path.c_str(), Pending::done, user); });
}

napi_value close(napi_env env, const Arguments& arguments) {
  check_call(palestra_trainer_close(held<palestra_trainer>(env, arguments[0]).handle));
  return undefined(env);
}

}  // namespace

void export_trainer(napi_env env, napi_value exports) {
  add_export<create>(env, exports, "createTrainer");
  add_export<score>(env, exports, "score");
  add_export<accumulate>(env, exports, "accumulate");
  add_export<accumulate_gradients>(env, exports, "accumulateGradients");
  add_export<step>(env, exports, "step");
  add_export<zero_gradients>(env, exports, "zeroGradients");
  add_export<with_path<palestra_trainer_save>>(env, exports, "saveTrainer");
  add_export<with_path<palestra_trainer_load>>(env, exports, "loadTrainer");
  add_export<close>(env, exports, "closeTrainer");
}

}  // namespace palestra::addon
