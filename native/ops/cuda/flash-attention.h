#pragma once
#include "../../core/memory.h"
#include "../ops.h"
#include "kernels/flash.h"
#include "launcher.h"

namespace palestra::cuda {

/**
 * Attention over packed sequences; what both functions mean stands in ../ops.h as `attention` and `attention_gradient`.
 * FlashAttention 2 (Dao 2023) for bf16, heads of 64 or 128 and rows aligned to 16 bytes; else plain kernels, for heads
 * of a multiple of 8 elements up to 256: others fail with `Code::invalid_argument`. A segment's results are the same
 * bits whatever else is in the pack.
 */
class FlashAttention {
 public:
  FlashAttention(Launcher& launcher, Memory& memory) : launcher_(launcher), memory_(memory) {}

  /** T is bf16 or float. */
  template <class T>
  void forward(T* out, float* log_sum, Rows<const T> qkv, const Heads& heads, const Segments& segments);
  /** Takes workspaces, and larger ones where a pack is larger than all before. dqkv is not qkv. */
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
