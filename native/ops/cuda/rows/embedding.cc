#include "embedding.h"

#include "../kernels/rows/embedding.h"
#include "../launch/by-type.h"
#include "rows.h"

namespace palestra::cuda {

template <class T>
void embed(Launcher& launcher, Rows<T> y, const T* table, const int32_t* tokens, int width, int rows) {
  gather_rows(launcher, y, Rows<const T>{table, width}, tokens, width, rows);
}

template <class T>
void embed_gradient(Launcher& launcher, float* dtable, Rows<const T> dy, const int32_t* tokens, int width, int rows) {
  if (rows == 0) return;
  const bool wide = is_wide(dy, width) && are_aligned(dtable);
  const Grid grid{static_cast<unsigned>(rows), embedding_segments<T>(width)};
  launcher.launch(by_type<T>("embed_gradient_bf16", "embed_gradient_f32"), grid, embedding_threads,
                  embedding_shared_bytes,
                  EmbedGradient<T>{dtable, strided(dy), tokens, width, rows, wide});
}

#define PALESTRA_EMBEDDING(T)                                                              \
  template void embed(Launcher&, Rows<T>, const T*, const int32_t*, int, int);             \
  template void embed_gradient(Launcher&, float*, Rows<const T>, const int32_t*, int, int);
PALESTRA_EMBEDDING(bf16)
PALESTRA_EMBEDDING(float)

}  // namespace palestra::cuda
