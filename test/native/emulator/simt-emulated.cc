#include "simt-emulated.h"

#include <map>
#include <string>

#include "emulated-block.h"

namespace palestra::simt {
namespace {

std::map<std::string, Kernel>& kernels() {
  static auto& all = *new std::map<std::string, Kernel>();
  return all;
}

bool is_misaligned(const void* data) { return reinterpret_cast<uintptr_t>(data) % 16 != 0; }

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

Index thread_index() { return running->thread->here.thread; }
Index block_index() { return running->thread->here.block; }
Index grid_size() { return running->thread->here.grid; }
char* shared_memory() { return running->shared(); }
void wait_for_block() { running->wait(Wait::block); }
bool vote_in_block(bool vote) { return running->vote(vote); }
void wait_for_warp() { running->wait_for_warp(); }
void let_others_run() { running->wait(Wait::nothing); }

Parcel exchange(const Parcel& given, void (*work)(Parcel* lanes)) {
  Warp& warp = running->warp();
  const int lane = static_cast<int>(running->thread->here.thread.x) % lanes_of_warp;
  Parcel* const parcels = warp.parcels[warp.round % 2];
  parcels[lane] = given;
  if (++warp.given == lanes_of_warp) {
    RaceDetector::watching = nullptr;  // The work may be code of a kernel, but parcels are not device memory.
    work(parcels);
    RaceDetector::watching = &running->races();
    warp.given = 0;
    ++warp.round;
  }
  running->wait(Wait::warp);
  return parcels[lane];
}

void begin_copy(void* shared, const void* global, int valid) {
  if (is_misaligned(shared) || (valid > 0 && is_misaligned(global))) {
    end_program(std::string(running->kernel().name) + ": an asynchronous copy is not aligned to 16 bytes");
  }
  const void* const place = __builtin_return_address(0);
  running->races().access(global, valid, Deed::read, place);
  running->races().access(shared, 16, Deed::copy, place);
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
  const void* const place = __builtin_return_address(0);
  while (static_cast<int>(thread.groups.size()) > pending) {
    for (const Copy& copy : thread.groups.front()) {
      std::memset(copy.to, 0, 16);
      std::memcpy(copy.to, copy.from, copy.valid);
      running->races().end_copy(copy.to, copy.from, copy.valid, place);
    }
    thread.groups.pop_front();
  }
}

void multiply_bf16(float (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
  // Factors and sums together do not fit into one parcel of 32 bytes, so the factors are exchanged first.
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

void load(uint32_t (&r)[4], const void* row, void (*work)(Parcel*), const void* place) {
  if (is_misaligned(row)) {
    end_program(std::string(running->kernel().name) + ": a row of a matrix is not aligned to 16 bytes");
  }
  running->races().access(row, 16, Deed::load_matrix, place);
  Parcel parcel = {};
  std::memcpy(parcel.words, &row, sizeof row);
  const Parcel got = exchange(parcel, work);
  for (int i = 0; i < 4; ++i) r[i] = got.words[i];
}

}  // namespace

void load_matrices(uint32_t (&r)[4], const void* row) {
  load(r, row, gather_matrices<false>, __builtin_return_address(0));
}
void load_matrices_transposed(uint32_t (&r)[4], const void* row) {
  load(r, row, gather_matrices<true>, __builtin_return_address(0));
}

}  // namespace palestra::simt
