#include "packed-weights.h"

namespace palestra {

/** Puts copies one after the other into an arena. If no arena is given, the class only measures the size. */
template <class T>
class PackedWeights<T>::Placement {
 public:
  Placement(Ops<T>& ops, Dtype dtype, char* arena) : ops_(ops), dtype_(dtype), arena_(arena) {}

  Weight matrix(const Weight& master) {
    char* const to = take(ops_.packed_bytes(master.out, master.in, dtype_));
    if (!to) return master;
    return ops_.pack(to, master, dtype_);
  }
  const T* vector(const T* master, int size) {
    if (!master) return nullptr;
    char* const to = take(size * sizeof(T));
    if (!to) return master;
    ops_.copy(to, master, size * sizeof(T));
    return reinterpret_cast<const T*>(to);
  }
  Linear<T> linear(const Linear<T>& master) {
    Linear<T> result{matrix(master.weight), vector(master.bias, master.weight.out), {}};
    for (const LoraWeight& adapter : master.adapters) {
      result.adapters.push_back({matrix(adapter.a), matrix(adapter.b), adapter.first_column, adapter.scale});
    }
    return result;
  }
  size_t bytes() const { return used_; }

 private:
  char* take(size_t bytes) {
    const size_t at = used_;
    used_ += (bytes + Memory::alignment - 1) / Memory::alignment * Memory::alignment;
    return arena_ ? arena_ + at : nullptr;
  }

  Ops<T>& ops_;
  const Dtype dtype_;
  char* const arena_;
  size_t used_ = 0;
};

template <class T>
ModelWeights<T> PackedWeights<T>::place(const ModelWeights<T>& master, Placement& placement) const {
  const int hidden = config_.hidden_size;
  ModelWeights<T> result;
  result.embedding = placement.matrix(master.embedding);
  for (const LayerWeights<T>& layer : master.layers) {
    LayerWeights<T> own;
    own.attention_norm = placement.vector(layer.attention_norm, hidden);
    own.qkv = placement.linear(layer.qkv);
    own.query_norm = placement.vector(layer.query_norm, config_.head_dim);
    own.key_norm = placement.vector(layer.key_norm, config_.head_dim);
    own.attention_out = placement.linear(layer.attention_out);
    own.mlp_norm = placement.vector(layer.mlp_norm, hidden);
    own.gate_up = placement.linear(layer.gate_up);
    own.down = placement.linear(layer.down);
    result.layers.push_back(std::move(own));
  }
  result.final_norm = placement.vector(master.final_norm, hidden);
  result.head = config_.tie_word_embeddings ? result.embedding : placement.matrix(master.head);
  return result;
}

template <class T>
void PackedWeights<T>::copy(const ModelWeights<T>& master) {
  if (arenas_.empty()) {
    Placement measure(ops_, dtype_, nullptr);
    place(master, measure);
    for (int i = 0; i < (ops_.records() ? 2 : 1); ++i) {
      arenas_.emplace_back(ops_.memory(), measure.bytes(), "packed weights");
    }
  }
  const size_t next = (current_ + 1) % arenas_.size();
  Placement placement(ops_, dtype_, arenas_[next].data());
  weights_ = place(master, placement);
  current_ = next;
}

template class PackedWeights<bf16>;
template class PackedWeights<float>;
template class PackedWeights<double>;

}  // namespace palestra
