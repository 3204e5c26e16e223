#include "norm.h"

#include "../kernels/rows/group-sums.h"
#include "../kernels/rows/norm.h"
#include "../launch/by-type.h"

namespace palestra::cuda {

template <class T>
void rms_norm(Launcher& launcher, Rows<T> y, float* rstd, Rows<const T> x, const T* w, int width, int rows,
              float epsilon, int heads) {
  if (rows == 0) return;
  const int64_t vectors = int64_t{rows} * heads;
  const int lanes = norm_lanes<T>(width);
  const bool wide = is_wide(y, width) && is_wide(x, width) && are_aligned(w);
  launcher.launch(by_type<T>("rms_norm_bf16", "rms_norm_f32"), {norm_blocks(vectors, lanes)}, norm_threads, 0,
                  RmsNorm<T>{strided(y), rstd, strided(x), w, width, heads, vectors, epsilon, lanes, wide});
}

template <class T>
void rms_norm_gradient(Launcher& launcher, GroupSums& sums, Rows<T> dx, float* dw, Rows<const T> dy, Rows<const T> x,
                       const T* w, const float* rstd, int width, int rows, Into into, int heads) {
  if (rows == 0) return;
  const int lanes = norm_lanes<T>(width), teams = norm_teams<T>(width, lanes);
  const bool wide = is_wide(dx, width) && is_wide(dy, width) && is_wide(x, width) && are_aligned(w);
  const auto launch = [&](float* partials, int first, int count) {
    const RmsNormGradient<T> arguments{{dx[first], dx.stride},
                                       {dy[first], dy.stride},
                                       {x[first], x.stride},
                                       w,
                                       rstd + int64_t{first} * heads,
                                       partials,
                                       width,
                                       heads,
                                       int64_t{count} * heads,
                                       into == Into::add,
                                       lanes,
                                       teams,
                                       wide};
    launcher.launch(by_type<T>("rms_norm_gradient_bf16", "rms_norm_gradient_f32"),
                    {static_cast<unsigned>(groups_of(count))}, norm_threads,
                    partials ? norm_gradient_shared_bytes<T>(width, teams) : 0, arguments);
  };
  if (dw) {
    sums.add(launcher, dw, width, rows, launch);
  } else {
    launch(nullptr, 0, rows);
  }
}

#define PALESTRA_NORM(T)                                                                                       \
  template void rms_norm(Launcher&, Rows<T>, float*, Rows<const T>, const T*, int, int, float, int);           \
  template void rms_norm_gradient(Launcher&, GroupSums&, Rows<T>, float*, Rows<const T>, Rows<const T>, const T*, \
                                  const float*, int, int, Into, int);
PALESTRA_NORM(bf16)
PALESTRA_NORM(float)

}  // namespace palestra::cuda
