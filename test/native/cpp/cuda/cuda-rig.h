#pragma once
#include "../generator-rig.h"
#include "../tiny-models.h"
#include "emulated-cuda-test.h"
#include "ops/cuda/cuda-ops.h"

namespace palestra::cuda {

using test::ignore;
using test::random_values;
using test::relative_error;
using test::run;

/** A model on a CUDA device, with the weights of a CPU model, and its two streams. */
template <class T>
struct CudaModel {
  explicit CudaModel(const Model<float>& like, bool own_kernels = true)
      : device(0, size_t{1} << 30),
        train(make_cuda_ops<T>(device, Priority::low, own_kernels)),
        generate(make_cuda_ops<T>(device, Priority::high, own_kernels)),
        model(*train, like.config()) {
    take(like.data());
  }
  void take(const float* weights) {
    train->upload(model.data(), weights, model.parameters().arena_size() * sizeof(float));
    model.refresh();
  }

  CudaDevice device;
  std::unique_ptr<Ops<T>> train;
  std::unique_ptr<Ops<T>> generate;
  Model<T> model;
};

/** A trainer of that model. */
template <class T>
struct CudaTrainer : CudaModel<T> {
  explicit CudaTrainer(const Model<float>& like, TrainerOptions options = {256, Recompute::none, {}},
                       bool own_kernels = true)
      : CudaModel<T>(like, own_kernels), trainer(*this->train, this->model, options) {}

  std::vector<float> score(const Pack& pack, float temperature = 1) {
    std::vector<float> logprob(pack.tokens.size());
    run(*trainer.score(pack, temperature, {logprob.data(), nullptr, nullptr}, ignore));
    return logprob;
  }
  LossStatistics accumulate(const Pack& pack, const Loss& loss, const LossInputs& inputs) {
    LossStatistics statistics = {};
    run(*trainer.accumulate(pack, loss, inputs, &statistics, ignore));
    return statistics;
  }
  double step(const AdamW& rule) {
    double norm = 0;
    run(*trainer.step(rule, 0, &norm, ignore));
    return norm;
  }
  std::vector<float> gradients() {
    std::vector<float> all;
    for (const StateSpan& span : trainer.gradients()) append(all, span.data, span.bytes);
    return all;
  }
  std::vector<float> weights() {
    std::vector<float> all;
    for (const Parameter& p : this->model.parameters().all()) {
      append(all, this->model.data() + p.offset, p.size() * sizeof(float));
    }
    return all;
  }

  Trainer<T> trainer;

 private:
  void append(std::vector<float>& all, const void* data, size_t bytes) {
    std::vector<float> values(bytes / sizeof(float));
    this->train->download(values.data(), data, bytes);
    all.insert(all.end(), values.begin(), values.end());
  }
};

}  // namespace palestra::cuda
