#include "generator-object.h"

namespace palestra {

/** One turn in the lane. */
class GeneratorObject::Turn : public Work {
 public:
  explicit Turn(std::shared_ptr<GeneratorObject> object) : object_(std::move(object)) {}
  bool advance() override {
    const OnEngineThread mark;
    object_->turn();
    return false;
  }
  void finish(std::exception_ptr failure) noexcept override {
    const OnEngineThread mark;
    object_->end_turn(failure);
  }

 private:
  std::shared_ptr<GeneratorObject> object_;
};

GeneratorObject::GeneratorObject(std::shared_ptr<ModelObject> model, std::shared_ptr<TrainerObject> adapters,
                                 const GeneratorOptions& options, palestra_events events, void* user)
    : model_(std::move(model)),
      adapters_(std::move(adapters)),
      events_(events),
      user_(user),
      generator_(model_->engine->ops(), model_->model, options,
                 [this](const std::vector<Event>& sampled) { tell(sampled); }) {}

void GeneratorObject::set_vocabulary(std::vector<std::string> bytes) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    has_vocabulary_ = true;
  }
  auto shared = std::make_shared<std::vector<std::string>>(std::move(bytes));
  post([this, shared] { generator_.set_vocabulary(std::move(*shared)); }, nullptr);
}

void GeneratorObject::submit(Request request, int count, uint64_t* names) {
  std::vector<uint64_t> own(static_cast<size_t>(count));
  {
    std::lock_guard<std::mutex> lock(mutex_);
    expect_vocabulary(request);
    for (auto& name : own) name = ++last_name_;
  }
  std::copy(own.begin(), own.end(), names);
  post([this, own, request = std::move(request)] { start(request, own); },
       [this, own](std::exception_ptr failure) {
         if (failure) tell_failed(own);
       });
}

void GeneratorObject::start(const Request& request, const std::vector<uint64_t>& names) {
  const std::vector<uint64_t> inner = generator_.submit(request, static_cast<int>(names.size()));
  for (size_t i = 0; i < names.size(); ++i) {
    inner_names_[names[i]] = inner[i];
    names_[inner[i]] = names[i];
    live_.insert(names[i]);
  }
}

void GeneratorObject::extend(uint64_t name, Request request) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    expect_vocabulary(request);
  }
  post(
      [this, name, request = std::move(request)] {
        generator_.extend(inner(name), request);
        live_.insert(name);
      },
      [this, name](std::exception_ptr failure) {
        if (failure) tell_failed({name});
      });
}

void GeneratorObject::abort(uint64_t name) {
  // What is unknown has ended already: nothing is left to be ended.
  post([this, name] { if (inner_names_.count(name)) generator_.abort(inner(name)); }, nullptr);
}

void GeneratorObject::release(uint64_t name) {
  post(
      [this, name] {
        const auto found = inner_names_.find(name);
        if (found == inner_names_.end()) return;
        const uint64_t inner = found->second;
        generator_.release(inner);
        names_.erase(inner);
        live_.erase(name);
        inner_names_.erase(name);
      },
      nullptr);
}

void GeneratorObject::pause(palestra_done done, void* user) {
  post_and_tell([this] { generator_.pause(); }, done, user);
}

void GeneratorObject::resume() {
  post([this] { generator_.resume(); }, nullptr);
}

void GeneratorObject::update(OnUpdate on_update, palestra_done done, void* user) {
  post_and_tell([this, on_update] { generator_.update(on_update); }, done, user);
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
  std::deque<Command> rest;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    closed_ = true;
    rest.swap(commands_);
  }
  const auto failure = std::make_exception_ptr(
      Failure(Code::closed, "expected an open generator, but it was closed before its work was done"));
  for (auto& command : rest) {
    if (command.done) command.done(failure);
  }
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

/** Under the lock. */
void GeneratorObject::arm() {
  model_->engine->submit(Lane::generate, std::make_shared<Turn>(shared_from_this()));
  armed_ = true;
}

void GeneratorObject::post_and_tell(std::function<void()> run, palestra_done done, void* user) {
  if (!done && on_engine_thread()) refuse("a callback, since the engine's thread cannot wait for itself", "null");
  auto recipient = std::make_shared<Recipient>(done, user);
  post(std::move(run), [recipient](std::exception_ptr failure) { recipient->tell(Outcome::of(failure)); });
  if (!done) recipient->wait();
}

void GeneratorObject::turn() {
  run_commands();
  more_ = false;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (closed_) return;
  }
  try {
    more_ = generator_.step();
  } catch (...) {
    // A step that fails ends what it carried; the generator itself goes on.
    const std::vector<uint64_t> failed(live_.begin(), live_.end());
    for (const uint64_t name : failed) generator_.abort(inner(name));
    tell_failed(failed);
  }
  const auto now = generator_.statistics();
  std::lock_guard<std::mutex> lock(mutex_);
  statistics_ = {now.steps,      now.decoded_tokens, now.prefilled_tokens, now.shared_tokens, now.preemptions, now.pages,
                 now.free_pages, now.running,        now.waiting,          now.kept,          now.version};
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
      if (!failure && !closed_ && (more_ || !commands_.empty())) arm();
    } catch (...) {
      failure = std::current_exception();
    }
    if (failure) rest.swap(commands_);
  }
  for (auto& command : rest) {
    if (command.done) command.done(failure);
  }
}

uint64_t GeneratorObject::inner(uint64_t name) const {
  const auto found = inner_names_.find(name);
  if (found == inner_names_.end()) refuse("a sequence that was not released", std::to_string(name));
  return found->second;
}

/** Under the lock. */
void GeneratorObject::expect_vocabulary(const Request& request) const {
  if (!request.stop_strings.empty() && !has_vocabulary_) {
    refuse("a vocabulary before stop strings, to know what tokens are written as", "none");
  }
}

void GeneratorObject::tell(const std::vector<Event>& events) {
  std::vector<palestra_event> translated;
  for (const auto& event : events) {
    const auto found = names_.find(event.sequence);
    if (found == names_.end()) continue;
    if (event.finish != Finish::none) live_.erase(found->second);
    translated.push_back({found->second, event.token, static_cast<int32_t>(event.finish), event.logprob,
                          event.model_logprob, event.version});
  }
  deliver(translated);
}

void GeneratorObject::tell_failed(const std::vector<uint64_t>& names) {
  std::vector<palestra_event> ends;
  for (const uint64_t name : names) {
    live_.erase(name);
    ends.push_back({name, -1, static_cast<int32_t>(Finish::failed), 0, 0, model_->version});
  }
  deliver(ends);
}

void GeneratorObject::deliver(const std::vector<palestra_event>& events) {
  if (events.empty()) return;
  std::lock_guard<std::recursive_mutex> lock(telling_);
  if (!silent_) events_(user_, events.data(), static_cast<int32_t>(events.size()));
}

}  // namespace palestra
