#pragma once
#include <cstdint>
#include <vector>

namespace palestra {

/** Reference counts of the pages of the key-value store, by page number. */
class PageCounts {
 public:
  explicit PageCounts(int pages);

  int total() const { return static_cast<int>(holders_.size()); }
  int free() const { return static_cast<int>(free_.size()); }
  bool shared(int32_t page) const { return holders_[page] > 1; }

  /** @returns a page with one holder, or -1 when no page is free */
  int32_t take();
  void share(int32_t page) { ++holders_[page]; }
  void give_back(int32_t page);

 private:
  std::vector<int32_t> holders_;
  std::vector<int32_t> free_;
};

/** The pages of one sequence, by position. The list holds each page once and releases it at the end. */
class PageList {
 public:
  explicit PageList(PageCounts& counts) : counts_(counts) {}
  ~PageList() { clear(); }
  PageList(const PageList&) = delete;
  PageList& operator=(const PageList&) = delete;

  const std::vector<int32_t>& numbers() const { return numbers_; }
  int size() const { return static_cast<int>(numbers_.size()); }
  bool shared(int index) const { return counts_.shared(numbers_[index]); }

  /** Returns false when no page is free. */
  bool append();
  /**
   * Replaces a shared page by a free one. @returns the old page, whose content can be copied; -1 when no page is free
   */
  int32_t replace(int index);
  /** Shares the first `count` pages of another list. The list on which this method is called must be empty. */
  void share(const PageList& other, int count);
  void clear();

 private:
  PageCounts& counts_;
  std::vector<int32_t> numbers_;
};

}  // namespace palestra
