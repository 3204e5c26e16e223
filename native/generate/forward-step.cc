#include "forward-step.h"

#include <algorithm>

namespace palestra {
namespace {

/** Logits of so many rows exist at a time: the head is read once for them, which is enough to be worth its reading. */
constexpr int most_logits_rows = 64;

}  // namespace

template <class T>
ForwardStep<T>::ForwardStep(Ops<T>& ops, const ModelConfig& config, KeyValueStore<T>& store, int max_rows,
                            int max_sequences, int adapter_rank)
    : ops_(ops),
      config_(config),
      decoder_(ops, config, max_rows, adapter_rank),
      attention_(ops, decoder_.heads(), store),
      logits_rows_(std::min(max_sequences, most_logits_rows)),
      x_(ops.memory(), static_cast<size_t>(max_rows) * config.hidden_size, "hidden states of a step"),
      sampled_(ops.memory(), static_cast<size_t>(logits_rows_) * config.hidden_size, "hidden states that sample"),
      logits_(ops.memory(), static_cast<size_t>(logits_rows_) * config.vocab_size, "logits of a step"),
      scores_(ops.memory(), 2 * static_cast<size_t>(logits_rows_), "log-probabilities of a step"),
      indices_(ops.memory(), logits_rows_, "rows that sample"),
      host_logits_(static_cast<size_t>(logits_rows_) * config.vocab_size) {}

template <class T>
void ForwardStep<T>::PagedAttention::attend(int layer, T* out, Rows<const T> qkv, int) {
  sequences.store = store_.layer(layer);
  ops_.store_keys_values(qkv, heads_, sequences);
  ops_.paged_attention(out, qkv, heads_, sequences);
}

template <class T>
void ForwardStep<T>::run(const ModelWeights<T>& weights, const std::vector<Part>& parts) {
  int rows = 0;
  for (const Part& part : parts) rows += part.rows;
  const int32_t* const tokens = upload_parts(parts, rows);
  decoder_.begin(x_.data(), weights, tokens, tokens + rows, rows);
  for (int layer = 0; layer < config_.num_hidden_layers; ++layer) {
    decoder_.layer(x_.data(), weights.layers[layer], layer, attention_, rows, nullptr);
  }
}

/** tokens (rows), positions (rows), starts (parts + 1), first positions (parts), first pages (parts + 1), pages */
template <class T>
const int32_t* ForwardStep<T>::upload_parts(const std::vector<Part>& parts, int rows) {
  const size_t count = parts.size();
  const size_t starts = 2 * static_cast<size_t>(rows), first_positions = starts + count + 1;
  const size_t first_pages = first_positions + count, pages = first_pages + count + 1;
  staged_.assign(pages, 0);
  int32_t row = 0;
  for (size_t i = 0; i < count; ++i) {
    const Sequence& sequence = *parts[i].sequence;
    for (int j = 0; j < parts[i].rows; ++j, ++row) {
      staged_[row] = sequence.tokens[sequence.stored + j];
      staged_[rows + row] = sequence.stored + j;
    }
    staged_[starts + i + 1] = row;
    staged_[first_positions + i] = sequence.stored;
    const std::vector<int32_t>& numbers = sequence.pages.numbers();
    staged_.insert(staged_.end(), numbers.begin(), numbers.end());
    staged_[first_pages + i + 1] = static_cast<int32_t>(staged_.size() - pages);
  }
  if (integers_.size() < staged_.size()) {
    integers_ = Buffer<int32_t>();
    integers_ = Buffer<int32_t>(ops_.memory(), 2 * staged_.size(), "page tables of a step");
  }
  ops_.upload(integers_.data(), staged_.data(), staged_.size() * sizeof(int32_t));
  const int32_t* const device = integers_.data();
  attention_.sequences = {static_cast<int>(count), device + starts, device + first_positions, device + first_pages,
                          device + pages, nullptr};
  return device;
}

template <class T>
const accumulator_t<T>* ForwardStep<T>::logits(const ModelWeights<T>& weights, const SampledRow* rows, int count) {
  const int hidden = config_.hidden_size, vocabulary = config_.vocab_size;
  std::vector<int32_t> indices;
  for (int i = 0; i < count; ++i) indices.push_back(rows[i].row);
  ops_.upload(indices_.data(), indices.data(), indices.size() * sizeof(int32_t));
  const Rows<T> x{sampled_.data(), hidden};
  const Rows<const T> read{sampled_.data(), hidden};
  ops_.gather_rows(x, {x_.data(), hidden}, indices_.data(), hidden, count);
  ops_.rms_norm(x, nullptr, read, weights.final_norm, hidden, count, config_.rms_norm_eps);
  ops_.logits(logits_.data(), read, weights.head, count);
  ops_.download(host_logits_.data(), logits_.data(), static_cast<size_t>(count) * vocabulary * sizeof(A));
  return host_logits_.data();
}

template <class T>
void ForwardStep<T>::logprobs(A* out, const int32_t* tokens, int first, int count, float temperature) {
  ops_.upload(indices_.data(), tokens, count * sizeof(int32_t));
  const TokenStatistics<A> statistics{scores_.data(), scores_.data() + logits_rows_, nullptr};
  ops_.token_statistics(statistics, logits_.data() + static_cast<size_t>(first) * config_.vocab_size, indices_.data(),
                        config_.vocab_size, count, temperature);
  ops_.download(out, statistics.logprob, count * sizeof(A));
}

template class ForwardStep<float>;

}  // namespace palestra
