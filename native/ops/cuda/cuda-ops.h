#pragma once
#include <memory>
#include <string>

#include "../ops.h"
#include "cuda-device.h"
#include "cuda-stream.h"

namespace palestra::cuda {

/**
 * The op table on a stream of a CUDA device, for bf16, and for float in proofs.
 * @param own_kernels no cuBLAS, even where it is there: then a row's result does not depend on the rows beside it
 */
template <class T>
std::unique_ptr<Ops<T>> make_cuda_ops(CudaDevice& device, Priority priority, bool own_kernels);

/** Which kernels multiply matrices, in a line. */
template <class T>
std::string gemm_path(const Ops<T>& ops);

}  // namespace palestra::cuda
