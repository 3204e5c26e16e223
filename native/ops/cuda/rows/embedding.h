#pragma once
#include "../../ops.h"
#include "../launch/launcher.h"

namespace palestra::cuda {

/** `Ops::embed`. @param table (vocabulary, width), row-major */
template <class T>
void embed(Launcher& launcher, Rows<T> y, const T* table, const int32_t* tokens, int width, int rows);

/** `Ops::embed_gradient`. The bits are equal however the rows are split into calls. */
template <class T>
void embed_gradient(Launcher& launcher, float* dtable, Rows<const T> dy, const int32_t* tokens, int width, int rows);

}  // namespace palestra::cuda
