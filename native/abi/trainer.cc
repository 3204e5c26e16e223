#include <algorithm>
#include <cstring>
#include <vector>

#include "../files/checkpoint.h"
#include "objects.h"

namespace palestra {

namespace {

TrainerOptions options_of(const palestra_trainer_options& o, const ModelConfig& config) {
  if (o.lora_rank > config.hidden_size) {
    refuse("a LoRA rank of 0 to " + std::to_string(config.hidden_size), std::to_string(o.lora_rank));
  }
  if (!(o.lora_dropout >= 0 && o.lora_dropout < 1)) {
    refuse("a LoRA dropout of 0 to below 1", std::to_string(o.lora_dropout));
  }
  const LoraConfig lora = {o.lora_rank, o.lora_alpha, o.lora_targets, o.lora_seed, o.lora_dropout};
  return {o.max_tokens, static_cast<Recompute>(o.recompute), lora};
}

/** Copies the pack, because a job continues after its call returns. The trainer checks the content of the copy. */
Pack copy_of(const palestra_pack& pack) {
  const auto check = [](const char* name, int32_t count) {
    if (count < 0) refuse(std::string(name) + " of at least 0", std::to_string(count));
  };
  check("token_count", pack.token_count);
  check("sequence_count", pack.sequence_count);
  Pack copy{{pack.tokens, pack.tokens + pack.token_count},
            {pack.starts, pack.starts + pack.sequence_count + 1},
            {pack.mask, pack.mask + pack.token_count}};
  if (pack.parents) copy.parents.assign(pack.parents, pack.parents + pack.sequence_count);
  return copy;
}

Loss loss_of(const palestra_loss& l) {
  Loss loss;
  loss.policy = static_cast<Policy>(l.policy);
  loss.clip_low = l.clip_low;
  loss.clip_high = l.clip_high;
  loss.dual_clip = l.dual_clip;
  loss.behaviour_weight = static_cast<BehaviourWeight>(l.behaviour_weight);
  loss.behaviour_cap = l.behaviour_cap;
  loss.kl = static_cast<KlEstimator>(l.kl);
  loss.kl_coefficient = l.kl_coefficient;
  loss.entropy_coefficient = l.entropy_coefficient;
  loss.temperature = l.temperature;
  loss.value_coefficient = l.value_coefficient;
  loss.value_clip = l.value_clip;
  return loss;
}

void expect_value_head(const TrainerObject& object) {
  if (!object.model->model->config().value_head) refuse("a model with a value head", "a model without one");
}

/** Copies of arrays with one number per token. */
class TokenArrays {
 public:
  explicit TokenArrays(int32_t tokens) : tokens_(static_cast<size_t>(tokens)) {}

  const float* copy(const float* array) {
    if (!array) return nullptr;
    copies_.push_back({array, array + tokens_});
    return copies_.back().data();
  }

 private:
  size_t tokens_;
  std::vector<std::vector<float>> copies_;
};

LossInputs copy_of(const palestra_loss_inputs& in, TokenArrays& arrays) {
  return {arrays.copy(in.weight),    arrays.copy(in.advantage), arrays.copy(in.behaviour), arrays.copy(in.proximal),
          arrays.copy(in.reference), arrays.copy(in.returns),   arrays.copy(in.old_values)};
}

AdamW rule_of(const palestra_adamw& r) {
  AdamW rule{};
  rule.lr = r.lr;
  rule.beta1 = r.beta1;
  rule.beta2 = r.beta2;
  rule.epsilon = r.epsilon;
  rule.weight_decay = r.weight_decay;
  rule.gradient_scale = 1;
  return rule;
}

void run(const std::shared_ptr<TrainerObject>& object, palestra_done done, void* user, Begin begin) {
  object->model->engine->run(Lane::train, object->closed, done, user, std::move(begin));
}

void download_gradient(TrainerObject& object, const std::string& name, float* out, uint64_t count) {
  const std::vector<StateSpan> all = object.trainer->gradients();
  const auto found = std::find_if(all.begin(), all.end(), [&](const StateSpan& span) { return span.name == name; });
  if (found == all.end()) refuse("the name of a trained tensor", name);
  if (count * sizeof(float) != found->bytes) {
    refuse("room for the " + std::to_string(found->bytes / sizeof(float)) + " gradients of " + name,
           std::to_string(count));
  }
  object.model->model->stream().download(out, found->data, found->bytes);
}

}  // namespace

void TrainerObject::after_load() {
  model->version = model->model->version();
  const auto dropping = trainer->zero_gradients([](std::exception_ptr) {});
  while (dropping->advance()) {
  }
  dropping->finish(nullptr);
}

}  // namespace palestra

using namespace palestra;

int32_t palestra_trainer_create(palestra_model* model, const palestra_trainer_options* options,
                                palestra_trainer** out) {
  return guarded([&] {
    const auto object = models().get(model);
    const TrainerOptions checked = options_of(*options, object->model->config());
    std::shared_ptr<TrainerObject> made;
    object->engine->run(Lane::train, object->closed, nullptr, nullptr, [&](Done told) {
      return std::make_shared<Parts>(
          1, [&](size_t) { made = std::make_shared<TrainerObject>(object, checked); }, std::move(told));
    });
    *out = trainers().add(std::move(made));
  });
}

