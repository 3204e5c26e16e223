#pragma once
#include <functional>

#include "kernels/gemm-hopper.h"

namespace palestra::cuda {

class Driver;

/** A matrix of bf16 in memory, and the boxes of it that TMA copies. */
struct TensorMapShape {
  const bf16* data;
  /** Of a row, and rows. */
  uint64_t width;
  uint64_t height;
  uint64_t stride_bytes;
  uint32_t box_width;
  uint32_t box_height;
};

/** Fills in a map: 128-byte swizzle, zeros for what is outside of the matrix. */
using TensorMapEncoder = std::function<void(TensorMap&, const TensorMapShape&)>;

/** The driver's: cuTensorMapEncodeTiled. */
TensorMapEncoder tensor_map_encoder(const Driver& driver);

}  // namespace palestra::cuda
