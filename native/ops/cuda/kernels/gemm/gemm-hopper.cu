// Products by wgmma and TMA, for sm_90a only. One warpgroup copies tiles of the factors to shared memory, and the
// others multiply. Blocks are persistent and take tile after tile. The emulator has no TMA, so these kernels are used
// only if a trial on the device finds them right (ops/cuda/gemm/hopper-trial.h).
#include "../simt/wgmma.h"
#include "gemm-hopper.h"
#include "gemm-result.h"

namespace palestra::cuda {

using namespace palestra::simt;

namespace {

constexpr int warpgroup_threads = 128;
constexpr int panel_bytes = gemm_depth * 128;

/** A ring of stages. Each stage has a tile of the factors, a barrier for its arrival and a barrier for its release. */
template <class Tile>
struct Ring {
  uint32_t shared;
  int stage = 0;
  uint32_t parity = 0;

  DEVICE uint32_t left() const { return shared + stage * Tile::stage_bytes; }
  DEVICE uint32_t right() const { return left() + Tile::rows * 128; }
  DEVICE uint32_t full() const { return shared + Tile::stages * Tile::stage_bytes + stage * 8; }
  DEVICE uint32_t empty() const { return full() + Tile::stages * 8; }
  DEVICE void advance() {
    if (++stage < Tile::stages) return;
    stage = 0;
    parity ^= 1;
  }
};

/** `extent` rows of a factor by `gemm_depth` of k, in the layout of GemmOperand. */
template <int extent, bool turned>
DEVICE void bring(uint32_t shared, const TensorMap& map, int row, int k, uint32_t barrier) {
  constexpr int boxes = turned ? extent / 64 : 1;
#pragma unroll
  for (int i = 0; i < boxes; ++i) {
    copy_box(shared + i * panel_bytes, &map, turned ? row + i * 64 : k, turned ? k : row, barrier);
  }
}

/** Loads the tiles. One warp runs this function, and one lane of the warp starts the copies. */
template <class Tile, bool left_turned, bool right_turned>
DEVICE void produce(const HopperGemmArguments& a, Ring<Tile> ring) {
  const GemmArguments& p = a.product;
  const int tiles = gemm_parts(p.m, Tile::rows) * gemm_parts(p.n, Tile::columns);
  for (int tile = static_cast<int>(blockIdx.x); tile < tiles; tile += static_cast<int>(gridDim.x)) {
    const GemmPlace place = gemm_place<Tile::rows, Tile::columns>(tile, p.m, p.n);
    for (int k = 0; k < p.k; k += gemm_depth) {
      // The phase before a barrier's first one counts as ended, so a fresh stage is free.
      if (!wait_for_phase(ring.empty(), ring.parity ^ 1, a.trouble)) return;
      if (lane_index() == 0) {
        arrive_expecting(ring.full(), Tile::stage_bytes);
        bring<Tile::rows, left_turned>(ring.left(), a.left, place.row, k, ring.full());
        bring<Tile::columns, right_turned>(ring.right(), a.right, place.column, k, ring.full());
      }
      __syncwarp();
      ring.advance();
    }
  }
}

/** A warpgroup's 64 rows of a tile. */
template <class Tile>
struct HopperSums {
  float d[Tile::columns / 2];

  DEVICE static int row(int half) {
    return static_cast<int>(threadIdx.x) / warp_size * 16 + lane_index() / 4 + half * 8;
  }

  DEVICE void clear() {
#pragma unroll
    for (int i = 0; i < Tile::columns / 2; ++i) d[i] = 0;
  }
  /** Assigns the first slice's sums. Adds the sums of later slices in order. */
  DEVICE void add(const HopperSums& slice, bool first) {
#pragma unroll
    for (int i = 0; i < Tile::columns / 2; ++i) d[i] = first ? slice.d[i] : d[i] + slice.d[i];
  }

  DEVICE void begin(const GemmArguments& a, const GemmPlace& place) {
    clear();
    if (!a.start.data) return;
#pragma unroll
    for (int i = 0; i < Tile::columns / 2; ++i) {
      const int r = place.row + row(i / 2 % 2), c = place.column + i / 4 * 8 + lane_index() % 4 * 2 + i % 2;
      if (r < a.m && c < a.n) d[i] = gemm_element(a.start, r * a.start.stride + c);
    }
  }

