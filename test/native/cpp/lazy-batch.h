#pragma once
#include <algorithm>

#include "lazy-queue.h"
#include "ops/ops.h"

namespace palestra::test {

/** The sequences of a step; the queue passes them to the CPU's own batch when their turn comes. */
class LazyBatch final : public PagedBatch {
 public:
  LazyBatch(LazyQueue& queue, std::unique_ptr<PagedBatch> inner) : queue_(queue), inner_(std::move(inner)) {}
  void begin(const PagedSequences& given, int rows) override {
    struct Arrays {
      std::vector<int32_t> starts, first_positions, first_pages, pages;
    };
    const int count = given.count;
    const auto own = std::make_shared<Arrays>(
        Arrays{{given.starts, given.starts + count + 1},
               {given.first_positions, given.first_positions + count},
               {given.first_pages, given.first_pages + count + 1},
               {given.pages, given.pages + given.first_pages[count]}});
    int longest = 0;
    for (int position : own->first_positions) longest = std::max(longest, position);
    shape_ = static_cast<uint64_t>(longest / 64);
    queue_.ask([this, own, count, rows] {
      inner_->begin({count, own->starts.data(), own->first_positions.data(), own->first_pages.data(),
                     own->pages.data()},
                    rows);
      rows_ = own->starts[count];
    });
  }
  uint64_t shape() const override { return shape_; }
  const PagedBatch* inner() const { return inner_.get(); }
  /** Number of rows of the sequences. */
  int rows() const { return rows_; }

 private:
  LazyQueue& queue_;
  std::unique_ptr<PagedBatch> inner_;
  uint64_t shape_ = 0;
  int rows_ = 0;
};

}  // namespace palestra::test
