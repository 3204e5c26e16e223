#pragma once
/**
 * The part of native/ops/cuda/kernels/simt/wgmma.h that attention uses, on a CPU. It reads factors through their
 * descriptors as the PTX ISA describes them. Products run as late as they may, when they are waited for: until then new
 * sums are NaN, and factors in shared memory may be overwritten by mistake.
 *
 * It does not show a missing fence, or registers that change while a product reads them.
 */
#include <deque>
#include <functional>
#include <utility>
#include <vector>

#include "simt-emulated.h"

namespace palestra::simt {

inline uint32_t shared_address(const void* pointer) {
  return static_cast<uint32_t>(static_cast<const char*>(pointer) - shared_memory());
}
/** No wait gives up. */
inline long long clock64() { return 0; }

struct Barrier {
  int16_t arrivals;
  int16_t missing;
  uint32_t phase;
};
inline Barrier& barrier_at(uint32_t shared) { return *reinterpret_cast<Barrier*>(shared_memory() + shared); }

inline void initialise_barrier(uint32_t barrier, int arrivals) {
  barrier_at(barrier) = {static_cast<int16_t>(arrivals), static_cast<int16_t>(arrivals), 0};
}
inline void publish_barriers() {}
inline void publish_writes() {}
inline void arrive(uint32_t barrier) {
  Barrier& at = barrier_at(barrier);
  if (--at.missing > 0) return;
  at.missing = at.arrivals;
  ++at.phase;
}
inline bool phase_ended(uint32_t barrier, uint32_t parity) {
  const bool ended = (barrier_at(barrier).phase & 1) != parity;
  if (!ended) let_others_run();
  return ended;
}

inline void sync_threads(int barrier, int threads) {
  static int arrived[16], rounds[16];
  const int round = rounds[barrier];
  if (++arrived[barrier] == threads) {
    arrived[barrier] = 0;
    ++rounds[barrier];
  }
  while (rounds[barrier] == round) let_others_run();
}

template <int>
void release_registers() {}
template <int>
void claim_registers() {}

/** The products of a thread that have not run. */
struct Products {
  std::vector<std::function<void()>> open;
  std::deque<std::vector<std::function<void()>>> groups;
};
inline Products& products_of_thread() {
  static Products all[1024];
  return all[thread_index().x];
}

inline void begin_products() {}
inline void commit_products() {
  Products& own = products_of_thread();
  own.groups.push_back(std::move(own.open));
  own.open.clear();
}
template <int pending>
void wait_for_products() {
  wait_for_warp();
  Products& own = products_of_thread();
  while (static_cast<int>(own.groups.size()) > pending) {
    for (const auto& product : own.groups.front()) product();
    own.groups.pop_front();
  }
  wait_for_warp();
}
template <int count>
void settle(float (&)[count]) {}
template <int count>
void finish_before_wait(const float (&)[count]) {}

/**
 * Returns an element of a factor (9.7.15.5.1.2, "Shared Memory Matrix Layout", in 128-byte swizzling mode): its row or
 * column, and k.
 */
inline float factor_element(uint64_t descriptor, bool turned, int row, int k) {
  const auto field = [&](int shift) { return static_cast<uint32_t>(descriptor >> shift & 0x3fff) << 4; };
  const uint32_t start = field(0), leading = field(16), stride = field(32);
  uint32_t address = turned ? start + row / 64 * leading + k / 8 * stride + k % 8 * 128 + row % 64 * 2
                            : start + row / 8 * stride + row % 8 * 128 + k * 2;
  address ^= (address >> 7 & 7) << 4;
  bf16 value;
  std::memcpy(&value, shared_memory() + address, sizeof value);
  return to_float(value);
}

/** Rows 16w + g and 16w + g + 8 of the left factor. */
using TwoRows = float[2][16];

template <bool adds, bool right_turned, int count>
void multiply_rows_of_lane(float* sums, const TwoRows& left, uint64_t right) {
  const int t = static_cast<int>(thread_index().x) % 4;
  for (int i = 0; i < count; ++i) {
    float sum = adds ? sums[i] : 0;
    for (int k = 0; k < 16; ++k) {
      sum += left[i % 4 / 2][k] * factor_element(right, right_turned, i / 4 * 8 + 2 * t + i % 2, k);
    }
    sums[i] = sum;
  }
}

template <bool adds, int count>
void begin_sums(float (&sums)[count]) {
  if (adds) return;
  for (float& sum : sums) sum = std::numeric_limits<float>::quiet_NaN();
}

template <bool adds, bool right_turned, int count>
void multiply_tile(float (&d)[count], uint64_t left, uint64_t right) {
  begin_sums<adds>(d);
  float* const sums = d;
  products_of_thread().open.push_back([=] {
    TwoRows rows;
    const int thread = static_cast<int>(thread_index().x), first = thread % 128 / 32 * 16 + thread % 32 / 4;
    for (int h = 0; h < 2; ++h) {
      for (int k = 0; k < 16; ++k) rows[h][k] = factor_element(left, false, first + 8 * h, k);
    }
    multiply_rows_of_lane<adds, right_turned, count>(sums, rows, right);
  });
}

/** Four lanes have a row of the left factor. */
template <bool adds, bool right_turned, int count>
void multiply_tile(float (&d)[count], const uint32_t (&left)[4], uint64_t right) {
  begin_sums<adds>(d);
  float* const sums = d;
  const std::vector<uint32_t> registers(left, left + 4);
  products_of_thread().open.push_back([=] {
    TwoRows rows;
    const int lane = static_cast<int>(thread_index().x) % 32;
    for (int r = 0; r < 4; ++r) {
      for (int t = 0; t < 4; ++t) {
        const uint32_t pair = shuffle(registers[r], lane / 4 * 4 + t);
        for (int e = 0; e < 2; ++e) {
          rows[r % 2][r / 2 * 8 + 2 * t + e] = to_float(bf16{static_cast<uint16_t>(pair >> 16 * e)});
        }
      }
    }
    multiply_rows_of_lane<adds, right_turned, count>(sums, rows, right);
  });
}

}  // namespace palestra::simt
