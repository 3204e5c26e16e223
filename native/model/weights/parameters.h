#pragma once
#include <string>
#include <vector>

#include "config.h"

namespace palestra {

/** One tensor in the flat arena of a model. */
struct Parameter {
  /** Name in Hugging Face's layout: `model.layers.0.self_attn.q_proj.weight`. */
  std::string name;
  /** Number of rows. A vector has 1 row and is written with the shape [columns]. */
  int rows;
  int columns;
  bool vector;
  /** Offset from the start of the arena, in elements. */
  size_t offset;

  size_t size() const { return static_cast<size_t>(rows) * columns; }
};

/**
 * The tensors of a model, in the order of the arena. The projections of queries, keys and values follow each other
 * without a gap, and so do gate and up. From the first projection on, such a group can be read as one matrix.
 */
class ParameterTable {
 public:
  explicit ParameterTable(const ModelConfig& config);

  const std::vector<Parameter>& all() const { return all_; }
  /** @returns null when no parameter has the name */
  const Parameter* find(const std::string& name) const;
  /** Number of elements of the arena, including gaps for alignment. */
  size_t arena_size() const { return arena_size_; }
  /** Number of elements that are parameters. */
  size_t count() const;

 private:
  std::vector<Parameter> all_;
  size_t arena_size_ = 0;
};

}  // namespace palestra
