#pragma once
#include <memory>

#include "../../../core/cpu-features.h"
#include "../../../core/thread-pool.h"
#include "../../ops.h"

namespace palestra {

/** A factor of a product. Element (i, j) is `data[i * stride + j]`, or `data[j * stride + i]` if transposed. */
template <class T>
struct Factor {
  const T* data;
  int64_t stride;
  bool transposed = false;
};

/**
 * Matrix products on a CPU. Each element of c is one chain of fused multiply-adds over k, ascending. The chain begins
 * with the value in c for `Into::add`, else with 0. Blocks, tiles and threads do not change the bits of an element.
 * With bf16 inputs the chain goes over pairs, and with AMX over the sums of 32 values, see gemm-amx.cc.
 */
template <class T>
class Gemm {
 public:
  /** @param bf16 whether both factors are rounded to bfloat16 first; sums stay in float. For float only. */
  Gemm(Memory& memory, ThreadPool& pool, InstructionSet isa, bool bf16);
  ~Gemm();

  /** Computes c (m, n) = or += a (m, k) b (k, n). */
  void run(Rows<T> c, Factor<T> a, Factor<T> b, int m, int n, int k, Into into);

  /**
   * Returns the size of w (n, k) in padded panels for `run_packed`. The type, f32 or bf16, is also the type of the
   * multiplication.
   */
  size_t packed_bytes(int n, int k, Dtype dtype) const;
  void pack(void* packed, const T* w, int64_t stride, int n, int k, Dtype dtype);
  /**
   * Computes c (m, n) = or += a (m, k) w^T. For f32, the result equals that of `run` bit for bit. Reads w once when m
   * is small.
   */
  void run_packed(Rows<T> c, Rows<const T> a, const void* packed, Dtype dtype, int m, int n, int k, Into into);
  /** Reads one row of a packed w, for an embedding. */
  void unpack_row(T* row, const void* packed, Dtype dtype, int n, int k, int index) const;

  /** Name of the kernels for `engine.info()`, such as "avx2 6x16". */
  const char* path() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace palestra
