// Compiles where native/ops/cuda/cuda-abi.h agrees with NVIDIA's cuda.h: signatures, values, sizes.
#include "ops/cuda/cuda-abi.h"
#include "same-type.h"

namespace palestra::cuda {
#define DECLARE(name, parameters) using name##_here = CUresult parameters;
PALESTRA_CUDA_FUNCTIONS(DECLARE)
}  // namespace palestra::cuda

// After ours: its macros give functions other names.
#include <cuda.h>

namespace palestra::abi {

#define SAME_ENUM(name)            \
  template <>                      \
  struct TheirsOf<cuda::name> {    \
    using type = ::name;           \
  };                               \
  static_assert(sizeof(cuda::name) == sizeof(::name));

SAME_ENUM(CUresult)
SAME_ENUM(CUdevice_attribute)
SAME_ENUM(CUfunction_attribute)
SAME_ENUM(CUstreamCaptureMode)
SAME_ENUM(CUtensorMapDataType)
SAME_ENUM(CUtensorMapInterleave)
SAME_ENUM(CUtensorMapSwizzle)
SAME_ENUM(CUtensorMapL2promotion)
SAME_ENUM(CUtensorMapFloatOOBfill)
SAME_ENUM(CUtensorMap)
static_assert(alignof(cuda::CUtensorMap) == alignof(::CUtensorMap));

#define SAME_FUNCTION(name, parameters) \
  static_assert(std::is_same_v<theirs_of<cuda::name##_here>, decltype(::name)>, #name);
PALESTRA_CUDA_FUNCTIONS(SAME_FUNCTION)

#define SAME_VALUE(name) static_assert(static_cast<long>(cuda::name) == static_cast<long>(::name), #name);
// A line `SAME_VALUE(name)` for each value that our header has, made by the test.
#include "values.h"

}  // namespace palestra::abi