  /**
   * Four lanes have 8 columns of a row in pairs. After an exchange, each lane has 8 of 32 columns and stores 16 bytes
   * at once.
   */
  DEVICE void write(const GemmArguments& a, const GemmPlace& place) {
#pragma unroll
    for (int i = 0; i < Tile::columns / 32 * 2; ++i) {
      const int first = i / 2 * 16 + i % 2 * 2;
      float even[4], odd[4];
#pragma unroll
      for (int j = 0; j < 4; ++j) even[j] = d[first + 4 * j], odd[j] = d[first + 4 * j + 1];
      transpose_quad(even);
      transpose_quad(odd);
      GemmValues sums;
#pragma unroll
      for (int j = 0; j < 4; ++j) sums.values[2 * j] = even[j], sums.values[2 * j + 1] = odd[j];
      gemm_write_values(a, a.result, place.row + row(i % 2), place.column + i / 2 * 32 + lane_index() % 4 * 8, sums);
    }
  }
};

/** Computes d += a (64, k) b (k, columns), for the given length of k. Returns false if the producer never delivers. */
template <class Tile, bool left_turned, bool right_turned>
DEVICE bool multiply_steps(float (&d)[Tile::columns / 2], Ring<Tile>& ring, int steps, int* trouble) {
  const int warpgroup = static_cast<int>(threadIdx.x) / warpgroup_threads;
  settle(d);
  for (int i = 0; i < steps; ++i) {
    if (!wait_for_phase(ring.full(), ring.parity, trouble)) return false;
    // 64 rows of a are 64 lines, or a panel, which have the same number of bytes. A step of 16 of k is 32 bytes of a
    // line, or 16 lines.
    const uint64_t left = matrix_descriptor(ring.left() + warpgroup * panel_bytes, left_turned, panel_bytes);
    const uint64_t right = matrix_descriptor(ring.right(), right_turned, panel_bytes);
    begin_products();
#pragma unroll
    for (int step = 0; step < gemm_depth / 16; ++step) {
      multiply_warpgroup<left_turned, right_turned>(d, left + step * ((left_turned ? 2048 : 32) >> 4),
                                                    right + step * ((right_turned ? 2048 : 32) >> 4));
    }
    commit_products();
    // While this warpgroup waits, the products of the other warpgroup keep the tensor cores busy.
    wait_for_products<0>();
    if (lane_index() == 0) arrive(ring.empty());
    ring.advance();
  }
  settle(d);
  return true;
}

template <class Tile, bool left_turned, bool right_turned>
DEVICE void consume(const HopperGemmArguments& a, Ring<Tile> ring) {
  const GemmArguments& p = a.product;
  const int tiles = gemm_parts(p.m, Tile::rows) * gemm_parts(p.n, Tile::columns);
  const int all_steps = gemm_parts(p.k, gemm_depth);
  for (int tile = static_cast<int>(blockIdx.x); tile < tiles; tile += static_cast<int>(gridDim.x)) {
    const GemmPlace place = gemm_place<Tile::rows, Tile::columns>(tile, p.m, p.n);
    HopperSums<Tile> sums;
    sums.begin(p, place);
    if (!Tile::keeps) {
      if (!multiply_steps<Tile, left_turned, right_turned>(sums.d, ring, all_steps, a.trouble)) return;
    } else {
      HopperSums<Tile> slice = sums;
      for (int step = 0; step < all_steps; step += p.slice_steps) {
        if (step > 0) slice.clear();
        const int steps = all_steps - step < p.slice_steps ? all_steps - step : p.slice_steps;
        if (!multiply_steps<Tile, left_turned, right_turned>(slice.d, ring, steps, a.trouble)) return;
        sums.add(slice, step == 0);
      }
    }
    sums.write(p, place);
  }
}

template <class Tile, bool left_turned, bool right_turned>
DEVICE void hopper_gemm(const HopperGemmArguments& a) {
  Ring<Tile> ring = {shared_address(shared_memory())};
  if (threadIdx.x == 0) {
    prefetch_map(&a.left);
    prefetch_map(&a.right);
    Ring<Tile> each = ring;
    for (int i = 0; i < Tile::stages; ++i, each.advance()) {
      initialise_barrier(each.full(), 1);
      initialise_barrier(each.empty(), Tile::consumers * warpgroup_threads / warp_size);
    }
    publish_barriers();
  }
  __syncthreads();
  if (threadIdx.x / warpgroup_threads == Tile::consumers) {
    release_registers<Tile::producer_registers>();
    if (threadIdx.x % warpgroup_threads < warp_size) produce<Tile, left_turned, right_turned>(a, ring);
  } else {
    claim_registers<Tile::consumer_registers>();
    consume<Tile, left_turned, right_turned>(a, ring);
  }
}

}  // namespace

// setmaxnreg requires a register limit at the start: the 1 in the launch bounds.
#define PALESTRA_HOPPER_GEMM(layout, size, left_turned, right_turned)                                        \
  PALESTRA_KERNEL(gemm_hopper_##layout##_##size##_bf16, HopperGemmArguments, HopperTile##size::threads, 1) { \
    hopper_gemm<HopperTile##size, left_turned, right_turned>(a);                                             \
  }
#define PALESTRA_HOPPER_LAYOUTS(size)                     \
  PALESTRA_HOPPER_GEMM(linear, size, false, false)        \
  PALESTRA_HOPPER_GEMM(input_gradient, size, false, true) \
  PALESTRA_HOPPER_GEMM(weight_gradient, size, true, true)

PALESTRA_HOPPER_LAYOUTS(128x128)
PALESTRA_HOPPER_LAYOUTS(128x256)
PALESTRA_HOPPER_LAYOUTS(192x192)

}  // namespace palestra::cuda
