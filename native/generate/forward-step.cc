#include "forward-step.h"

#include <algorithm>

namespace palestra {
namespace {

/** Minimum number of rows whose logits exist at a time. The head's weights are read once for all of these rows. */
constexpr size_t fewest_logits_rows = 64;

int logits_rows_of(size_t bytes, size_t bytes_each, int sequences) {
  return static_cast<int>(std::min<size_t>(sequences, std::max(fewest_logits_rows, bytes / bytes_each)));
}

}  // namespace

template <class T>
ForwardStep<T>::ForwardStep(Ops<T>& ops, const ModelConfig& config, KeyValueStore<T>& store, KeyValueFormat keys_values,
                            const StepLimits& limits)
    : ops_(ops),
      config_(config),
      limits_(limits),
      decoder_(ops, config, limits.rows, limits.adapter_rank),
      batch_(ops.make_paged_batch(decoder_.heads(), keys_values,
                                  {limits.sequences, limits.rows, config.max_position_embeddings})),
      attention_(ops, decoder_.heads(), store, batch_.get()),
      logits_rows_(logits_rows_of(ops.logits_bytes(), sizeof(A) * config.vocab_size, limits.sequences)),
      x_(ops.memory(), static_cast<size_t>(limits.rows) * config.hidden_size, "hidden states of a step"),
      sampled_(ops.memory(), static_cast<size_t>(logits_rows_) * config.hidden_size, "hidden states that sample"),
      logits_(ops.memory(), static_cast<size_t>(logits_rows_) * config.vocab_size, "logits of a step"),
      integers_(ops.memory(), 2 * static_cast<size_t>(limits.rows), "tokens of a step"),
      indices_(ops.memory(), logits_rows_, "rows that sample") {}

template <class T>
const PagedStore* ForwardStep<T>::PagedAttention::store(int layer) {
  layer_.pages = store_.layer(layer);
  return &layer_;
}

template <class T>
void ForwardStep<T>::PagedAttention::attend(int layer, T* out, Rows<const T> qkv, int) {
  ops_.paged_attention(out, qkv, heads_, *store(layer));
}

template <class T>
void ForwardStep<T>::run(const ModelWeights<T>& weights, const std::vector<Part>& parts) {
  const bool decodes = std::all_of(parts.begin(), parts.end(), [](const Part& part) { return part.rows == 1; });
  int rows = 0;
  for (const Part& part : parts) rows += part.rows;
  if (!decodes || !ops_.records()) {
    begin_batch(parts, rows);
    return compute(weights, rows);
  }
  rows = padded(rows);
  begin_batch(parts, rows);
  ops_.replay(recordings_[{weights.embedding.data, rows, batch_->shape()}], [&] { compute(weights, rows); });
}

/**
 * Rounds up to one of 1, 2, 3, 4, 6, 8, 16, 24, 32, 48, 64, 96 and so on. These are few sizes, and from 16 on rounding
 * adds at most half of the rows again.
 */
template <class T>
int ForwardStep<T>::padded(int rows) const {
  int step = 1;
  while (4 * step < rows) step *= 2;
  if (rows > 8) step = std::max(step, 8);
  return std::min((rows + step - 1) / step * step, limits_.sequences);
}

template <class T>
void ForwardStep<T>::compute(const ModelWeights<T>& weights, int rows) {
  decoder_.begin(x_.data(), weights, integers_.data(), integers_.data() + rows, rows);
  for (int layer = 0; layer < config_.num_hidden_layers; ++layer) {
    decoder_.layer(x_.data(), weights.layers[layer], layer, attention_, rows, nullptr);
  }
}

/** Padding rows behind those of the parts are token 0 at position 0. */
template <class T>
void ForwardStep<T>::begin_batch(const std::vector<Part>& parts, int rows) {
  staged_.assign(2 * static_cast<size_t>(rows), 0);
  starts_.assign(1, 0);
  first_positions_.clear();
  first_pages_.assign(1, 0);
  pages_.clear();
  int32_t row = 0;
  for (const Part& part : parts) {
    const Sequence& sequence = *part.sequence;
    for (int j = 0; j < part.rows; ++j, ++row) {
      staged_[row] = sequence.tokens[sequence.stored + j];
      staged_[rows + row] = sequence.stored + j;
    }
    starts_.push_back(row);
    first_positions_.push_back(sequence.stored);
    const std::vector<int32_t>& numbers = sequence.pages.numbers();
    pages_.insert(pages_.end(), numbers.begin(), numbers.end());
    first_pages_.push_back(static_cast<int32_t>(pages_.size()));
  }
  ops_.upload(integers_.data(), staged_.data(), staged_.size() * sizeof(int32_t));
  batch_->begin({static_cast<int>(parts.size()), starts_.data(), first_positions_.data(), first_pages_.data(),
                 pages_.data()},
                rows);
}

template <class T>
DrawnTokens ForwardStep<T>::sample(const ModelWeights<T>& weights, const SampledRow* rows,
                                   const std::vector<Draw>& draws, const DrawExtras& extras) {
  const int hidden = config_.hidden_size, count = static_cast<int>(draws.size());
  std::vector<int32_t> indices;
  for (int i = 0; i < count; ++i) indices.push_back(rows[i].row);
  ops_.upload(indices_.data(), indices.data(), indices.size() * sizeof(int32_t));
  const Rows<T> x{sampled_.data(), hidden};
  const Rows<const T> read{sampled_.data(), hidden};
  ops_.gather_rows(x, {x_.data(), hidden}, indices_.data(), hidden, count);
  ops_.rms_norm(x, nullptr, read, weights.final_norm, hidden, count, config_.rms_norm_eps);
  ops_.logits(logits_.data(), read, weights.head, count);
  if (!extras.changes.empty()) ops_.change_logits(logits_.data(), config_.vocab_size, extras.changes);
  DrawnTokens drawn{std::vector<Choice>(count), {}};
  ops_.sample(drawn.choices.data(), logits_.data(), config_.vocab_size, draws);
  if (!extras.top_counts.empty()) find_tops(drawn, draws, extras.top_counts);
  if (!extras.changes.empty()) restore_model(drawn.choices, draws, extras.changes);
  return drawn;
}

/** Copies whole rows of logits to the host, since few requests ask for top tokens. */
template <class T>
void ForwardStep<T>::find_tops(DrawnTokens& drawn, const std::vector<Draw>& draws, const std::vector<int32_t>& counts) {
  const size_t vocabulary = static_cast<size_t>(config_.vocab_size);
  std::vector<A> row(vocabulary);
  drawn.tops.resize(draws.size());
  for (size_t i = 0; i < draws.size(); ++i) {
    if (counts[i] == 0 || drawn.choices[i].token < 0) continue;
    ops_.download(row.data(), logits_.data() + i * vocabulary, vocabulary * sizeof(A));
    drawn.tops[i] = top_tokens(row.data(), config_.vocab_size, draws[i], drawn.choices[i], counts[i]);
  }
}

/** Undoes the changes, and replaces the model's log-probabilities of the drawn tokens, which the changes altered. */
template <class T>
void ForwardStep<T>::restore_model(std::vector<Choice>& choices, const std::vector<Draw>& draws,
                                   const std::vector<LogitChange>& changes) {
  ops_.restore_logits(logits_.data());
  if (!statistics_) statistics_ = Buffer<A>(ops_.memory(), 2, "statistics of draws with changed logits");
  int32_t last = -1;
  for (const LogitChange& change : changes) {
    // The changes of a row are adjacent.
    if (change.row == last || choices[change.row].token < 0) continue;
    last = change.row;
    Choice& choice = choices[last];
    const float temperature = draws[last].rule.temperature == 0 ? 1 : draws[last].rule.temperature;
    ops_.upload(indices_.data(), &choice.token, sizeof choice.token);
    ops_.token_statistics({statistics_.data(), statistics_.data() + 1, nullptr},
                          logits_.data() + static_cast<size_t>(last) * config_.vocab_size, indices_.data(),
                          config_.vocab_size, 1, temperature);
    A logprob;
    ops_.download(&logprob, statistics_.data() + 1, sizeof logprob);
    choice.model_logprob = static_cast<float>(logprob);
  }
}

template class ForwardStep<bf16>;
template class ForwardStep<float>;
template class ForwardStep<double>;

}  // namespace palestra
