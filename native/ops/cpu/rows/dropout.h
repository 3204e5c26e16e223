#pragma once
#include <algorithm>

#include "../../../core/philox.h"
#include "../../ops.h"

namespace palestra {

/** One row of `Ops::drop`. */
template <class T>
void drop_row(T* y, const T* x, const Dropout& dropout, int64_t row, int width, Into into) {
  const T scale = 1 / (1 - static_cast<T>(dropout.rate));
  const auto position = static_cast<uint32_t>(dropout.positions[row]);
  for (int first = 0; first < width; first += 4) {
    const auto words = philox({static_cast<uint32_t>(first / 4), position, dropout.sequences[row], dropout.map},
                              {dropout.key[0], dropout.key[1]});
    for (int i = first; i < std::min(first + 4, width); ++i) {
      const T kept = uniform(words[i - first]) < dropout.rate ? 0 : x[i] * scale;
      y[i] = into == Into::add ? y[i] + kept : kept;
    }
  }
}

}  // namespace palestra
