#include "head.h"

#include <algorithm>
#include <cmath>

#include "../../core/failure.h"

namespace palestra {
namespace {

int rows_of(size_t bytes, size_t bytes_each, int most) {
  return static_cast<int>(std::max<size_t>(1, std::min<size_t>(bytes / bytes_each, most)));
}

}  // namespace

template <class T>
Head<T>::Head(Ops<T>& ops, const ModelConfig& config, size_t chunk_bytes, int max_rows)
    : ops_(ops),
      config_(config),
      chunk_rows_(rows_of(chunk_bytes, sizeof(A) * config.vocab_size, max_rows)),
      staged_(chunk_rows_),
      staged_values_(chunk_rows_) {
  Memory& memory = ops.memory();
  const size_t rows = chunk_rows_;
  const auto wide = [&] { return Buffer<T>(memory, rows * config.hidden_size, "head scratch"); };
  const auto column = [&] { return Buffer<A>(memory, rows, "head scratch"); };
  rows_ = Buffer<int32_t>(memory, rows, "head scratch");
  targets_ = Buffer<int32_t>(memory, rows, "head scratch");
  hidden_ = wide();
  normed_ = wide();
  dnormed_ = wide();
  rstd_ = column();
  logits_ = Buffer<A>(memory, rows * config.vocab_size, "a chunk of logits");
  log_sum_ = column();
  logprob_ = column();
  entropy_ = column();
  dlogprob_ = column();
  dentropy_ = column();
  value_ = Buffer<T>(memory, rows, "head scratch");
  dvalue_ = Buffer<T>(memory, rows, "head scratch");
}

template <class T>
Weight Head<T>::value_weight(const ModelWeights<T>& weights) const {
  return {weights.value_head, 1, config_.hidden_size, weights.embedding.dtype, false};
}

template <class T>
void Head<T>::score(const T* x, const ModelWeights<T>& weights, const HeadChunk& chunk, float temperature,
                    bool with_entropy) {
  const int hidden = config_.hidden_size, count = chunk.count;
  chunk_ = chunk;
  temperature_ = temperature;
  has_values_ = weights.value_head != nullptr;
  statistics_ = {log_sum_.data(), logprob_.data(), with_entropy ? entropy_.data() : nullptr};
  ops_.upload(rows_.data(), chunk.rows, sizeof(int32_t) * count);
  ops_.upload(targets_.data(), chunk.targets, sizeof(int32_t) * count);
  ops_.gather_rows({hidden_.data(), hidden}, {x, hidden}, rows_.data(), hidden, count);
  ops_.rms_norm({normed_.data(), hidden}, rstd_.data(), {hidden_.data(), hidden}, weights.final_norm, hidden, count,
                config_.rms_norm_eps);
  ops_.logits(logits_.data(), {normed_.data(), hidden}, weights.head, count);
  ops_.token_statistics(statistics_, logits_.data(), targets_.data(), config_.vocab_size, count, temperature);
  if (has_values_) {
    ops_.linear({value_.data(), 1}, {normed_.data(), hidden}, value_weight(weights), weights.value_head + hidden, count,
                Into::assign);
  }
}

template <class T>
void Head<T>::scores(TokenScore* out) {
  const int count = chunk_.count;
  std::fill_n(out, count, TokenScore{});
  const auto take = [&](auto& staged, const auto& column, double TokenScore::*field) {
    ops_.download(staged.data(), column.data(), sizeof staged[0] * count);
    for (int i = 0; i < count; ++i) out[i].*field = widened(staged[i]);
  };
  take(staged_, logprob_, &TokenScore::logprob);
  if (statistics_.entropy) take(staged_, entropy_, &TokenScore::entropy);
  if (has_values_) take(staged_values_, value_, &TokenScore::value);
  for (int i = 0; i < count; ++i) {
    const TokenScore& score = out[i];
    if (std::isfinite(score.logprob) && std::isfinite(score.entropy) && std::isfinite(score.value)) continue;
    throw Failure(Code::not_finite, "expected finite scores but received log-probability " +
                                        std::to_string(score.logprob) + ", entropy " + std::to_string(score.entropy) +
                                        ", value " + std::to_string(score.value) + " at token " +
                                        std::to_string(chunk_.rows[i] + 1));
  }
}

template <class T>
void Head<T>::gradient(T* dx, const ModelWeights<T>& weights, const ModelGradients<A>& gradients,
                       const TokenGradient* of_scores) {
  const int hidden = config_.hidden_size, vocabulary = config_.vocab_size, count = chunk_.count;
  const Rows<T> dnormed{dnormed_.data(), hidden};
  const auto upload = [&](Buffer<A>& to, double TokenGradient::*field) {
    for (int i = 0; i < count; ++i) staged_[i] = static_cast<A>(of_scores[i].*field);
    ops_.upload(to.data(), staged_.data(), sizeof(A) * count);
  };
  upload(dlogprob_, &TokenGradient::logprob);
  if (statistics_.entropy) upload(dentropy_, &TokenGradient::entropy);
  ops_.logits_gradient(logits_.data(), statistics_, dlogprob_.data(), statistics_.entropy ? dentropy_.data() : nullptr,
                       targets_.data(), vocabulary, count, temperature_);
  ops_.logits_input_gradient(dnormed, logits_.data(), weights.head, count);
  if (gradients.head) {
    ops_.logits_weight_gradient(gradients.head, logits_.data(), {normed_.data(), hidden}, vocabulary, hidden, count);
  }
  if (weights.value_head) value_gradient(weights, gradients, of_scores);
  ops_.rms_norm_gradient(dnormed, gradients.final_norm, {dnormed_.data(), hidden}, {hidden_.data(), hidden},
                         weights.final_norm, rstd_.data(), hidden, count, Into::assign);
  ops_.scatter_rows({dx, hidden}, {dnormed_.data(), hidden}, rows_.data(), hidden, count);
}

template <class T>
void Head<T>::value_gradient(const ModelWeights<T>& weights, const ModelGradients<A>& gradients,
                             const TokenGradient* of_scores) {
  const int hidden = config_.hidden_size, count = chunk_.count;
  const Rows<const T> dvalue{dvalue_.data(), 1};
  for (int i = 0; i < count; ++i) staged_values_[i] = rounded_to<T>(of_scores[i].value);
  ops_.upload(dvalue_.data(), staged_values_.data(), sizeof(T) * count);
  ops_.linear_input_gradient({dnormed_.data(), hidden}, dvalue, value_weight(weights), count, Into::add);
  if (!gradients.value_head) return;
  ops_.linear_weight_gradient(gradients.value_head, dvalue, {normed_.data(), hidden}, 1, hidden, count);
  ops_.bias_gradient(gradients.value_head + hidden, dvalue, 1, count);
}

template class Head<bf16>;
template class Head<float>;
template class Head<double>;

}  // namespace palestra
