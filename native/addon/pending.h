#pragma once
#include "completion-queue.h"
#include "values.h"

namespace palestra::addon {

/** A promise that is not settled yet. The address of a pending promise is the `user` of a call of the C ABI. */
class Pending {
 public:
  /** Makes the promise's value after a success. */
  using Result = std::function<napi_value(napi_env)>;

  Pending(std::shared_ptr<CompletionQueue> completions, double ticket, Result result)
      : completions_(std::move(completions)), ticket_(ticket), result_(std::move(result)) {}

  double ticket() const { return ticket_; }
  napi_value promise(napi_env env);
  void settle(napi_env env, int32_t code, const std::string& message);

  /** A `palestra_done` that settles the promise. */
  static void done(void* pending, int32_t code, const char* message);

 private:
  std::shared_ptr<CompletionQueue> completions_;
  double ticket_;
  Result result_;
  napi_deferred deferred_ = nullptr;
};

/** A JavaScript value that lives as long as this object. The object is made and destroyed on JavaScript's thread. */
class Kept {
 public:
  Kept(napi_env env, napi_value value) : env_(env) { check(napi_create_reference(env, value, 1, &reference_)); }
  ~Kept() { napi_delete_reference(env_, reference_); }
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;
  napi_value value() const {
    napi_value result;
    check(napi_get_reference_value(env_, reference_, &result));
    return result;
  }

 private:
  napi_env env_;
  napi_ref reference_;
};

/**
 * Returns a promise for a call of the C ABI. `call(user)` queues the work with `Pending::done`.
 *
 * @param ticket number that `cancel` takes
 */
template <class Call>
napi_value promise_of(napi_env env, const std::shared_ptr<CompletionQueue>& completions, double ticket, Pending::Result result,
                      Call&& call) {
  auto pending = std::make_unique<Pending>(completions, ticket, std::move(result));
  const napi_value promise = pending->promise(env);
  Pending* user = pending.get();
  completions->add(env, std::move(pending));
  const int32_t status = call(static_cast<void*>(user));
  if (status != 0) completions->take(env, user)->settle(env, status, palestra_last_error());
  return promise;
}

}  // namespace palestra::addon
