#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../ops.h"
#include "kernels/paged-plan.h"

namespace palestra::cuda {

/** The most that a plan may hold; see kernels/paged-plan.h. */
struct PlanLimits {
  int sequences;
  int rows;
  /** Of partial results, each of a row and a chunk: where they are used up, chunks are done one after the other. */
  int partials;
  /** 0: none are made. */
  int items;
  int pages;
  size_t bytes;

  static PlanLimits of(const PagedLimits& limits, const Heads& heads, bool has_items, int partials);
};

/**
 * Divides the attention of a step into items, on the host. A sequence with few rows has each of its chunks done by an
 * item of its own; where sequences have the very same pages in a chunk that lies before all their rows, it is done for
 * all of them together, so that the pages are read once. Of a sequence with more rows, a prompt's, blocks of queries go
 * through all chunks.
 */
class PagedPlan {
 public:
  PagedPlan(const PlanLimits& limits, const Heads& heads);

  /** @param rows at least those of the sequences */
  void make(const PagedSequences& sequences, int rows);

  const PlanLimits& limits() const { return limits_; }
  /** What goes to the device. */
  const void* data() const { return bytes_.data(); }
  size_t bytes() const { return used_; }
  /** Thread blocks that its items take. */
  int blocks() const { return blocks_; }
  /** Whether any row has partial results. */
  bool is_split() const { return partials_ > 0; }

  static size_t rows_offset() { return sizeof(PlanHeader); }
  static size_t items_offset(int rows) { return rows_offset() + rows * sizeof(PlanRow); }

 private:
  /** Sequences that have the same pages in a chunk. */
  struct Group {
    const int32_t* pages;
    int first_member;
    int last_member;
    int rows;
  };
  struct Member {
    int sequence;
    int next;  // -1: the last
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
  /** Adds items for the queries of so many rows, the last of which sees all of the keys. */
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
  /** Narrow items are written where they go. */
  int narrow_ = 0;
  std::vector<PlanItem> wide_;
  /** Page numbers, all of them, are the first words. */
  int pages_ = 0;
  std::vector<int32_t> lists_;
  /** Sequences that may share the chunk at hand, and the next one. */
  std::vector<int> sharing_, still_sharing_;
  std::vector<Group> groups_;
  std::vector<Member> members_;
  /** By hash of a chunk's first page; empty but for those of the stamp. */
  std::vector<Slot> slots_;
  uint32_t stamp_ = 0;
};

}  // namespace palestra::cuda
