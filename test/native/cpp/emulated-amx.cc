// The kernels of gemm-amx.cc over tile registers in memory, so that any processor with the bfloat16 instructions of
// AVX-512 can test them. Here only the tile instructions are emulated, after Intel's manual (volume 2, TDPBF16PS).
//
// This file is compiled for AVX-512 and therefore includes no header of the standard library with inline functions.
#if defined(__x86_64__)
#include <immintrin.h>
#include <stdint.h>

namespace {

/** The configuration and registers of a thread. */
struct Tiles {
  uint16_t row_bytes[8];
  uint8_t rows[8];
  uint8_t data[8][16][64];
};
thread_local Tiles tiles;

void load_config(const void* config) {
  const auto* bytes = static_cast<const uint8_t*>(config);
  __builtin_memset(&tiles, 0, sizeof tiles);
  __builtin_memcpy(tiles.row_bytes, bytes + 16, sizeof tiles.row_bytes);
  __builtin_memcpy(tiles.rows, bytes + 48, sizeof tiles.rows);
}

void zero(int tile) { __builtin_memset(tiles.data[tile], 0, sizeof tiles.data[tile]); }

void load(int tile, const void* from, int64_t stride) {
  zero(tile);
  for (int row = 0; row < tiles.rows[tile]; ++row)
    __builtin_memcpy(tiles.data[tile][row], static_cast<const char*>(from) + row * stride, tiles.row_bytes[tile]);
}

void store(int tile, void* to, int64_t stride) {
  for (int row = 0; row < tiles.rows[tile]; ++row)
    __builtin_memcpy(static_cast<char*>(to) + row * stride, tiles.data[tile][row], tiles.row_bytes[tile]);
}

float float_at(const uint8_t* bytes) {
  float value;
  __builtin_memcpy(&value, bytes, sizeof value);
  return value;
}

float bf16_at(const uint8_t* bytes) {
  const uint8_t wide[4] = {0, 0, bytes[0], bytes[1]};
  return float_at(wide);
}

/** The sums at even and at odd places are rounded apart. */
void multiply_pairs(int sums, int a, int b) {
  for (int row = 0; row < tiles.rows[sums]; ++row) {
    for (int column = 0; column < tiles.row_bytes[sums] / 4; ++column) {
      float parts[2] = {0, 0};
      for (int pair = 0; pair < tiles.row_bytes[a] / 4; ++pair)
        for (int place = 0; place < 2; ++place)
          parts[place] = __builtin_fmaf(bf16_at(&tiles.data[a][row][4 * pair + 2 * place]),
                                        bf16_at(&tiles.data[b][pair][4 * column + 2 * place]), parts[place]);
      uint8_t* const to = &tiles.data[sums][row][4 * column];
      const float sum = float_at(to) + (parts[0] + parts[1]);
      __builtin_memcpy(to, &sum, sizeof sum);
    }
  }
}

}  // namespace

#undef _tile_loadconfig
#undef _tile_release
#undef _tile_zero
#undef _tile_loadd
#undef _tile_stored
#undef _tile_dpbf16ps
#define _tile_loadconfig(config) load_config(config)
#define _tile_release() __builtin_memset(&tiles, 0, sizeof tiles)
#define _tile_zero(tile) ::zero(tile)
#define _tile_loadd(tile, from, stride) ::load(tile, from, stride)
#define _tile_stored(tile, to, stride) ::store(tile, to, stride)
#define _tile_dpbf16ps(sums, a, b) multiply_pairs(sums, a, b)
#define gemm_amx_bf16 gemm_emulated_amx
#include "ops/cpu/gemm/gemm-amx.cc"
#endif
