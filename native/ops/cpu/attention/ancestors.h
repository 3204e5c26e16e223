#pragma once
#include <algorithm>
#include <vector>

#include "../../ops.h"

namespace palestra {

/** The rows of each segment's ancestors. */
class Ancestors {
 public:
  /** Reads the segments. Parents precede their children. */
  void read(const Segments& segments) {
    rows_.clear();
    first_.assign(1, 0);
    longest_ = segments.longest;
    any_ = false;
    for (int s = 0; s < segments.count; ++s) {
      const int parent = segments.parents ? segments.parents[s] : -1;
      if (parent >= 0) {
        any_ = true;
        for (size_t i = first_[parent]; i < first_[parent + 1]; ++i) rows_.push_back(rows_[i]);
        for (int32_t row = segments.starts[parent]; row < segments.starts[parent + 1]; ++row) rows_.push_back(row);
      }
      first_.push_back(rows_.size());
      longest_ = std::max(longest_, count(s) + segments.starts[s + 1] - segments.starts[s]);
    }
  }

  /** Number of rows of the segment's ancestors, which is the position of the segment's first row. */
  int count(int segment) const { return static_cast<int>(first_[segment + 1] - first_[segment]); }
  /** Rows of the segment's ancestors, by position: (count). */
  const int32_t* rows(int segment) const { return rows_.data() + first_[segment]; }
  /** Number of rows of the longest sequence: of a segment and its ancestors. */
  int longest() const { return longest_; }
  /** Whether any segment has a parent. */
  bool any() const { return any_; }

 private:
  std::vector<int32_t> rows_;
  std::vector<size_t> first_;
  int longest_ = 0;
  bool any_ = false;
};

/** Copies the columns of the ancestors' rows, followed by those of the segment's own rows, to (rows, width). */
template <class T>
void gather_sequence(T* to, Rows<const T> columns, int width, const Ancestors& ancestors, const Segments& segments,
                     int segment) {
  const auto copy = [&](int32_t row) {
    std::copy(columns[row], columns[row] + width, to);
    to += width;
  };
  for (int i = 0; i < ancestors.count(segment); ++i) copy(ancestors.rows(segment)[i]);
  for (int32_t row = segments.starts[segment]; row < segments.starts[segment + 1]; ++row) copy(row);
}

}  // namespace palestra
