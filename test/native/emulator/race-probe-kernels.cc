#include "race-probe-kernels.h"

#include "ops/cuda/kernels/simt/simt.h"
#include "probe-kernels.h"

namespace palestra::probe {

using namespace simt;

namespace {

/** A thread in its block. */
struct Place {
  const RaceProbe& probe;
  const uint32_t block = blockIdx.x, thread = threadIdx.x;
  /** A thread of the same warp, and one of the other warp. */
  const uint32_t neighbour = thread ^ 1, stranger = (thread + warp_size) % threads;
  uint32_t* const shared = reinterpret_cast<uint32_t*>(shared_memory());
  uint32_t* const global = probe.words + block * race_words;

  explicit Place(const RaceProbe& a) : probe(a) {}

  void sync() const {
    if (probe.is_ordered) __syncthreads();
  }
  void sync_warp() const {
    if (probe.is_ordered) __syncwarp();
  }
  void wait() const {
    if (probe.is_ordered) wait_for_copies<0>();
  }
  /** Uses a value, so that it must be read. */
  void keep(uint32_t value) const { global[race_words / 2 + thread] = value; }
  uint32_t* row(uint32_t of) const { return shared + 4 * of; }
  void write_row() const {
    for (int i = 0; i < 4; ++i) row(thread)[i] = thread;
  }
  void begin_copy() const {
    copy_async(row(thread), global + 4 * (thread % warp_size));
    commit_copies();
  }
};

}  // namespace

/** Reads shared memory that another thread of the block has written. */
PALESTRA_KERNEL(race_read, RaceProbe, threads) {
  const Place p(a);
  p.shared[p.thread] = p.thread;
  p.sync();
  p.keep(p.shared[p.stranger]);
}

/** Writes shared memory that another thread of the block may still read. */
PALESTRA_KERNEL(race_rewrite, RaceProbe, threads) {
  const Place p(a);
  p.shared[p.thread] = p.thread;
  __syncthreads();
  const uint32_t got = p.shared[p.stranger];
  p.sync();
  p.shared[p.thread] = got;
}

PALESTRA_KERNEL(race_write, RaceProbe, threads) {
  const Place p(a);
  if (p.thread < warp_size) p.shared[p.thread] = 1;
  p.sync();
  if (p.thread >= warp_size) p.shared[p.stranger] = 2;
}

PALESTRA_KERNEL(race_warp_read, RaceProbe, threads) {
  const Place p(a);
  p.shared[p.thread] = p.thread;
  p.sync_warp();
  p.keep(p.shared[p.neighbour]);
}

PALESTRA_KERNEL(race_warp_rewrite, RaceProbe, threads) {
  const Place p(a);
  p.shared[p.thread] = p.thread;
  __syncwarp();
  const uint32_t got = p.shared[p.neighbour];
  p.sync_warp();
  p.shared[p.thread] = got;
}

/** A shuffle brings lanes together, but does not order their memory. */
PALESTRA_KERNEL(race_shuffle, RaceProbe, threads) {
  const Place p(a);
  p.shared[p.thread] = p.thread;
  const uint32_t got = shuffle_xor(p.thread, 1);
  p.sync_warp();
  p.keep(p.shared[got]);
}

/** A warp's barrier does not order the accesses of other warps. */
PALESTRA_KERNEL(race_other_warp, RaceProbe, threads) {
  const Place p(a);
  p.shared[p.thread] = p.thread;
  __syncwarp();
  p.sync();
  p.keep(p.shared[p.stranger]);
}

PALESTRA_KERNEL(race_global, RaceProbe, threads) {
  const Place p(a);
  p.global[p.thread] = p.thread;
  p.sync();
  p.keep(p.global[p.stranger]);
}

/** Reads matrix rows, which go to all lanes, after another thread has written them. */
PALESTRA_KERNEL(race_matrix, RaceProbe, threads) {
  const Place p(a);
  uint32_t got[4];
  p.write_row();
  p.sync_warp();
  load_matrices(got, p.row(p.thread));
  p.keep(got[0]);
}

PALESTRA_KERNEL(race_matrix_rewrite, RaceProbe, threads) {
  const Place p(a);
  uint32_t got[4];
  p.write_row();
  __syncwarp();
  load_matrices_transposed(got, p.row(p.thread));
  p.sync_warp();
  p.write_row();
}

/** Reads the destination of a copy that this thread has not waited for. */
PALESTRA_KERNEL(race_copy, RaceProbe, threads) {
  const Place p(a);
  p.begin_copy();
  p.wait();
  p.keep(*p.row(p.thread));
}

/** Reads the destination of a copy that only its own thread has waited for. */
PALESTRA_KERNEL(race_copy_read, RaceProbe, threads) {
  const Place p(a);
  p.begin_copy();
  wait_for_copies<0>();
  p.sync_warp();
  p.keep(*p.row(p.neighbour));
}

/** Copies to memory that another thread may still read. */
PALESTRA_KERNEL(race_copy_rewrite, RaceProbe, threads) {
  const Place p(a);
  p.begin_copy();
  wait_for_copies<0>();
  __syncthreads();
  const uint32_t got = *p.row(p.stranger);
  p.sync();
  p.begin_copy();
  p.keep(got);
}

PALESTRA_KERNEL(race_copy_twice, RaceProbe, threads) {
  const Place p(a);
  p.begin_copy();
  p.wait();
  p.begin_copy();
}

/** Overwrites the source of a copy that may not have been read yet. */
PALESTRA_KERNEL(race_copy_source, RaceProbe, threads) {
  const Place p(a);
  p.begin_copy();
  __syncthreads();
  p.wait();
  p.sync();
  if (p.thread < warp_size) p.global[4 * p.neighbour] = 1;
  wait_for_copies<0>();
}

/** Two blocks write one byte. */
PALESTRA_KERNEL(race_blocks_write, RaceProbe, threads) {
  const Place p(a);
  if (p.thread == 5) a.words[a.is_ordered ? p.block : 0] = 1;
}

/** A block writes a byte that all threads of another block have read before a barrier. */
PALESTRA_KERNEL(race_blocks_read, RaceProbe, threads) {
  const Place p(a);
  uint32_t* const word = a.words + (a.is_ordered ? p.block : 0);
  if (p.block == 0) p.keep(*word);
  __syncthreads();
  if (p.block == 1 && p.thread == 5) *word = 1;
}

/** No race, ordered or not: threads and blocks alternate on adjacent bytes. */
PALESTRA_KERNEL(race_of_none, RaceProbe, threads) {
  const Place p(a);
  const uint32_t own = p.block + race_blocks * p.thread;
  reinterpret_cast<uint8_t*>(a.words)[own] = 1;
  reinterpret_cast<uint8_t*>(p.shared)[own] = 1;
  reinterpret_cast<uint8_t*>(a.words)[own] = reinterpret_cast<uint8_t*>(p.shared)[own];
}

}  // namespace palestra::probe
