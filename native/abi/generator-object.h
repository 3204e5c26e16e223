#pragma once
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "../generate/generator.h"
#include "objects.h"

namespace palestra {

/**
 * What is behind a `palestra_generator`: a queue of commands before the generator, which the engine's thread alone
 * touches. While there is anything to do a turn lies in the scheduler's lane: it runs the commands, makes one step and
 * queues the next turn, so that several generators take turns too.
 */
class GeneratorObject : public std::enable_shared_from_this<GeneratorObject> {
 public:
  GeneratorObject(std::shared_ptr<ModelObject> model, std::shared_ptr<TrainerObject> adapters,
                  const GeneratorOptions& options, palestra_events events, void* user);

  const ModelConfig& config() const { return model_->model.config(); }

  void set_vocabulary(std::vector<std::string> bytes);
  /** @param names (count), where those of the sequences are written before any event can tell of them */
  void submit(Request request, int count, uint64_t* names);
  void extend(uint64_t name, Request request);
  void abort(uint64_t name);
  void release(uint64_t name);
  void pause(palestra_done done, void* user);
  void resume();
  void update(OnUpdate on_update, palestra_done done, void* user);
  palestra_generator_statistics describe();
  /** No event is told once this has returned. */
  void close();

 private:
  class Turn;
  struct Command {
    std::function<void()> run;
    Done done;
  };

  void post(std::function<void()> run, Done done);
  void post_and_tell(std::function<void()> run, palestra_done done, void* user);
  void arm();
  void turn();
  void end_turn(std::exception_ptr failure) noexcept;
  void run_commands();
  void start(const Request& request, const std::vector<uint64_t>& names);
  uint64_t inner(uint64_t name) const;
  void expect_vocabulary(const Request& request) const;
  void tell(const std::vector<Event>& events);
  void tell_failed(const std::vector<uint64_t>& names);
  void deliver(const std::vector<palestra_event>& events);

  std::shared_ptr<ModelObject> model_;
  std::shared_ptr<TrainerObject> adapters_;
  palestra_events events_;
  void* user_;

  std::mutex mutex_;  // of all up to `closed_`
  std::deque<Command> commands_;
  bool armed_ = false;
  bool has_vocabulary_ = false;
  uint64_t last_name_ = 0;
  palestra_generator_statistics statistics_{};
  bool closed_ = false;

  /** Held while events are told. Recursive, since a callback may close. */
  std::recursive_mutex telling_;
  bool silent_ = false;

  // The engine's thread alone.
  bool more_ = false;
  std::unordered_map<uint64_t, uint64_t> inner_names_;
  std::unordered_map<uint64_t, uint64_t> names_;
  std::unordered_set<uint64_t> live_;
  Generator<float> generator_;
};

}  // namespace palestra
