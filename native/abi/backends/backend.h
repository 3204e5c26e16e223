#pragma once
#include <memory>
#include <string>
#include <vector>

#include "../../core/cpu-features.h"
#include "../../core/scheduler.h"
#include "../../engine.h"
#include "../../files/checkpoint.h"
#include "../../generate/generator.h"
#include "../../model/trainer/trainer.h"
#include "../../ops/stream.h"

namespace palestra {

// The interfaces that the C ABI needs, for any device and any type of activations. Master weights are floats.

/** `Trainer` for any type of activations. */
class AnyTrainer {
 public:
  using Done = std::function<void(std::exception_ptr)>;

  virtual ~AnyTrainer() = default;
  virtual std::shared_ptr<Work> score(Pack pack, float temperature, Scores scores, Done done) = 0;
  virtual std::shared_ptr<Work> accumulate(Pack pack, Loss loss, LossInputs inputs, LossStatistics* statistics,
                                           Done done) = 0;
  virtual std::shared_ptr<Work> accumulate(Pack pack, float temperature, const float* logprob_gradient,
                                           const float* entropy_gradient, const float* value_gradient, Done done) = 0;
  virtual std::shared_ptr<Work> step(AdamW rule, double clip_norm, double* gradient_norm, Done done) = 0;
  virtual std::shared_ptr<Work> zero_gradients(Done done) = 0;
  /** Returns `Trainer::gradients`, in floats. */
  virtual std::vector<StateSpan> gradients() = 0;
  /** Returns the state that a file stores or restores. */
  virtual Checkpointed checkpointed(const LoraConfig& lora) = 0;
  /** Like `Adapters::merge`. Does nothing without LoRA. */
  virtual void merge(const std::string& name, float* projection) const = 0;
  virtual bool has_adapters() const = 0;
};

/** `Generator` for any type of activations. */
class AnyGenerator {
 public:
  virtual ~AnyGenerator() = default;
  virtual void set_vocabulary(std::vector<std::string> bytes, std::vector<bool> special) = 0;
  virtual void check(const Request& request) const = 0;
  virtual void submit(uint64_t first, const Request& request, int count) = 0;
  virtual void extend(uint64_t sequence, const Request& request) = 0;
  virtual void abort(uint64_t sequence) = 0;
  virtual void release(uint64_t sequence) = 0;
  virtual void pause() = 0;
  virtual void resume() = 0;
  virtual void update(OnUpdate on_update) = 0;
  virtual bool step() = 0;
  virtual void fail() = 0;
  virtual GeneratorStatistics statistics() const = 0;
};

/** `Model` for any type of activations, and the factory of its trainers and generators. */
class AnyModel {
 public:
  virtual ~AnyModel() = default;
  virtual const ModelConfig& config() const = 0;
  virtual const ParameterTable& parameters() const = 0;
  /** Type of the activations. Weights that are multiplied with activations have the same type. */
  virtual Dtype dtype() const = 0;
  /** Master weights, in an arena on the device. Call `refresh` after writing to the weights. */
  virtual float* data() = 0;
  virtual void refresh() = 0;
  virtual void initialise(uint64_t seed) = 0;
  virtual int64_t& version() = 0;
  /** The stream used for training. */
  virtual Stream& stream() = 0;
  virtual std::unique_ptr<AnyTrainer> make_trainer(const TrainerOptions& options) = 0;
  /** @param adapters adapters of a trainer of this model, or null */
  virtual std::unique_ptr<AnyGenerator> make_generator(AnyTrainer* adapters, const GeneratorOptions& options,
                                                       std::function<void(const std::vector<Event>&)> events) = 0;
};

struct BackendInfo {
  /** For example "cpu" or "cuda:0 NVIDIA H100 80GB HBM3". */
  std::string device;
  /** Instruction set of the CPU. */
  const char* instruction_set;
  std::string gemm;
  /** Reason why CUDA is not in use. Empty when CUDA is in use. */
  std::string no_cuda;
  /** Same as `BackendOptions::bf16`. */
  bool bf16;
  int threads;
};

/**
 * A device, with the operations of an engine's two lanes. Only `memory` and `info` may be used outside the engine's
 * thread.
 */
class Backend {
 public:
  virtual ~Backend() = default;
  virtual Memory& memory() = 0;
  virtual BackendInfo info() const = 0;
  /** `no_graphs` of `palestra_engine_info`. May be called from any thread. */
  virtual std::string no_graphs() const { return ""; }
  virtual std::unique_ptr<AnyModel> make_model(const ModelConfig& config) = 0;
  /** Calls `time_op`. */
  virtual double time(const palestra_timing& timing) = 0;
};

struct BackendOptions {
  /** Memory budget in bytes. 0: nine tenths of the free memory. */
  size_t memory_bytes;
  int threads;
  InstructionSet isa;
  /** Whether bf16 is used: on a CPU for the inputs of GEMM, on CUDA for activations instead of float. */
  bool bf16;
  /** Whether only Palestra's own kernels are used on CUDA. The results of these kernels do not depend on the batch. */
  bool deterministic;
};

std::unique_ptr<Backend> make_cpu_backend(const BackendOptions& options, std::string no_cuda);
/** Makes the backend of a CUDA device. Fails with `Code::device` when no such device is usable. */
std::unique_ptr<Backend> make_cuda_backend(int ordinal, const BackendOptions& options);

}  // namespace palestra
