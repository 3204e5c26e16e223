#pragma once
/** The item of a thread, in kernels over many small items. */
#include "chunk.h"
#include "rows.h"

namespace palestra::cuda {

/** A chunk of a row. The last block also has items past the last row. */
struct Item {
  int64_t row;
  int column;
};

/**
 * Index of the item in a launch of `item_blocks` blocks. The index allows fewer than 2^32 items, or 64 GiB of chunks.
 */
DEVICE unsigned item_index() { return blockIdx.x * rows_threads + threadIdx.x; }

template <class T>
DEVICE Item chunk_item(int width) {
  const unsigned index = item_index(), chunks = static_cast<unsigned>(chunks_of<T>(width));
  return {index / chunks, static_cast<int>(index % chunks) * chunk_size<T>};
}

struct Neighbours {
  int64_t first;
  /** Number of elements, up to `neighbours`. 0 or below when no element is left. */
  int count;
};

DEVICE Neighbours neighbours_of_thread(int64_t n) {
  const int64_t first = int64_t{item_index()} * neighbours;
  const int64_t left = n - first;
  return {first, left < 0 ? 0 : left < neighbours ? static_cast<int>(left) : neighbours};
}

}  // namespace palestra::cuda
