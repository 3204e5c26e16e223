#pragma once
/**
 * What tests ask of the emulated driver beside NVIDIA's functions. The driver itself reads, at its first call and at
 * each reset:
 *  - EMULATED_CUDA_DEVICES, how many there are; 1 where it is not set
 *  - EMULATED_CUDA_CAPABILITY, as "8.0", or of each device, the last for the rest, as "7.5,9.0"; 9.0
 *  - EMULATED_CUDA_VERSION, as cuDriverGetVersion tells it; 13000
 *  - EMULATED_CUDA_MEMORY, bytes of each device; 1 GiB
 *  - EMULATED_CUDA_REVERSED, 1: kernels run from the last thread to the first
 *  - EMULATED_CUDA_FAULTS, as "cuMemAlloc_v2:3=2,kernel:10=700": the third call returns 2; the tenth kernel that runs
 *    ends in 700. Results from 700 to 719 are returned by every later call, too, as a device's are.
 */
#include <cstddef>

extern "C" {
/** Frees all and reads the environment again. */
void emulated_cuda_reset();
/** Objects that were made and not given back: memory, streams, events, graphs, modules, contexts. */
int emulated_cuda_live();
/** How often it was called since the reset; of "kernel" and "overlap" how many ran, and were launched to overlap. */
int emulated_cuda_calls(const char* function);
}
