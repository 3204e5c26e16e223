#pragma once
#include <memory>

#include "../../core/cpu-features.h"
#include "../../core/thread-pool.h"
#include "../ops.h"

namespace palestra {

/**
 * Sequences with the store that their pages lie in: page p, kv head h at
 * `store + (p * kv_heads + h) * 2 * head_size * page_positions`. Keys are transposed there, (head_size, page_positions),
 * so that the scores of one query with all of them are one vector; values follow as (page_positions, head_size).
 */
template <class T>
struct StoredSequences : PagedSequences {
  T* store;
};

/** Elements of a page. */
inline size_t page_elements(const Heads& heads) {
  return static_cast<size_t>(heads.kv) * 2 * heads.size * page_positions;
}

/**
 * Attention on a CPU; what each function means stands at the same name in ../ops.h. Training packs keys and values of
 * its segments into pages first, so that it runs the very loops that generation runs. Heads have a multiple of 8
 * elements, up to 256: others fail.
 */
template <class T>
class CpuAttention {
 public:
  using A = accumulator_t<T>;
  CpuAttention(Memory& memory, ThreadPool& pool, InstructionSet isa);
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
