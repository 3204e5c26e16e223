#pragma once
#include <vector>

#include "../../ops.h"

namespace palestra {

/** The sequences of a step on a CPU, held as copies of their arrays. */
class CpuPagedBatch final : public PagedBatch {
 public:
  void begin(const PagedSequences& sequences, int rows) override {
    const int count = sequences.count;
    starts_.assign(sequences.starts, sequences.starts + count + 1);
    first_positions_.assign(sequences.first_positions, sequences.first_positions + count);
    first_pages_.assign(sequences.first_pages, sequences.first_pages + count + 1);
    pages_.assign(sequences.pages, sequences.pages + first_pages_.back());
    rows_ = rows;
  }
  uint64_t shape() const override { return static_cast<uint64_t>(rows_); }
  PagedSequences sequences() const {
    return {static_cast<int>(first_positions_.size()), starts_.data(), first_positions_.data(), first_pages_.data(),
            pages_.data()};
  }

 private:
  std::vector<int32_t> starts_, first_positions_, first_pages_, pages_;
  int rows_ = 0;
};

}  // namespace palestra
