#include "../../ops/cuda/cuda-ops.h"
#include "../timing/timed-op.h"
#include "typed-model.h"

namespace palestra {

namespace {

/**
 * The backend has one stream per lane. Generation has priority, and training kernels fill the gaps between generation
 * steps.
 */
template <class T>
class CudaBackend final : public Backend {
 public:
  CudaBackend(int ordinal, const BackendOptions& options)
      : device_(ordinal, options.memory_bytes),
        train_(cuda::make_cuda_ops<T>(device_, cuda::Priority::low, options.deterministic)),
        generate_(cuda::make_cuda_ops<T>(device_, cuda::Priority::high, options.deterministic)),
        info_{"cuda:" + std::to_string(ordinal) + " " + device_.properties().name, name_of(options.isa),
              cuda::gemm_path(*train_), "", options.bf16, options.threads} {}

  Memory& memory() override { return device_.memory(); }
  BackendInfo info() const override { return info_; }
  std::string no_graphs() const override { return generate_->why_no_recording(); }
  std::unique_ptr<AnyModel> make_model(const ModelConfig& config) override {
    return std::make_unique<TypedModel<T>>(*train_, *generate_, config);
  }
  double time(const palestra_timing& timing) override { return time_op(*train_, timing); }

 private:
  cuda::CudaDevice device_;
  std::unique_ptr<Ops<T>> train_;
  std::unique_ptr<Ops<T>> generate_;
  const BackendInfo info_;
};

}  // namespace

std::unique_ptr<Backend> make_cuda_backend(int ordinal, const BackendOptions& options) {
  if (options.bf16) return std::make_unique<CudaBackend<bf16>>(ordinal, options);
  return std::make_unique<CudaBackend<float>>(ordinal, options);
}

}  // namespace palestra
