#pragma once
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "../core/scheduler.h"
#include "../engine.h"
#include "backends/backend.h"
#include "jobs/handles.h"
#include "jobs/job.h"

namespace palestra {

/**
 * The object behind a `palestra_engine`. Models hold the engine, and trainers and generators hold their model, so no
 * object outlives its engine.
 */
class EngineObject {
 public:
  explicit EngineObject(const palestra_engine_options& options);

  Backend& backend() { return *backend_; }
  palestra_engine_info describe() const;
  void set_shares(double train, double generate);

  /** Queues work. Fails with `Code::closed` after `close`. */
  void submit(Lane lane, std::shared_ptr<Work> work);
  /** Queues a job for `done`, or waits for the job when `done` is null. */
  void run(Lane lane, Closed closed, palestra_done done, void* user, Begin begin);
  void cancel(void* user);
  /** Ends queued work with `Code::closed` and waits for the running job. */
  void close();

 private:
  Shares shares_;
  std::unique_ptr<Backend> backend_;
  const BackendInfo info_;
  mutable std::string no_graphs_;
  mutable std::mutex mutex_;
  std::unordered_multimap<void*, std::weak_ptr<Work>> jobs_;
  // The scheduler is declared last, because its thread uses all members above.
  std::shared_ptr<Scheduler> scheduler_;
};

/** The object behind a `palestra_model`. */
struct ModelObject {
  ModelObject(std::shared_ptr<EngineObject> of, const ModelConfig& config)
      : engine(std::move(of)), model(engine->backend().make_model(config)) {}

  std::shared_ptr<EngineObject> engine;
  std::unique_ptr<AnyModel> model;
  Closed closed = std::make_shared<std::atomic<bool>>(false);
  /** Version of `model`, for threads other than the engine's. */
  std::atomic<int64_t> version{0};
};

/** The object behind a `palestra_trainer`. */
struct TrainerObject {
  TrainerObject(std::shared_ptr<ModelObject> of, const TrainerOptions& options)
      : model(std::move(of)),
        max_tokens(options.max_tokens),
        lora(options.lora),
        trainer(model->model->make_trainer(options)) {}

  /** Drops the gradients that were computed with the weights before the load. */
  void after_load();

  std::shared_ptr<ModelObject> model;
  int max_tokens;
  LoraConfig lora;
  std::unique_ptr<AnyTrainer> trainer;
  Closed closed = std::make_shared<std::atomic<bool>>(false);
};

class GeneratorObject;

// The table of engines is never destroyed. At the end of a process, engines may still work and other threads may still
// call.
Handles<palestra_engine, EngineObject>& engines();
Handles<palestra_model, ModelObject>& models();
Handles<palestra_trainer, TrainerObject>& trainers();
Handles<palestra_generator, GeneratorObject>& generators();

}  // namespace palestra
