#include "generator-object.h"

namespace palestra {

namespace {

std::exception_ptr closed_under_work() {
  return std::make_exception_ptr(
      Failure(Code::closed, "The generator was closed before its work was done."));
}

}  // namespace

/** One turn in the lane. */
class GeneratorObject::Turn : public Work {
 public:
  explicit Turn(std::shared_ptr<GeneratorObject> object) : object_(std::move(object)) {}
  bool advance() override {
    object_->turn();
    return false;
  }
  void finish(std::exception_ptr failure) noexcept override { object_->end_turn(failure); }

 private:
  std::shared_ptr<GeneratorObject> object_;
};

GeneratorObject::GeneratorObject(std::shared_ptr<ModelObject> model, std::shared_ptr<TrainerObject> adapters,
                                 const GeneratorOptions& options, palestra_events events, void* user)
    : model_(std::move(model)),
      adapters_(std::move(adapters)),
      events_(events),
      user_(user),
      generator_(model_->model->make_generator(adapters_ ? adapters_->trainer.get() : nullptr, options,
                                               [this](const std::vector<Event>& sampled) { tell(sampled); })) {
  take_statistics();
}

void GeneratorObject::set_vocabulary(std::vector<std::string> bytes, std::vector<bool> special) {
  generator_->set_vocabulary(std::move(bytes), std::move(special));
}

uint64_t GeneratorObject::submit(Request request, int count) {
  generator_->check(request);
  uint64_t first;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    first = last_name_ + 1;
    last_name_ += static_cast<uint64_t>(count);
    for (uint64_t name = first; name <= last_name_; ++name) sequences_[name] = true;
  }
  post([this, first, count, request = std::move(request)] { generator_->submit(first, request, count); }, nullptr);
  return first;
}

void GeneratorObject::extend(uint64_t name, Request request) {
  generator_->check(request);
  {
    std::lock_guard<std::mutex> lock(mutex_);
    sequences_[name] = true;
  }
  post([this, name, request = std::move(request)] { generator_->extend(name, request); }, nullptr);
}

void GeneratorObject::abort(uint64_t name) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto found = sequences_.find(name);
    // An ended sequence needs no abort.
    if (found == sequences_.end() || !found->second) return;
  }
  post([this, name] { generator_->abort(name); }, nullptr);
}

void GeneratorObject::release(uint64_t name) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (sequences_.erase(name) == 0) return;
  }
  post([this, name] { generator_->release(name); }, nullptr);
}

void GeneratorObject::pause(palestra_done done, void* user) {
  const auto recipient = std::make_shared<Recipient>(done, user);
  post([this] { generator_->pause(); },
       [recipient](std::exception_ptr failure) { recipient->tell(Outcome::of(failure)); });
  if (!done) recipient->wait();
}

void GeneratorObject::resume() {
  post([this] { generator_->resume(); }, nullptr);
}

/** The update runs in the trainers' lane, where no optimizer step is half done. */
void GeneratorObject::update(OnUpdate on_update, palestra_done done, void* user) {
  model_->engine->run(Lane::train, closed_, done, user, [self = shared_from_this(), on_update](Done told) {
    return std::make_shared<Parts>(
        1,
        [self, on_update](size_t) {
          self->generator_->update(on_update);
          self->take_statistics();
        },
        std::move(told));
  });
}

Outcome GeneratorObject::failure() {
  std::lock_guard<std::mutex> lock(mutex_);
  return failure_;
}

palestra_generator_statistics GeneratorObject::describe() {
  std::lock_guard<std::mutex> lock(mutex_);
  return statistics_;
}

void GeneratorObject::close() {
  {
    std::lock_guard<std::recursive_mutex> lock(telling_);
    silent_ = true;
  }
  *closed_ = true;
  std::deque<Command> rest;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    rest.swap(commands_);
  }
  end_commands(rest, closed_under_work());
}

void GeneratorObject::post(std::function<void()> run, Done done) {
  std::lock_guard<std::mutex> lock(mutex_);
  commands_.push_back({std::move(run), std::move(done)});
  if (armed_) return;
  try {
    arm();
  } catch (...) {
    commands_.pop_back();
    throw;
  }
}

/** Queues a turn. The caller holds the lock. */
void GeneratorObject::arm() {
  model_->engine->submit(Lane::generate, std::make_shared<Turn>(shared_from_this()));
  armed_ = true;
}

void GeneratorObject::turn() {
  run_commands();
  more_ = false;
  if (*closed_) return;
  try {
    more_ = generator_->step();
  } catch (...) {
    // A failed step ends its sequences. The generator continues.
    remember(Outcome::of(std::current_exception()));
    generator_->fail();
  }
  take_statistics();
}

void GeneratorObject::run_commands() {
  for (;;) {
    Command command;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      if (commands_.empty()) return;
      command = std::move(commands_.front());
      commands_.pop_front();
    }
    std::exception_ptr failure;
    try {
      command.run();
    } catch (...) {
      failure = std::current_exception();
    }
    if (command.done) command.done(failure);
  }
}

void GeneratorObject::end_turn(std::exception_ptr failure) noexcept {
  std::deque<Command> rest;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    armed_ = false;
    try {
      if (!failure && *closed_) failure = closed_under_work();
      if (!failure && (more_ || !commands_.empty())) arm();
    } catch (...) {
      failure = std::current_exception();
    }
    if (failure) rest.swap(commands_);
  }
  end_commands(rest, failure);
}

void GeneratorObject::end_commands(const std::deque<Command>& commands, std::exception_ptr failure) {
  for (const auto& command : commands) {
    if (command.done) command.done(failure);
  }
}

void GeneratorObject::take_statistics() {
  const auto now = generator_->statistics();
  std::lock_guard<std::mutex> lock(mutex_);
  statistics_ = {now.steps,       now.decoded_tokens, now.prefilled_tokens, now.shared_tokens,
                 now.preemptions, now.pages,          now.free_pages,       now.running,
                 now.waiting,     now.kept,           now.version};
}

void GeneratorObject::remember(Outcome failure) {
  std::lock_guard<std::mutex> lock(mutex_);
  failure_ = std::move(failure);
}

void GeneratorObject::tell(const std::vector<Event>& events) {
  // The statistics are updated before the events are sent, so that they already include the ended sequences when a
  // listener reads them.
  take_statistics();
  std::vector<palestra_event> told;
  std::vector<palestra_top_token> tops;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& event : events) {
      const auto found = sequences_.find(event.sequence);
      if (found != sequences_.end() && event.finish != Finish::none) found->second = false;
      told.push_back({event.sequence, event.token, static_cast<int32_t>(event.finish), event.logprob,
                      event.model_logprob, event.version, static_cast<int32_t>(event.top.size())});
      for (const TopToken& top : event.top) tops.push_back({top.token, top.logprob});
    }
  }
  if (told.empty()) return;
  std::lock_guard<std::recursive_mutex> lock(telling_);
  if (!silent_) events_(user_, told.data(), static_cast<int32_t>(told.size()), tops.data());
}

}  // namespace palestra
