#pragma once
#include <memory>
#include <string>

#include "../../../core/memory.h"
#include "../../ops.h"
#include "../launch/launcher.h"
#include "hopper-gemm.h"

namespace palestra::cuda {

/**
 * Matrix products on a CUDA device: bf16 on its tensor cores, float by plain arithmetic. Each element is a sum over k
 * whose order depends on k alone (`longest_slice` in kernels/gemm/gemm.h). In `linear_weight_gradient` each element is
 * one chain from the destination's value. So a row's bits depend on no other row and on no choice of kernel. Sums over
 * tokens are equal in one call or in several calls of multiples of 16.
 *
 * Rows may begin anywhere. If a factor's rows do not begin at multiples of 16 bytes, a slow kernel is used.
 */
template <class T>
class Gemm {
 public:
  /** @param shared_bytes limit on the shared memory of a block */
  Gemm(Launcher& launcher, Memory& memory, int shared_bytes);
  ~Gemm();
  Gemm(const Gemm&) = delete;
  Gemm& operator=(const Gemm&) = delete;

  /** Computes y (rows, out) = or += x (rows, in) w^T + bias (out). A null bias means no bias. */
  void linear(Rows<T> y, Rows<const T> x, const Weight& w, const T* bias, int rows, Into into);
  /** Computes y (rows, out) = x w^T as float, with the same sums, not rounded. */
  void logits(Rows<float> y, Rows<const T> x, const Weight& w, int rows);
  /** Computes dx (rows, in) = or += dy (rows, out) w. */
  void linear_input_gradient(Rows<T> dx, Rows<const T> dy, const Weight& w, int rows, Into into);
  /** Computes dw (out, in) += dy (rows, out)^T x (rows, in). */
  void linear_weight_gradient(float* dw, Rows<const T> dy, Rows<const T> x, int out, int in, int rows);

  /**
   * On a device whose modules have the kernels of gemm-hopper.cu, tries wgmma and uses it if the trial finds its
   * results right. wgmma is never used for float. If the bits of wgmma equal those of mma.sync, wgmma is used where it
   * is faster. Otherwise wgmma is used only for gradients of large weights, for any number of rows, so that no row's
   * bits depend on other rows. $ENGINE_WGMMA=0 turns wgmma off. A kernel that faults in the trial is a `Failure` with
   * `Code::device`.
   */
  void use_wgmma(Stream& stream, TensorMapEncoder encode);

  /**
   * Name of the kernels for `engine.info()`: "own mma.sync" or "own wgmma", with the reason if a trial rejects wgmma.
   */
  std::string path() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace palestra::cuda
