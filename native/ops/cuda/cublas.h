#pragma once
#include <memory>
#include <string>

#include "../../core/memory.h"
#include "../ops.h"
#include "cublas-abi.h"
#include "cuda-stream.h"

namespace palestra::cuda {

/** NVIDIA's cuBLAS, loaded where it is found; stays loaded. */
class CublasLibrary {
 public:
  /**
   * One a process, at the first call that succeeds: of $ENGINE_CUBLAS_DIR where that is set; else wherever the system
   * looks, in CUDA's folder or in the packages of the python3 that is on the path. Of the driver's release of CUDA or
   * an older one: newer ones ask for what the driver does not have.
   * @param why_not gets the reason where there is none, in a line
   */
  static const CublasLibrary* find(const Driver& driver, std::string* why_not);

#define PALESTRA_MEMBER(name, parameters) cublasStatus_t(*name) parameters = nullptr;
  PALESTRA_CUBLAS_FUNCTIONS(PALESTRA_MEMBER)
#undef PALESTRA_MEMBER

  /** The file that was loaded. */
  const std::string& file() const { return file_; }
  /** A result that is no success, as a failure with `Code::device`. */
  void check(cublasStatus_t status, const char* call) const;

 private:
  explicit CublasLibrary(std::string file) : file_(std::move(file)) {}
  /** Null, and why, where it or libcublasLt beside it does not load. */
  static const CublasLibrary* load(const std::string& file, std::string* why_not);

  const std::string file_;
};

/**
 * Linear maps by cuBLAS on one stream, of bf16 factors and float sums, in the layouts of `Ops`. Whether a row's result
 * depends on the others is up to cuBLAS.
 */
class CublasGemm {
 public:
  /**
   * Null where there is no cuBLAS, or one that does not start on this device. Its workspace comes from the stream's
   * memory.
   * @param why_not gets the reason
   */
  static std::unique_ptr<CublasGemm> find(CudaStream& stream, std::string* why_not);
  ~CublasGemm();
  CublasGemm(const CublasGemm&) = delete;
  CublasGemm& operator=(const CublasGemm&) = delete;

  /** y (rows, out) = x (rows, in) w^T. A weight of bf16, row-major. @tparam Y bf16, or float for logits */
  template <class Y>
  void linear(Rows<Y> y, Rows<const bf16> x, const Weight& w, int rows, Into into);
  /** dx (rows, in) = dy (rows, out) w */
  void input_gradient(Rows<bf16> dx, Rows<const bf16> dy, const Weight& w, int rows, Into into);
  /** dw (out, in) += dy (rows, out)^T x (rows, in) */
  void weight_gradient(float* dw, Rows<const bf16> dy, Rows<const bf16> x, int out, int in, int rows);

  /** As cublasGetVersion tells it. */
  int version() const { return version_; }
  const std::string& file() const { return library_.file(); }

 private:
  CublasGemm(const CublasLibrary& library, CudaStream& stream);
  template <class C>
  struct Product;
  template <class C>
  void run(const Product<C>& product);

  const CublasLibrary& library_;
  CudaStream& stream_;
  Buffer<char> workspace_;
  cublasHandle_t handle_ = nullptr;
  int version_ = 0;
};

}  // namespace palestra::cuda
