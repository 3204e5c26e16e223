#pragma once
#include "../../core/memory.h"
#include "../ops.h"
#include "kernels/flash.h"
#include "launcher.h"

namespace palestra::cuda {

/**
 * Attention over packed sequences. ../ops.h describes `attention` and `attention_gradient`. For bf16, heads of 64 or
 * 128, and rows aligned to 16 bytes, the class uses FlashAttention 2 (Dao 2023). Otherwise it uses plain kernels, for
 * head sizes that are multiples of 8 up to 256. Any other size fails with `Code::invalid_argument`. A segment's results
 * are equal bit for bit in every pack.
 */
class FlashAttention {
 public:
  FlashAttention(Launcher& launcher, Memory& memory) : launcher_(launcher), memory_(memory) {}

  /** T is bf16 or float. */
  template <class T>
  void forward(T* out, float* log_sum, Rows<const T> qkv, const Heads& heads, const Segments& segments);
  /** Grows its workspaces when a pack is larger than all packs before. dqkv must not be qkv. */
  template <class T>
  void gradient(Rows<T> dqkv, const T* dout, const T* out, const float* log_sum, Rows<const T> qkv, const Heads& heads,
                const Segments& segments);

 private:
  void flash_gradient(const AttentionGradient<bf16>& gradient);

  Launcher& launcher_;
  Memory& memory_;
  Buffer<FlashStatistics> statistics_;
  Buffer<float> partial_;
};

}  // namespace palestra::cuda
