// cuBLAS on the emulated driver: GemmEx follows its formula, in the order of its stream. $EMULATED_CUBLAS_STATUS is the
// result of cublasCreate; default success.
#include <cstdlib>

#include "ops/cuda/cublas/cublas-abi.h"

#include "core/half.h"
#include "emulated-driver.h"

struct cublasContext {
  palestra::cuda::CUstream stream = nullptr;
  void* workspace = nullptr;
};

#pragma GCC visibility push(default)
namespace palestra::cuda {

extern "C" {
#define PALESTRA_DECLARE(name, parameters) cublasStatus_t name parameters;
PALESTRA_CUBLAS_FUNCTIONS(PALESTRA_DECLARE)
#undef PALESTRA_DECLARE
}

namespace {

constexpr auto not_initialised = static_cast<cublasStatus_t>(1);
constexpr auto invalid_value = static_cast<cublasStatus_t>(7);
constexpr auto execution_failed = static_cast<cublasStatus_t>(13);

/** C (m, n) = op(A) (m, k) op(B) (k, n) + beta C, column-major. */
struct Product {
  bool turn_a, turn_b;
  int m, n, k;
  const bf16* a;
  int lda;
  const bf16* b;
  int ldb;
  float beta;
  void* c;
  bool is_float;
  int ldc;

  void run() const {
    for (int64_t j = 0; j < n; ++j) {
      for (int64_t i = 0; i < m; ++i) {
        double sum = 0;
        for (int64_t l = 0; l < k; ++l) {
          const bf16 left = turn_a ? a[l + i * lda] : a[i + l * lda];
          const bf16 right = turn_b ? b[j + l * ldb] : b[l + j * ldb];
          sum += static_cast<double>(to_float(left)) * to_float(right);
        }
        put(i + j * ldc, static_cast<float>(sum));
      }
    }
  }

 private:
  /** Like cuBLAS, does not read the destination when beta is 0. */
  void put(int64_t at, float sum) const {
    if (is_float) {
      float& place = static_cast<float*>(c)[at];
      place = beta == 0 ? sum : sum + beta * place;
    } else {
      bf16& place = static_cast<bf16*>(c)[at];
      place = to_bf16(beta == 0 ? sum : sum + beta * to_float(place));
    }
  }
};

}  // namespace

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
  if (const char* const status = std::getenv("EMULATED_CUBLAS_STATUS")) {
    return static_cast<cublasStatus_t>(std::atoi(status));
  }
  *handle = new cublasContext();
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetVersion_v2(cublasHandle_t, int* version) {
  *version = 130100;
  return CUBLAS_STATUS_SUCCESS;
}

/** Resets the workspace, as cuBLAS does. */
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, CUstream stream) {
  handle->stream = stream;
  handle->workspace = nullptr;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void* workspace, size_t) {
  handle->workspace = workspace;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetMathMode(cublasHandle_t, cublasMath_t) { return CUBLAS_STATUS_SUCCESS; }

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t of_a, cublasOperation_t of_b, int m, int n, int k,
                            const void* alpha, const void* a, cudaDataType a_type, int lda, const void* b,
                            cudaDataType b_type, int ldb, const void* beta, void* c, cudaDataType c_type, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t) {
  if (!handle->stream || !handle->workspace) return not_initialised;
  const bool turn_a = of_a == CUBLAS_OP_T, turn_b = of_b == CUBLAS_OP_T;
  if (lda < (turn_a ? k : m) || ldb < (turn_b ? n : k) || ldc < m) return invalid_value;
  const bool is_known = a_type == CUDA_R_16BF && b_type == CUDA_R_16BF && compute == CUBLAS_COMPUTE_32F &&
                        *static_cast<const float*>(alpha) == 1;
  if (!is_known) return CUBLAS_STATUS_NOT_SUPPORTED;
  auto* const product = new Product{turn_a,
                                    turn_b,
                                    m,
                                    n,
                                    k,
                                    static_cast<const bf16*>(a),
                                    lda,
                                    static_cast<const bf16*>(b),
                                    ldb,
                                    *static_cast<const float*>(beta),
                                    c,
                                    c_type == CUDA_R_32F,
                                    ldc};
  const CUresult asked = cuLaunchHostFunc(
      handle->stream,
      [](void* data) {
        const std::unique_ptr<Product> owned(static_cast<Product*>(data));
        owned->run();
      },
      product);
  return asked == CUDA_SUCCESS ? CUBLAS_STATUS_SUCCESS : execution_failed;
}

}  // namespace palestra::cuda
#pragma GCC visibility pop
