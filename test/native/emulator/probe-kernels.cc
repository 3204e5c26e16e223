#include "probe-kernels.h"

#include "ops/cuda/kernels/simt/simt.h"

namespace palestra::probe {

using namespace simt;

PALESTRA_KERNEL(probe_add, Add, threads) {
  const unsigned i = blockIdx.x * threads + threadIdx.x;
  a.to[i] = a.from[i] + a.addend;
}

PALESTRA_KERNEL(probe_shared, Shared, threads) {
  auto* shared = reinterpret_cast<float*>(shared_memory());
  const int first = static_cast<int>(threadIdx.x);
  for (int i = first; i < a.count; i += threads) shared[a.count - 1 - i] = static_cast<float>(i);
  __syncthreads();
  for (int i = first; i < a.count; i += threads) a.to[i] = shared[a.count - 1 - i];
}

}  // namespace palestra::probe
