#pragma once
#include <memory>
#include <string>

#include "../../../core/memory.h"
#include "../../ops.h"
#include "../stream/cuda-stream.h"
#include "cublas-abi.h"

namespace palestra::cuda {

/** NVIDIA's cuBLAS, loaded at run time and never unloaded. */
class CublasLibrary {
 public:
  /**
   * Returns the library. A process loads the library once, at the first call that succeeds. If $ENGINE_CUBLAS_DIR is
   * set, only that folder is searched. Otherwise the search covers the system's library path, CUDA's folder and the
   * packages of the python3 on the path. The library's CUDA release must not be newer than the driver's, since newer
   * releases need functions that the driver lacks.
   *
   * @param why_not receives the reason for a failure, on one line
   */
  static const CublasLibrary* find(const Driver& driver, std::string* why_not);

#define PALESTRA_MEMBER(name, parameters) cublasStatus_t(*name) parameters = nullptr;
  PALESTRA_CUBLAS_FUNCTIONS(PALESTRA_MEMBER)
#undef PALESTRA_MEMBER

  /** Path of the loaded file. */
  const std::string& file() const { return file_; }
  /** Turns an error status into a failure with `Code::device`. */
  void check(cublasStatus_t status, const char* call) const;

 private:
  explicit CublasLibrary(std::string file) : file_(std::move(file)) {}
  /** Loads the library. Returns null, with the reason, when it or the libcublasLt beside it does not load. */
  static const CublasLibrary* load(const std::string& file, std::string* why_not);

  const std::string file_;
};

/**
 * Linear maps by cuBLAS on one stream, with bf16 factors and float sums, in the layouts of `Ops`. cuBLAS decides
 * whether a row's result depends on other rows.
 */
class CublasGemm {
 public:
  /**
   * Returns null when cuBLAS is missing, or when it does not start on this device. The workspace of cuBLAS comes from
   * the stream's memory.
   *
   * @param why_not receives the reason
   */
  static std::unique_ptr<CublasGemm> find(CudaStream& stream, std::string* why_not);
  ~CublasGemm();
  CublasGemm(const CublasGemm&) = delete;
  CublasGemm& operator=(const CublasGemm&) = delete;

  /** Computes y (rows, out) = x (rows, in) w^T. The weight is bf16, row-major. @tparam Y bf16, or float for logits */
  template <class Y>
  void linear(Rows<Y> y, Rows<const bf16> x, const Weight& w, int rows, Into into);
  /** Computes dx (rows, in) = dy (rows, out) w. */
  void input_gradient(Rows<bf16> dx, Rows<const bf16> dy, const Weight& w, int rows, Into into);
  /** Computes dw (out, in) += dy (rows, out)^T x (rows, in). */
  void weight_gradient(float* dw, Rows<const bf16> dy, Rows<const bf16> x, int out, int in, int rows);

  /** The version reported by cublasGetVersion. */
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
