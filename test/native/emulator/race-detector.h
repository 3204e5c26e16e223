#pragma once
/**
 * Shows races of emulated kernels: two accesses to a byte of which one is a write, by different threads that nothing
 * orders. The emulator runs threads one after the other, whatever a device would do; here every access is held against
 * what orders them on any device, and by nothing else:
 *  - __syncthreads(), the threads of a block;
 *  - __syncwarp(), the lanes of a warp. Shuffles, products and loads of matrices do not order memory (CUDA C++
 *    Programming Guide, warp shuffle functions; PTX ISA, ldmatrix);
 *  - the end of a launch, all of it. Nothing orders blocks.
 *
 * A row that load_matrices reads is read by all lanes of the warp. A copy_async writes from its begin until its thread
 * has waited: until then the place is nobody's, and from then on that thread has written it.
 */
#include <string>
#include <utility>
#include <vector>

#include "shadow-memory.h"
#include "simt-emulated.h"

namespace palestra::simt {

/** Watches the launches of a thread of the machine. Ends the program at the first race, with both accesses. */
class RaceDetector {
 public:
  /** Of this thread while a kernel's code runs in it, else null. */
  static thread_local RaceDetector* watching;

  void begin_launch(const Kernel& kernel, const void* arguments);
  void begin_block(Index block, const char* shared, size_t shared_bytes);
  /** All threads of the block, or all lanes of the warp, have come to a barrier. */
  void pass_barrier();
  void pass_warp_barrier(int warp);

  /** That thread of the block runs now, on a stack which is its own affair. */
  void resume(int thread, const char* stack, size_t stack_bytes);
  /** What it does; `place` is in its code. */
  void access(const void* data, size_t bytes, Deed deed, const void* place);
  /** A copy has arrived, which it waited for. */
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

  const Kernel* kernel_ = nullptr;
  const char* arguments_ = nullptr;
  const char* shared_ = nullptr;
  size_t shared_bytes_ = 0;
  const char* stack_ = nullptr;
  size_t stack_bytes_ = 0;
  int thread_ = 0;

  // Barriers move the clock: what has an earlier tick than the barrier was before it.
  uint32_t clock_ = 0;
  uint32_t block_begin_ = 0;
  uint32_t block_barrier_ = 0;
  uint32_t warp_barrier_[most_warps] = {};
  /** When the blocks of the launch began. */
  std::vector<std::pair<uint32_t, Index>> blocks_;

  ShadowMemory of_shared_;
  ShadowMemory of_global_;
};

/** `file:line` of an address in code, or its offset in the program's file where nothing tells. */
std::string source_of(const void* place);

}  // namespace palestra::simt
