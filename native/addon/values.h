#pragma once
#include <node_api.h>

#include <cstdint>
#include <string>

/**
 * Conversions between JavaScript's values and C's. The TypeScript code has already checked all values. A value that
 * does not fit is a bug in Palestra and throws a TypeError.
 */
namespace palestra::addon {

/** Thrown when N-API refuses a call. A JavaScript exception may already be pending. */
struct NapiFailure {
  napi_status status;
};

inline void check(napi_status status) {
  if (status != napi_ok) throw NapiFailure{status};
}

/** A failed call of the C ABI, which becomes an Error with `code`. */
struct CallFailure {
  int32_t code;
  std::string message;
};

/** Fails unless a status of the C ABI is 0. */
void check_call(int32_t status);

napi_value error_of(napi_env env, int32_t code, const std::string& message);

/** The arguments of a call, at most ten. */
class Arguments {
 public:
  Arguments(napi_env env, napi_callback_info info);
  napi_value operator[](size_t index) const { return values_[index]; }

 private:
  napi_value values_[10];
};

bool is_null(napi_env env, napi_value value);
double number(napi_env env, napi_value value);
int32_t integer(napi_env env, napi_value value);
bool boolean(napi_env env, napi_value value);
uint64_t big_integer(napi_env env, napi_value value);
std::string text(napi_env env, napi_value value);
uint32_t length(napi_env env, napi_value array);
napi_value element(napi_env env, napi_value array, uint32_t index);
napi_value field(napi_env env, napi_value object, const char* name);

/**
 * The values of a typed array, whose element type must match. A null value gives null. The values are valid until the
 * call returns.
 */
struct TypedArray {
  void* data = nullptr;
  size_t length = 0;
};
TypedArray typed_array(napi_env env, napi_value value, napi_typedarray_type type);

template <class T>
constexpr napi_typedarray_type element_type = napi_uint8_array;
template <>
inline constexpr napi_typedarray_type element_type<float> = napi_float32_array;
template <>
inline constexpr napi_typedarray_type element_type<double> = napi_float64_array;
template <>
inline constexpr napi_typedarray_type element_type<int32_t> = napi_int32_array;
template <>
inline constexpr napi_typedarray_type element_type<uint32_t> = napi_uint32_array;
template <>
inline constexpr napi_typedarray_type element_type<uint64_t> = napi_biguint64_array;

template <class T>
T* array(napi_env env, napi_value value) {
  return static_cast<T*>(typed_array(env, value, element_type<T>).data);
}

/** Returns a new typed array of zeros. `data` points to the values of the array. */
napi_value new_typed_array(napi_env env, napi_typedarray_type type, size_t length, size_t element_bytes, void** data);

template <class T>
napi_value new_array(napi_env env, size_t length, T** data) {
  return new_typed_array(env, element_type<T>, length, sizeof(T), reinterpret_cast<void**>(data));
}

napi_value null(napi_env env);
napi_value undefined(napi_env env);
napi_value from(napi_env env, double value);
napi_value from(napi_env env, const char* value);

/** Builds a JavaScript object. */
class Object {
 public:
  explicit Object(napi_env env) : env_(env) { check(napi_create_object(env, &value_)); }
  Object& set(const char* name, napi_value value) {
    check(napi_set_named_property(env_, value_, name, value));
    return *this;
  }
  template <class T>
  Object& set(const char* name, T value) {
    return set(name, from(env_, value));
  }
  operator napi_value() const { return value_; }

 private:
  napi_env env_;
  napi_value value_;
};

/** A function of the addon. `guarded` turns C++ exceptions of the function into JavaScript's. */
using Function = napi_value (*)(napi_env, const Arguments&);
template <Function function>
napi_value guarded(napi_env env, napi_callback_info info);

/** Throws the current C++ exception as a JavaScript exception. */
void rethrow(napi_env env);

template <Function function>
napi_value guarded(napi_env env, napi_callback_info info) {
  try {
    return function(env, Arguments(env, info));
  } catch (...) {
    rethrow(env);
    return nullptr;
  }
}

template <Function function>
void add_export(napi_env env, napi_value exports, const char* name) {
  napi_value value;
  check(napi_create_function(env, name, NAPI_AUTO_LENGTH, guarded<function>, nullptr, &value));
  check(napi_set_named_property(env, exports, name, value));
}

}  // namespace palestra::addon
