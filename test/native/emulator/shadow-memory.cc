#include "shadow-memory.h"

#include <algorithm>

namespace palestra::simt {

void ShadowMemory::forget() {
  for (auto& [number, page] : pages_) unused_.push_back(std::move(page));
  pages_.clear();
  std::fill(recent_.begin(), recent_.end(), nullptr);
}

ShadowMemory::Page& ShadowMemory::find_page(uintptr_t number) {
  std::unique_ptr<Page>& page = pages_[number];
  if (page) return *page;
  if (unused_.empty()) {
    page = std::make_unique<Page>();
  } else {
    page = std::move(unused_.back());
    unused_.pop_back();
  }
  page->number = number;
  page->cell_shift = first_shift;
  page->cells.assign(page_bytes >> first_shift, Cell{});
  return *page;
}

void ShadowMemory::halve(Page& page) {
  --page.cell_shift;
  page.cells.resize(page_bytes >> page.cell_shift);
  for (size_t i = page.cells.size(); i-- > 0;) page.cells[i] = page.cells[i / 2];
}

}  // namespace palestra::simt
