#pragma once
#include <algorithm>
#include <limits>
#include <string>

#include "../core/failure.h"
#include "../model/weights/config.h"
#include "../ops/ops.h"

namespace palestra {

/** The memory of the pages. Each page has a place in every layer's part. */
template <class T>
class KeyValueStore {
 public:
  /** Makes as many pages as fit into `bytes`, but at most `most`. */
  KeyValueStore(Ops<T>& ops, const ModelConfig& config, KeyValueFormat format, size_t bytes, size_t most)
      : ops_(ops),
        layers_(config.num_hidden_layers),
        page_bytes_(ops.page_bytes({config.num_attention_heads, config.num_key_value_heads, config.head_dim}, format)),
        pages_(static_cast<int>(std::min({most, bytes / (layers_ * page_bytes_), most_numbers}))) {
    if (pages_ < 1) {
      throw Failure(Code::invalid_argument, "expected kv_bytes for at least one page of keys and values (" +
                                                std::to_string(layers_ * page_bytes_) + ") but received " +
                                                std::to_string(bytes));
    }
    data_ = Buffer<char>(ops.memory(), layers_ * pages_ * page_bytes_, "key-value pages");
  }

  int pages() const { return pages_; }
  char* layer(int index) const { return data_.data() + static_cast<size_t>(index) * pages_ * page_bytes_; }
  void copy_page(int32_t to, int32_t from) {
    for (int index = 0; index < static_cast<int>(layers_); ++index) {
      ops_.copy(layer(index) + to * page_bytes_, layer(index) + from * page_bytes_, page_bytes_);
    }
  }

 private:
  static constexpr size_t most_numbers = std::numeric_limits<int32_t>::max();

  Ops<T>& ops_;
  const size_t layers_;
  const size_t page_bytes_;  // per layer
  const int pages_;
  Buffer<char> data_;
};

}  // namespace palestra
