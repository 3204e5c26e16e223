// Compiles only if native/ops/cuda/cublas/cublas-abi.h agrees with NVIDIA's cublas_v2.h.
#include "ops/cuda/cublas/cublas-abi.h"
#include "same-type.h"

namespace palestra::cuda {
#define DECLARE(name, parameters) using name##_here = cublasStatus_t parameters;
PALESTRA_CUBLAS_FUNCTIONS(DECLARE)
}  // namespace palestra::cuda

#include <cublas_v2.h>

namespace palestra::abi {

SAME_TYPE(cublasStatus_t)
SAME_TYPE(cublasOperation_t)
SAME_TYPE(cublasMath_t)
SAME_TYPE(cublasComputeType_t)
SAME_TYPE(cublasGemmAlgo_t)
SAME_TYPE(cudaDataType)

// cublas_v2.h has further overloads of GemmEx. The pointer selects the one that the library exports.
#define SAME_FUNCTION(name, parameters) [[maybe_unused]] theirs_of<cuda::name##_here>* const name##_there = &::name;
PALESTRA_CUBLAS_FUNCTIONS(SAME_FUNCTION)

// Made by the test: a line `SAME_VALUE(name)` for each value of our header.
#include "values.h"

}  // namespace palestra::abi
