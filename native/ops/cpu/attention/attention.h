#pragma once
#include <memory>

#include "../../../core/cpu-features.h"
#include "../../../core/thread-pool.h"
#include "../../ops.h"

namespace palestra {

/**
 * Sequences and the store of their pages. Page p of kv head h is at `store + (p * kv_heads + h) * 2 * head_size *
 * page_positions`. Keys are transposed, (head_size, page_positions), so that the scores of a query with all keys of a
 * page are one vector. Values follow as (page_positions, head_size).
 */
template <class T>
struct StoredSequences : PagedSequences {
  T* store;
};

/** Number of elements of a page. */
inline size_t page_elements(const Heads& heads) {
  return static_cast<size_t>(heads.kv) * 2 * heads.size * page_positions;
}

/**
 * Attention on a CPU. ops/ops.h describes each function under the same name. Training first packs keys and values of
 * its segments into pages, so training runs the same loops as generation.
 */
template <class T>
class CpuAttention {
 public:
  using A = accumulator_t<T>;
  /** @param bf16 whether training rounds the factors of its products to bfloat16 */
  CpuAttention(Memory& memory, ThreadPool& pool, InstructionSet isa, bool bf16);
  ~CpuAttention();

  void forward(T* out, A* log_sum, Rows<const T> qkv, const Heads& heads, const Segments& segments);
  void gradient(Rows<T> dqkv, const T* dout, const T* out, const A* log_sum, Rows<const T> qkv, const Heads& heads,
                const Segments& segments);
  void store(Rows<const T> qkv, const Heads& heads, const StoredSequences<T>& sequences);
  void paged(T* out, Rows<const T> qkv, const Heads& heads, const StoredSequences<T>& sequences);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace palestra
