#pragma once
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "../generate/generator.h"
#include "objects.h"

namespace palestra {

/**
 * The object behind a `palestra_generator`: a queue of commands, and the generator, which only the engine's thread
 * uses. While a generator has work, a turn is queued in the scheduler's lane. A turn runs the commands, makes one step
 * and queues the next turn, so that several generators take turns.
 */
class GeneratorObject : public std::enable_shared_from_this<GeneratorObject> {
 public:
  /** Runs on the engine's thread. */
  GeneratorObject(std::shared_ptr<ModelObject> model, std::shared_ptr<TrainerObject> adapters,
                  const GeneratorOptions& options, palestra_events events, void* user);

  const ModelConfig& config() const { return model_->model->config(); }

  /** Must be called before the first request, because requests are checked against the vocabulary on their threads. */
  void set_vocabulary(std::vector<std::string> bytes, std::vector<bool> special);
  /** @returns the name of the first sequence; the names of further sequences follow it */
  uint64_t submit(Request request, int count);
  /** Extends a sequence that has ended and is not released. */
  void extend(uint64_t name, Request request);
  void abort(uint64_t name);
  void release(uint64_t name);
  void pause(palestra_done done, void* user);
  void resume();
  void update(OnUpdate on_update, palestra_done done, void* user);
  palestra_generator_statistics describe();
  /** Returns the error of the last step that failed, if any. */
  Outcome failure();
  /** Closes the generator. No event is sent after this call returns. */
  void close();

 private:
  class Turn;
  struct Command {
    std::function<void()> run;
    Done done;
  };

  void post(std::function<void()> run, Done done);
  void arm();
  void turn();
  void end_turn(std::exception_ptr failure) noexcept;
  void run_commands();
  void take_statistics();
  void tell(const std::vector<Event>& events);
  void remember(Outcome failure);
  static void end_commands(const std::deque<Command>& commands, std::exception_ptr failure);

  std::shared_ptr<ModelObject> model_;
  std::shared_ptr<TrainerObject> adapters_;
  palestra_events events_;
  void* user_;
  Closed closed_ = std::make_shared<std::atomic<bool>>(false);

  std::mutex mutex_;  // guards all members up to `failure_`
  std::deque<Command> commands_;
  bool armed_ = false;
  uint64_t last_name_ = 0;
  /** Sequences that are not released, and whether each sequence is running. */
  std::unordered_map<uint64_t, bool> sequences_;
  palestra_generator_statistics statistics_{};
  Outcome failure_;

  /** Held while events are sent. The mutex is recursive, because a callback may close the generator. */
  std::recursive_mutex telling_;
  bool silent_ = false;

  // The members below are for the engine's thread alone, except `check`.
  bool more_ = false;
  std::unique_ptr<AnyGenerator> generator_;
};

}  // namespace palestra
