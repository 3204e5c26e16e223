#pragma once
#include <cstddef>
#include <type_traits>

#include "../ops.h"
#include "launcher.h"

namespace palestra::cuda {

/** As `Ops::page_bytes`; T is bf16 or float. */
template <class T>
size_t paged_bytes(const Heads& heads, KeyValueFormat format);

/** As `Ops::paged_attention`: of rows behind the sequences' nothing is written. */
template <class T>
void paged_attention(Launcher& launcher, T* out, Rows<const T> qkv, const Heads& heads, const PagedStore& store);

/** Fails with `Code::invalid_argument` where heads are of an odd size or one above 256, or cannot be grouped. */
void check_paged_heads(const Heads& heads);

/** Whether there are kernels on tensor cores for these. */
template <class T>
bool has_tiles(const Heads& heads) {
  return std::is_same_v<T, bf16> && (heads.size == 64 || heads.size == 128);
}

}  // namespace palestra::cuda
