#pragma once
#include "../../ops.h"
#include "../launch/launcher.h"

namespace palestra::cuda {

/** `Ops::rotary_turns`. */
void rotary_turns(Launcher& launcher, float* turns, const int32_t* positions, const float* frequencies, int head_size,
                  int rows);

/** `Ops::rotate`. */
template <class T>
void rotate(Launcher& launcher, Rows<T> x, const float* turns, int heads, int head_size, int rows, int direction);

}  // namespace palestra::cuda
