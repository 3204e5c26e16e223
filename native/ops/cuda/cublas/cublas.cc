#include "cublas.h"

#include "../../../core/failure.h"
#include "../driver/primary-context.h"

namespace palestra::cuda {

namespace {

/** Workspace size that NVIDIA recommends for Hopper. Older devices need less. */
constexpr size_t workspace_bytes = size_t{32} << 20;

template <class C>
constexpr cudaDataType type_of = CUDA_R_32F;
template <>
constexpr cudaDataType type_of<bf16> = CUDA_R_16BF;

const bf16* data_of(const Weight& w) {
  if (w.dtype == Dtype::bf16 && !w.packed) return static_cast<const bf16*>(w.data);
  throw Failure(Code::internal, "expected a row-major weight of bf16 for cuBLAS, but received another");
}

}  // namespace

/**
 * Computes c (n, m) = b' a', row-major. cuBLAS is column-major and sees each transpose: c^T (m, n) = a'^T b'^T. A
 * factor that already has the form a'^T or b'^T is `CUBLAS_OP_N`.
 */
template <class C>
struct CublasGemm::Product {
  cublasOperation_t of_a;
  cublasOperation_t of_b;
  int m;
  int n;
  int k;
  Rows<const bf16> a;
  Rows<const bf16> b;
  Rows<C> c;
  Into into;
};

std::unique_ptr<CublasGemm> CublasGemm::find(CudaStream& stream, std::string* why_not) {
  const CublasLibrary* const library = CublasLibrary::find(stream.device().driver(), why_not);
  if (!library) return nullptr;
  try {
    return std::unique_ptr<CublasGemm>(new CublasGemm(*library, stream));
  } catch (const Failure& failure) {
    if (failure.code() != Code::device) throw;
    *why_not = library->file() + ": " + failure.what();
    return nullptr;
  }
}

CublasGemm::CublasGemm(const CublasLibrary& library, CudaStream& stream)
    : library_(library), stream_(stream), workspace_(stream.memory(), workspace_bytes, "cuBLAS's workspace") {
  stream_.device().use();
  library_.check(library_.cublasCreate_v2(&handle_), "cublasCreate");
  try {
    // The calls are in this order, because setting the stream resets the workspace.
    library_.check(library_.cublasSetStream_v2(handle_, stream_.handle()), "cublasSetStream");
    library_.check(library_.cublasSetWorkspace_v2(handle_, workspace_.data(), workspace_bytes), "cublasSetWorkspace");
    // Partial sums are added as floats, without rounding to the result's type in between.
    library_.check(library_.cublasSetMathMode(handle_, CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION),
                   "cublasSetMathMode");
    library_.check(library_.cublasGetVersion_v2(handle_, &version_), "cublasGetVersion");
  } catch (...) {
    library_.cublasDestroy_v2(handle_);
    throw;
  }
}

CublasGemm::~CublasGemm() {
  if (stream_.device().context()->try_use()) library_.cublasDestroy_v2(handle_);
}

template <class C>
void CublasGemm::run(const Product<C>& p) {
  if (p.m == 0 || p.n == 0) return;
  const float alpha = 1;
  const float beta = p.into == Into::add ? 1 : 0;
  const auto stride = [](const auto& rows) { return static_cast<int>(rows.stride); };
  stream_.device().use();
  library_.check(library_.cublasGemmEx(handle_, p.of_a, p.of_b, p.m, p.n, p.k, &alpha, p.a.data, CUDA_R_16BF,
                                       stride(p.a), p.b.data, CUDA_R_16BF, stride(p.b), &beta, p.c.data, type_of<C>,
                                       stride(p.c), CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
                 "cublasGemmEx");
}

template <class Y>
void CublasGemm::linear(Rows<Y> y, Rows<const bf16> x, const Weight& w, int rows, Into into) {
  // y^T (out, rows) = w (out, in) x^T (in, rows)
  run<Y>({CUBLAS_OP_T, CUBLAS_OP_N, w.out, rows, w.in, {data_of(w), w.in}, x, y, into});
}
template void CublasGemm::linear<bf16>(Rows<bf16>, Rows<const bf16>, const Weight&, int, Into);
template void CublasGemm::linear<float>(Rows<float>, Rows<const bf16>, const Weight&, int, Into);

void CublasGemm::input_gradient(Rows<bf16> dx, Rows<const bf16> dy, const Weight& w, int rows, Into into) {
  // dx^T (in, rows) = w^T (in, out) dy^T (out, rows)
  run<bf16>({CUBLAS_OP_N, CUBLAS_OP_N, w.in, rows, w.out, {data_of(w), w.in}, dy, dx, into});
}

void CublasGemm::weight_gradient(float* dw, Rows<const bf16> dy, Rows<const bf16> x, int out, int in, int rows) {
  if (rows == 0) return;
  // dw^T (in, out) = x^T (in, rows) dy (rows, out)
  run<float>({CUBLAS_OP_N, CUBLAS_OP_T, in, out, rows, x, dy, {dw, in}, Into::add});
}

}  // namespace palestra::cuda
