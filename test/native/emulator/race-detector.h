#pragma once
/**
 * Detects data races of emulated kernels: two accesses to a byte, at least one of them a write, by different threads
 * and without an order between them. The emulator runs threads one after the other. The detector compares every access
 * only with the orders that hold on every device:
 *   - __syncthreads() orders the threads of a block.
 *   - __syncwarp() orders the lanes of a warp. Shuffles, products and matrix loads do not order memory (CUDA C++
 *     Programming Guide, warp shuffle functions; PTX ISA, ldmatrix).
 *   - The end of a launch orders everything in it. Nothing orders blocks.
 *
 * Kernels for Hopper, with `_hopper_` in their names, are not watched: they have barriers that the detector does not know.
 *
 * A row that load_matrices reads counts as read by all lanes of the warp. A copy_async writes from its start until its
 * thread has waited for it. Until then no thread may access the destination; afterwards it counts as written by that
 * thread.
 */
#include <string>
#include <utility>
#include <vector>

#include "shadow-memory.h"
#include "simt-emulated.h"

namespace palestra::simt {

/** Watches the launches of a thread of the machine. Ends the program at the first race and prints both accesses. */
class RaceDetector {
 public:
  /** The detector of this thread while it runs a kernel's code; else null. */
  static thread_local RaceDetector* watching;

  void begin_launch(const Kernel& kernel, const void* arguments);
  void begin_block(Index block, const char* shared, size_t shared_bytes);
  /** Called when all threads of the block, or all lanes of the warp, have reached a barrier. */
  void pass_barrier();
  void pass_warp_barrier(int warp);

  /** Called when a thread of the block starts to run on its stack, which is not watched. */
  void resume(int thread, const char* stack, size_t stack_bytes);
  /** Records an access; `place` is its address in the code. */
  void access(const void* data, size_t bytes, Deed deed, const void* place);
  /** Records that a copy has arrived, after the wait for it. */
  void end_copy(const void* to, const void* from, size_t read_bytes, const void* place);

 private:
  static constexpr int most_warps = 32;

  bool is_own(const void* data) const {
    const auto* const byte = static_cast<const char*>(data);
    return static_cast<size_t>(byte - stack_) < stack_bytes_ ||
           static_cast<size_t>(byte - arguments_) < kernel_->argument_bytes;
  }
  bool is_shared(const void* data) const {
    return static_cast<size_t>(static_cast<const char*>(data) - shared_) < shared_bytes_;
  }
  bool is_ordered(const Access& before, const Access& now) const;
  void read(Cell& cell, const Access& now, uintptr_t address);
  void write(Cell& cell, const Access& now, uintptr_t address);
  void remember_read(Cell& cell, Access now) const;

  [[noreturn]] void report(const Access& before, const Access& now, uintptr_t address) const;
  std::string where(uintptr_t address) const;
  Index block_at(uint32_t tick) const;

  bool watches_ = true;
  const Kernel* kernel_ = nullptr;
  const char* arguments_ = nullptr;
  const char* shared_ = nullptr;
  size_t shared_bytes_ = 0;
  const char* stack_ = nullptr;
  size_t stack_bytes_ = 0;
  int thread_ = 0;

  // Each barrier advances the clock. An access with an earlier tick than a barrier happened before it.
  uint32_t clock_ = 0;
  uint32_t block_begin_ = 0;
  uint32_t block_barrier_ = 0;
  uint32_t warp_barrier_[most_warps] = {};
  /** When the blocks of the launch began. */
  std::vector<std::pair<uint32_t, Index>> blocks_;

  ShadowMemory of_shared_;
  ShadowMemory of_global_;
};

/** Returns `file:line` for an address in code, or its offset in the program's file if that is unknown. */
std::string source_of(const void* place);

}  // namespace palestra::simt
