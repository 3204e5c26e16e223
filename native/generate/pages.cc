#include "pages.h"

namespace palestra {

PageCounts::PageCounts(int pages) : holders_(pages, 0) {
  // The free pages are in descending order, so that pages are taken from 0 upwards and neighbors follow each other.
  for (int32_t page = pages; page-- > 0;) free_.push_back(page);
}

int32_t PageCounts::take() {
  if (free_.empty()) return -1;
  const int32_t page = free_.back();
  free_.pop_back();
  holders_[page] = 1;
  return page;
}

void PageCounts::give_back(int32_t page) {
  if (--holders_[page] == 0) free_.push_back(page);
}

bool PageList::append() {
  const int32_t page = counts_.take();
  if (page < 0) return false;
  numbers_.push_back(page);
  return true;
}

int32_t PageList::replace(int index) {
  const int32_t page = counts_.take();
  if (page < 0) return -1;
  const int32_t before = numbers_[index];
  numbers_[index] = page;
  counts_.give_back(before);
  return before;
}

void PageList::share(const PageList& other, int count) {
  numbers_.assign(other.numbers_.begin(), other.numbers_.begin() + count);
  for (int32_t page : numbers_) counts_.share(page);
}

void PageList::clear() {
  while (!numbers_.empty()) {
    counts_.give_back(numbers_.back());
    numbers_.pop_back();
  }
}

}  // namespace palestra
