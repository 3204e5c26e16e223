#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "../numbers.h"
#include "core/fp8.h"
#include "emulator/emulated-launcher.h"
#include "host-stream.h"
#include "ops/cuda/paged-attention/paged-attention.h"
#include "ops/cuda/paged-attention/paged-batch.h"

namespace palestra::test {

/** Memory for `count` of T, aligned like a device's, and initially NaN. */
template <class T>
class Array {
 public:
  explicit Array(size_t count) : values_(count + 64) {
    std::memset(static_cast<void*>(values_.data()), 0xff, values_.size() * sizeof(T));
  }
  T* data() {
    return reinterpret_cast<T*>((reinterpret_cast<uintptr_t>(values_.data()) + 63) / 64 * 64);
  }
  T& operator[](size_t i) { return data()[i]; }

 private:
  std::vector<T> values_;
};

template <class T>
Array<T> random_array(size_t count, std::mt19937& random, double scale = 1) {
  std::normal_distribution<double> normal(0, scale);
  Array<T> made(count);
  for (size_t i = 0; i < count; ++i) made[i] = rounded_to<T>(normal(random));
  return made;
}

/** (rows, head_size), as `Ops::rotary_turns` computes them. */
inline Array<float> turns_of(const std::vector<int>& positions, int size) {
  Array<float> turns(positions.size() * size);
  for (size_t row = 0; row < positions.size(); ++row) {
    for (int d = 0; d < size / 2; ++d) {
      const double angle = positions[row] * std::pow(10000.0, -2.0 * d / size);
      turns[row * size + d] = static_cast<float>(std::cos(angle));
      turns[row * size + size / 2 + d] = static_cast<float>(std::sin(angle));
    }
  }
  return turns;
}

/** A sequence of a step: a number of rows behind the stored positions. */
struct Part {
  int stored;
  int rows;
  std::vector<int32_t> pages;
};

/** The parts of a step, in the form of `PagedBatch::begin`. */
struct Step {
  std::vector<Part> parts;
  std::vector<int32_t> starts{0}, first_positions, first_pages{0}, pages;

  explicit Step(std::vector<Part> all) : parts(std::move(all)) {
    for (const Part& part : parts) {
      starts.push_back(starts.back() + part.rows);
      first_positions.push_back(part.stored);
      pages.insert(pages.end(), part.pages.begin(), part.pages.end());
      first_pages.push_back(static_cast<int32_t>(pages.size()));
    }
  }
  int rows() const { return starts.back(); }
  PagedSequences sequences() const {
    return {static_cast<int>(parts.size()), starts.data(), first_positions.data(), first_pages.data(), pages.data()};
  }
};

/** A layer's store on the host: the bytes that kernels read, and the numbers that they stand for. */
template <class T>
class Store {
 public:
  Store(const Heads& heads, KeyValueFormat format, int pages)
      : heads_(heads),
        layout_{heads.size, format == KeyValueFormat::fp8 ? 1 : static_cast<int>(sizeof(T))},
        pages_(pages),
        page_bytes_(cuda::paged_bytes<T>(heads, format)),
        bytes_(pages * page_bytes_),
        numbers_(static_cast<size_t>(pages) * page_positions * heads.kv * 2 * heads.size,
                 std::numeric_limits<double>::quiet_NaN()) {}

