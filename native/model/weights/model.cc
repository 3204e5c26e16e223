#include "model.h"

#include <algorithm>
#include <cmath>

#include "../../core/failure.h"
#include "random-values.h"

namespace palestra {
namespace {

/** Number of elements copied through main memory at a time. */
constexpr size_t staging = size_t{1} << 20;

bool ends_with(const std::string& name, const std::string& end) {
  return name.size() >= end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0;
}

/** Initial values of a parameter: a constant, or normal values when the deviation is above 0. */
struct Beginning {
  float constant;
  float deviation;
};

Beginning beginning_of(const Parameter& parameter, const ModelConfig& config) {
  if (parameter.name.compare(0, 11, "value_head.") == 0 || ends_with(parameter.name, ".bias")) return {0, 0};
  if (parameter.vector) return {1, 0};
  const bool writes_residual =
      ends_with(parameter.name, "o_proj.weight") || ends_with(parameter.name, "down_proj.weight");
  const float depth = writes_residual ? std::sqrt(2.0f * static_cast<float>(config.num_hidden_layers)) : 1;
  return {0, 0.02f / depth};
}

}  // namespace

template <class T>
Model<T>::Model(Ops<T>& ops, const ModelConfig& config)
    : ops_(ops),
      config_(config),
      parameters_(config),
      arena_(ops, parameters_.arena_size(), "model weights") {}

template <class T>
void Model<T>::initialise(uint64_t seed) {
  std::vector<A> values(staging);
  uint32_t tensor = 0;
  for (const Parameter& parameter : parameters_.all()) {
    const Beginning beginning = beginning_of(parameter, config_);
    const RandomValues random(seed, tensor++);
    for (size_t first = 0; first < parameter.size(); first += staging) {
      const size_t n = std::min(staging, parameter.size() - first);
      for (size_t i = 0; i < n; i += 4) {
        std::array<float, 4> four = {};
        if (beginning.deviation > 0) four = random.normals((first + i) / 4);
        for (size_t j = 0; j < std::min<size_t>(4, n - i); ++j) {
          values[i + j] = beginning.constant + beginning.deviation * four[j];
        }
      }
      ops_.upload(data() + parameter.offset + first, values.data(), n * sizeof(A));
    }
  }
  refresh();
}

template <class T>
void Model<T>::check_finite() const {
  std::vector<A> values(staging);
  for (const Parameter& parameter : parameters_.all()) {
    for (size_t first = 0; first < parameter.size(); first += staging) {
      const size_t n = std::min(staging, parameter.size() - first);
      ops_.download(values.data(), data() + parameter.offset + first, n * sizeof(A));
      const auto end = values.begin() + static_cast<ptrdiff_t>(n);
      const auto found = std::find_if(values.begin(), end, [](A value) { return !std::isfinite(value); });
      if (found == end) continue;
      throw Failure(Code::not_finite, "expected finite values in " + parameter.name + " but received " +
                                          std::to_string(*found) + " at element " +
                                          std::to_string(first + static_cast<size_t>(found - values.begin())));
    }
  }
}

template class Model<bf16>;
template class Model<float>;
template class Model<double>;

}  // namespace palestra
