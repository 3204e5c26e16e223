#pragma once

namespace palestra {

/** What kernels are compiled for, each with all before it. NEON machines run `scalar`, which compilers vectorise. */
enum class InstructionSet { scalar, avx2, avx512, avx512_bf16 };

/** The best that this machine and its operating system can run. avx2 is AVX2, FMA and F16C together. */
InstructionSet detect_instruction_set();

const char* name_of(InstructionSet);

}  // namespace palestra
