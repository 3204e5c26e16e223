#pragma once
#include "../../ops.h"
#include "../launch/launcher.h"

namespace palestra::cuda {

// The functions of `Ops` with these names.

template <class T>
void gather_rows(Launcher& launcher, Rows<T> y, Rows<const T> x, const int32_t* indices, int width, int count);
template <class T>
void scatter_rows(Launcher& launcher, Rows<T> x, Rows<const T> y, const int32_t* indices, int width, int count);
template <class T>
void drop(Launcher& launcher, Rows<T> y, Rows<const T> x, const Dropout& dropout, int width, int rows, Into into);
template <class T>
void scale(Launcher& launcher, Rows<T> x, float factor, int width, int rows);
template <class T>
void round(Launcher& launcher, T* to, const float* from, size_t n);
void add(Launcher& launcher, float* to, const float* from, size_t n);

/** Computes y (rows, width) = or += the same row (width) for each row. */
template <class T>
void repeat_row(Launcher& launcher, Rows<T> y, const T* row, int width, int rows, Into into);

}  // namespace palestra::cuda
