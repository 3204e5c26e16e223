#include "cpu-features.h"

#if defined(__x86_64__)
#include <cpuid.h>
#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include <cstdint>
#include <initializer_list>
#endif

namespace palestra {

#if defined(__x86_64__)
namespace {

struct Registers {
  uint32_t a = 0, b = 0, c = 0, d = 0;
};

/** Returns zeros when the processor does not have the leaf. */
Registers cpuid(uint32_t leaf, uint32_t subleaf) {
  Registers r;
  __get_cpuid_count(leaf, subleaf, &r.a, &r.b, &r.c, &r.d);
  return r;
}

bool has(uint32_t word, std::initializer_list<int> bits) {
  for (const int bit : bits)
    if (!(word >> bit & 1)) return false;
  return true;
}

/** Returns the registers that the operating system saves on a context switch. Code must not use any other register. */
uint32_t saved_registers() {
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

/**
 * Asks the operating system for the tile registers. It refuses them if the stack of a signal handler has no room for
 * them.
 */
bool may_use_tiles() {
#if defined(__linux__)
  constexpr long request_permission = 0x1023, tile_data = 18;
  return syscall(SYS_arch_prctl, request_permission, tile_data) == 0;
#else
  return false;
#endif
}

bool has_tiles(const Registers& extended, uint32_t saved) {
  constexpr int tile_config_state = 17, tile_data_state = 18;
  constexpr int amx_bf16 = 22, amx_tile = 24;
  return has(saved, {tile_config_state, tile_data_state}) && has(extended.d, {amx_bf16, amx_tile}) && may_use_tiles();
}

InstructionSet detect() {
  constexpr int fma = 12, osxsave = 27, avx = 28, f16c = 29;
  const Registers basic = cpuid(1, 0);
  if (!has(basic.c, {fma, osxsave, avx, f16c})) return InstructionSet::scalar;
  const uint32_t saved = saved_registers();
  constexpr int sse_state = 1, avx_state = 2;
  constexpr int avx2 = 5;
  const Registers extended = cpuid(7, 0);
  if (!has(saved, {sse_state, avx_state}) || !has(extended.b, {avx2})) return InstructionSet::scalar;

  constexpr int mask_state = 5, upper_half_state = 6, upper_registers_state = 7;
  constexpr int avx512f = 16, avx512dq = 17, avx512bw = 30, avx512vl = 31;
  if (!has(saved, {mask_state, upper_half_state, upper_registers_state}) ||
      !has(extended.b, {avx512f, avx512dq, avx512bw, avx512vl}))
    return InstructionSet::avx2;

  constexpr int avx512_bf16 = 5;
  if (extended.a < 1 || !has(cpuid(7, 1).a, {avx512_bf16})) return InstructionSet::avx512;
  return has_tiles(extended, saved) ? InstructionSet::amx_bf16 : InstructionSet::avx512_bf16;
}

}  // namespace

InstructionSet detect_instruction_set() {
  static const InstructionSet found = detect();
  return found;
}
#else
InstructionSet detect_instruction_set() { return InstructionSet::scalar; }
#endif

const char* name_of(InstructionSet isa) {
  switch (isa) {
    case InstructionSet::scalar:
      return "scalar";
    case InstructionSet::avx2:
      return "avx2";
    case InstructionSet::avx512:
      return "avx512";
    case InstructionSet::avx512_bf16:
      return "avx512bf16";
    case InstructionSet::amx_bf16:
      return "amxbf16";
  }
  return "unknown";
}

}  // namespace palestra
