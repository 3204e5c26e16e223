#pragma once
#include <string>
#include <vector>

#include "../../ops/ops.h"

namespace palestra {

/** A trained tensor. */
template <class T>
struct Trainable {
  std::string name;
  accumulator_t<T>* weights;
  /** The same weights in the type of the activations. Null where T is A. */
  T* rounded;
  /** Offset, in elements, of the tensor's gradients and moments in the optimizer's arenas. */
  size_t offset;
  size_t size;
  /** Whether weight decay applies: true for matrices, false for norms and biases. */
  bool decayed;
};

/** AdamW with a global norm over all trained tensors, in bounded blocks that can be separate jobs. */
template <class T>
class Optimiser {
 public:
  using A = accumulator_t<T>;
  /** @param arena_size number of elements, including the gaps between trained tensors */
  Optimiser(Ops<T>& ops, std::vector<Trainable<T>> trainables, size_t arena_size);

  const std::vector<Trainable<T>>& trainables() const { return trainables_; }
  A* gradients() const { return gradients_.data(); }
  A* first_moments() const { return first_.data(); }
  A* second_moments() const { return second_.data(); }
  void zero_gradients() { ops_.zero(gradients_.data(), gradients_.bytes()); }

  int norm_blocks() const;
  /** Returns the sum of the squares of a block of the gradients. */
  double squared_norm(int block) const;
  int update_blocks() const { return static_cast<int>(blocks_.size()); }
  /** Updates one block of the weights and zeroes its gradients. */
  void update(int block, const AdamW& rule);

  /** Number of steps so far, for Adam's bias correction. */
  int64_t steps = 0;

 private:
  struct Piece {
    int trainable;
    size_t first;
    size_t size;
  };

  Ops<T>& ops_;
  const size_t block_size_;
  std::vector<Trainable<T>> trainables_;
  std::vector<std::vector<Piece>> blocks_;
  Buffer<A> gradients_;
  Buffer<A> first_;
  Buffer<A> second_;
};

}  // namespace palestra
