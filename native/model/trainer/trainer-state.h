#pragma once
#include <memory>

#include "../decoder/backward.h"
#include "../decoder/head.h"
#include "activations.h"
#include "optimiser.h"
#include "trainer.h"

namespace palestra {

/** The device memory of a trainer, planned once, so that no pass allocates. */
template <class T>
struct TrainerState {
  using A = accumulator_t<T>;
  TrainerState(Ops<T>& ops, Model<T>& model, const TrainerOptions& options);

  void drop_gradients();
  /** Adds the two gradients of a tied embedding together, before they are used. */
  void fold_embedding_gradients();

  Ops<T>& ops;
  Model<T>& model;
  const TrainerOptions options;
  std::unique_ptr<Adapters<T>> adapters;
  ModelWeights<T> weights;
  Optimiser<T> optimiser;
  /**
   * Gradient of a tied embedding through its look-up, (vocabulary, hidden). This gradient is kept apart from the
   * head's, since a sum of both would depend on which sequences share a pack.
   */
  Buffer<A> embedding_gradients;
  ModelGradients<A> gradients;
  Decoder<T> decoder;
  PackedAttention<T> attention;
  Backward<T> backward;
  Head<T> head;
  Activations<T> activations;
  Buffer<T> x;   // (max tokens, hidden): the residual stream
  Buffer<T> dx;  // its gradient
  Buffer<int32_t> tokens, positions, starts, parents;
  Buffer<uint32_t> sequences;  // (max tokens): a number of each row's sequence up to the row, for dropout
};

}  // namespace palestra
