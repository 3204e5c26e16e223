#include "sampling.h"

#include <algorithm>
#include <numeric>
#include <type_traits>

namespace palestra {
namespace {

/** Minimum number of logits that justifies waking other threads. */
constexpr int64_t shared_logits = 16384;

/** Returns the temperature. Greedy tokens get the log-probability of the unscaled distribution. */
float temperature_of(const Draw& draw) { return draw.rule.temperature == 0 ? 1 : draw.rule.temperature; }

}  // namespace

template <class T>
CpuSampling<T>::CpuSampling(ThreadPool& pool, const RowKernels<T>& kernels)
    : pool_(pool), kernels_(kernels), workers_(pool.threads()) {}

/** Threads take rows in turn, in the order of their temperatures, to balance the load. Greedy rows cost little. */
template <class T>
void CpuSampling<T>::sample(Choice* choices, const T* logits, int vocabulary, const std::vector<Draw>& draws) {
  const int count = static_cast<int>(draws.size());
  const bool is_worth_sharing = static_cast<int64_t>(count) * vocabulary >= shared_logits;
  const int tiles = is_worth_sharing ? std::min(static_cast<int>(workers_.size()), count) : 1;
  for (int tile = 0; tile < tiles; ++tile) {
    workers_[tile].sampler.reserve(vocabulary);
    if (!std::is_same<T, float>::value) workers_[tile].rounded.resize(vocabulary);
  }
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return draws[a].rule.temperature < draws[b].rule.temperature;
  });
  pool_.run(tiles, [&](int tile) {
    for (int i = tile; i < count; i += tiles) {
      const int row = order[i];
      choices[row] = choose(workers_[tile], logits + static_cast<size_t>(row) * vocabulary, vocabulary, draws[row]);
    }
  });
}

template <class T>
Choice CpuSampling<T>::choose(Worker& worker, const T* logits, int vocabulary, const Draw& draw) const {
  const float* drawn_from;
  if constexpr (std::is_same<T, float>::value) {
    drawn_from = logits;
  } else {
    std::copy(logits, logits + vocabulary, worker.rounded.begin());
    drawn_from = worker.rounded.data();
  }
  const Drawn drawn = worker.sampler.draw(drawn_from, vocabulary, draw);
  const int32_t target = std::max(0, drawn.token);
  T log_sum, logprob;
  kernels_.token_statistics({&log_sum, &logprob, nullptr}, logits, &target, vocabulary, temperature_of(draw), {0, 1});
  const float model_logprob = static_cast<float>(logprob);
  return {drawn.token, drawn.whole ? model_logprob : drawn.logprob, model_logprob};
}

template class CpuSampling<float>;
template class CpuSampling<double>;

}  // namespace palestra
