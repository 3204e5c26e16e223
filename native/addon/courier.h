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
 * Carries results from an engine's thread to JavaScript's, where alone promises and objects may be touched. It keeps
 * the process alive while something is awaited and no longer. When the thread of JavaScript ends first, by the end of a
 * worker or of the process, it closes the engine before anything is torn down under it.
 */
class Courier : public std::enable_shared_from_this<Courier> {
 public:
  using Mail = std::function<void(napi_env)>;

  static std::shared_ptr<Courier> open(napi_env env, palestra_engine* engine);
  ~Courier();

  palestra_engine* engine() const { return engine_; }
  /** From any thread. After the end of JavaScript's thread mail is dropped. */
  void post(Mail mail);

  // JavaScript's thread.

  /** What is to keep the process alive: +1 for each that begins, -1 when it ends. */
  void hold(napi_env env, int change);
  void add(napi_env env, std::unique_ptr<Pending> pending);
  std::unique_ptr<Pending> take(napi_env env, Pending* pending);
  /** Ends the call of that ticket, if it is still under way. */
  void cancel(double ticket);
  void deliver(napi_env env);
  /** Closes the engine, by a promise: its last job may take a while. */
  napi_value close(napi_env env);
  /** Closes it now. For the garbage collector and the end of the thread. */
  void close_now(napi_env env);

 private:
  explicit Courier(palestra_engine* engine);
  static void on_wake(napi_env env, napi_value, void* context, void*);
  static void on_thread_end(void* courier);
  /** After the engine's thread has ended. */
  void retire(napi_env env);

  palestra_engine* const engine_;
  std::mutex mutex_;  // of mail_ and wake_
  std::vector<Mail> mail_;
  napi_threadsafe_function wake_ = nullptr;
  // JavaScript's thread alone.
  bool is_closing_ = false;
  int held_ = 0;
  std::unordered_map<Pending*, std::unique_ptr<Pending>> pending_;
};

}  // namespace palestra::addon
