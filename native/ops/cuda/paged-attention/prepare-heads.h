#pragma once
#include "../../ops.h"
#include "../launch/launcher.h"

namespace palestra::cuda {

/** `Ops::prepare_heads`; T is bf16 or float. Head sizes are even, up to 256. */
template <class T>
void prepare_heads(Launcher& launcher, Rows<T> qkv, const HeadPreparation<T>& how, const Heads& heads, int rows,
                   const PagedStore* store);

}  // namespace palestra::cuda
