#pragma once
#include <cstddef>
#include <type_traits>

#include "../../ops.h"
#include "../launch/launcher.h"

namespace palestra::cuda {

/** `Ops::page_bytes`; T is bf16 or float. */
template <class T>
size_t paged_bytes(const Heads& heads, KeyValueFormat format);

/** `Ops::paged_attention`. Writes nothing for rows behind those of the sequences. */
template <class T>
void paged_attention(Launcher& launcher, T* out, Rows<const T> qkv, const Heads& heads, const PagedStore& store);

/** Whether tensor-core kernels exist for these heads. */
template <class T>
bool has_tiles(const Heads& heads) {
  return std::is_same_v<T, bf16> && (heads.size == 64 || heads.size == 128);
}

}  // namespace palestra::cuda
