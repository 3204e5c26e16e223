#pragma once
#include <atomic>
#include <limits>
#include <vector>

#include "../gemm/block-products.h"
#include "ancestors.h"
#include "attention-kernels.h"
#include "attention.h"

namespace palestra {

/** Scratch memory for each thread that works on tiles. The memory grows before a run, because tiles do not allocate. */
template <class T>
class WorkerScratch {
 public:
  WorkerScratch(Memory& memory, int workers)
      : memory_(memory), workers_(workers), taken_(new std::atomic<bool>[workers]) {
    for (int i = 0; i < workers; ++i) taken_[i] = false;
  }

  void reserve(size_t elements) {
    if (elements <= each_) return;
    buffer_ = Buffer<T>();
    each_ = 0;
    buffer_ = Buffer<T>(memory_, elements * workers_, "scratch of attention");
    each_ = elements;
  }

  /** The scratch memory of one worker, until this object goes out of scope. */
  class Lease {
   public:
    explicit Lease(WorkerScratch& scratch) : scratch_(scratch) {
      while (scratch_.taken_[index_].exchange(true, std::memory_order_acquire)) {
        index_ = (index_ + 1) % scratch_.workers_;
      }
      next_ = scratch_.buffer_.data() + index_ * scratch_.each_;
    }
    ~Lease() { scratch_.taken_[index_].store(false, std::memory_order_release); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;

    T* take(size_t elements) {
      T* const result = next_;
      next_ += elements;
      return result;
    }

   private:
    WorkerScratch& scratch_;
    int index_ = 0;
    T* next_;
  };

 private:
  Memory& memory_;
  const int workers_;
  std::unique_ptr<std::atomic<bool>[]> taken_;
  Buffer<T> buffer_;
  size_t each_ = 0;
};

/** Number of query rows, from all heads of a kv head, that share one read of the keys and values. */
constexpr int attention_block_rows = 24;

inline int tiles_of(int positions) { return (positions + page_positions - 1) / page_positions; }

/** Returns the number of keys in a tile to which a query attends. The query attends to `keys` keys in total. */
inline int keys_in_tile(int keys, int tile) {
  const int rest = keys - tile * page_positions;
  return rest < page_positions ? rest : page_positions;
}

/** Minimum number of multiply-adds that justifies waking other threads. */
constexpr double attention_parallel_work = 1 << 18;

template <class Tile>
void run_attention_tiles(ThreadPool& pool, int tiles, double work, Tile&& tile) {
  if (tiles > 1 && work >= attention_parallel_work) {
    pool.run(tiles, tile);
  } else {
    for (int i = 0; i < tiles; ++i) tile(i);
  }
}

template <class T>
struct CpuAttention<T>::State {
  State(Memory& memory, ThreadPool& pool, InstructionSet isa, bool bf16)
      : memory(memory),
        pool(pool),
        bf16(bf16),
        kernels(attention_kernels<T>(isa)),
        products(gemm_kernels<T>(isa, bf16)),
        scratch(memory, pool.threads()) {}

  /** Adjacent query positions of a sequence. */
  struct Block {
    int sequence;
    int first;  // row of the step
    int positions;
  };

  /** Places of a segment in `packed`: for each kv head, panels of its keys, then of its values. */
  struct Panels {
    size_t first;
    size_t keys_elements;
    size_t elements;

    size_t keys(int kv_head) const { return first + kv_head * elements; }
    size_t values(int kv_head) const { return keys(kv_head) + keys_elements; }
  };

  void attend(T* out, A* log_sum, Rows<const T> qkv, const Heads& heads, const StoredSequences<T>& sequences);
  void attend_block(T* out, A* log_sum, Rows<const T> qkv, const Heads& heads, const StoredSequences<T>& sequences,
                    const Block& block, int kv_head);
  /** Returns the segments as sequences whose keys and values are in `packed`. */
  void attend_rounded(T* out, A* log_sum, Rows<const T> qkv, const Heads& heads, const Segments& segments);
  void pack_rounded(Rows<const T> qkv, const Heads& heads, const Segments& segments, const Panels& panels, int segment,
                    int kv_head);
  void attend_rounded_block(T* out, A* log_sum, Rows<const T> qkv, const Heads& heads, const Segments& segments,
                            const Panels& panels, const Block& block, int head);
  void reserve_packed(size_t elements);
  StoredSequences<T> pack(Rows<const T> qkv, const Heads& heads, const Segments& segments);
  void store(Rows<const T> qkv, const Heads& heads, const StoredSequences<T>& sequences);
  /** Stores the ancestors' rows that are in the first page of a segment's own pages. */
  void store_ancestors(Rows<const T> qkv, const Heads& heads, const StoredSequences<T>& sequences);
  void store_row(Rows<const T> qkv, const Heads& heads, const StoredSequences<T>& sequences, int sequence, int row,
                 int position, int kv_head);
  /** Adds the gradients of keys and values of segments with a parent to those of all rows. */
  void add_sequence_gradients(Rows<T> dqkv, const Heads& heads, const Segments& segments,
                              const std::vector<size_t>& places);

  Memory& memory;
  ThreadPool& pool;
  const bool bf16;
  const AttentionKernels<T>& kernels;
  const BlockProducts<T> products;
  WorkerScratch<T> scratch;
  Buffer<T> packed;
  /** Gradients of keys and values of the segments with a parent, and of their ancestors as far as they give them. */
  Buffer<T> sequence_gradients;
  Ancestors ancestors;
  std::vector<int32_t> first_positions, first_pages, pages;
  std::vector<Block> blocks;
};

}  // namespace palestra
