#include "optimiser.h"

#include <algorithm>

namespace palestra {
namespace {

/** Elements of a job: about ten milliseconds of memory traffic on two cores. */
constexpr size_t block_size = size_t{1} << 22;

}  // namespace

template <class T>
Optimiser<T>::Optimiser(Ops<T>& ops, std::vector<Trainable<A>> trainables, size_t arena_size)
    : ops_(ops),
      trainables_(std::move(trainables)),
      gradients_(ops.memory(), arena_size, "gradients"),
      first_(ops.memory(), arena_size, "optimiser state"),
      second_(ops.memory(), arena_size, "optimiser state") {
  zero_gradients();
  ops.zero(first_.data(), first_.bytes());
  ops.zero(second_.data(), second_.bytes());
  size_t filled = block_size;
  for (size_t i = 0; i < trainables_.size(); ++i) {
    for (size_t first = 0; first < trainables_[i].size;) {
      if (filled == block_size) {
        blocks_.emplace_back();
        filled = 0;
      }
      const size_t size = std::min(block_size - filled, trainables_[i].size - first);
      blocks_.back().push_back({static_cast<int>(i), first, size});
      first += size;
      filled += size;
    }
  }
}

template <class T>
int Optimiser<T>::norm_blocks() const {
  return static_cast<int>((gradients_.size() + block_size - 1) / block_size);
}

template <class T>
double Optimiser<T>::squared_norm(int block) const {
  const size_t first = block * block_size;
  return ops_.squared_norm(gradients_.data() + first, std::min(block_size, gradients_.size() - first));
}

template <class T>
void Optimiser<T>::update(int block, const AdamW& rule) {
  for (const Piece& piece : blocks_[block]) {
    const Trainable<A>& trainable = trainables_[piece.trainable];
    const size_t at = trainable.offset + piece.first;
    AdamW own = rule;
    if (!trainable.decayed) own.weight_decay = 0;
    ops_.adamw(trainable.weights + piece.first, gradients_.data() + at, first_.data() + at, second_.data() + at,
               piece.size, own);
    ops_.zero(gradients_.data() + at, sizeof(A) * piece.size);
  }
}

template class Optimiser<float>;
template class Optimiser<double>;

}  // namespace palestra
