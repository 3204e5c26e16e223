#pragma once
#include <vector>

#include "../../../core/thread-pool.h"
#include "../rows/row-kernels.h"
#include "sampler.h"

namespace palestra {

/** `Ops::sample` on a CPU, with one sampler per thread. */
template <class T>
class CpuSampling {
 public:
  CpuSampling(ThreadPool& pool, const RowKernels<T>& kernels);
  void sample(Choice* choices, const T* logits, int vocabulary, const std::vector<Draw>& draws);

 private:
  struct Worker {
    Sampler sampler;
    std::vector<float> rounded;
  };
  Choice choose(Worker& worker, const T* logits, int vocabulary, const Draw& draw) const;

  ThreadPool& pool_;
  const RowKernels<T>& kernels_;
  std::vector<Worker> workers_;
};

}  // namespace palestra
