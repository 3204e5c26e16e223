#pragma once
/** What a race detector remembers of memory: who read and wrote each byte last. */
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace palestra::simt {

/** What a thread does with memory. */
enum class Deed : uint8_t {
  read,
  write,
  /** As a row of a matrix that all lanes of its warp get a part of. */
  load_matrix,
  /** Begins to copy to it, which goes on until the copy is waited for. */
  copy,
};

struct Access {
  /** Of the detector's clock; 0: there was none. */
  uint32_t tick = 0;
  uint16_t thread = 0;
  Deed deed = Deed::read;
  /** Not by the thread alone, but by others of its warp, too. */
  bool is_by_warp = false;
  /** In the kernel's code. */
  const void* place = nullptr;
};

/** Reads since the last write. Of several lanes of a warp the last one stands for all. */
struct Cell {
  Access write;
  Access read;
  /** By another warp of the block that read last. */
  Access other_read;
  /** By an earlier block of the launch. */
  Access foreign_read;
};

/**
 * Cells of the memory that was touched since it last forgot. A cell stands for 16 bytes, and for fewer where accesses
 * to its page are smaller or begin in between: so no access is to a part of a cell.
 */
class ShadowMemory {
 public:
  /** Calls `visit(cell, address)` for all cells of those bytes. */
  template <class Visit>
  void each(const void* data, size_t bytes, const Visit& visit) {
    for (auto at = reinterpret_cast<uintptr_t>(data), end = at + bytes; at < end;) {
      Page& page = page_of(at / page_bytes);
      const size_t first = at % page_bytes, rest = end - at;
      const size_t last = rest < page_bytes - first ? first + rest : page_bytes;
      while ((first | last) & (page.cell_bytes() - 1)) halve(page);
      Cell* cell = page.cells.data() + (first >> page.cell_shift);
      for (size_t i = first; i < last; i += page.cell_bytes()) visit(*cell++, at - first + i);
      at += last - first;
    }
  }

  void forget();

 private:
  static constexpr size_t page_bytes = 1024, recent_pages = 1024;
  /** Of cells as large as they may be. */
  static constexpr int first_shift = 4;

  struct Page {
    uintptr_t number;
    int cell_shift;
    std::vector<Cell> cells;

    size_t cell_bytes() const { return size_t{1} << cell_shift; }
  };

  Page& page_of(uintptr_t number) {
    Page*& recent = recent_[number % recent_pages];
    if (!recent || recent->number != number) recent = &find_page(number);
    return *recent;
  }
  Page& find_page(uintptr_t number);
  static void halve(Page& page);

  std::unordered_map<uintptr_t, std::unique_ptr<Page>> pages_;
  std::vector<std::unique_ptr<Page>> unused_;
  std::vector<Page*> recent_ = std::vector<Page*>(recent_pages);
};

}  // namespace palestra::simt
