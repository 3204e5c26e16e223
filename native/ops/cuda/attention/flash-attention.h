#pragma once
#include <string>

#include "../../../core/memory.h"
#include "../../ops.h"
#include "../kernels/attention/flash.h"
#include "../launch/launcher.h"
#include "flash-trial.h"

namespace palestra::cuda {

/**
 * Attention over packed sequences. ops/ops.h describes `attention` and `attention_gradient`. For bf16, heads of 64 or
 * 128, and rows aligned to 16 bytes, the class uses FlashAttention 2 (Dao 2023), or kernels by wgmma in the manner of
 * FlashAttention 3 (Shah et al. 2024). Otherwise it uses plain kernels. A segment's results are equal bit for bit in
 * every pack.
 */
class FlashAttention {
 public:
  FlashAttention(Launcher& launcher, Memory& memory) : launcher_(launcher), memory_(memory) {}

  /**
   * On a device whose modules have the kernels of flash-*-hopper.cu, tries them and uses each kernel for bf16 whose
   * results the trial finds right. $ENGINE_WGMMA=0 turns wgmma off. A kernel that faults in the trial is a `Failure`
   * with `Code::device`.
   */
  void use_wgmma(Stream& stream);
  /**
   * Uses these kernels by wgmma for heads of one size, without a trial.
   *
   * @param trouble set to 1 by a kernel that waits for ever, or null
   */
  void use_wgmma(int head_size, const FlashHopperUse& use, int* trouble);
  /** The use of wgmma, for `engine.info()`, and why the trial rejected a kernel, if it did. Empty without a trial. */
  const std::string& path() const { return path_; }

  /** T is bf16 or float. */
  template <class T>
  void forward(T* out, float* log_sum, Rows<const T> qkv, const Heads& heads, const Segments& segments);
  /** Grows its workspaces when a pack is larger than all packs before. dqkv must not be qkv. */
  template <class T>
  void gradient(Rows<T> dqkv, const T* dout, const T* out, const float* log_sum, Rows<const T> qkv, const Heads& heads,
                const Segments& segments);

 private:
  void flash_forward(const AttentionForward<bf16>& forward);
  void flash_gradient(const AttentionGradient<bf16>& gradient);
  FlashHopperUse& wgmma_of(int head_size) { return head_size == 64 ? wgmma_64_ : wgmma_128_; }

  Launcher& launcher_;
  Memory& memory_;
  Buffer<FlashStatistics> statistics_;
  Buffer<float> partial_;
  FlashHopperUse wgmma_64_, wgmma_128_;
  int* trouble_ = nullptr;
  std::string path_;
};

}  // namespace palestra::cuda
