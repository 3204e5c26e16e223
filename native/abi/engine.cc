#include <cmath>
#include <cstring>
#include <thread>

#include "../ops/cpu/cpu-ops.h"
#include "../ops/cpu/gemm.h"
#include "objects.h"

namespace palestra {

namespace {

constexpr double default_share_of_memory = 0.9;
constexpr int most_threads = 1024;

Shares shares_of(double train, double generate, bool deterministic) {
  if (!(std::isfinite(train) && std::isfinite(generate) && train > 0 && generate > 0)) {
    refuse("shares above 0", std::to_string(train) + " and " + std::to_string(generate));
  }
  return {train, generate, deterministic};
}

size_t budget_of(uint64_t memory_bytes) {
  if (memory_bytes > 0) return memory_bytes;
  return static_cast<size_t>(static_cast<double>(HostMemory::available()) * default_share_of_memory);
}

int threads_of(int32_t threads) {
  if (threads < 0 || threads > most_threads) refuse("0 to 1024 threads", std::to_string(threads));
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
  refuse("instruction set scalar, avx2, avx512 or avx512bf16", most);
}

void check_device(const char* device) {
  if (!device || std::strcmp(device, "auto") == 0 || std::strcmp(device, "cpu") == 0) return;
  refuse("device auto or cpu, since this build has no CUDA kernels", device);
}

}  // namespace

EngineObject::EngineObject(const palestra_engine_options& options)
    : shares_(shares_of(options.train_share, options.generate_share, options.deterministic != 0)),
      memory_(budget_of(options.memory_bytes)),
      isa_(isa_of(options.instruction_set)),
      bf16_(options.bf16 != 0) {
  check_device(options.device);
  pool_ = std::make_unique<ThreadPool>(threads_of(options.threads));
  ops_ = make_cpu_ops<float>(memory_, *pool_, {isa_, bf16_});
  gemm_ = Gemm<float>(memory_, *pool_, isa_, bf16_).path();
  scheduler_ = std::make_shared<Scheduler>(shares_);
}

palestra_engine_info EngineObject::describe() const {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto seconds = [this](Lane lane) { return scheduler_ ? scheduler_->seconds(lane) : 0; };
  return {"cpu",
          name_of(isa_),
          gemm_.c_str(),
          "this build has no CUDA kernels",
          pool_->threads(),
          memory_.budget(),
          memory_.used(),
          memory_.highest_use(),
          seconds(Lane::train),
          seconds(Lane::generate)};
}

void EngineObject::set_shares(double train, double generate) {
  std::lock_guard<std::mutex> lock(mutex_);
  shares_ = shares_of(train, generate, shares_.deterministic);
  if (scheduler_) scheduler_->set(shares_);
}

void EngineObject::submit(Lane lane, std::shared_ptr<Work> work) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!scheduler_) throw Failure(Code::closed, "expected an open engine, but received one that was closed");
  scheduler_->submit(lane, std::move(work));
}

void EngineObject::run(Lane lane, Closed closed, palestra_done done, void* user, Begin begin) {
  if (!done && on_engine_thread()) refuse("a callback, since the engine's thread cannot wait for itself", "null");
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
  if (on_engine_thread()) refuse("the engine to be closed by another thread than its own", "its own");
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
  return guarded([&] {
    required(out, "out");
    *out = engines().add(std::make_shared<EngineObject>(required(options, "options")));
  });
}

int32_t palestra_engine_describe(palestra_engine* engine, palestra_engine_info* out) {
  return guarded([&] { required(out, "out") = engines().get(engine)->describe(); });
}

int32_t palestra_engine_set_shares(palestra_engine* engine, double train, double generate) {
  return guarded([&] { engines().get(engine)->set_shares(train, generate); });
}

int32_t palestra_engine_close(palestra_engine* engine) {
  return guarded([&] {
    if (on_engine_thread()) refuse("the engine to be closed by another thread than its own", "its own");
    engines().remove(engine)->close();
  });
}

int32_t palestra_cancel(palestra_engine* engine, void* user) {
  return guarded([&] { engines().get(engine)->cancel(user); });
}
