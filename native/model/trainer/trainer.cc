#include "trainer.h"

#include "pass.h"

namespace palestra {
namespace {

template <class T>
class ZeroGradients final : public JobList {
 public:
  ZeroGradients(TrainerState<T>& state, Done done) : JobList(state.ops, std::move(done)) {
    then([&state] { state.drop_gradients(); });
  }
};

}  // namespace

template <class T>
Trainer<T>::Trainer(Ops<T>& ops, Model<T>& model, const TrainerOptions& options)
    : state_(std::make_unique<TrainerState<T>>(ops, model, options)) {}

template <class T>
Trainer<T>::~Trainer() = default;

template <class T>
const Adapters<T>* Trainer<T>::adapters() const {
  return state_->adapters.get();
}

template <class T>
const ModelWeights<T>& Trainer<T>::weights() const {
  return state_->weights;
}

template <class T>
void Trainer<T>::refresh() {
  state_->model.refresh();
  if (state_->adapters) state_->adapters->refresh();
}

template <class T>
int64_t& Trainer<T>::steps() {
  return state_->optimiser.steps;
}

template <class T>
std::vector<StateSpan> Trainer<T>::state() const {
  using A = accumulator_t<T>;
  std::vector<StateSpan> spans;
  const auto add = [&](const std::string& name, A* data, size_t size) {
    spans.push_back({name, data, size * sizeof(A)});
  };
  for (const Parameter& p : state_->model.parameters().all()) {
    add("weights/" + p.name, state_->model.data() + p.offset, p.size());
  }
  if (const Adapters<T>* adapters = state_->adapters.get()) {
    for (const Parameter& p : adapters->parameters()) add("weights/" + p.name, adapters->data() + p.offset, p.size());
  }
  const Optimiser<T>& optimiser = state_->optimiser;
  for (const Trainable<T>& t : optimiser.trainables()) {
    add("first_moments/" + t.name, optimiser.first_moments() + t.offset, t.size);
    add("second_moments/" + t.name, optimiser.second_moments() + t.offset, t.size);
  }
  return spans;
}

template <class T>
std::vector<StateSpan> Trainer<T>::gradients() {
  using A = accumulator_t<T>;
  state_->fold_embedding_gradients();
  std::vector<StateSpan> spans;
  const Optimiser<T>& optimiser = state_->optimiser;
  for (const Trainable<T>& t : optimiser.trainables()) {
    spans.push_back({t.name, optimiser.gradients() + t.offset, t.size * sizeof(A)});
  }
  return spans;
}

template <class T>
std::shared_ptr<Work> Trainer<T>::score(Pack pack, float temperature, Scores scores,
                                        std::function<void(std::exception_ptr)> done) {
  return make_score_pass(*state_, std::move(pack), temperature, scores, std::move(done));
}

template <class T>
std::shared_ptr<Work> Trainer<T>::accumulate(Pack pack, Loss loss, LossInputs inputs, LossStatistics* statistics,
                                             std::function<void(std::exception_ptr)> done) {
  return make_loss_pass(*state_, std::move(pack), loss, inputs, statistics, std::move(done));
}

template <class T>
std::shared_ptr<Work> Trainer<T>::accumulate(Pack pack, float temperature, const float* logprob_gradient,
                                             const float* entropy_gradient, const float* value_gradient,
                                             std::function<void(std::exception_ptr)> done) {
  return make_gradient_pass(*state_, std::move(pack), temperature, logprob_gradient, entropy_gradient, value_gradient,
                            std::move(done));
}

template <class T>
std::shared_ptr<Work> Trainer<T>::step(AdamW rule, double clip_norm, double* gradient_norm,
                                       std::function<void(std::exception_ptr)> done) {
  return make_step(*state_, rule, clip_norm, gradient_norm, std::move(done));
}

template <class T>
std::shared_ptr<Work> Trainer<T>::zero_gradients(std::function<void(std::exception_ptr)> done) {
  return std::make_shared<ZeroGradients<T>>(*state_, std::move(done));
}

template class Trainer<bf16>;
template class Trainer<float>;
template class Trainer<double>;

}  // namespace palestra
