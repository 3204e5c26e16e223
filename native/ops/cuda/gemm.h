#pragma once
#include <memory>
#include <string>

#include "../../core/memory.h"
#include "../ops.h"
#include "hopper-gemm.h"
#include "launcher.h"

namespace palestra::cuda {

/**
 * Matrix products on a CUDA device, of bf16 by its tensor cores, of float by plain arithmetic. Each element is a sum
 * over k whose order depends on k alone (`longest_slice` in kernels/gemm.h), in `linear_weight_gradient` one chain from
 * what is there: so a row's bits depend on no other row, whichever kernel is chosen, and sums over tokens are the same
 * in one call or in several of multiples of 16.
 *
 * Rows may begin anywhere; where a factor's do not at multiples of 16 bytes, a slow kernel does the product.
 */
template <class T>
class Gemm {
 public:
  /** @param shared_bytes that a block may have */
  Gemm(Launcher& launcher, Memory& memory, int shared_bytes);
  ~Gemm();
  Gemm(const Gemm&) = delete;
  Gemm& operator=(const Gemm&) = delete;

  /** y (rows, out) = or += x (rows, in) w^T + bias (out), null: none */
  void linear(Rows<T> y, Rows<const T> x, const Weight& w, const T* bias, int rows, Into into);
  /** y (rows, out) = x w^T, as float: the same sums, not rounded */
  void logits(Rows<float> y, Rows<const T> x, const Weight& w, int rows);
  /** dx (rows, in) = or += dy (rows, out) w */
  void linear_input_gradient(Rows<T> dx, Rows<const T> dy, const Weight& w, int rows, Into into);
  /** dw (out, in) += dy (rows, out)^T x (rows, in) */
  void linear_weight_gradient(float* dw, Rows<const T> dy, Rows<const T> x, int out, int in, int rows);

  /**
   * On a device whose modules have the kernels of gemm-hopper.cu: tries wgmma on it, and takes it from here on where
   * the trial finds it right; for float there is none. Where its bits are those of mma.sync, it does what it does
   * faster; else gradients alone, of weights large enough and whatever the number of rows, so that no row's bits depend
   * on others. $ENGINE_WGMMA=0 leaves it off. A kernel that faults in its trial is a `Failure` of `Code::device`.
   */
  void use_wgmma(Stream& stream, TensorMapEncoder encode);

  /** For `engine.info()`: "own mma.sync", "own wgmma", and why not where a trial says so. */
  std::string path() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace palestra::cuda