int32_t palestra_trainer_score(palestra_trainer* trainer, const palestra_pack* pack, float temperature, float* logprob,
                               float* entropy, float* value, palestra_done done, void* user) {
  return guarded([&] {
    const auto object = trainers().get(trainer);
    if (value) expect_value_head(*object);
    auto copy = copy_of(*pack);
    run(object, done, user, [=, copy = std::move(copy)](Done told) {
      return object->trainer->score(copy, temperature, {logprob, entropy, value}, std::move(told));
    });
  });
}

int32_t palestra_trainer_accumulate(palestra_trainer* trainer, const palestra_pack* pack, const palestra_loss* loss,
                                    const palestra_loss_inputs* inputs, palestra_loss_statistics* out,
                                    palestra_done done, void* user) {
  return guarded([&] {
    const auto object = trainers().get(trainer);
    auto copy = copy_of(*pack);
    const Loss copied = loss_of(*loss);
    auto arrays = std::make_shared<TokenArrays>(pack->token_count);
    const LossInputs in = copy_of(*inputs, *arrays);
    auto statistics = std::make_shared<LossStatistics>();
    run(object, done, user, [=, copy = std::move(copy)](Done told) {
      return object->trainer->accumulate(copy, copied, in, statistics.get(), [=](std::exception_ptr failure) {
        (void)arrays;
        static_assert(sizeof *statistics == sizeof *out, "the C ABI has the fields of LossStatistics");
        std::memcpy(out, statistics.get(), sizeof *out);
        told(failure);
      });
    });
  });
}

int32_t palestra_trainer_accumulate_gradients(palestra_trainer* trainer, const palestra_pack* pack, float temperature,
                                              const float* logprob_gradient, const float* entropy_gradient,
                                              const float* value_gradient, palestra_done done, void* user) {
  return guarded([&] {
    const auto object = trainers().get(trainer);
    if (value_gradient) expect_value_head(*object);
    auto copy = copy_of(*pack);
    auto arrays = std::make_shared<TokenArrays>(pack->token_count);
    const float* of_logprob = arrays->copy(logprob_gradient);
    const float* of_entropy = arrays->copy(entropy_gradient);
    const float* of_value = arrays->copy(value_gradient);
    run(object, done, user, [=, copy = std::move(copy)](Done told) {
      return object->trainer->accumulate(copy, temperature, of_logprob, of_entropy, of_value,
                                        [arrays, told](std::exception_ptr failure) { told(failure); });
    });
  });
}

int32_t palestra_trainer_step(palestra_trainer* trainer, const palestra_adamw* rule, double* gradient_norm,
                              palestra_done done, void* user) {
  return guarded([&] {
    const auto object = trainers().get(trainer);
    const AdamW copied = rule_of(*rule);
    const double clip_norm = rule->clip_norm;
    run(object, done, user, [=](Done told) {
      return object->trainer->step(copied, clip_norm, gradient_norm, [object, told](std::exception_ptr failure) {
        object->model->version = object->model->model->version();
        told(failure);
      });
    });
  });
}

int32_t palestra_trainer_gradient(palestra_trainer* trainer, const char* name, float* out, uint64_t count,
                                  palestra_done done, void* user) {
  return guarded([&] {
    const auto object = trainers().get(trainer);
    const std::string wanted = name;
    run(object, done, user, [=](Done told) {
      return std::make_shared<Parts>(
          1, [=](size_t) { download_gradient(*object, wanted, out, count); }, std::move(told));
    });
  });
}

int32_t palestra_trainer_zero_gradients(palestra_trainer* trainer, palestra_done done, void* user) {
  return guarded([&] {
    const auto object = trainers().get(trainer);
    run(object, done, user, [=](Done told) { return object->trainer->zero_gradients(std::move(told)); });
  });
}

int32_t palestra_trainer_save(palestra_trainer* trainer, const char* path, palestra_done done, void* user) {
  return guarded([&] {
    const auto object = trainers().get(trainer);
    const std::string place = path;
    run(object, done, user, [=](Done told) {
      const auto saving = std::make_shared<CheckpointWriter>(place, object->trainer->checkpointed(object->lora));
      return std::make_shared<Parts>(saving->parts(), [saving](size_t part) { saving->part(part); }, told);
    });
  });
}

int32_t palestra_trainer_load(palestra_trainer* trainer, const char* path, palestra_done done, void* user) {
  return guarded([&] {
    const auto object = trainers().get(trainer);
    const std::string place = path;
    run(object, done, user, [=](Done told) {
      const auto loading = std::make_shared<CheckpointReader>(place, object->trainer->checkpointed(object->lora));
      return std::make_shared<Parts>(
          loading->parts(),
          [object, loading](size_t part) {
            loading->part(part);
            if (part + 1 == loading->parts()) object->after_load();
          },
          told);
    });
  });
}

int32_t palestra_trainer_close(palestra_trainer* trainer) {
  return guarded([&] { *trainers().remove(trainer)->closed = true; });
}
