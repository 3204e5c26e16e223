#pragma once
#include <algorithm>
#include <vector>

#include "../../model/weights/random-values.h"
#include "../../ops/ops.h"

namespace palestra {

/** Makes operands for timing: random values of both signs, because zeros multiply faster than a model's values. */
template <class T>
class Operands {
 public:
  explicit Operands(Ops<T>& ops) : ops_(ops), block_(ops.memory(), block_size, "a bench") {
    const RandomValues random(1, 0);
    std::vector<float> values;
    for (size_t i = 0; i < block_size / 4; ++i) {
      for (const float value : random.uniforms(i)) values.push_back(2 * value - 1);
    }
    ops_.upload(block_.data(), values.data(), block_.bytes());
  }

  Ops<T>& ops() const { return ops_; }

  Buffer<T> activations(size_t n) {
    return filled<T>(n, [&](T* to, size_t count) { ops_.round(to, block_.data(), count); });
  }
  Buffer<float> sums(size_t n) {
    return filled<float>(n, [&](float* to, size_t count) { ops_.copy(to, block_.data(), count * sizeof(float)); });
  }
  /** Returns integers in [0, below), with neighbors far apart. */
  Buffer<int32_t> integers(int n, int below) {
    std::vector<int32_t> values(n);
    for (int i = 0; i < n; ++i) values[i] = static_cast<int32_t>(int64_t{i} * 7919 % below);
    return uploaded(values);
  }
  /** Returns the starts of segments of `length` rows. The last segment may be shorter. */
  Buffer<int32_t> starts(int rows, int length) {
    std::vector<int32_t> values;
    for (int64_t row = 0; row < rows; row += length) values.push_back(static_cast<int32_t>(row));
    values.push_back(rows);
    return uploaded(values);
  }

  /** Waits for all queued work. */
  void wait() {
    float last;
    ops_.download(&last, block_.data(), sizeof last);
  }

 private:
  static constexpr size_t block_size = size_t{1} << 18;

  template <class Value, class Fill>
  Buffer<Value> filled(size_t n, Fill&& fill) {
    Buffer<Value> result(ops_.memory(), n, "a bench");
    for (size_t at = 0; at < n; at += block_size) fill(result.data() + at, std::min(block_size, n - at));
    return result;
  }
  Buffer<int32_t> uploaded(const std::vector<int32_t>& values) {
    Buffer<int32_t> result(ops_.memory(), values.size(), "a bench");
    ops_.upload(result.data(), values.data(), result.bytes());
    return result;
  }

  Ops<T>& ops_;
  Buffer<float> block_;
};

}  // namespace palestra
