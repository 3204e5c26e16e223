#include "paged-plan.h"

#include <algorithm>
#include <cstring>

namespace palestra::cuda {
namespace {

static_assert(positions_of_page == page_positions, "kernels and the op table mean the same pages");

int divide_up(int a, int b) { return (a + b - 1) / b; }

int rows_of(const PagedSequences& sequences, int s) { return sequences.starts[s + 1] - sequences.starts[s]; }

/** Returns the number of positions of a sequence, including those of its rows. */
int length_of(const PagedSequences& sequences, int s) { return sequences.first_positions[s] + rows_of(sequences, s); }

/** Returns the number of chunks before the sequence's rows. Earlier steps have written the content of these chunks. */
int finished_chunks(const PagedSequences& sequences, int s) { return sequences.first_positions[s] / chunk_positions; }

int first_word(const PagedSequences& sequences, int s) { return sequences.first_pages[s] - sequences.first_pages[0]; }

/** Returns a power of two that is at least twice the number of keys. */
size_t hash_slots(int keys) {
  size_t slots = 16;
  while (slots < 2 * static_cast<size_t>(keys)) slots *= 2;
  return slots;
}

uint32_t hash(int32_t page) { return (static_cast<uint32_t>(page) * 0x9e3779b1u) >> 7; }

}  // namespace

PlanLimits PlanLimits::of(const PagedLimits& limits, const Heads& heads, bool has_items, int partials) {
  const int64_t queries = int64_t{limits.rows} * (heads.query / heads.kv);
  // A split item has at least one partial result. Of the items that are not split, one per sequence may be partly
  // filled.
  const int items = has_items ? partials + limits.sequences + static_cast<int>(queries / block_queries) : 0;
  const int pages = limits.sequences * divide_up(limits.positions, page_positions);
  return {limits.sequences, limits.rows, partials, items, pages,
          PagedPlan::items_offset(limits.rows) + items * sizeof(PlanItem) +
              (static_cast<size_t>(pages) + partials) * sizeof(int32_t)};
}

PagedPlan::PagedPlan(const PlanLimits& limits, const Heads& heads)
    : limits_(limits),
      kv_heads_(heads.kv),
      group_(heads.query / heads.kv),
      bytes_(limits.bytes),
      slots_(hash_slots(limits.sequences), {0, 0}) {
  wide_.reserve(limits.items);
  lists_.reserve(limits.partials);
  for (auto* sequences : {&sharing_, &still_sharing_}) sequences->reserve(limits.sequences);
  groups_.reserve(limits.sequences);
  members_.reserve(limits.sequences);
}

void PagedPlan::make(const PagedSequences& sequences, int rows) {
  narrow_ = 0;
  wide_.clear();
  lists_.clear();
  partials_ = 0;
  pages_ = first_word(sequences, sequences.count);
  plan_rows(sequences, rows);
  if (limits_.items > 0) plan_items(sequences);
  finish(sequences);
}

void PagedPlan::plan_rows(const PagedSequences& sequences, int rows) {
  PlanRow* const all = this->rows();
  for (int s = 0; s < sequences.count; ++s) {
    const int32_t* const pages = sequences.pages + sequences.first_pages[s];
    int position = sequences.first_positions[s];
    for (int row = sequences.starts[s]; row < sequences.starts[s + 1]; ++row, ++position) {
      const int32_t page = pages[position / page_positions];
      all[row] = {page * page_positions + position % page_positions, position, -1, first_word(sequences, s)};
    }
  }
  std::fill(all + sequences.starts[sequences.count], all + rows, PlanRow{-1, -1, -1, 0});
}

/**
 * Items are added in descending order. The last items have the most keys, and items that begin first do not end last.
 */
inline void PagedPlan::add(const PlanItem& all, int rows) {
  const int queries = rows * group_, last_query = (queries - 1) / block_queries * block_queries;
  for (int first = last_query; first >= 0; first -= block_queries) {
    PlanItem item = all;
    item.first_query = first;
    item.queries = std::min(block_queries, queries - first);
    if (!item.is_list) item.keys -= rows - 1 - (first + item.queries - 1) / group_;
    const bool is_one_chunk = item.chunk >= 0 || item.keys <= chunk_positions;
    if (is_one_chunk && item.queries <= warp_queries) {
      items()[narrow_++] = item;
    } else {
      wide_.push_back(item);
    }
  }
}

/** Whether a sequence's rows get partial results: few rows over more than one chunk. */
bool PagedPlan::take_partials(const PagedSequences& sequences, int s) {
  const int count = rows_of(sequences, s), most_chunks = divide_up(length_of(sequences, s), chunk_positions);
  if (most_chunks < 2 || count * group_ > block_queries) return false;
  if (most_chunks * count > limits_.partials - partials_) return false;
  PlanRow* const all = rows();
  for (int row = sequences.starts[s]; row < sequences.starts[s + 1]; ++row) {
    all[row].partial = partials_;
    partials_ += all[row].position / chunk_positions + 1;
  }
  return true;
}

void PagedPlan::plan_items(const PagedSequences& sequences) {
  sharing_.clear();
  for (int s = 0; s < sequences.count; ++s) {
    if (rows_of(sequences, s) == 0) continue;
    if (!take_partials(sequences, s)) {
      add({sequences.starts[s], false, 0, 0, -1, length_of(sequences, s), first_word(sequences, s), 0},
          rows_of(sequences, s));
    } else if (finished_chunks(sequences, s) > 0) {
      sharing_.push_back(s);
    } else {
      add_private(sequences, s, 0);
    }
  }
  for (int chunk = 0; !sharing_.empty(); ++chunk) share(sequences, chunk);
}

/**
 * Groups sequences by the pages of a chunk. Shared pages are a prefix, so a sequence that shares no page in this chunk
 * shares none later.
 */
void PagedPlan::share(const PagedSequences& sequences, int chunk) {
  groups_.clear();
  members_.clear();
  still_sharing_.clear();
  ++stamp_;
  for (int s : sharing_) {
    join(sequences.pages + sequences.first_pages[s] + chunk * chunk_pages, s, rows_of(sequences, s));
  }
  for (const Group& group : groups_) {
    if (group.first_member == group.last_member) {
      add_private(sequences, members_[group.first_member].sequence, chunk);
      continue;
    }
    add_group(sequences, chunk, group);
    for (int member = group.first_member; member >= 0; member = members_[member].next) {
      const int s = members_[member].sequence;
      if (chunk + 1 < finished_chunks(sequences, s)) {
        still_sharing_.push_back(s);
      } else {
        add_private(sequences, s, chunk + 1);
      }
    }
  }
  sharing_.swap(still_sharing_);
}

/** Adds the sequence to the group with those pages. Makes the group if it does not exist. */
void PagedPlan::join(const int32_t* pages, int s, int rows) {
  const int member = static_cast<int>(members_.size());
  const size_t mask = slots_.size() - 1;
  members_.push_back({s, -1});
  for (size_t at = hash(pages[0]) & mask;; at = (at + 1) & mask) {
    Slot& slot = slots_[at];
    if (slot.stamp != stamp_) {
      slot = {stamp_, static_cast<int>(groups_.size())};
      groups_.push_back({pages, member, member, rows});
      return;
    }
    Group& group = groups_[slot.group];
    if (std::memcmp(group.pages, pages, chunk_pages * sizeof *pages) == 0) {
      members_[group.last_member].next = member;
      group.last_member = member;
      group.rows += rows;
      return;
    }
  }
}

void PagedPlan::add_group(const PagedSequences& sequences, int chunk, const Group& group) {
  const int list = pages_ + static_cast<int>(lists_.size());
  for (int member = group.first_member; member >= 0; member = members_[member].next) {
    const int s = members_[member].sequence;
    for (int row = sequences.starts[s]; row < sequences.starts[s + 1]; ++row) lists_.push_back(row);
  }
  const int first = members_[group.first_member].sequence;
  add({list, true, 0, 0, chunk, (chunk + 1) * chunk_positions, first_word(sequences, first), 0}, group.rows);
}

void PagedPlan::add_private(const PagedSequences& sequences, int s, int first_chunk) {
  const int row = sequences.starts[s], rows = rows_of(sequences, s), first_position = sequences.first_positions[s];
  PlanItem item = {row, false, 0, 0, first_chunk, first_position + rows, first_word(sequences, s), 0};
  for (; item.chunk * chunk_positions < item.keys; ++item.chunk) {
    const int blind = std::max(0, item.chunk * chunk_positions - first_position);
    item.rows = row + blind;
    add(item, rows - blind);
  }
}

/** Puts the remaining data behind the narrow items, and the header in front. */
void PagedPlan::finish(const PagedSequences& sequences) {
  auto* to = reinterpret_cast<unsigned char*>(items() + narrow_);
  const auto put = [&to](const void* from, size_t bytes) {
    if (bytes > 0) std::memcpy(to, from, bytes);
    to += bytes;
  };
  put(wide_.data(), wide_.size() * sizeof(PlanItem));
  const int wide = static_cast<int>(wide_.size());
  const PlanHeader header{wide, narrow_, static_cast<int32_t>(to - bytes_.data()), 0};
  std::memcpy(bytes_.data(), &header, sizeof header);
  put(sequences.pages + sequences.first_pages[0], pages_ * sizeof(int32_t));
  put(lists_.data(), lists_.size() * sizeof(int32_t));
  used_ = static_cast<size_t>(to - bytes_.data());
  blocks_ = wide * kv_heads_ + divide_up(narrow_ * kv_heads_, block_warps);
}

}  // namespace palestra::cuda
