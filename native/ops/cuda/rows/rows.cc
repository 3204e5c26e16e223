#include "rows.h"

#include "../kernels/rows/rows.h"
#include "../launch/by-type.h"

namespace palestra::cuda {
namespace {

template <class T>
Grid chunk_grid(int width, int rows) {
  return {item_blocks(int64_t{rows} * chunks_of<T>(width))};
}

Grid neighbour_grid(size_t n) { return {item_blocks(static_cast<int64_t>((n + neighbours - 1) / neighbours))}; }

}  // namespace

template <class T>
void gather_rows(Launcher& launcher, Rows<T> y, Rows<const T> x, const int32_t* indices, int width, int count) {
  if (count == 0) return;
  const bool wide = is_wide(y, width) && is_wide(x, width);
  launcher.launch(by_type<T>("gather_rows_bf16", "gather_rows_f32"), chunk_grid<T>(width, count), rows_threads, 0,
                  GatherRows<T>{strided(y), strided(x), indices, width, count, wide});
}

template <class T>
void scatter_rows(Launcher& launcher, Rows<T> x, Rows<const T> y, const int32_t* indices, int width, int count) {
  if (count == 0) return;
  const bool wide = is_wide(y, width) && is_wide(x, width);
  launcher.launch(by_type<T>("scatter_rows_bf16", "scatter_rows_f32"), chunk_grid<T>(width, count), rows_threads, 0,
                  ScatterRows<T>{strided(x), strided(y), indices, width, count, wide});
}

template <class T>
void drop(Launcher& launcher, Rows<T> y, Rows<const T> x, const Dropout& dropout, int width, int rows, Into into) {
  if (rows == 0) return;
  const bool wide = is_wide(y, width) && is_wide(x, width);
  launcher.launch(by_type<T>("drop_rows_bf16", "drop_rows_f32"), chunk_grid<T>(width, rows), rows_threads, 0,
                  DropRows<T>{strided(y), strided(x), dropout, width, rows, into == Into::add, wide});
}

template <class T>
void scale(Launcher& launcher, Rows<T> x, float factor, int width, int rows) {
  if (rows == 0) return;
  launcher.launch(by_type<T>("scale_rows_bf16", "scale_rows_f32"), chunk_grid<T>(width, rows), rows_threads, 0,
                  ScaleRows<T>{strided(x), factor, width, rows, is_wide(x, width)});
}

template <class T>
void repeat_row(Launcher& launcher, Rows<T> y, const T* row, int width, int rows, Into into) {
  if (rows == 0) return;
  const bool wide = is_wide(y, width) && are_aligned(row);
  launcher.launch(by_type<T>("repeat_row_bf16", "repeat_row_f32"), chunk_grid<T>(width, rows), rows_threads, 0,
                  RepeatRow<T>{strided(y), row, width, rows, into == Into::add, wide});
}

template <class T>
void round(Launcher& launcher, T* to, const float* from, size_t n) {
  if (n == 0) return;
  launcher.launch(by_type<T>("round_values_bf16", "round_values_f32"), neighbour_grid(n), rows_threads, 0,
                  RoundValues<T>{to, from, static_cast<int64_t>(n), are_aligned(to, from)});
}

void add(Launcher& launcher, float* to, const float* from, size_t n) {
  if (n == 0) return;
  launcher.launch("add_values_f32", neighbour_grid(n), rows_threads, 0,
                  AddValues{to, from, static_cast<int64_t>(n), are_aligned(to, from)});
}

#define PALESTRA_ROWS(T)                                                                            \
  template void gather_rows(Launcher&, Rows<T>, Rows<const T>, const int32_t*, int, int);           \
  template void scatter_rows(Launcher&, Rows<T>, Rows<const T>, const int32_t*, int, int);          \
  template void drop(Launcher&, Rows<T>, Rows<const T>, const Dropout&, int, int, Into);            \
  template void scale(Launcher&, Rows<T>, float, int, int);                                         \
  template void repeat_row(Launcher&, Rows<T>, const T*, int, int, Into);                           \
  template void round(Launcher&, T*, const float*, size_t);
PALESTRA_ROWS(bf16)
PALESTRA_ROWS(float)

}  // namespace palestra::cuda
