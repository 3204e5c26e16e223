#pragma once
#include <string>

#include "../stream.h"
#include "hopper-gemm.h"

namespace palestra::cuda {

/** Agreement of wgmma with mma.sync on this device. */
struct HopperTrial {
  enum class Result {
    /** A kernel did not end, or its result is wrong. */
    wrong,
    /** Right to the precision of bf16, but not bit for bit. */
    close,
    same_bits,
  };
  Result result;
  /** The kernel and the error of a wrong result. */
  std::string what;
};

/**
 * Each kernel multiplies matrices that are not multiples of its tile, with three blocks sharing the tiles; mma.sync
 * does the same. A kernel that hangs ends itself after a second. A kernel that faults destroys the device's context;
 * the caller gets that failure.
 */
HopperTrial try_hopper_gemm(HopperGemm& hopper, Launcher& launcher, Stream& stream, const GemmMachine& machine);

}  // namespace palestra::cuda
