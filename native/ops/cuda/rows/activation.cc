#include "activation.h"

#include "../kernels/rows/activation.h"
#include "../launch/by-type.h"

namespace palestra::cuda {

template <class T>
void swiglu(Launcher& launcher, T* y, const T* gate_up, int width, int rows) {
  if (rows == 0) return;
  const bool wide = width % chunk_size<T> == 0 && are_aligned(y, gate_up);
  launcher.launch(by_type<T>("swiglu_bf16", "swiglu_f32"), {item_blocks(int64_t{rows} * chunks_of<T>(width))},
                  rows_threads, 0, SwiGlu<T>{y, gate_up, width, rows, wide});
}

template <class T>
void swiglu_gradient(Launcher& launcher, T* dgate_up, T* y, const T* dy, const T* gate_up, int width, int rows) {
  if (rows == 0) return;
  const bool wide = width % chunk_size<T> == 0 && are_aligned(dgate_up, y, dy, gate_up);
  launcher.launch(by_type<T>("swiglu_gradient_bf16", "swiglu_gradient_f32"),
                  {item_blocks(int64_t{rows} * chunks_of<T>(width))}, rows_threads, 0,
                  SwiGluGradient<T>{dgate_up, y, dy, gate_up, width, rows, wide});
}

#define PALESTRA_ACTIVATION(T)                             \
  template void swiglu(Launcher&, T*, const T*, int, int); \
  template void swiglu_gradient(Launcher&, T*, T*, const T*, const T*, int, int);
PALESTRA_ACTIVATION(bf16)
PALESTRA_ACTIVATION(float)

}  // namespace palestra::cuda
