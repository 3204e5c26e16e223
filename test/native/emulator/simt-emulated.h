#pragma once
/**
 * native/ops/cuda/kernels/simt/simt.h on a CPU, by fibers that take turns. It is built to reveal faults:
 *   - A thread runs until it has to wait, so a missing barrier shows in one of the two orders of threads.
 *   - An asynchronous copy arrives only when it is waited for. Until then its destination holds NaN, as fresh shared
 *     memory does.
 *   - Threads that wait for each other at different barriers end the program with a message.
 *   - A race also ends it (race-detector.h), in any order of threads.
 *
 * It does not show bank conflicts or speed.
 */
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>

#include "core/fp8.h"

#define DEVICE inline

/** A launch bound may follow the threads. */
#define PALESTRA_KERNEL(name, Arguments, ...)                                                 \
  static void name##_body(const Arguments& a);                                                \
  static const ::palestra::simt::Registration name##_registration(                            \
      #name, ::palestra::simt::first_of(__VA_ARGS__), sizeof(Arguments),                      \
      [](const void* arguments) { name##_body(*static_cast<const Arguments*>(arguments)); }); \
  static void name##_body([[maybe_unused]] const Arguments& a)

namespace palestra::simt {

struct Index {
  unsigned x, y, z;
};

constexpr int first_of(int threads, int = 0) { return threads; }

/** A kernel, which the emulated driver finds by name. */
struct Kernel {
  const char* name;
  int threads;
  size_t argument_bytes;
  void (*body)(const void* arguments);
};

struct Registration {
  Registration(const char* name, int threads, size_t argument_bytes, void (*body)(const void* arguments));
};

/** @returns null when there is no such kernel */
const Kernel* find_kernel(const char* name);

/** Runs all blocks, one after the other. `reversed` runs blocks and threads from the last to the first. */
void run_grid(const Kernel& kernel, Index grid, size_t shared_bytes, const void* arguments, bool reversed);

/** Indices of the running thread. */
struct Here {
  Index thread, block, grid;
};
Index thread_index();
Index block_index();
Index grid_size();

char* shared_memory();
void wait_for_block();
/** @returns whether any thread of the block votes for it */
bool vote_in_block(bool vote);
void wait_for_warp();
/** For a thread that asks again and again for something that others do. */
void let_others_run();

/** Input and output of a lane in a collective. */
struct Parcel {
  uint32_t words[8];
};
/**
 * Takes a parcel from each lane of a warp. When all 32 have arrived, calls `work` with them, which replaces them by the
 * results. @returns this lane's result
 */
Parcel exchange(const Parcel& given, void (*work)(Parcel* lanes));

void begin_copy(void* shared, const void* global, int valid);
void close_group();
void finish_copies(int pending);

template <class T>
T shuffle(T value, int lane) {
  Parcel parcel = {};
  std::memcpy(parcel.words, &value, sizeof value);
  parcel.words[7] = static_cast<uint32_t>(lane);
  const Parcel got = exchange(parcel, [](Parcel* lanes) {
    Parcel given[32];
    std::memcpy(given, lanes, sizeof given);
    for (int i = 0; i < 32; ++i) std::memcpy(lanes[i].words, given[lanes[i].words[7] % 32].words, 6 * sizeof(uint32_t));
  });
  std::memcpy(&value, got.words, sizeof value);
  return value;
}

template <class T>
T shuffle_xor(T value, int mask) {
  return shuffle(value, static_cast<int>(thread_index().x % 32) ^ mask);
}

inline float reciprocal_fast(float x) { return 1 / x; }
inline float exp2_fast(float x) {
  const float y = std::exp2(x);
  return y < std::numeric_limits<float>::min() ? 0 : y;
}

inline bf16 round_bf16(float value) { return to_bf16(value); }
inline uint32_t pack_bf16(float low, float high) {
  return to_bf16(low).bits | static_cast<uint32_t>(to_bf16(high).bits) << 16;
}
inline uint16_t pack_fp8(float low, float high) { return static_cast<uint16_t>(to_fp8(low) | to_fp8(high) << 8); }
inline float fp8_to_float(uint8_t value) { return from_fp8(value); }
inline void unpack_fp8(uint32_t (&pairs)[2], uint32_t four) {
  const auto number = [&](int byte) {
    const uint8_t value = static_cast<uint8_t>(four >> 8 * byte);
    return (value & 0x7fu) == 0x7fu ? std::copysign(480.0f, value & 0x80u ? -1.0f : 1.0f) : from_fp8(value);
  };
  for (int i = 0; i < 2; ++i) pairs[i] = pack_bf16(number(i), number(i + 2));
}

void multiply_bf16(float (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]);
inline void store_16_bytes(void* to, const uint32_t (&words)[4]) {
  std::memcpy(__builtin_assume_aligned(to, sizeof words), words, sizeof words);
}

void load_matrices(uint32_t (&r)[4], const void* row);
void load_matrices_transposed(uint32_t (&r)[4], const void* row);

inline void copy_async(void* shared, const void* global, int valid = 16) { begin_copy(shared, global, valid); }
inline void commit_copies() { close_group(); }
template <int pending>
void wait_for_copies() {
  finish_copies(pending);
}

}  // namespace palestra::simt

#define threadIdx (::palestra::simt::thread_index())
#define blockIdx (::palestra::simt::block_index())
#define gridDim (::palestra::simt::grid_size())
inline void __syncthreads() { ::palestra::simt::wait_for_block(); }
inline int __syncthreads_or(int vote) { return ::palestra::simt::vote_in_block(vote != 0); }
inline void __syncwarp() { ::palestra::simt::wait_for_warp(); }
