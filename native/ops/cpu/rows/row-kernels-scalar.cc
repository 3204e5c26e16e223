#include "row-kernels-table.h"

namespace palestra::scalar {

extern const RowKernels<float> float_kernels;
extern const RowKernels<double> double_kernels;
const RowKernels<float> float_kernels = compiled_kernels<float>;
const RowKernels<double> double_kernels = compiled_kernels<double>;

}  // namespace palestra::scalar
