#pragma once
#include <memory>
#include <string>

#include "../cublas/cublas.h"
#include "../stream/cuda-stream.h"
#include "gemm.h"

namespace palestra::cuda {

/**
 * Matrix products on a stream: by cuBLAS for bf16, if cuBLAS is available and allowed; else by Palestra's own kernels.
 */
template <class T>
class Products {
 public:
  /** @param own_kernels never uses cuBLAS */
  Products(CudaStream& stream, bool own_kernels);

  // The functions of `Ops` with these names.

  void linear(Rows<T> y, Rows<const T> x, const Weight& w, const T* bias, int rows, Into into);
  void linear_input_gradient(Rows<T> dx, Rows<const T> dy, const Weight& w, int rows, Into into);
  void linear_weight_gradient(float* dw, Rows<const T> dy, Rows<const T> x, int out, int in, int rows);
  void logits(float* logits, Rows<const T> x, const Weight& w, int rows);

  /** Names the kernels, on one line. */
  std::string path() const;

 private:
  /** Number of rows from which cuBLAS is faster than Palestra's own kernels. That of forward passes is from an H200. */
  static constexpr int fewest_rows = 64;
  static constexpr int fewest_forward_rows = 33;

  bool is_for_cublas(int rows, int fewest) const { return cublas_ && rows >= fewest; }

  CudaStream& stream_;
  Gemm<T> own_;
  std::string no_cublas_;
  std::unique_ptr<CublasGemm> cublas_;
};

}  // namespace palestra::cuda
