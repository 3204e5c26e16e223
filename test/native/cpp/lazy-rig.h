#pragma once
#include "generator-rig.h"
#include "lazy-ops.h"
#include "tiny-models.h"

namespace palestra::test {

/** A bf16 model with the weights of a float model, on streams that stay idle until they are waited for. */
struct LazyRig {
  explicit LazyRig(const Model<float>& like, TrainerOptions options = {32, Recompute::none, {}}, bool records = true)
      : ops(memory, pool, records), generate_ops(memory, pool, records), model(ops, like.config()) {
    take(like.data());
    trainer = std::make_unique<Trainer<bf16>>(ops, model, options);
  }
  void take(const float* weights) {
    ops.upload(model.data(), weights, model.parameters().arena_size() * sizeof(float));
    model.refresh();
  }
  std::vector<float> score(const Pack& pack, float temperature = 1) {
    std::vector<float> logprob(pack.tokens.size());
    run(*trainer->score(pack, temperature, {logprob.data(), nullptr, nullptr}, ignore));
    return logprob;
  }
  /** Accumulates gradients of plain log-probabilities, and of values if the model has them. */
  void accumulate(const Pack& pack) {
    const std::vector<float> ones(pack.tokens.size(), 1.0f);
    run(*trainer->accumulate(pack, 1, ones.data(), ones.data(), model.config().value_head ? ones.data() : nullptr,
                             ignore));
  }
  double step(const AdamW& rule) {
    double norm = 0;
    run(*trainer->step(rule, 0, &norm, ignore));
    return norm;
  }
  std::vector<float> gradients() {
    std::vector<float> all;
    for (const StateSpan& span : trainer->gradients()) {
      std::vector<float> values(span.bytes / sizeof(float));
      ops.download(values.data(), span.data, span.bytes);
      all.insert(all.end(), values.begin(), values.end());
    }
    return all;
  }

  HostMemory memory{size_t{1} << 30};
  ThreadPool pool{1};
  LazyOps ops, generate_ops;
  Model<bf16> model;
  std::unique_ptr<Trainer<bf16>> trainer;
};

/** Expects each weight in the type of the activations to be the rounded master weight. */
inline void expect_rounded(LazyRig& rig, const WeightArena<bf16>& arena) {
  rig.ops.queue().finish();
  for (size_t i = 0; i < arena.size(); ++i) {
    ASSERT_EQ(arena.rounded()[i].bits, to_bf16(arena.master()[i]).bits) << "at " << i;
  }
}

}  // namespace palestra::test
