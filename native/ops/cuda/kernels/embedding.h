#pragma once
#include "layout.h"

namespace palestra::cuda {

constexpr int embedding_threads = 128;

/** Tokens that a block looks through at a time: 32 words of a bit each. */
constexpr int embedding_tile = 1024;

/**
 * dtable (vocabulary, width) += dy, in the order of the rows. Grid: (rows, segments of columns); the block of a token's
 * first row adds all of them, the others have nothing to do.
 */
template <class T>
struct EmbedGradient {
  float* dtable;
  Strided<const T> dy;
  const int32_t* tokens;  // (rows)
  int width;
  int rows;
  bool wide;
};

template <class T>
constexpr unsigned embedding_segments(int width) {
  return static_cast<unsigned>((chunks_of<T>(width) + embedding_threads - 1) / embedding_threads);
}

/** How many rows of a tile have the token, the tile's words, and the rows they stand for. */
constexpr size_t embedding_shared_bytes = sizeof(int32_t) * (1 + 32 + embedding_tile);

}  // namespace palestra::cuda
