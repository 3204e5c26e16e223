#pragma once
#include <functional>

#include "values.h"

namespace palestra::addon {

/**
 * Returns a promise for a call of the C ABI that waits for the engine's thread. The call runs on a thread of Node's
 * pool, because JavaScript's thread must not wait.
 *
 * @param result makes the promise's value on JavaScript's thread, after a success
 * @param ended called on JavaScript's thread in every case, before the promise is settled
 */
napi_value elsewhere(napi_env env, std::function<int32_t()> call, std::function<napi_value(napi_env)> result,
                     std::function<void(napi_env)> ended = nullptr);

}  // namespace palestra::addon
