#pragma once
#include "../../ops.h"
#include "../launch/launcher.h"
#include "group-sums.h"

namespace palestra::cuda {

/** `Ops::rms_norm`. */
template <class T>
void rms_norm(Launcher& launcher, Rows<T> y, float* rstd, Rows<const T> x, const T* w, int width, int rows,
              float epsilon, int heads);

/** `Ops::rms_norm_gradient`: computes dx and dw in one read. */
template <class T>
void rms_norm_gradient(Launcher& launcher, GroupSums& sums, Rows<T> dx, float* dw, Rows<const T> dy, Rows<const T> x,
                       const T* w, const float* rstd, int width, int rows, Into into, int heads);

}  // namespace palestra::cuda
