// The plan of a step's attention: each row has each chunk of its keys once, shared pages are read once, and no step
// exceeds the limits.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "ops/cuda/paged-attention/paged-plan.h"
#include "paged-rig.h"

namespace palestra::test {
namespace {

using cuda::PagedPlan;
using cuda::PlanHeader;
using cuda::PlanItem;
using cuda::PlanLimits;
using cuda::PlanRow;

/** A plan, read as kernels read it. */
struct Read {
  const unsigned char* base;
  PlanLimits limits;

  explicit Read(const PagedPlan& plan) : base(static_cast<const unsigned char*>(plan.data())), limits(plan.limits()) {}
  const PlanHeader& header() const { return *reinterpret_cast<const PlanHeader*>(base); }
  const PlanRow& row(int i) const { return reinterpret_cast<const PlanRow*>(base + PagedPlan::rows_offset())[i]; }
  const PlanItem& item(int i) const {
    return reinterpret_cast<const PlanItem*>(base + PagedPlan::items_offset(limits.rows))[i];
  }
  int items() const { return header().wide_items + header().narrow_items; }
  const int32_t* words() const { return reinterpret_cast<const int32_t*>(base + header().words); }
  int row_of(const PlanItem& item, int query, int group) const {
    const int i = (item.first_query + query) / group;
    return item.is_list ? words()[item.rows + i] : item.rows + i;
  }
};

/** Expects each (row, head of a group, chunk) once, with the row's own pages, and separate partial results. */
void expect_complete(const PagedPlan& plan, const Step& step, int group) {
  const Read read(plan);
  std::set<std::tuple<int, int, int>> seen;
  for (int i = 0; i < read.items(); ++i) {
    const PlanItem& item = read.item(i);
    const bool is_wide = i >= read.header().narrow_items;
    ASSERT_LE(item.queries, is_wide ? cuda::block_queries : cuda::warp_queries);
    ASSERT_TRUE(is_wide || item.chunk >= 0 || item.keys <= cuda::chunk_positions);
    if (!item.is_list) {
      ASSERT_EQ(item.keys, read.row(read.row_of(item, item.queries - 1, group)).position + 1) << "no key in vain";
    }
    for (int query = 0; query < item.queries; ++query) {
      const int row = read.row_of(item, query, group), position = read.row(row).position;
      ASSERT_EQ(item.chunk >= 0, read.row(row).partial >= 0);
      const int first = std::max(item.chunk, 0);
      const int end = item.chunk >= 0 ? item.chunk + 1 : position / cuda::chunk_positions + 1;
      ASSERT_LE(std::min(position, end * cuda::chunk_positions - 1), item.keys - 1);
      for (int chunk = first; chunk < end; ++chunk) {
        ASSERT_TRUE(seen.emplace(row, (item.first_query + query) % group, chunk).second) << "row " << row << " twice";
        for (int p = chunk * cuda::chunk_positions; p <= position && p < (chunk + 1) * cuda::chunk_positions;
               p += page_positions) {
          ASSERT_EQ(read.words()[item.pages + p / page_positions],
                    read.words()[read.row(row).pages + p / page_positions]);
        }
      }
    }
  }
  size_t chunks = 0;
  std::set<int> partials;
  for (size_t s = 0; s < step.parts.size(); ++s) {
    for (int i = 0; i < step.parts[s].rows; ++i) {
      const PlanRow& row = read.row(step.starts[s] + i);
      const int position = step.parts[s].stored + i, of_row = position / cuda::chunk_positions + 1;
      EXPECT_EQ(row.position, position);
      EXPECT_EQ(row.slot, step.parts[s].pages[position / page_positions] * page_positions + position % page_positions);
      EXPECT_EQ(read.words()[row.pages], step.parts[s].pages[0]);
      chunks += of_row;
      for (int chunk = 0; row.partial >= 0 && chunk < of_row; ++chunk) {
        ASSERT_TRUE(partials.insert(row.partial + chunk).second);
        ASSERT_LT(row.partial + chunk, read.limits.partials);
      }
    }
  }
  EXPECT_EQ(seen.size(), chunks * group);
  EXPECT_LE(read.items(), read.limits.items);
  EXPECT_LE(plan.bytes(), read.limits.bytes);
  EXPECT_EQ(plan.is_split(), !partials.empty());
}

PagedPlan make_plan(const Heads& heads, const PagedLimits& limits, int partials) {
  return PagedPlan(PlanLimits::of(limits, heads, true, partials), heads);
}

TEST(CudaPagedPlan, IsCompleteForEveryStep) {
  std::mt19937 random(3);
  for (const Heads& heads : {Heads{14, 2, 64}, Heads{9, 3, 64}, Heads{32, 1, 128}, Heads{80, 1, 64}, Heads{4, 4, 64}}) {
    const PagedLimits limits{24, 300, 1100};
    PagedPlan plan = make_plan(heads, limits, 70);
    for (int n = 0; n < 60; ++n) {
      std::vector<Part> parts;
      int32_t next_page = 0;
      for (int s = static_cast<int>(random() % 25); s > 0; --s) {
        const int rows = random() % 5 ? random() % 3 : random() % 60, length = rows + random() % 1000;
        Part part{length - rows, std::min(rows, 300 - (parts.empty() ? 0 : Step(parts).rows())), {}};
        // Some pages of another sequence first, as siblings have them.
        if (!parts.empty() && random() % 2) {
          const Part& other = parts[random() % parts.size()];
          const int most = std::min(length, other.stored) / page_positions;
          part.pages.assign(other.pages.begin(), other.pages.begin() + (most ? random() % (most + 1) : 0));
        }
        while (static_cast<int>(part.pages.size()) * page_positions < length) part.pages.push_back(next_page++);
        if (!part.pages.empty()) parts.push_back(part);
      }
      const Step step(parts);
      plan.make(step.sequences(), step.rows());
      expect_complete(plan, step, heads.query / heads.kv);
      if (HasFatalFailure()) FAIL() << heads.query << " heads, step " << n;
    }
  }
}

std::vector<int32_t> numbers(int first, int count) {
  std::vector<int32_t> made;
  for (int i = 0; i < count; ++i) made.push_back(first + i);
  return made;
}

/** Decoding sequences of 600 positions that share their first pages. */
Step siblings(int count, int shared_pages) {
  std::vector<Part> parts;
  for (int s = 0; s < count; ++s) {
    Part part{600, 1, numbers(0, shared_pages)};
    const std::vector<int32_t> own = numbers(1000 * (s + 1), 38 - shared_pages);
    part.pages.insert(part.pages.end(), own.begin(), own.end());
    parts.push_back(part);
  }
  return Step(parts);
}

TEST(CudaPagedPlan, ReadsSharedPagesOnceForABlockOfQueries) {
  const Heads heads{14, 2, 64};
  PagedPlan plan = make_plan(heads, {32, 64, 1024}, 200);
  const auto items = [&](const Step& step) {
    plan.make(step.sequences(), step.rows());
    const PlanHeader& header = Read(plan).header();
    return std::pair<int, int>(header.wide_items, header.narrow_items);
  };
  // For each of three chunks: 9 sequences are 63 queries, 2 are 14.
  EXPECT_EQ(items(siblings(9, 0)), std::make_pair(0, 27));
  EXPECT_EQ(items(siblings(9, 15)), std::make_pair(0, 27)) << "a chunk is shared as a whole";
  EXPECT_EQ(items(siblings(9, 32)), std::make_pair(2, 9));
  EXPECT_EQ(items(siblings(9, 16)), std::make_pair(1, 18));
  EXPECT_EQ(items(siblings(2, 16)), std::make_pair(0, 5));
  EXPECT_EQ(items(siblings(10, 16)), std::make_pair(1, 1 + 20));
  EXPECT_EQ(plan.blocks(), 1 * 2 + (21 * 2 + 3) / 4);
}

TEST(CudaPagedPlan, PagesWrittenInTheStepAreNotShared) {
  PagedPlan plan = make_plan({4, 2, 64}, {4, 64, 1024}, 100);
  // The second chunk of both begins before their rows and ends with them.
  const std::vector<int32_t> pages = numbers(0, 32);
  const Step step({{509, 3, pages}, {509, 3, pages}});
  plan.make(step.sequences(), step.rows());
  const Read read(plan);
  int lists = 0;
  for (int i = 0; i < read.items(); ++i) lists += read.item(i).is_list;
  EXPECT_EQ(lists, 1);
  EXPECT_EQ(read.items(), 3);
}

TEST(CudaPagedPlan, RowsWithoutASequenceAreMarked) {
  PagedPlan plan = make_plan({4, 2, 64}, {4, 64, 1024}, 100);
  const Step step = siblings(2, 0);
  plan.make(siblings(4, 0).sequences(), 4);
  plan.make(step.sequences(), 4);
  for (int row = 0; row < 4; ++row) {
    EXPECT_EQ(Read(plan).row(row).position, row < 2 ? 600 : -1);
    EXPECT_EQ(Read(plan).row(row).slot < 0, row >= 2);
  }
}

}  // namespace
}  // namespace palestra::test
