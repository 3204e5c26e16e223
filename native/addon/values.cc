#include "values.h"

#include <exception>

#include "../engine.h"

namespace palestra::addon {

void check_call(int32_t status) {
  if (status != 0) throw CallFailure{status, palestra_last_error()};
}

napi_value error_of(napi_env env, int32_t code, const std::string& message) {
  napi_value text, number, error;
  check(napi_create_string_utf8(env, message.data(), message.size(), &text));
  check(napi_create_int32(env, code, &number));
  check(napi_create_error(env, nullptr, text, &error));
  check(napi_set_named_property(env, error, "code", number));
  return error;
}

Arguments::Arguments(napi_env env, napi_callback_info info) {
  size_t count = std::size(values_);
  check(napi_get_cb_info(env, info, &count, values_, nullptr, nullptr));
}

bool is_null(napi_env env, napi_value value) {
  napi_valuetype type;
  check(napi_typeof(env, value, &type));
  return type == napi_null || type == napi_undefined;
}

double number(napi_env env, napi_value value) {
  double result;
  check(napi_get_value_double(env, value, &result));
  return result;
}

int32_t integer(napi_env env, napi_value value) {
  int32_t result;
  check(napi_get_value_int32(env, value, &result));
  return result;
}

bool boolean(napi_env env, napi_value value) {
  bool result;
  check(napi_get_value_bool(env, value, &result));
  return result;
}

uint64_t big_integer(napi_env env, napi_value value) {
  uint64_t result;
  bool lossless;
  check(napi_get_value_bigint_uint64(env, value, &result, &lossless));
  return result;
}

std::string text(napi_env env, napi_value value) {
  size_t bytes;
  check(napi_get_value_string_utf8(env, value, nullptr, 0, &bytes));
  std::string result(bytes, '\0');
  check(napi_get_value_string_utf8(env, value, result.data(), bytes + 1, &bytes));
  return result;
}

uint32_t length(napi_env env, napi_value array) {
  uint32_t result;
  check(napi_get_array_length(env, array, &result));
  return result;
}

napi_value element(napi_env env, napi_value array, uint32_t index) {
  napi_value result;
  check(napi_get_element(env, array, index, &result));
  return result;
}

napi_value field(napi_env env, napi_value object, const char* name) {
  napi_value result;
  check(napi_get_named_property(env, object, name, &result));
  return result;
}

TypedArray typed_array(napi_env env, napi_value value, napi_typedarray_type type) {
  if (is_null(env, value)) return {};
  napi_typedarray_type actual;
  TypedArray result;
  check(napi_get_typedarray_info(env, value, &actual, &result.length, &result.data, nullptr, nullptr));
  if (actual != type) throw NapiFailure{napi_invalid_arg};
  return result;
}

napi_value new_typed_array(napi_env env, napi_typedarray_type type, size_t length, size_t element_bytes, void** data) {
  napi_value buffer, result;
  check(napi_create_arraybuffer(env, length * element_bytes, data, &buffer));
  check(napi_create_typedarray(env, type, length, buffer, 0, &result));
  return result;
}

napi_value null(napi_env env) {
  napi_value result;
  check(napi_get_null(env, &result));
  return result;
}

napi_value undefined(napi_env env) {
  napi_value result;
  check(napi_get_undefined(env, &result));
  return result;
}

napi_value from(napi_env env, double value) {
  napi_value result;
  check(napi_create_double(env, value, &result));
  return result;
}

napi_value from(napi_env env, const char* value) {
  napi_value result;
  check(napi_create_string_utf8(env, value, NAPI_AUTO_LENGTH, &result));
  return result;
}

void rethrow(napi_env env) {
  bool pending = false;
  napi_is_exception_pending(env, &pending);
  if (pending) return;
  try {
    throw;
  } catch (const CallFailure& failure) {
    napi_throw(env, error_of(env, failure.code, failure.message));
  } catch (const NapiFailure& failure) {
    const std::string message =
        "expected other arguments, but N-API refused them with status " + std::to_string(failure.status);
    napi_throw_type_error(env, nullptr, message.c_str());
  } catch (const std::exception& failure) {
    napi_throw_error(env, nullptr, failure.what());
  } catch (...) {
    napi_throw_error(env, nullptr, "an exception of an unknown type");
  }
}

}  // namespace palestra::addon
