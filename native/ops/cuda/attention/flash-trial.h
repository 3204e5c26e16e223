#pragma once
#include <functional>
#include <string>

#include "../../ops.h"
#include "../../stream.h"

namespace palestra::cuda {

/** Attention's kernels by wgmma that are in use for heads of one size. */
struct FlashHopperUse {
  bool forward = false;
  bool query_gradient = false;
  bool key_gradient = false;
};

/** Inputs and results on the device. dqkv has the layout of qkv, without gaps between rows. */
struct FlashTrialRun {
  const bf16* qkv;
  const bf16* dout;
  bf16* out;
  float* log_sum;
  bf16* dqkv;
  Heads heads;
  Segments segments;
  /** Set to 1 by a kernel that waits for ever, or null. */
  int* trouble;
};

/** Agreement of wgmma with mma.sync on this device, for heads of one size. */
struct FlashTrial {
  /** The kernels whose results are right. */
  FlashHopperUse right;
  /** The kernels whose results are wrong, with their errors; empty if all are right. */
  std::string what;
};

/**
 * Tries the kernels by wgmma on packs whose segments end anywhere in a tile, and compares their results with those of
 * mma.sync. Each runs twice and must give the same bits. A kernel that hangs ends itself after a second. A kernel that
 * faults destroys the device's context, and the caller gets that failure.
 *
 * @param run computes attention and its gradient with the given kernels by wgmma, and mma.sync for the rest
 */
FlashTrial try_flash_hopper(int head_size, Stream& stream,
                            const std::function<void(const FlashTrialRun&, const FlashHopperUse&)>& run);

}  // namespace palestra::cuda
