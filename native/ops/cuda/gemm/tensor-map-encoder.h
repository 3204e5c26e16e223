#pragma once
#include <functional>

#include "../kernels/gemm/gemm-hopper.h"

namespace palestra::cuda {

class Driver;

/** A bf16 matrix in memory, and the boxes that TMA copies. */
struct TensorMapShape {
  const bf16* data;
  /** Length of a row. The number of rows follows. */
  uint64_t width;
  uint64_t height;
  uint64_t stride_bytes;
  uint32_t box_width;
  uint32_t box_height;
};

/** Fills in a map with a 128-byte swizzle, and zeros outside the matrix. */
using TensorMapEncoder = std::function<void(TensorMap&, const TensorMapShape&)>;

/** Returns the driver's encoder, cuTensorMapEncodeTiled. */
TensorMapEncoder tensor_map_encoder(const Driver& driver);

}  // namespace palestra::cuda
