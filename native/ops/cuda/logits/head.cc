#include "head.h"

#include "../kernels/logits/head.h"
#include "../launch/by-type.h"

namespace palestra::cuda {

void token_statistics(Launcher& launcher, const TokenStatistics<float>& out, const float* logits,
                      const int32_t* targets, int vocabulary, int rows, float temperature) {
  if (rows == 0) return;
  launcher.launch("token_statistics_f32", {static_cast<unsigned>(rows)}, head_threads, head_shared_bytes,
                  RowStatistics{out.log_sum, out.logprob, out.entropy, logits, targets, vocabulary,
                                1 / static_cast<double>(temperature), height_factor(temperature),
                                vocabulary % 4 == 0 && are_aligned(logits)});
}

template <class T>
void logits_gradient(Launcher& launcher, float* logits, const TokenStatistics<float>& statistics,
                     const float* logprob_gradient, const float* entropy_gradient, const int32_t* targets,
                     int vocabulary, int rows, float temperature) {
  if (rows == 0) return;
  launcher.launch(by_type<T>("logits_gradient_bf16", "logits_gradient_f32"), {static_cast<unsigned>(rows)},
                  head_threads, 0,
                  LogitsGradient{logits, statistics.log_sum, statistics.entropy, logprob_gradient, entropy_gradient,
                                 targets, vocabulary, 1 / temperature, vocabulary % 8 == 0 && are_aligned(logits)});
}

template void logits_gradient<bf16>(Launcher&, float*, const TokenStatistics<float>&, const float*, const float*,
                                    const int32_t*, int, int, float);
template void logits_gradient<float>(Launcher&, float*, const TokenStatistics<float>&, const float*, const float*,
                                     const int32_t*, int, int, float);

}  // namespace palestra::cuda
