#pragma once
/** The detector's record of memory: the last reads and writes of each byte. */
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace palestra::simt {

/** Kinds of accesses to memory. */
enum class Deed : uint8_t {
  read,
  write,
  /** Reads a row of a matrix, part of which goes to every lane of the warp. */
  load_matrix,
  /** Starts to copy to the memory, until the copy is waited for. */
  copy,
};

struct Access {
  /** Tick of the detector's clock; 0: no access. */
  uint32_t tick = 0;
  uint16_t thread = 0;
  Deed deed = Deed::read;
  /** Whether other threads of the warp made it, too. */
  bool is_by_warp = false;
  /** Address in the kernel's code. */
  const void* place = nullptr;
};

/**
 * The last accesses to a cell. Reads are those since the last write. For several lanes of a warp, the last one is
 * recorded.
 */
struct Cell {
  Access write;
  Access read;
  /** Last read by another warp of the block. */
  Access other_read;
  /** Last read by an earlier block of the launch. */
  Access foreign_read;
};

/**
 * Cells of the memory touched since the last reset. A cell covers 16 bytes, or fewer if accesses to its page are
 * smaller or begin inside a cell, so every access covers whole cells.
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
  /** Shift for cells of the largest size. */
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
