// Compiles better-sqlite3 for Node-API 9, the version of Node 20. better-sqlite3 needs one feature of Node-API 10, references
// to strings. Here such a reference is a reference to an array that holds the string, marked by the lowest bit of its pointer.
#pragma once
#include <cstdint>
#include <node_api.h>

namespace node_api_9 {

inline std::uintptr_t bits_of(napi_ref reference) { return reinterpret_cast<std::uintptr_t>(reference); }
inline bool is_boxed(napi_ref reference) { return (bits_of(reference) & 1) != 0; }
inline napi_ref boxed(napi_ref reference) { return reinterpret_cast<napi_ref>(bits_of(reference) | 1); }
inline napi_ref plain(napi_ref reference) { return reinterpret_cast<napi_ref>(bits_of(reference) & ~std::uintptr_t{1}); }

inline napi_status create_reference(napi_env env, napi_value value, uint32_t count, napi_ref* result) {
  napi_valuetype type;
  napi_status status = napi_typeof(env, value, &type);
  if (status != napi_ok) return status;
  if (type == napi_object || type == napi_function || type == napi_symbol) {
    return napi_create_reference(env, value, count, result);
  }
  napi_value box;
  status = napi_create_array_with_length(env, 1, &box);
  if (status == napi_ok) status = napi_set_element(env, box, 0, value);
  if (status == napi_ok) status = napi_create_reference(env, box, count, result);
  if (status == napi_ok) *result = boxed(*result);
  return status;
}

inline napi_status get_reference_value(napi_env env, napi_ref reference, napi_value* result) {
  napi_status status = napi_get_reference_value(env, plain(reference), result);
  if (status != napi_ok || !is_boxed(reference) || *result == nullptr) return status;
  return napi_get_element(env, *result, 0, result);
}

inline napi_status delete_reference(napi_env env, napi_ref reference) {
  return napi_delete_reference(env, plain(reference));
}

inline napi_status reference_ref(napi_env env, napi_ref reference, uint32_t* count) {
  return napi_reference_ref(env, plain(reference), count);
}

inline napi_status reference_unref(napi_env env, napi_ref reference, uint32_t* count) {
  return napi_reference_unref(env, plain(reference), count);
}

}  // namespace node_api_9

#define napi_create_reference node_api_9::create_reference
#define napi_get_reference_value node_api_9::get_reference_value
#define napi_delete_reference node_api_9::delete_reference
#define napi_reference_ref node_api_9::reference_ref
#define napi_reference_unref node_api_9::reference_unref
