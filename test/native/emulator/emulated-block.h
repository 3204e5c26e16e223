#pragma once
#include <deque>
#include <string>
#include <vector>

#include "race-detector.h"
#include "simt-emulated.h"

namespace palestra::simt {

constexpr int lanes_of_warp = 32;

[[noreturn]] void end_program(const std::string& what);

struct Copy {
  char* to;
  const char* from;
  int valid;
};

enum class Wait { nothing, block, warp };

struct Thread {
  Here here;
  Wait wait = Wait::nothing;
  bool ended = false;
  std::vector<Copy> begun;
  std::deque<std::vector<Copy>> groups;
};

/**
 * State of a warp's collectives, which follow each other. It has two places, because a lane may still read one
 * collective while others write to the next.
 */
struct Warp {
  Parcel parcels[2][lanes_of_warp];
  int given = 0;
  int64_t round = 0;
  /** Number of lanes at the barrier. */
  int arrived = 0;
};

/** Votes of a block's threads, who may read the result until the next barrier. */
struct Poll {
  int votes = 0;
  int votes_for = 0;
};

/** A block of a launch. Its threads take turns; each runs until it has to wait. */
class Block {
 public:
  Block(const Kernel& kernel, Index grid, size_t shared_bytes, const void* arguments);
  ~Block();
  Block(const Block&) = delete;

  void run(Index index, bool reversed);
  /** Called by the running thread: lets others run until all have reached this wait. */
  void wait(Wait what);
  void wait_for_warp();
  bool vote(bool vote);

  Thread* thread = nullptr;
  char* shared() const { return shared_; }
  Warp& warp() { return warps_[warp_index()]; }
  const Kernel& kernel() const { return kernel_; }
  RaceDetector& races() { return races_; }

 private:
  int warp_index() const { return static_cast<int>(thread->here.thread.x) / lanes_of_warp; }
  void begin(Index index);
  void run_thread();
  void advance(int index);
  bool release_block();
  bool release_warp(int warp);

  const Kernel& kernel_;
  const void* arguments_;
  std::vector<Thread> threads_;
  std::vector<Warp> warps_;
  Poll polls_[2];
  int64_t barriers_ = 0;
  char* shared_;
  size_t shared_bytes_;
  RaceDetector& races_;
};

/** The running block on this thread of the machine; null when no kernel runs. */
extern thread_local Block* running;

}  // namespace palestra::simt
