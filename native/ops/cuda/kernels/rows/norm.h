#pragma once
#include "layout.h"

namespace palestra::cuda {

constexpr int norm_threads = 256;

/**
 * Number of lanes that norm one vector together. The number is the power of two, up to a warp, that gives each lane a
 * chunk.
 */
template <class T>
constexpr int norm_lanes(int width) {
  int lanes = 1;
  while (lanes < 32 && lanes < chunks_of<T>(width)) lanes *= 2;
  return lanes;
}

/** Norms vectors. A vector is one head of a row: vector v is head v % heads of row v / heads. */
template <class T>
struct RmsNorm {
  Strided<T> y;
  float* rstd;  // (vectors), or null
  Strided<const T> x;
  const T* w;  // (width)
  int width;
  int heads;
  int64_t vectors;
  float epsilon;
  int lanes;
  bool wide;
};

constexpr unsigned norm_blocks(int64_t vectors, int lanes) {
  const int each = norm_threads / lanes;
  return static_cast<unsigned>((vectors + each - 1) / each);
}

/** One block per group of rows. */
template <class T>
struct RmsNormGradient {
  Strided<T> dx;
  Strided<const T> dy;
  Strided<const T> x;
  const T* w;         // (width)
  const float* rstd;  // (vectors)
  float* partials;    // (groups, width): partial sums of dw, or null
  int width;
  int heads;
  int64_t vectors;
  bool add;
  int lanes;
  /** Number of vectors that the block processes at once, each with sums of dw in shared memory. */
  int teams;
  bool wide;
};

/**
 * Memory limit of the teams. A block has as many teams as fit into this memory and its lanes: 8 warps up to a width of
 * 3072.
 */
constexpr int norm_shared_bytes = 96 << 10;
template <class T>
constexpr int norm_teams(int width, int lanes) {
  const int fitting = norm_shared_bytes / (chunks_of<T>(width) * chunk_size<T> * static_cast<int>(sizeof(float)));
  const int most = norm_threads / lanes;
  return fitting < 1 ? 1 : fitting < most ? fitting : most;
}
template <class T>
constexpr size_t norm_gradient_shared_bytes(int width, int teams) {
  return sizeof(float) * chunks_of<T>(width) * chunk_size<T> * teams;
}

}  // namespace palestra::cuda
