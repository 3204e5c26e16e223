#pragma once
/**
 * The part of cuBLAS that the engine uses, declared by hand like the driver in cuda-abi.h. The declarations follow
 * cublas_api.h.
 */
#include <cstddef>

#include "../driver/cuda-abi.h"

struct cublasContext;

namespace palestra::cuda {

using cublasHandle_t = cublasContext*;

enum cublasStatus_t : unsigned { CUBLAS_STATUS_SUCCESS = 0, CUBLAS_STATUS_NOT_SUPPORTED = 15 };
enum cublasOperation_t : unsigned { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1 };
enum cublasMath_t : unsigned { CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16 };
enum cublasComputeType_t : unsigned { CUBLAS_COMPUTE_32F = 68 };
enum cublasGemmAlgo_t : int { CUBLAS_GEMM_DEFAULT = -1 };
enum cudaDataType : unsigned { CUDA_R_32F = 0, CUDA_R_16BF = 14 };

}  // namespace palestra::cuda

/** F(name, parameters), like PALESTRA_CUDA_FUNCTIONS. All functions return a cublasStatus_t. */
#define PALESTRA_CUBLAS_FUNCTIONS(F)                                                                                  \
  F(cublasCreate_v2, (cublasHandle_t * handle))                                                                       \
  F(cublasDestroy_v2, (cublasHandle_t handle))                                                                        \
  F(cublasGetVersion_v2, (cublasHandle_t handle, int* version))                                                       \
  F(cublasSetStream_v2, (cublasHandle_t handle, CUstream stream))                                                     \
  F(cublasSetWorkspace_v2, (cublasHandle_t handle, void* workspace, size_t bytes))                                    \
  F(cublasSetMathMode, (cublasHandle_t handle, cublasMath_t mode))                                                    \
  F(cublasGemmEx, (cublasHandle_t handle, cublasOperation_t of_a, cublasOperation_t of_b, int m, int n, int k,        \
                   const void* alpha, const void* a, cudaDataType a_type, int lda, const void* b, cudaDataType b_type, \
                   int ldb, const void* beta, void* c, cudaDataType c_type, int ldc, cublasComputeType_t compute,     \
                   cublasGemmAlgo_t algorithm))
