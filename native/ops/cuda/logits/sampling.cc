#include "sampling.h"

#include <cstring>

#include "../launch/by-type.h"

namespace palestra::cuda {
namespace {

DrawRule rule_of(const Draw& draw, int vocabulary, int32_t first_word) {
  const Sampling& rule = draw.rule;
  if (rule.temperature == 0) {
    // A temperature so low that all logits but the highest have a height of minus infinity. Among equal highest logits
    // the first is drawn, as at temperature 0.
    constexpr float coldest = 1e-38f;
    return {0, 1, height_factor(1), height_factor(coldest), 1, 0, 0, first_word};
  }
  const float factor = height_factor(rule.temperature);
  return {draw.uniform, 1 / static_cast<double>(rule.temperature), factor, factor, rule.top_p, rule.min_p,
          rule.top_k < vocabulary ? rule.top_k : 0, first_word};
}

}  // namespace

void CudaSampler::stage(const std::vector<Draw>& draws, int vocabulary) {
  const size_t words = (static_cast<size_t>(vocabulary) + 31) / 32;
  staged_.resize(sizeof(DrawRule) * draws.size());
  const std::vector<uint32_t>* last = nullptr;
  int32_t first_word = -1, end = 0;
  for (size_t row = 0; row < draws.size(); ++row) {
    const std::vector<uint32_t>* const allowed = draws[row].allowed;
    if (allowed && allowed != last) {
      // Neighboring draws with the same grammar state share its mask.
      const auto* const bytes = reinterpret_cast<const char*>(allowed->data());
      staged_.insert(staged_.end(), bytes, bytes + sizeof(uint32_t) * words);
      first_word = end;
      end += static_cast<int32_t>(words);
      last = allowed;
    }
    const DrawRule rule = rule_of(draws[row], vocabulary, allowed ? first_word : -1);
    std::memcpy(staged_.data() + sizeof(DrawRule) * row, &rule, sizeof rule);
  }
}

void CudaSampler::sample(Stream& stream, Launcher& launcher, Choice* choices, const float* logits, int vocabulary,
                          const std::vector<Draw>& draws) {
  if (draws.empty()) return;
  const size_t rows = draws.size();
  stage(draws, vocabulary);
  const size_t bytes = staged_.size() + sizeof(DrawnToken) * rows;
  if (device_.size() < bytes) {
    device_ = {};
    device_ = Buffer<char>(memory_, bytes, "rules of sampling");
  }
  stream.upload(device_.data(), staged_.data(), staged_.size());
  const auto* const rules = reinterpret_cast<const DrawRule*>(device_.data());
  auto* const tokens = reinterpret_cast<DrawnToken*>(device_.data() + staged_.size());
  launcher.launch("sample_f32", {static_cast<unsigned>(rows)}, head_threads, sampling_shared_bytes,
                  SampleRows{tokens, logits, rules, reinterpret_cast<const uint32_t*>(rules + rows), vocabulary,
                             vocabulary % 4 == 0 && are_aligned(logits)});
  drawn_.resize(rows);
  stream.download(drawn_.data(), tokens, sizeof(DrawnToken) * rows);
  for (size_t row = 0; row < rows; ++row) {
    choices[row] = {drawn_[row].token, drawn_[row].logprob, drawn_[row].model_logprob};
  }
}

}  // namespace palestra::cuda
