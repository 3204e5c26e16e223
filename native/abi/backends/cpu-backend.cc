#include "../../ops/cpu/cpu-ops.h"
#include "../../ops/cpu/gemm/gemm.h"
#include "../timing/timed-op.h"
#include "typed-model.h"

namespace palestra {

namespace {

constexpr double default_share_of_memory = 0.9;
size_t budget_of(size_t memory_bytes) {
  if (memory_bytes > 0) return memory_bytes;
  return static_cast<size_t>(static_cast<double>(HostMemory::available()) * default_share_of_memory);
}

/** One object serves both lanes, because a CPU does all work at once. */
class CpuBackend final : public Backend {
 public:
  CpuBackend(const BackendOptions& options, std::string no_cuda)
      : memory_(budget_of(options.memory_bytes)),
        pool_(options.threads),
        ops_(make_cpu_ops<float>(memory_, pool_, {options.isa, options.bf16})),
        info_{"cpu", name_of(options.isa), Gemm<float>(memory_, pool_, options.isa, options.bf16).path(),
              std::move(no_cuda), options.bf16, pool_.threads()} {}

  Memory& memory() override { return memory_; }
  BackendInfo info() const override { return info_; }
  std::unique_ptr<AnyModel> make_model(const ModelConfig& config) override {
    return std::make_unique<TypedModel<float>>(*ops_, *ops_, config);
  }
  double time(const palestra_timing& timing) override { return time_op(*ops_, timing); }

 private:
  HostMemory memory_;
  ThreadPool pool_;
  std::unique_ptr<Ops<float>> ops_;
  const BackendInfo info_;
};

}  // namespace

std::unique_ptr<Backend> make_cpu_backend(const BackendOptions& options, std::string no_cuda) {
  return std::make_unique<CpuBackend>(options, std::move(no_cuda));
}

}  // namespace palestra
