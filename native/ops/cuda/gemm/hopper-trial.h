#pragma once
#include <string>

#include "../../stream.h"
#include "hopper-gemm.h"

namespace palestra::cuda {

/** Agreement of wgmma with mma.sync on this device. */
struct HopperTrial {
  enum class Result {
    /** A kernel did not end, or its result is wrong. */
    wrong,
    /** The results are right to the precision of bf16, but not bit for bit. */
    close,
    same_bits,
  };
  Result result;
  /** The kernel and the error of a wrong result. */
  std::string what;
};

/**
 * Tries the wgmma kernels. Each kernel multiplies matrices that are not multiples of its tile, with three blocks that
 * share the tiles. The trial compares the result with that of mma.sync. A kernel that hangs ends itself after a second.
 * A kernel that faults destroys the device's context, and the caller gets that failure.
 */
HopperTrial try_hopper_gemm(HopperGemm& hopper, Launcher& launcher, Stream& stream, const GemmMachine& machine);

}  // namespace palestra::cuda
