#include "tensor-map-encoder.h"

#include <cstring>

#include "../driver/driver.h"

namespace palestra::cuda {

TensorMapEncoder tensor_map_encoder(const Driver& driver) {
  return [&driver](TensorMap& map, const TensorMapShape& shape) {
    CUtensorMap encoded;
    static_assert(sizeof encoded == sizeof map && alignof(CUtensorMap) == alignof(TensorMap), "one and the same");
    const uint64_t sizes[] = {shape.width, shape.height}, strides[] = {shape.stride_bytes};
    const uint32_t box[] = {shape.box_width, shape.box_height}, steps[] = {1, 1};
    driver.check(driver.cuTensorMapEncodeTiled(&encoded, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2,
                                               const_cast<bf16*>(shape.data), sizes, strides, box, steps,
                                               CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                                               CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE),
                 "cuTensorMapEncodeTiled");
    std::memcpy(&map, &encoded, sizeof map);
  };
}

}  // namespace palestra::cuda
