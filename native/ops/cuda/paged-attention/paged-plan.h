#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../ops.h"
#include "../kernels/paged-attention/paged-plan.h"

namespace palestra::cuda {

/** Upper limits of a plan; see kernels/paged-attention/paged-plan.h. */
struct PlanLimits {
  int sequences;
  int rows;
  /**
   * Number of partial results, one per row and chunk. When all partial results are used, chunks run one after the
   * other.
   */
  int partials;
  /** Limit on the number of items. 0: no items are made. */
  int items;
  int pages;
  size_t bytes;

  static PlanLimits of(const PagedLimits& limits, const Heads& heads, bool has_items, int partials);
};

/**
 * Divides the attention of a step into items, on the host. Each chunk of a sequence with few rows is a separate item.
 * If sequences share the pages of a chunk that lies before all their rows, one item serves all of these sequences, so
 * that the pages are read once. For a sequence with more rows (a prompt), blocks of queries go through all chunks.
 */
class PagedPlan {
 public:
  PagedPlan(const PlanLimits& limits, const Heads& heads);

  /** @param rows at least the number of the sequences' rows */
  void make(const PagedSequences& sequences, int rows);

  const PlanLimits& limits() const { return limits_; }
  /** The data to upload to the device. */
  const void* data() const { return bytes_.data(); }
  size_t bytes() const { return used_; }
  /** Number of thread blocks for the plan's items. */
  int blocks() const { return blocks_; }
  /** Whether any row has partial results. */
  bool is_split() const { return partials_ > 0; }

  static size_t rows_offset() { return sizeof(PlanHeader); }
  static size_t items_offset(int rows) { return rows_offset() + rows * sizeof(PlanRow); }

 private:
  /** Sequences with the same pages in a chunk. */
  struct Group {
    const int32_t* pages;
    int first_member;
    int last_member;
    int rows;
  };
  struct Member {
    int sequence;
    int next;  // -1: this is the last
  };
  struct Slot {
    uint32_t stamp;
    int group;
  };

  void plan_rows(const PagedSequences& sequences, int rows);
  bool take_partials(const PagedSequences& sequences, int sequence);
  void plan_items(const PagedSequences& sequences);
  void share(const PagedSequences& sequences, int chunk);
  void join(const int32_t* pages, int sequence, int rows);
  void add_group(const PagedSequences& sequences, int chunk, const Group& group);
  void add_private(const PagedSequences& sequences, int sequence, int first_chunk);
  /** Adds items for the queries of `rows` rows. The last row attends to all keys. */
  void add(const PlanItem& all, int rows);
  void finish(const PagedSequences& sequences);
  PlanRow* rows() { return reinterpret_cast<PlanRow*>(bytes_.data() + rows_offset()); }
  PlanItem* items() { return reinterpret_cast<PlanItem*>(bytes_.data() + items_offset(limits_.rows)); }

  const PlanLimits limits_;
  const int kv_heads_;
  const int group_;
  std::vector<unsigned char> bytes_;
  size_t used_ = 0;
  int blocks_ = 0;
  int partials_ = 0;
  /** Number of narrow items, which are written directly to their place. */
  int narrow_ = 0;
  std::vector<PlanItem> wide_;
  /** Number of page numbers, which are the first words. */
  int pages_ = 0;
  std::vector<int32_t> lists_;
  /** Sequences that may share the current chunk. The sequences that may share the next chunk follow. */
  std::vector<int> sharing_, still_sharing_;
  std::vector<Group> groups_;
  std::vector<Member> members_;
  /** Groups by the hash of a chunk's first page. Slots with another stamp count as empty. */
  std::vector<Slot> slots_;
  uint32_t stamp_ = 0;
};

}  // namespace palestra::cuda
