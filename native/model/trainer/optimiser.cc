#include "optimiser.h"

#include <algorithm>

namespace palestra {

template <class T>
Optimiser<T>::Optimiser(Ops<T>& ops, std::vector<Trainable<T>> trainables, size_t arena_size)
    : ops_(ops),
      block_size_(ops.step_elements()),
      trainables_(std::move(trainables)),
      gradients_(ops.memory(), arena_size, "gradients"),
      first_(ops.memory(), arena_size, "optimiser state"),
      second_(ops.memory(), arena_size, "optimiser state") {
  zero_gradients();
  ops.zero(first_.data(), first_.bytes());
  ops.zero(second_.data(), second_.bytes());
  size_t filled = block_size_;
  for (size_t i = 0; i < trainables_.size(); ++i) {
    for (size_t first = 0; first < trainables_[i].size;) {
      if (filled == block_size_) {
        blocks_.emplace_back();
        filled = 0;
      }
      const size_t size = std::min(block_size_ - filled, trainables_[i].size - first);
      blocks_.back().push_back({static_cast<int>(i), first, size});
      first += size;
      filled += size;
    }
  }
}

template <class T>
int Optimiser<T>::norm_blocks() const {
  return static_cast<int>((gradients_.size() + block_size_ - 1) / block_size_);
}

template <class T>
double Optimiser<T>::squared_norm(int block) const {
  const size_t first = block * block_size_;
  return ops_.squared_norm(gradients_.data() + first, std::min(block_size_, gradients_.size() - first));
}

template <class T>
void Optimiser<T>::update(int block, const AdamW& rule) {
  for (const Piece& piece : blocks_[block]) {
    const Trainable<T>& trainable = trainables_[piece.trainable];
    const size_t at = trainable.offset + piece.first;
    AdamW own = rule;
    if (!trainable.decayed) own.weight_decay = 0;
    T* const rounded = trainable.rounded ? trainable.rounded + piece.first : nullptr;
    ops_.adamw(trainable.weights + piece.first, rounded, gradients_.data() + at, first_.data() + at,
               second_.data() + at, piece.size, own);
    ops_.zero(gradients_.data() + at, sizeof(A) * piece.size);
  }
}

template class Optimiser<bf16>;
template class Optimiser<float>;
template class Optimiser<double>;

}  // namespace palestra
