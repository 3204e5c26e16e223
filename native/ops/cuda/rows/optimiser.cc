#include "optimiser.h"

#include <algorithm>
#include <cmath>

#include "../kernels/rows/optimiser.h"
#include "../launch/by-type.h"

namespace palestra::cuda {
namespace {

/** Limit of the blocks whose sums are downloaded together: the blocks of 2^29 values. */
constexpr int most_blocks = 8192;

}  // namespace

template <class T>
void adamw(Launcher& launcher, float* weights, T* rounded, const float* gradients, float* first_moment,
           float* second_moment, size_t n, const AdamW& rule) {
  if (n == 0) return;
  const double step = static_cast<double>(rule.step);
  const AdamWStep<T> arguments{weights,
                               rounded,
                               gradients,
                               first_moment,
                               second_moment,
                               static_cast<int64_t>(n),
                               rule.lr,
                               rule.beta1,
                               rule.beta2,
                               rule.epsilon,
                               rule.gradient_scale,
                               1 - rule.lr * rule.weight_decay,
                               static_cast<float>(1 / (1 - std::pow(rule.beta1, step))),
                               static_cast<float>(1 / (1 - std::pow(rule.beta2, step))),
                               are_aligned(weights, rounded, gradients, first_moment, second_moment)};
  launcher.launch(by_type<T>("adamw_bf16", "adamw_f32"),
                  {item_blocks(static_cast<int64_t>((n + neighbours - 1) / neighbours))}, rows_threads, 0, arguments);
}

template void adamw(Launcher&, float*, bf16*, const float*, float*, float*, size_t, const AdamW&);
template void adamw(Launcher&, float*, float*, const float*, float*, float*, size_t, const AdamW&);

SquaredNorms::SquaredNorms(Memory& memory) : sums_(memory, most_blocks, "sums of squares"), staged_(most_blocks) {}

double SquaredNorms::of(Stream& stream, Launcher& launcher, const float* values, size_t n) {
  constexpr size_t most = size_t{most_blocks} * squared_norm_block;
  double total = 0;
  for (size_t first = 0; first < n; first += most) {
    const int64_t count = static_cast<int64_t>(std::min(most, n - first));
    const size_t blocks = static_cast<size_t>(squared_norm_blocks(count));
    launcher.launch("squared_norm_f32", {static_cast<unsigned>(blocks)}, squared_norm_threads,
                    sizeof(double) * squared_norm_threads / 32,
                    SquaredNorm{sums_.data(), values + first, count, are_aligned(values)});
    stream.download(staged_.data(), sums_.data(), sizeof(double) * blocks);
    for (size_t i = 0; i < blocks; ++i) total += staged_[i];
  }
  return total;
}

}  // namespace palestra::cuda
