#pragma once
#include "completion-queue.h"
#include "values.h"

namespace palestra::addon {

/**
 * A handle held by JavaScript as an external value. The garbage collector closes the handle unless a caller has already
 * closed it.
 */
template <class Handle>
struct Held {
  Handle* handle;
  std::shared_ptr<CompletionQueue> completions;
};

template <class Handle>
Held<Handle>& held(napi_env env, napi_value external) {
  void* data;
  check(napi_get_value_external(env, external, &data));
  return *static_cast<Held<Handle>*>(data);
}

template <class Handle, int32_t (*close)(Handle*)>
napi_value hold(napi_env env, Handle* handle, std::shared_ptr<CompletionQueue> completions) {
  auto own = std::make_unique<Held<Handle>>(Held<Handle>{handle, std::move(completions)});
  const auto forget = [](napi_env, void* data, void*) {
    const std::unique_ptr<Held<Handle>> last(static_cast<Held<Handle>*>(data));
    close(last->handle);
  };
  napi_value external;
  if (napi_create_external(env, own.get(), forget, nullptr, &external) != napi_ok) {
    close(handle);
    throw NapiFailure{napi_generic_failure};
  }
  own.release();
  return external;
}

using HeldEngine = Held<palestra_engine>;
using HeldModel = Held<palestra_model>;
using HeldTrainer = Held<palestra_trainer>;

/** Returns the trainer of a value that may be null. */
inline palestra_trainer* trainer_or_null(napi_env env, napi_value value) {
  return is_null(env, value) ? nullptr : held<palestra_trainer>(env, value).handle;
}

void export_engine(napi_env env, napi_value exports);
void export_model(napi_env env, napi_value exports);
void export_trainer(napi_env env, napi_value exports);
void export_generator(napi_env env, napi_value exports);

}  // namespace palestra::addon