  void* data() { return bytes_.data(); }
  /** Returns a key, or a value if `which` is 1. */
  double* vector(int page, int place, int kv_head, int which) {
    return &numbers_[(((static_cast<size_t>(page) * page_positions + place) * heads_.kv + kv_head) * 2 + which) *
                     heads_.size];
  }
  /** Writes random keys and values of all kv heads at a position of a page. */
  void fill(int page, int place, std::mt19937& random) {
    std::normal_distribution<double> normal;
    for (int kv_head = 0; kv_head < heads_.kv; ++kv_head) {
      for (int which = 0; which < 2; ++which) {
        std::vector<T> values(heads_.size);
        for (T& value : values) value = rounded_to<T>(normal(random));
        put(page, place, kv_head, which, values);
      }
    }
  }
  void put(int page, int place, int kv_head, int which, const std::vector<T>& values) {
    char* const part = reinterpret_cast<char*>(bytes_.data()) + page * page_bytes_ + kv_head * layout_.head_bytes();
    char* const to = part + (which ? layout_.values() : 0) + place * layout_.row_bytes();
    double* const meant = vector(page, place, kv_head, which);
    if (!layout_.is_scaled()) {
      std::memcpy(to, values.data(), values.size() * sizeof(T));
      for (int d = 0; d < heads_.size; ++d) meant[d] = widened(values[d]);
      return;
    }
    double largest = 0;
    for (T value : values) largest = std::max(largest, std::abs(widened(value)));
    const float scale = static_cast<float>(largest) / largest_fp8;
    std::memcpy(part + (which ? layout_.value_scales() : layout_.key_scales()) + 4 * place, &scale, sizeof scale);
    for (int d = 0; d < heads_.size; ++d) {
      const uint8_t coded = to_fp8(static_cast<float>(widened(values[d])) / scale);
      std::memcpy(to + d, &coded, 1);
      meant[d] = static_cast<double>(from_fp8(coded)) * scale;
    }
  }
  /** Copies a whole page, both bytes and numbers. */
  void copy_page(int to, int from) {
    auto* const base = reinterpret_cast<char*>(bytes_.data());
    std::memcpy(base + to * page_bytes_, base + from * page_bytes_, page_bytes_);
    const size_t each = numbers_.size() / pages();
    std::copy_n(numbers_.begin() + from * each, each, numbers_.begin() + to * each);
  }
  /** Returns the numbers that kernels have written there. */
  std::vector<double> read(int page, int place, int kv_head, int which) {
    const char* const part =
        reinterpret_cast<const char*>(bytes_.data()) + page * page_bytes_ + kv_head * layout_.head_bytes();
    const char* const from = part + (which ? layout_.values() : 0) + place * layout_.row_bytes();
    std::vector<double> values(heads_.size);
    for (int d = 0; d < heads_.size; ++d) {
      if (layout_.is_scaled()) {
        float scale;
        std::memcpy(&scale, part + (which ? layout_.value_scales() : layout_.key_scales()) + 4 * place, sizeof scale);
        values[d] = static_cast<double>(from_fp8(static_cast<uint8_t>(from[d]))) * scale;
      } else {
        T value;
        std::memcpy(&value, from + d * sizeof(T), sizeof value);
        values[d] = widened(value);
      }
    }
    return values;
  }
  int pages() const { return pages_; }
  size_t page_bytes() const { return page_bytes_; }
  const std::vector<double>& numbers() const { return numbers_; }

 private:
  const Heads heads_;
  const cuda::PageLayout layout_;
  const int pages_;
  const size_t page_bytes_;
  Array<unsigned char> bytes_;
  std::vector<double> numbers_;
};

/** softmax(q k^T / sqrt(size)) v over the numbers of a store, by definition: (rows, query heads * size). */
template <class T>
std::vector<double> reference_attention(const Heads& heads, Store<T>& store, const Step& step, Rows<const T> qkv) {
  std::vector<double> out;
  for (size_t s = 0; s < step.parts.size(); ++s) {
    const Part& part = step.parts[s];
    for (int i = 0; i < part.rows; ++i) {
      const T* const row = qkv[step.starts[s] + i];
      for (int head = 0; head < heads.query; ++head) {
        const int kv_head = head / (heads.query / heads.kv), keys = part.stored + i + 1;
        std::vector<double> scores(keys), sums(heads.size);
        const auto find = [&](int key, int which) {
          return store.vector(part.pages[key / page_positions], key % page_positions, kv_head, which);
        };
        for (int key = 0; key < keys; ++key) {
          for (int d = 0; d < heads.size; ++d) scores[key] += widened(row[head * heads.size + d]) * find(key, 0)[d];
          scores[key] /= std::sqrt(heads.size);
        }
        const double top = *std::max_element(scores.begin(), scores.end());
        double total = 0;
        for (int key = 0; key < keys; ++key) {
          const double weight = std::exp(scores[key] - top);
          total += weight;
          for (int d = 0; d < heads.size; ++d) sums[d] += weight * find(key, 1)[d];
        }
        for (double sum : sums) out.push_back(sum / total);
      }
    }
  }
  return out;
}

}  // namespace palestra::test
