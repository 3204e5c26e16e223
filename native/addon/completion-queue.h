#pragma once
#include <node_api.h>

#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "../engine.h"

namespace palestra::addon {

class Pending;

/**
 * Carries results from an engine's thread to JavaScript's thread, since only JavaScript's thread may use promises and
 * objects. The queue keeps the process alive while a result is awaited. When JavaScript's thread ends first, with its
 * worker or the process, the queue closes the engine before anything else is torn down.
 */
class CompletionQueue : public std::enable_shared_from_this<CompletionQueue> {
 public:
  using Completion = std::function<void(napi_env)>;

  static std::shared_ptr<CompletionQueue> open(napi_env env, palestra_engine* engine);
  ~CompletionQueue();

  palestra_engine* engine() const { return engine_; }
  /**
   * Sends a completion to JavaScript's thread. May be called from any thread. A completion after the end of JavaScript's
   * thread is dropped.
   */
  void post(Completion completion);

  // The methods below are for JavaScript's thread.

  /** Counts the reasons to keep the process alive: +1 when a reason begins, -1 when it ends. */
  void hold(napi_env env, int change);
  void add(napi_env env, std::unique_ptr<Pending> pending);
  std::unique_ptr<Pending> take(napi_env env, Pending* pending);
  /** Cancels the call with that ticket if the call is still running. */
  void cancel(double ticket);
  void deliver(napi_env env);
  /** Returns a promise that resolves when the engine is closed. The engine's last job may take a while. */
  napi_value close(napi_env env);
  /** Closes the engine at once. Used by the garbage collector and at the end of the thread. */
  void close_now(napi_env env);

 private:
  explicit CompletionQueue(palestra_engine* engine);
  static void on_wake(napi_env env, napi_value, void* context, void*);
  static void on_thread_end(void* completions);
  /** Called after the engine's thread has ended. */
  void retire(napi_env env);

  palestra_engine* const engine_;
  std::mutex mutex_;  // guards completed_ and wake_
  std::vector<Completion> completed_;
  napi_threadsafe_function wake_ = nullptr;
  // The members below are for JavaScript's thread alone.
  bool is_closing_ = false;
  int held_ = 0;
  std::unordered_map<Pending*, std::unique_ptr<Pending>> pending_;
};

}  // namespace palestra::addon
