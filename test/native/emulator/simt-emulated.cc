#include "simt-emulated.h"

#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "fiber.h"

namespace palestra::simt {
namespace {

constexpr int lanes_of_warp = 32;
constexpr size_t stack_bytes = size_t{256} << 10;

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

/** Collectives of a warp come one after the other: two places, since a lane may read while others give to the next. */
struct Warp {
  Parcel parcels[2][lanes_of_warp];
  int given = 0;
  int64_t round = 0;
};

std::map<std::string, Kernel>& kernels() {
  static auto& all = *new std::map<std::string, Kernel>();
  return all;
}

[[noreturn]] void end_program(const std::string& what) {
  std::fprintf(stderr, "emulated kernel: %s\n", what.c_str());
  std::abort();
}

class Block {
 public:
  Block(const Kernel& kernel, Index grid, size_t shared_bytes, const void* arguments)
      : kernel_(kernel), arguments_(arguments), threads_(kernel.threads), warps_((kernel.threads + 31) / 32),
        shared_(static_cast<char*>(std::aligned_alloc(1024, (shared_bytes + 1023) / 1024 * 1024 + 1024))),
        shared_bytes_(shared_bytes) {
    for (Thread& thread : threads_) thread.here.grid = grid;
  }
  ~Block() { std::free(shared_); }

  void run(Index index, bool reversed);

  Thread* thread = nullptr;
  char* shared() const { return shared_; }
  Warp& warp() { return warps_[thread->here.thread.x / lanes_of_warp]; }
  const Kernel& kernel() const { return kernel_; }

 private:
  bool advance(int index);
  bool release_block();
  bool release_warp(int warp);

