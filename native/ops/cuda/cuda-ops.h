#pragma once
#include <memory>
#include <string>

#include "../ops.h"
#include "driver/cuda-device.h"
#include "stream/cuda-stream.h"

namespace palestra::cuda {

/**
 * The operations on a stream of a CUDA device, for bf16, and for float in proofs.
 *
 * @param own_kernels never uses cuBLAS, so that a row's result does not depend on the rows beside it
 */
template <class T>
std::unique_ptr<Ops<T>> make_cuda_ops(CudaDevice& device, Priority priority, bool own_kernels);

/** Names the kernels that multiply matrices, on one line. */
template <class T>
std::string gemm_path(const Ops<T>& ops);

}  // namespace palestra::cuda
