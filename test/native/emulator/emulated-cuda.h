#pragma once
/**
 * Functions for tests beside NVIDIA's. The emulated driver reads these variables at its first call and at each reset:
 *   EMULATED_CUDA_DEVICES     number of devices; default 1
 *   EMULATED_CUDA_CAPABILITY  such as "8.0", or one per device, the last for the rest, such as "7.5,9.0"; default 9.0
 *   EMULATED_CUDA_VERSION     result of cuDriverGetVersion; default 13000
 *   EMULATED_CUDA_MEMORY      bytes per device; default 1 GiB
 *   EMULATED_CUDA_REVERSED    1 runs kernels from the last thread to the first
 *   EMULATED_CUDA_FAULTS      such as "cuMemAlloc_v2:3=2,kernel:10=700": the third call returns 2, and the tenth kernel
 *                             fails with 700. Results from 700 to 719 are sticky, as on a device: every later call
 *                             returns them, too.
 */
#include <cstddef>

extern "C" {
/** Frees everything and reads the environment again. */
void emulated_cuda_reset();
/** Number of objects not yet destroyed: memory, streams, events, graphs, modules, contexts. */
int emulated_cuda_live();
/** Number of calls since the reset. For "kernel", the number of kernels run; for "overlap", of overlapping launches. */
int emulated_cuda_calls(const char* function);
}
