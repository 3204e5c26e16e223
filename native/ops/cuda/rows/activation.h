#pragma once
#include "../launch/launcher.h"

namespace palestra::cuda {

/** `Ops::swiglu`. */
template <class T>
void swiglu(Launcher& launcher, T* y, const T* gate_up, int width, int rows);

/** `Ops::swiglu_gradient`. */
template <class T>
void swiglu_gradient(Launcher& launcher, T* dgate_up, T* y, const T* dy, const T* gate_up, int width, int rows);

}  // namespace palestra::cuda
