#pragma once
#include <type_traits>

#include "../../ops.h"
#include "../kernels/rows/layout.h"
#include "alignment.h"

/** Helpers of host code for kernels that exist for both types of activations. */
namespace palestra::cuda {

/** Returns the kernel's name for activations of type T. */
template <class T>
const char* by_type(const char* of_bf16, const char* of_float) {
  static_assert(std::is_same<T, bf16>::value || std::is_same<T, float>::value, "a type of activations on CUDA");
  return std::is_same<T, bf16>::value ? of_bf16 : of_float;
}

template <class T>
Strided<T> strided(Rows<T> rows) {
  return {rows.data, rows.stride};
}

/** Whether kernels may read rows of `width` adjacent elements in whole chunks only. */
template <class T>
bool is_wide(Rows<T> rows, int width) {
  return width % chunk_size<T> == 0 && rows.stride % chunk_size<T> == 0 && are_aligned(rows.data);
}

}  // namespace palestra::cuda