  const Kernel& kernel_;
  const void* arguments_;
  std::vector<Thread> threads_;
  std::vector<Warp> warps_;
  char* shared_;
  size_t shared_bytes_;
};

thread_local Block* running = nullptr;

/** Stacks are kept for the next block. */
Fiber& fiber(int index) {
  thread_local std::vector<Fiber> all;
  while (static_cast<int>(all.size()) <= index) all.emplace_back(stack_bytes);
  return all[index];
}

bool Block::advance(int index) {
  thread = &threads_[index];
  thread->wait = Wait::nothing;
  if (fiber(index).resume()) return true;
  thread->ended = true;
  return false;
}

bool Block::release_block() {
  int waiting = 0, alive = 0;
  for (const Thread& t : threads_) {
    alive += !t.ended;
    waiting += !t.ended && t.wait == Wait::block;
  }
  if (alive == 0 || waiting < alive) return false;
  for (Thread& t : threads_) t.wait = Wait::nothing;
  return true;
}

bool Block::release_warp(int warp) {
  const int first = warp * lanes_of_warp;
  for (int i = first; i < first + lanes_of_warp; ++i) {
    if (i >= static_cast<int>(threads_.size()) || threads_[i].ended || threads_[i].wait != Wait::warp) return false;
  }
  if (warps_[warp].given != 0) {
    end_program(std::string(kernel_.name) + ": lanes of a warp wait for each other in different functions");
  }
  for (int i = first; i < first + lanes_of_warp; ++i) threads_[i].wait = Wait::nothing;
  return true;
}

void Block::run(Index index, bool reversed) {
  running = this;
  std::memset(shared_, 0xff, (shared_bytes_ + 1023) / 1024 * 1024);
  const int count = static_cast<int>(threads_.size());
  for (Warp& warp : warps_) warp.given = 0;
  for (int i = 0; i < count; ++i) {
    Thread& t = threads_[i];
    t.here.thread = {static_cast<unsigned>(i), 0, 0};
    t.here.block = index;
    t.wait = Wait::nothing;
    t.ended = false;
    t.begun.clear();
    t.groups.clear();
    fiber(i).begin([](void* block) { static_cast<Block*>(block)->kernel_.body(static_cast<Block*>(block)->arguments_); },
                   this);
  }
  for (bool more = true; more;) {
    bool moved = false;
    more = false;
    for (int n = 0; n < count; ++n) {
      const int i = reversed ? count - 1 - n : n;
      if (threads_[i].ended) continue;
      if (threads_[i].wait == Wait::nothing) {
        advance(i);
        moved = true;
      }
      more = more || !threads_[i].ended;
    }
    for (size_t warp = 0; warp < warps_.size(); ++warp) moved = release_warp(static_cast<int>(warp)) || moved;
    moved = release_block() || moved;
    if (more && !moved) {
      end_program(std::string(kernel_.name) + ": threads of a block wait for each other at different barriers");
    }
  }
  running = nullptr;
}

void wait(Wait what) {
  Block& block = *running;
  block.thread->wait = what;
  Fiber::stop();
}

}  // namespace

Registration::Registration(const char* name, int threads, size_t argument_bytes, void (*body)(const void*)) {
  if (!kernels().emplace(name, Kernel{name, threads, argument_bytes, body}).second) {
    end_program(std::string(name) + " is there twice");
  }
}

const Kernel* find_kernel(const char* name) {
  const auto found = kernels().find(name);
  return found == kernels().end() ? nullptr : &found->second;
}

void run_grid(const Kernel& kernel, Index grid, size_t shared_bytes, const void* arguments, bool reversed) {
  Block block(kernel, grid, shared_bytes, arguments);
  const uint64_t count = uint64_t{grid.x} * grid.y * grid.z;
  for (uint64_t n = 0; n < count; ++n) {
    const uint64_t i = reversed ? count - 1 - n : n;
    block.run({static_cast<unsigned>(i % grid.x), static_cast<unsigned>(i / grid.x % grid.y),
               static_cast<unsigned>(i / grid.x / grid.y)},
              reversed);
  }
}

const Here& here() { return running->thread->here; }
char* shared_memory() { return running->shared(); }
void wait_for_block() { wait(Wait::block); }
void wait_for_warp() { wait(Wait::warp); }

Parcel exchange(const Parcel& given, void (*work)(Parcel* lanes)) {
  Warp& warp = running->warp();
  const int lane = static_cast<int>(running->thread->here.thread.x) % lanes_of_warp;
  Parcel* const parcels = warp.parcels[warp.round % 2];
  parcels[lane] = given;
  if (++warp.given == lanes_of_warp) {
    work(parcels);
    warp.given = 0;
    ++warp.round;
  }
  wait(Wait::warp);
  return parcels[lane];
}

void begin_copy(void* shared, const void* global, int valid) {
  const auto misaligned = [](const void* p) { return reinterpret_cast<uintptr_t>(p) % 16 != 0; };
  if (misaligned(shared) || (valid > 0 && misaligned(global))) {
    end_program(std::string(running->kernel().name) + ": an asynchronous copy is not aligned to 16 bytes");
  }
  std::memset(shared, 0xff, 16);
  running->thread->begun.push_back({static_cast<char*>(shared), static_cast<const char*>(global), valid});
}

void close_group() {
  Thread& thread = *running->thread;
  thread.groups.push_back(std::move(thread.begun));
  thread.begun.clear();
}

void finish_copies(int pending) {
  Thread& thread = *running->thread;
  while (static_cast<int>(thread.groups.size()) > pending) {
    for (const Copy& copy : thread.groups.front()) {
      std::memset(copy.to, 0, 16);
      std::memcpy(copy.to, copy.from, copy.valid);
    }
    thread.groups.pop_front();
  }
}

void multiply_bf16(float (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
  // Factors and sums do not fit one parcel of 32 bytes together: the factors go round first.
  Parcel parcel = {{a[0], a[1], a[2], a[3], b[0], b[1], 0, 0}};
  const Parcel product = exchange(parcel, [](Parcel* lanes) {
    float left[16][16], right[16][8], result[16][8] = {};
    const auto put = [](float& low, float& high, uint32_t pair) {
      low = to_float(bf16{static_cast<uint16_t>(pair)});
      high = to_float(bf16{static_cast<uint16_t>(pair >> 16)});
    };
    for (int lane = 0; lane < 32; ++lane) {
      const int g = lane / 4, t = lane % 4;
      const uint32_t* w = lanes[lane].words;
      put(left[g][2 * t], left[g][2 * t + 1], w[0]);
      put(left[g + 8][2 * t], left[g + 8][2 * t + 1], w[1]);
      put(left[g][2 * t + 8], left[g][2 * t + 9], w[2]);
      put(left[g + 8][2 * t + 8], left[g + 8][2 * t + 9], w[3]);
      put(right[2 * t][g], right[2 * t + 1][g], w[4]);
      put(right[2 * t + 8][g], right[2 * t + 9][g], w[5]);
    }
    for (int i = 0; i < 16; ++i) {
      for (int k = 0; k < 16; ++k) {
        for (int j = 0; j < 8; ++j) result[i][j] += left[i][k] * right[k][j];
      }
    }
    for (int lane = 0; lane < 32; ++lane) {
      const int g = lane / 4, t = lane % 4;
      const float own[4] = {result[g][2 * t], result[g][2 * t + 1], result[g + 8][2 * t], result[g + 8][2 * t + 1]};
      std::memcpy(lanes[lane].words, own, sizeof own);
    }
  });
  float sums[4];
  std::memcpy(sums, product.words, sizeof sums);
  for (int i = 0; i < 4; ++i) d[i] += sums[i];
}

namespace {

template <bool transposed>
void gather_matrices(Parcel* lanes) {
  const uint16_t* rows[32];
  for (int lane = 0; lane < 32; ++lane) std::memcpy(&rows[lane], lanes[lane].words, sizeof rows[lane]);
  for (int lane = 0; lane < 32; ++lane) {
    const int g = lane / 4, t = lane % 4;
    for (int i = 0; i < 4; ++i) {
      const uint16_t* const* matrix = rows + 8 * i;
      const uint32_t low = transposed ? matrix[2 * t][g] : matrix[g][2 * t];
      const uint32_t high = transposed ? matrix[2 * t + 1][g] : matrix[g][2 * t + 1];
      lanes[lane].words[i] = low | high << 16;
    }
  }
}

void load(uint32_t (&r)[4], const void* row, void (*work)(Parcel*)) {
  if (reinterpret_cast<uintptr_t>(row) % 16 != 0) {
    end_program(std::string(running->kernel().name) + ": a row of a matrix is not aligned to 16 bytes");
  }
  Parcel parcel = {};
  std::memcpy(parcel.words, &row, sizeof row);
  const Parcel got = exchange(parcel, work);
  for (int i = 0; i < 4; ++i) r[i] = got.words[i];
}

}  // namespace

void load_matrices(uint32_t (&r)[4], const void* row) { load(r, row, gather_matrices<false>); }
void load_matrices_transposed(uint32_t (&r)[4], const void* row) { load(r, row, gather_matrices<true>); }

}  // namespace palestra::simt
