#include "elsewhere.h"

#include <memory>

#include "../engine.h"

namespace palestra::addon {

namespace {

struct Task {
  std::function<int32_t()> call;
  std::function<napi_value(napi_env)> result;
  std::function<void(napi_env)> ended;
  napi_async_work work = nullptr;
  napi_deferred deferred = nullptr;
  int32_t status = 0;
  std::string message;
};

void execute(napi_env, void* data) {
  auto& task = *static_cast<Task*>(data);
  task.status = task.call();
  if (task.status != 0) task.message = palestra_last_error();
}

void complete(napi_env env, napi_status, void* data) {
  const std::unique_ptr<Task> task(static_cast<Task*>(data));
  napi_delete_async_work(env, task->work);
  try {
    if (task->ended) task->ended(env);
    if (task->status == 0) {
      check(napi_resolve_deferred(env, task->deferred, task->result(env)));
    } else {
      check(napi_reject_deferred(env, task->deferred, error_of(env, task->status, task->message)));
    }
  } catch (...) {
    // JavaScript's thread is ending, so no caller waits any more.
  }
}

}  // namespace

napi_value elsewhere(napi_env env, std::function<int32_t()> call, std::function<napi_value(napi_env)> result,
                     std::function<void(napi_env)> ended) {
  auto task = std::make_unique<Task>();
  task->call = std::move(call);
  task->result = std::move(result);
  task->ended = std::move(ended);
  napi_value promise;
  check(napi_create_promise(env, &task->deferred, &promise));
  check(napi_create_async_work(env, nullptr, from(env, "palestra"), execute, complete, task.get(), &task->work));
  check(napi_queue_async_work(env, task->work));
  task.release();
  return promise;
}

}  // namespace palestra::addon
