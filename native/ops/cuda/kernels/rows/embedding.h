#pragma once
#include "layout.h"

namespace palestra::cuda {

constexpr int embedding_threads = 128;

/** Number of tokens that a block scans at a time: 32 words with one bit per token. */
constexpr int embedding_tile = 1024;

/**
 * Computes dtable (vocabulary, width) += dy, in the order of the rows. Grid: (rows, segments of columns). The block of
 * a token's first row adds all of the token's rows. The blocks of its later rows do nothing.
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

/** Shared memory of a tile: the number of rows with the token, the words, and the list of those rows. */
constexpr size_t embedding_shared_bytes = sizeof(int32_t) * (1 + 32 + embedding_tile);

}  // namespace palestra::cuda
