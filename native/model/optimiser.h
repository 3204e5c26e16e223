#pragma once
#include <string>
#include <vector>

#include "../ops/ops.h"

namespace palestra {

/** A tensor that is trained. */
template <class T>
struct Trainable {
  std::string name;
  accumulator_t<T>* weights;
  /** The same as activations meet them; null where T is A. */
  T* rounded;
  /** In elements, of its gradients and moments in the optimiser's arenas. */
  size_t offset;
  size_t size;
  /** Whether weight decay pulls at it: matrices, not norms and biases. */
  bool decayed;
};

/** AdamW with a global norm over all that is trained, in bounded blocks for whoever cuts work into jobs. */
template <class T>
class Optimiser {
 public:
  using A = accumulator_t<T>;
  /** @param arena_size elements, the gaps between trainables included */
  Optimiser(Ops<T>& ops, std::vector<Trainable<T>> trainables, size_t arena_size);

  const std::vector<Trainable<T>>& trainables() const { return trainables_; }
  A* gradients() const { return gradients_.data(); }
  A* first_moments() const { return first_.data(); }
  A* second_moments() const { return second_.data(); }
  void zero_gradients() { ops_.zero(gradients_.data(), gradients_.bytes()); }

  int norm_blocks() const;
  /** The sum of the squares of a block of the gradients. */
  double squared_norm(int block) const;
  int update_blocks() const { return static_cast<int>(blocks_.size()); }
  /** Steps a block of the trainables and zeroes its gradients. */
  void update(int block, const AdamW& rule);

  /** Steps that were made, for Adam's bias correction. */
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
