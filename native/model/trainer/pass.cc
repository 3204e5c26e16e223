#include "pass.h"

#include <algorithm>

#include "../../core/philox.h"
#include "pack.h"

namespace palestra {

template <class T>
Pass<T>::Pass(TrainerState<T>& state, Pack pack, float temperature, bool trained, Done done)
    : JobList(state.ops, std::move(done)),
      state_(state),
      pack_(std::move(pack)),
      temperature_(temperature),
      trained_(trained),
      attention_(state.attention) {
  check_pack(pack_, state.model.config(), state.options.max_tokens);
  scored_ = scored_tokens(pack_);
}

template <class T>
void Pass<T>::finish(std::exception_ptr failure) noexcept {
  if (failure && trained_) state_.drop_gradients();
  JobList::finish(failure);
}

template <class T>
void Pass<T>::add_forward_jobs() {
  for (int32_t token : scored_) {
    rows_.push_back(token - 1);
    targets_.push_back(pack_.tokens[token]);
  }
  if (scored_.empty()) return;
  this->then([this] { begin(); });
  for (int i = 0; i < state_.model.config().num_hidden_layers; ++i) {
    this->then([this, i] { forward_layer(i); });
  }
}

template <class T>
void Pass<T>::add_head_jobs(bool with_entropy,
                            std::function<void(int first, const std::vector<TokenScore>& scores)> use) {
  const int count = static_cast<int>(scored_.size()), each = state_.head.chunk_rows();
  for (int first = 0; first < count; first += each) {
    const int rows = std::min(each, count - first);
    this->then([this, with_entropy, first, rows] {
      state_.head.score(state_.x.data(), state_.weights, {rows_.data() + first, targets_.data() + first, rows},
                        temperature_, with_entropy);
    });
    this->then_await([this, use, first, rows] {
      scores_.resize(rows);
      state_.head.scores(scores_.data());
      use(first, scores_);
    });
  }
}

template <class T>
void Pass<T>::add_backward_jobs() {
  if (scored_.empty()) return;
  const ModelConfig& config = state_.model.config();
  for (int i = config.num_hidden_layers - 1; i >= 0; --i) {
    this->then([this, i] { backward_layer(i); });
  }
  if (!state_.gradients.embedding) return;
  this->then([this, &config] {
    state_.ops.embed_gradient(state_.gradients.embedding, {state_.dx.data(), config.hidden_size}, state_.tokens.data(),
                              config.vocab_size, config.hidden_size, static_cast<int>(pack_.tokens.size()));
  });
}

template <class T>
void Pass<T>::head_gradient(const std::vector<TokenGradient>& gradients) {
  state_.head.gradient(state_.dx.data(), state_.weights, state_.gradients, gradients.data());
}

template <class T>
void Pass<T>::begin() {
  Ops<T>& ops = state_.ops;
  const int rows = static_cast<int>(pack_.tokens.size());
  const std::vector<int32_t> positions = positions_of(pack_);
  ops.upload(state_.tokens.data(), pack_.tokens.data(), sizeof(int32_t) * rows);
  ops.upload(state_.positions.data(), positions.data(), sizeof(int32_t) * rows);
  ops.upload(state_.starts.data(), pack_.starts.data(), sizeof(int32_t) * pack_.starts.size());
  const bool shares = !pack_.parents.empty();
  if (shares) ops.upload(state_.parents.data(), pack_.parents.data(), sizeof(int32_t) * pack_.parents.size());
  attention_.begin({static_cast<int>(pack_.starts.size()) - 1, rows, longest_sequence(pack_), state_.starts.data(),
                    shares ? state_.parents.data() : nullptr},
                   pack_.starts, pack_.parents, state_.options.max_tokens);
  state_.decoder.begin(state_.x.data(), state_.weights, state_.tokens.data(), state_.positions.data(), rows, dropout());
  // The head adds to the rows that it scored. All other rows have no gradient from above.
  if (trained_) ops.zero(state_.dx.data(), sizeof(T) * rows * state_.model.config().hidden_size);
}

template <class T>
Dropout Pass<T>::dropout() const {
  const LoraConfig& lora = state_.options.lora;
  if (!trained_ || lora.rank == 0 || lora.dropout == 0) return {};
  const std::vector<uint32_t> sequences = sequence_numbers(pack_);
  state_.ops.upload(state_.sequences.data(), sequences.data(), sizeof(uint32_t) * sequences.size());
  // A resumed run counts on from the steps of its checkpoint.
  const auto step = static_cast<uint64_t>(state_.optimiser.steps);
  const auto key = philox({static_cast<uint32_t>(step), static_cast<uint32_t>(step >> 32), 0, 1},
                          {static_cast<uint32_t>(lora.seed), static_cast<uint32_t>(lora.seed >> 32)});
  return {lora.dropout, {key[0], key[1]}, 0, state_.sequences.data(), state_.positions.data()};
}

template <class T>
void Pass<T>::forward_layer(int index) {
  const LayerActivations<T> kept = trained_ ? state_.activations.layer(index) : LayerActivations<T>{};
  attention_.log_sum = kept.log_sum;
  state_.decoder.layer(state_.x.data(), state_.weights.layers[index], index, attention_, attention_.rows(), &kept);
}

template <class T>
void Pass<T>::backward_layer(int index) {
  const LayerActivations<T> kept = state_.activations.layer(index);
  const LayerWeights<T>& weights = state_.weights.layers[index];
  if (!state_.activations.complete(index)) {
    attention_.log_sum = kept.log_sum;
    state_.decoder.recompute(kept, weights, index, attention_, attention_.rows());
  }
  state_.backward.layer(state_.dx.data(), kept, weights, state_.gradients.layers[index], attention_);
}

template class Pass<bf16>;
template class Pass<float>;
template class Pass<double>;

}  // namespace palestra
