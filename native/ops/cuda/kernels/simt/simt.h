#pragma once
/**
 * The language of the kernels: CUDA C++ without its headers, with functions for the few instructions of tensor cores
 * and asynchronous copies. Every kernel but those of *-hopper.cu compiles in two ways: by nvcc for a device, and by
 * any C++17 compiler for the emulator of test/native/emulator, which runs the threads of a block as fibers.
 *
 * Rules that both need:
 *   - A kernel is `PALESTRA_KERNEL(name, Arguments, threads) { ... }`. The arguments are one plain struct `a`, passed
 *     by value, and its block is `threads` x 1 x 1.
 *   - Shared memory is at `shared_memory()`, with as many uninitialised bytes as the launch requests.
 *   - No static or global variables, no atomics, no printf. Templates and `DEVICE` functions are fine.
 *   - All 32 lanes call collective functions (marked "Warp") together; all threads call `__syncthreads()` together.
 *
 * From CUDA itself: threadIdx.x, blockIdx.x/y/z, gridDim.x/y/z, __syncthreads(), __syncthreads_or(), __syncwarp().
 */
#include <cstdint>

#include "../../../../core/fp8.h"

#if defined(__CUDACC__)
#include "simt-device.h"
#else
#include "simt-emulated.h"
#endif

namespace palestra::simt {

constexpr int warp_size = 32;

DEVICE int lane_index() { return static_cast<int>(threadIdx.x) % warp_size; }
DEVICE int warp_index() { return static_cast<int>(threadIdx.x) / warp_size; }

/** Sums over all lanes, in an order that is the same in each lane, so that all lanes get the same bits. Warp. */
template <class T>
DEVICE T warp_sum(T value) {
  for (int mask = warp_size / 2; mask > 0; mask /= 2) value += shuffle_xor(value, mask);
  return value;
}

template <class T>
DEVICE T warp_max(T value) {
  for (int mask = warp_size / 2; mask > 0; mask /= 2) {
    const T other = shuffle_xor(value, mask);
    value = other > value ? other : value;
  }
  return value;
}

/**
 * Sums over the threads of a block, in a fixed order. All threads get the same bits.
 *
 * @param scratch (warps) in shared memory, unused by other code until the next __syncthreads()
 */
template <int threads, class T>
DEVICE T block_sum(T value, T* scratch) {
  constexpr int warps = threads / warp_size;
  value = warp_sum(value);
  if (warps == 1) return value;
  __syncthreads();
  if (lane_index() == 0) scratch[warp_index()] = value;
  __syncthreads();
  T total = scratch[0];
  for (int i = 1; i < warps; ++i) total += scratch[i];
  return total;
}

template <int threads, class T>
DEVICE T block_max(T value, T* scratch) {
  constexpr int warps = threads / warp_size;
  value = warp_max(value);
  if (warps == 1) return value;
  __syncthreads();
  if (lane_index() == 0) scratch[warp_index()] = value;
  __syncthreads();
  T highest = scratch[0];
  for (int i = 1; i < warps; ++i) highest = scratch[i] > highest ? scratch[i] : highest;
  return highest;
}

/** Activations as floats, for every storage type. */
DEVICE float as_float(float value) { return value; }
DEVICE float as_float(bf16 value) { return to_float(value); }
template <class T>
DEVICE T from_float(float value);
template <>
DEVICE float from_float<float>(float value) {
  return value;
}
template <>
DEVICE bf16 from_float<bf16>(float value) {
  return round_bf16(value);
}

}  // namespace palestra::simt
