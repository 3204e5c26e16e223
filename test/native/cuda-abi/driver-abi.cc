// Compiles only if native/ops/cuda/driver/cuda-abi.h agrees with NVIDIA's cuda.h: signatures, values, sizes.
#include <cstddef>

#include "ops/cuda/driver/cuda-abi.h"
#include "same-type.h"

namespace palestra::cuda {
#define DECLARE(name, parameters) using name##_here = CUresult parameters;
PALESTRA_CUDA_FUNCTIONS(DECLARE)
}  // namespace palestra::cuda

// After our header, because its macros rename functions.
#include <cuda.h>

namespace palestra::abi {

SAME_TYPE(CUresult)
SAME_TYPE(CUdevice_attribute)
SAME_TYPE(CUfunction_attribute)
SAME_TYPE(CUstreamCaptureMode)
SAME_TYPE(CUtensorMapDataType)
SAME_TYPE(CUtensorMapInterleave)
SAME_TYPE(CUtensorMapSwizzle)
SAME_TYPE(CUtensorMapL2promotion)
SAME_TYPE(CUtensorMapFloatOOBfill)
SAME_TYPE(CUtensorMap)
static_assert(alignof(cuda::CUtensorMap) == alignof(::CUtensorMap));
SAME_TYPE(CUlaunchAttributeID)
SAME_TYPE(CUlaunchAttributeValue)
SAME_TYPE(CUlaunchAttribute)
static_assert(offsetof(cuda::CUlaunchAttribute, value) == offsetof(::CUlaunchAttribute, value));
SAME_TYPE(CUlaunchConfig)
#define SAME_MEMBER(name) \
  static_assert(offsetof(cuda::CUlaunchConfig, name) == offsetof(::CUlaunchConfig, name), #name);
SAME_MEMBER(gridDimX)
SAME_MEMBER(gridDimZ)
SAME_MEMBER(blockDimX)
SAME_MEMBER(blockDimZ)
SAME_MEMBER(sharedMemBytes)
SAME_MEMBER(hStream)
SAME_MEMBER(attrs)
SAME_MEMBER(numAttrs)

#define SAME_FUNCTION(name, parameters) \
  static_assert(std::is_same_v<theirs_of<cuda::name##_here>, decltype(::name)>, #name);
PALESTRA_CUDA_FUNCTIONS(SAME_FUNCTION)

// Made by the test: a line `SAME_VALUE(name)` for each value of our header.
#include "values.h"

}  // namespace palestra::abi
