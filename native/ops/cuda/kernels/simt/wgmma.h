#pragma once
/**
 * Hopper's instructions for matrix products, for sm_90a only: mbarriers, TMA, wgmma and setmaxnreg. Comments name
 * sections of the PTX ISA by title, and those on wgmma also by their numbers in version 9. The kernels of
 * flash-*-hopper.cu also compile for the emulator, in tests of their own.
 */
#include "simt.h"

namespace palestra::simt {

/**
 * Returns the descriptor of a factor in shared memory. The lines of the factor have 128 bytes and are swizzled as in
 * TMA's 128-byte mode. The factor begins at a pattern of 1024 bytes, or 32, 64 or 96 bytes past the start of a pattern
 * (9.7.15.5.1.2.2, the matrix descriptor; the base offset is 0, because patterns begin at multiples of 1024).
 *
 * The stride offset, from eight lines to the next eight, is 1024 bytes: along rows if k runs in a line, along k if rows
 * do. If rows run in a line, the leading offset, `panel_bytes`, is the distance from 64 rows to the next 64. If k runs
 * in a line, that field is unused and 1 (9.7.15.5.1.2.1, and its table of canonical layouts).
 */
DEVICE uint64_t matrix_descriptor(uint32_t shared, bool turned, int panel_bytes) {
  const uint64_t leading = turned ? panel_bytes >> 4 : 1;
  return (shared & 0x3ffff) >> 4 | leading << 16 | uint64_t{1024 >> 4} << 32 | uint64_t{1} << 62;
}

}  // namespace palestra::simt

#if defined(__CUDACC__)
#include "wgmma-device.h"
#else
#include "wgmma-emulated.h"
#endif
