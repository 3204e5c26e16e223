#pragma once
#include "activation-kernels.h"
#include "head-kernels.h"
#include "norm-kernels.h"
#include "optimiser-kernels.h"
#include "row-kernels.h"

namespace palestra {
namespace {

/** The kernels, compiled for the including translation unit's instruction set. */
template <class T>
constexpr RowKernels<T> compiled_kernels = {
    rms_norm<T>, rms_norm_input_gradient<T>, rms_norm_weight_gradient<T>, rotary_turns<T>,    rotate<T>,
    swiglu<T>,   swiglu_gradient<T>,         token_statistics<T>,         logits_gradient<T>, sum_rows<T>,
    add<T>,      scale<T>,                   adamw<T>,                    squared_norm<T>,
};

}  // namespace
}  // namespace palestra
