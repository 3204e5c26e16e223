// Compiles where native/ops/cuda/cublas-abi.h agrees with NVIDIA's cublas_v2.h.
#include "ops/cuda/cublas-abi.h"
#include "same-type.h"

namespace palestra::cuda {
#define DECLARE(name, parameters) using name##_here = cublasStatus_t parameters;
PALESTRA_CUBLAS_FUNCTIONS(DECLARE)
}  // namespace palestra::cuda

#include <cublas_v2.h>

namespace palestra::abi {

#define SAME_ENUM(name)            \
  template <>                      \
  struct TheirsOf<cuda::name> {    \
    using type = ::name;           \
  };                               \
  static_assert(sizeof(cuda::name) == sizeof(::name));

SAME_ENUM(cublasStatus_t)
SAME_ENUM(cublasOperation_t)
SAME_ENUM(cublasMath_t)
SAME_ENUM(cublasComputeType_t)
SAME_ENUM(cublasGemmAlgo_t)
SAME_ENUM(cudaDataType)

// cublas_v2.h has further overloads of GemmEx: the pointer picks the one that the library exports.
#define SAME_FUNCTION(name, parameters) [[maybe_unused]] theirs_of<cuda::name##_here>* const name##_there = &::name;
PALESTRA_CUBLAS_FUNCTIONS(SAME_FUNCTION)

#define SAME_VALUE(name) static_assert(static_cast<long>(cuda::name) == static_cast<long>(::name), #name);
// A line `SAME_VALUE(name)` for each value that our header has, made by the test.
#include "values.h"

}  // namespace palestra::abi
