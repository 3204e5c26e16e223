#include "completion-queue.h"

#include <utility>

#include "elsewhere.h"
#include "pending.h"
#include "values.h"

namespace palestra::addon {

CompletionQueue::CompletionQueue(palestra_engine* engine) : engine_(engine) {}
CompletionQueue::~CompletionQueue() = default;

std::shared_ptr<CompletionQueue> CompletionQueue::open(napi_env env, palestra_engine* engine) {
  std::shared_ptr<CompletionQueue> completions(new CompletionQueue(engine));
  // The function keeps the queue alive. The function is freed when the queue retires or the thread ends.
  auto* own = new std::shared_ptr<CompletionQueue>(completions);
  const auto forget = [](napi_env, void* kept, void*) { delete static_cast<std::shared_ptr<CompletionQueue>*>(kept); };
  check(napi_create_threadsafe_function(env, nullptr, nullptr, from(env, "palestra"), 0, 1, own, forget, completions.get(),
                                        on_wake, &completions->wake_));
  check(napi_unref_threadsafe_function(env, completions->wake_));
  // The hook is added after the function, because the hook added last runs first.
  check(napi_add_env_cleanup_hook(env, on_thread_end, completions.get()));
  return completions;
}

void CompletionQueue::post(Completion completion) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!wake_) return;
  completed_.push_back(std::move(completion));
  if (completed_.size() == 1) napi_call_threadsafe_function(wake_, nullptr, napi_tsfn_nonblocking);
}

void CompletionQueue::on_wake(napi_env env, napi_value, void* context, void*) {
  if (env) static_cast<CompletionQueue*>(context)->deliver(env);
}

void CompletionQueue::deliver(napi_env env) {
  const auto self = shared_from_this();
  std::vector<Completion> completed;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    completed.swap(completed_);
  }
  for (const Completion& completion : completed) {
    napi_handle_scope scope;
    if (napi_open_handle_scope(env, &scope) != napi_ok) return;
    try {
      completion(env);
    } catch (...) {
      rethrow(env);
    }
    napi_close_handle_scope(env, scope);
  }
}

void CompletionQueue::hold(napi_env env, int change) {
  const bool was_held = held_ > 0;
  held_ += change;
  if (!wake_ || was_held == (held_ > 0)) return;
  if (was_held) {
    napi_unref_threadsafe_function(env, wake_);
  } else {
    napi_ref_threadsafe_function(env, wake_);
  }
}

void CompletionQueue::add(napi_env env, std::unique_ptr<Pending> pending) {
  Pending* key = pending.get();
  pending_.emplace(key, std::move(pending));
  hold(env, 1);
}

std::unique_ptr<Pending> CompletionQueue::take(napi_env env, Pending* pending) {
  const auto found = pending_.find(pending);
  auto taken = std::move(found->second);
  pending_.erase(found);
  hold(env, -1);
  return taken;
}

void CompletionQueue::cancel(double ticket) {
  for (const auto& [user, pending] : pending_) {
    if (pending->ticket() == ticket) palestra_cancel(engine_, user);
  }
}

napi_value CompletionQueue::close(napi_env env) {
  if (is_closing_) return elsewhere(env, [] { return 0; }, undefined);
  is_closing_ = true;
  const auto self = shared_from_this();
  return elsewhere(
      env, [self] { return palestra_engine_close(self->engine_); }, undefined,
      [self](napi_env later) { self->retire(later); });
}

void CompletionQueue::close_now(napi_env env) {
  if (is_closing_) return;
  is_closing_ = true;
  palestra_engine_close(engine_);
  retire(env);
}

void CompletionQueue::retire(napi_env env) {
  const auto self = shared_from_this();
  // Results that the close produced are delivered before the close itself.
  deliver(env);
  napi_remove_env_cleanup_hook(env, on_thread_end, this);
  napi_threadsafe_function wake;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    wake = std::exchange(wake_, nullptr);
  }
  if (wake) napi_release_threadsafe_function(wake, napi_tsfn_abort);
}

void CompletionQueue::on_thread_end(void* context) {
  auto* completions = static_cast<CompletionQueue*>(context);
  completions->is_closing_ = true;
  palestra_engine_close(completions->engine_);
  // No listener is left. The pending calls refer to the queue and would keep it alive.
  const auto pending = std::move(completions->pending_);
  std::lock_guard<std::mutex> lock(completions->mutex_);
  completions->completed_.clear();
  completions->wake_ = nullptr;
}

napi_value Pending::promise(napi_env env) {
  napi_value promise;
  check(napi_create_promise(env, &deferred_, &promise));
  return promise;
}

void Pending::settle(napi_env env, int32_t code, const std::string& message) {
  if (code == 0) {
    check(napi_resolve_deferred(env, deferred_, result_(env)));
  } else {
    check(napi_reject_deferred(env, deferred_, error_of(env, code, message)));
  }
}

void Pending::done(void* user, int32_t code, const char* message) {
  auto* pending = static_cast<Pending*>(user);
  const std::string text = message ? message : "";
  pending->completions_->post([pending, code, text](napi_env env) {
    pending->completions_->take(env, pending)->settle(env, code, text);
  });
}

}  // namespace palestra::addon
