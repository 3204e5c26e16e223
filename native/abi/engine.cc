#include <cstring>
#include <thread>

#include "../ops/cuda/driver/cuda-device.h"
#include "objects.h"

namespace palestra {

namespace {

int threads_of(int32_t threads) {
  if (threads > 0) return threads;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

InstructionSet isa_of(const char* most) {
  const InstructionSet best = detect_instruction_set();
  if (!most) return best;
  using Set = InstructionSet;
  for (const Set isa : {Set::scalar, Set::avx2, Set::avx512, Set::avx512_bf16}) {
    if (std::strcmp(most, name_of(isa)) == 0) return std::min(isa, best);
  }
  return best;
}

/** Returns N of "cuda:N". */
int ordinal_of(const std::string& device) { return std::stoi(device.substr(std::strlen("cuda:"))); }

/** The default type on CUDA is bf16, because CUDA devices have matrix units for bf16. */
bool is_bf16(int32_t dtype, bool cuda) { return dtype == 2 || (dtype == 0 && cuda); }

std::unique_ptr<Backend> backend_of(const palestra_engine_options& o) {
  const std::string device = o.device ? o.device : "auto";
  BackendOptions options{static_cast<size_t>(o.memory_bytes), threads_of(o.threads), isa_of(o.instruction_set), false,
                         o.deterministic != 0};
  std::string no_cuda = "the device is to be the CPU";
  const int ordinal = device == "cpu" ? -1 : device == "auto" ? cuda::CudaDevice::find(&no_cuda) : ordinal_of(device);
  options.bf16 = is_bf16(o.dtype, ordinal >= 0);
  if (ordinal < 0) return make_cpu_backend(options, no_cuda);
  return make_cuda_backend(ordinal, options);
}

}  // namespace

EngineObject::EngineObject(const palestra_engine_options& options)
    : shares_{options.train_share, options.generate_share, options.deterministic != 0},
      backend_(backend_of(options)),
      info_(backend_->info()),
      scheduler_(std::make_shared<Scheduler>(shares_)) {}

palestra_engine_info EngineObject::describe() const {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto seconds = [this](Lane lane) { return scheduler_ ? scheduler_->seconds(lane) : 0; };
  const Memory& memory = backend_->memory();
  // The text is never replaced once set, because callers may still read it.
  if (no_graphs_.empty()) no_graphs_ = backend_->no_graphs();
  return {info_.device.c_str(),
          info_.instruction_set,
          info_.gemm.c_str(),
          info_.no_cuda.c_str(),
          no_graphs_.empty() ? "" : no_graphs_.c_str(),
          info_.bf16 ? 2 : 1,
          info_.threads,
          memory.budget(),
          memory.used(),
          memory.highest_use(),
          seconds(Lane::train),
          seconds(Lane::generate)};
}

void EngineObject::set_shares(double train, double generate) {
  std::lock_guard<std::mutex> lock(mutex_);
  shares_ = {train, generate, shares_.deterministic};
  if (scheduler_) scheduler_->set(shares_);
}

void EngineObject::submit(Lane lane, std::shared_ptr<Work> work) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!scheduler_) throw Failure(Code::closed, "The engine is closed.");
  scheduler_->submit(lane, std::move(work));
}

void EngineObject::run(Lane lane, Closed closed, palestra_done done, void* user, Begin begin) {
  auto recipient = std::make_shared<Recipient>(done, user);
  auto job = std::make_shared<Job>(std::move(begin), std::move(closed), recipient);
  if (user) {
    std::lock_guard<std::mutex> lock(mutex_);
    for (auto at = jobs_.begin(); at != jobs_.end();) at = at->second.expired() ? jobs_.erase(at) : std::next(at);
    jobs_.emplace(user, job);
  }
  submit(lane, std::move(job));
  if (!done) recipient->wait();
}

void EngineObject::cancel(void* user) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto [first, last] = jobs_.equal_range(user);
  for (auto at = first; at != last; ++at) {
    const auto job = at->second.lock();
    if (job && scheduler_) scheduler_->cancel(job.get());
  }
}

void EngineObject::close() {
  std::shared_ptr<Scheduler> last;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    last.swap(scheduler_);
  }
}

Handles<palestra_engine, EngineObject>& engines() {
  static auto& all = *new Handles<palestra_engine, EngineObject>("engine");
  return all;
}

Handles<palestra_model, ModelObject>& models() {
  static auto& all = *new Handles<palestra_model, ModelObject>("model");
  return all;
}

Handles<palestra_trainer, TrainerObject>& trainers() {
  static auto& all = *new Handles<palestra_trainer, TrainerObject>("trainer");
  return all;
}

Handles<palestra_generator, GeneratorObject>& generators() {
  static auto& all = *new Handles<palestra_generator, GeneratorObject>("generator");
  return all;
}

}  // namespace palestra

using namespace palestra;

int32_t palestra_engine_create(const palestra_engine_options* options, palestra_engine** out) {
  return guarded([&] { *out = engines().add(std::make_shared<EngineObject>(*options)); });
}

int32_t palestra_engine_describe(palestra_engine* engine, palestra_engine_info* out) {
  return guarded([&] { *out = engines().get(engine)->describe(); });
}

int32_t palestra_engine_set_shares(palestra_engine* engine, double train, double generate) {
  return guarded([&] { engines().get(engine)->set_shares(train, generate); });
}

int32_t palestra_engine_close(palestra_engine* engine) {
  return guarded([&] { engines().remove(engine)->close(); });
}

int32_t palestra_cancel(palestra_engine* engine, void* user) {
  return guarded([&] { engines().get(engine)->cancel(user); });
}
