#pragma once
#include "../../core/cpu-features.h"
#include "../../core/thread-pool.h"
#include "../ops.h"

namespace palestra {

/** Attention on a CPU; what each function means stands at the same name in ../ops.h. */
template <class T>
class CpuAttention {
 public:
  using A = accumulator_t<T>;
  CpuAttention(Memory& memory, ThreadPool& pool, InstructionSet isa);
  ~CpuAttention();

  void forward(T* out, A* log_sum, Rows<const T> qkv, const Heads& heads, const Segments& segments);
  void gradient(Rows<T> dqkv, const T* dout, const T* out, const A* log_sum, Rows<const T> qkv, const Heads& heads,
                const Segments& segments);
  void store(Rows<const T> qkv, const Heads& heads, const PagedSequences<T>& sequences);
  void paged(T* out, Rows<const T> qkv, const Heads& heads, const PagedSequences<T>& sequences);

 private:
  struct State;
  State* state_;
};

}  // namespace palestra
