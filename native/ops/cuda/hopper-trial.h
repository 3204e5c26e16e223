#pragma once
#include <string>

#include "../stream.h"
#include "hopper-gemm.h"

namespace palestra::cuda {

/** How far the device at hand does by wgmma what it does by mma.sync. */
struct HopperTrial {
  enum class Result {
    /** A kernel never ended, or its result is another. */
    wrong,
    /** Right to the precision of bf16, but not to the bit. */
    close,
    same_bits,
  };
  Result result;
  /** Of what is wrong: which kernel and how. */
  std::string what;
};

/**
 * Each kernel multiplies matrices that are no multiple of its tile, three blocks sharing them out, and so does
 * mma.sync. A kernel that waits for ever ends itself after a second; one that faults takes the device's context with
 * it: that failure is the caller's.
 */
HopperTrial try_hopper_gemm(HopperGemm& hopper, Launcher& launcher, Stream& stream, const GemmMachine& machine);

}  // namespace palestra::cuda
