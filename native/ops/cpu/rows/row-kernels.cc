#include "row-kernels.h"

namespace palestra {

#define PALESTRA_KERNELS_OF(isa)                  \
  namespace isa {                                 \
  extern const RowKernels<float> float_kernels;   \
  extern const RowKernels<double> double_kernels; \
  }
PALESTRA_KERNELS_OF(scalar)
PALESTRA_KERNELS_OF(avx2)
PALESTRA_KERNELS_OF(avx512)
#undef PALESTRA_KERNELS_OF

template <>
const RowKernels<float>& row_kernels(InstructionSet isa) {
#if defined(__x86_64__)
  if (isa >= InstructionSet::avx512) return avx512::float_kernels;
  if (isa == InstructionSet::avx2) return avx2::float_kernels;
#endif
  static_cast<void>(isa);
  return scalar::float_kernels;
}

template <>
const RowKernels<double>& row_kernels(InstructionSet isa) {
#if defined(__x86_64__)
  if (isa >= InstructionSet::avx512) return avx512::double_kernels;
  if (isa == InstructionSet::avx2) return avx2::double_kernels;
#endif
  static_cast<void>(isa);
  return scalar::double_kernels;
}

}  // namespace palestra
