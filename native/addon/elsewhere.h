#pragma once
#include <functional>

#include "values.h"

namespace palestra::addon {

/**
 * A promise for a call of the C ABI that waits for the engine's thread: made on a thread of Node's pool, since
 * JavaScript's must not wait.
 * @param result of the promise, made on JavaScript's thread if all went well
 * @param ended called there however it went, before the promise is settled
 */
napi_value elsewhere(napi_env env, std::function<int32_t()> call, std::function<napi_value(napi_env)> result,
                     std::function<void(napi_env)> ended = nullptr);

}  // namespace palestra::addon
