#pragma once
#include "backend.h"

namespace palestra {

/** `AnyTrainer` for activations of T. */
template <class T>
class TypedTrainer final : public AnyTrainer {
 public:
  TypedTrainer(Ops<T>& ops, Model<T>& model, const TrainerOptions& options)
      : model_(model), trainer_(ops, model, options) {}

  std::shared_ptr<Work> score(Pack pack, float temperature, Scores scores, Done done) override {
    return trainer_.score(std::move(pack), temperature, scores, std::move(done));
  }
  std::shared_ptr<Work> accumulate(Pack pack, Loss loss, LossInputs inputs, LossStatistics* statistics,
                                   Done done) override {
    return trainer_.accumulate(std::move(pack), loss, inputs, statistics, std::move(done));
  }
  std::shared_ptr<Work> accumulate(Pack pack, float temperature, const float* logprob_gradient,
                                   const float* entropy_gradient, const float* value_gradient, Done done) override {
    return trainer_.accumulate(std::move(pack), temperature, logprob_gradient, entropy_gradient, value_gradient,
                               std::move(done));
  }
  std::shared_ptr<Work> step(AdamW rule, double clip_norm, double* gradient_norm, Done done) override {
    return trainer_.step(rule, clip_norm, gradient_norm, std::move(done));
  }
  std::shared_ptr<Work> zero_gradients(Done done) override { return trainer_.zero_gradients(std::move(done)); }
  std::vector<StateSpan> gradients() override { return trainer_.gradients(); }
  Checkpointed checkpointed(const LoraConfig& lora) override { return palestra::checkpointed(model_, trainer_, lora); }
  void merge(const std::string& name, float* projection) const override {
    if (trainer_.adapters()) trainer_.adapters()->merge(name, projection);
  }
  bool has_adapters() const override { return trainer_.adapters() != nullptr; }

  const Adapters<T>* adapters() const { return trainer_.adapters(); }

 private:
  Model<T>& model_;
  Trainer<T> trainer_;
};

/** `AnyGenerator` for activations of T. */
template <class T>
class TypedGenerator final : public AnyGenerator {
 public:
  TypedGenerator(Ops<T>& ops, Model<T>& model, const Adapters<T>* adapters, const GeneratorOptions& options,
                 std::function<void(const std::vector<Event>&)> events)
      : generator_(ops, model, adapters, options, std::move(events)) {}

  void set_vocabulary(std::vector<std::string> bytes, std::vector<bool> special) override {
    generator_.set_vocabulary(std::move(bytes), std::move(special));
  }
  void check(const Request& request) const override { generator_.check(request); }
  void submit(uint64_t first, const Request& request, int count) override { generator_.submit(first, request, count); }
  void extend(uint64_t sequence, const Request& request) override { generator_.extend(sequence, request); }
  void abort(uint64_t sequence) override { generator_.abort(sequence); }
  void release(uint64_t sequence) override { generator_.release(sequence); }
  void pause() override { generator_.pause(); }
  void resume() override { generator_.resume(); }
  void update(OnUpdate on_update) override { generator_.update(on_update); }
  bool step() override { return generator_.step(); }
  void fail() override { generator_.fail(); }
  GeneratorStatistics statistics() const override { return generator_.statistics(); }

 private:
  Generator<T> generator_;
};

/** `AnyModel` for activations of T. */
template <class T>
class TypedModel final : public AnyModel {
 public:
  TypedModel(Ops<T>& train, Ops<T>& generate, const ModelConfig& config)
      : train_(train), generate_(generate), model_(train, config) {}

  const ModelConfig& config() const override { return model_.config(); }
  const ParameterTable& parameters() const override { return model_.parameters(); }
  Dtype dtype() const override { return dtype_of<T>; }
  float* data() override { return model_.data(); }
  void refresh() override { model_.refresh(); }
  void initialise(uint64_t seed) override { model_.initialise(seed); }
  int64_t& version() override { return model_.version; }
  Stream& stream() override { return train_; }
  std::unique_ptr<AnyTrainer> make_trainer(const TrainerOptions& options) override {
    return std::make_unique<TypedTrainer<T>>(train_, model_, options);
  }
  std::unique_ptr<AnyGenerator> make_generator(AnyTrainer* adapters, const GeneratorOptions& options,
                                               std::function<void(const std::vector<Event>&)> events) override {
    auto* const trainer = static_cast<TypedTrainer<T>*>(adapters);
    return std::make_unique<TypedGenerator<T>>(generate_, model_, trainer ? trainer->adapters() : nullptr, options,
                                               std::move(events));
  }

 private:
  Ops<T>& train_;
  Ops<T>& generate_;
  Model<T> model_;
};

}  // namespace palestra
