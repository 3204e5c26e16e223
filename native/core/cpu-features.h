#pragma once

namespace palestra {

/**
 * Instruction sets of the kernels. Each set includes the sets before it. NEON machines run `scalar`, which compilers
 * vectorise.
 */
enum class InstructionSet { scalar, avx2, avx512, avx512_bf16, amx_bf16 };

/**
 * Returns the highest set that the machine and its operating system support. avx2 means AVX2, FMA and F16C together. Asks
 * Linux for the tile registers of AMX, which a process may use only then.
 */
InstructionSet detect_instruction_set();

const char* name_of(InstructionSet);

}  // namespace palestra
