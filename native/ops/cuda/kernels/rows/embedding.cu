#include "embedding.h"

#include "chunk.h"

namespace palestra::cuda {

using namespace palestra::simt;

namespace {

constexpr int warps = embedding_threads / warp_size, tokens_each = embedding_tile / embedding_threads;
static_assert(embedding_tile == 32 * warp_size, "a lane of the first warp has a word of the tile");

struct Scratch {
  int rows;
  uint32_t words[32];
  int row[embedding_tile];
};
static_assert(sizeof(Scratch) == embedding_shared_bytes, "as the launch has it");

/** Returns a word whose bit i is the vote of lane i. Warp. */
DEVICE uint32_t ballot(bool vote) {
  uint32_t bits = vote ? 1u << lane_index() : 0;
  for (int mask = warp_size / 2; mask > 0; mask /= 2) bits |= shuffle_xor(bits, mask);
  return bits;
}

/** Returns the index of the only bit of a word. As a float, a power of two has no fraction. */
DEVICE int bit_index(uint32_t bit) { return static_cast<int>(bits_of(static_cast<float>(bit)) >> 23) - 127; }

/**
 * Sets bit i if token `first + i * threads + thread` is the block's token. Returns whether any thread has a bit. Acts
 * as a barrier.
 */
DEVICE bool look(uint32_t& matches, const int32_t* tokens, int first, int last, int32_t token) {
  matches = 0;
  for (int i = 0; i < tokens_each; ++i) {
    const int row = first + i * embedding_threads + static_cast<int>(threadIdx.x);
    if (row < last && tokens[row] == token) matches |= 1u << i;
  }
  return __syncthreads_or(matches != 0) != 0;
}

/** Lists the rows of a tile that have the token, in order, in `s.row`. */
DEVICE void list_rows(uint32_t matches, int first, Scratch& s) {
  for (int i = 0; i < tokens_each; ++i) {
    const uint32_t word = ballot(matches >> i & 1);
    if (lane_index() == 0) s.words[i * warps + warp_index()] = word;
  }
  __syncthreads();
  if (warp_index() == 0) {
    const int lane = lane_index();
    int own = 0;
    for (uint32_t word = s.words[lane]; word; word &= word - 1) ++own;
    int end = own;
    for (int step = 1; step < warp_size; step *= 2) {
      const int before = shuffle(end, lane < step ? lane : lane - step);
      if (lane >= step) end += before;
    }
    int at = end - own;
    for (uint32_t word = s.words[lane]; word; word &= word - 1) {
      s.row[at++] = first + lane * warp_size + bit_index(word & (0u - word));
    }
    if (lane == warp_size - 1) s.rows = end;
  }
  __syncthreads();
}

/**
 * The kernel works without sorting. Scanning all tokens once per distinct token needs no memory. Up to some hundred
 * thousand tokens, the scan is cheap compared with the rows themselves.
 */
template <bool wide, class T>
DEVICE void embed_gradient(const EmbedGradient<T>& a) {
  constexpr int n = chunk_size<T>, at_once = 8;
  Scratch& s = *reinterpret_cast<Scratch*>(shared_memory());
  const int own = static_cast<int>(blockIdx.x);
  const int32_t token = a.tokens[own];
  uint32_t matches;
  // The nearest tile is scanned first, so that the extra blocks of a frequent token end soon.
  for (int last = own; last > 0; last -= embedding_tile) {
    const int first = last > embedding_tile ? last - embedding_tile : 0;
    if (look(matches, a.tokens, first, last, token)) return;
  }

  const int column = static_cast<int>(blockIdx.y * embedding_threads + threadIdx.x) * n;
  const int count = a.width - column;
  float* const to = a.dtable + int64_t{token} * a.width + column;
  float sum[n];
  load<wide>(sum, to, count);
  for (int first = own; first < a.rows; first += embedding_tile) {
    if (!look(matches, a.tokens, first, a.rows, token)) continue;
    list_rows(matches, first, s);
    for (int begin = 0; begin < s.rows; begin += at_once) {
      Words chunk[at_once];
      for (int i = 0; i < at_once; ++i) {
        const bool is_there = begin + i < s.rows;
        chunk[i] = load_chunk<wide>(a.dy[is_there ? s.row[begin + i] : own] + column, is_there ? count : 0);
      }
      for (int i = 0; i < at_once; ++i) {
        float dy[n];
        unpack(dy, chunk[i], T{});
        if (begin + i < s.rows) {
          for (int j = 0; j < n; ++j) sum[j] += dy[j];
        }
      }
    }
  }
  store<wide>(to, sum, count);
}

}  // namespace

PALESTRA_KERNEL(embed_gradient_bf16, EmbedGradient<bf16>, embedding_threads) {
  a.wide ? embed_gradient<true>(a) : embed_gradient<false>(a);
}
PALESTRA_KERNEL(embed_gradient_f32, EmbedGradient<float>, embedding_threads) {
  a.wide ? embed_gradient<true>(a) : embed_gradient<false>(a);
}

}  // namespace palestra::cuda
