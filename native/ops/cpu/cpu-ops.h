#pragma once
#include <memory>

#include "../../core/cpu-features.h"
#include "../../core/thread-pool.h"
#include "../ops.h"

namespace palestra {

struct CpuOptions {
  InstructionSet isa;
  /** Whether GEMM inputs are rounded to bfloat16. */
  bool bf16 = false;
};

/** The operations on a CPU, for float, and for double in proofs. Threads split rows or columns, never a sum. */
template <class T>
std::unique_ptr<Ops<T>> make_cpu_ops(Memory& memory, ThreadPool& pool, const CpuOptions& options);

}  // namespace palestra
