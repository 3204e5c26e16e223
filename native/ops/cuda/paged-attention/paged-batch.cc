#include "paged-batch.h"

#include <algorithm>
#include <string>

#include "../../../core/failure.h"
#include "paged-attention.h"

namespace palestra::cuda {
namespace {

/**
 * Memory of the partial results, which is enough for 1024 sequences of 4096 positions in a model with 14 query heads of
 * 64.
 */
constexpr size_t most_partial_bytes = size_t{64} << 20;

/**
 * Returns the largest number of partial results in a step. They belong to sequences with a few rows, and to sequences
 * with one row, of which a step may have many.
 */
int partials_of(const PagedLimits& limits, const Heads& heads, bool has_tiles) {
  const int chunks = (limits.positions + chunk_positions - 1) / chunk_positions;
  if (!has_tiles || chunks < 2) return 0;
  const int64_t wanted = int64_t{std::min(limits.rows, 2 * limits.sequences)} * chunks;
  const size_t bytes = static_cast<size_t>(heads.query) * (heads.size + 2) * sizeof(float);
  return static_cast<int>(std::min(wanted, static_cast<int64_t>(most_partial_bytes / bytes)));
}

PlanLimits limits_of(const PagedLimits& limits, const Heads& heads, bool has_tiles) {
  return PlanLimits::of(limits, heads, has_tiles, partials_of(limits, heads, has_tiles));
}

void check(const char* what, int64_t most, int64_t count) {
  if (count <= most) return;
  throw Failure(Code::internal, "expected at most " + std::to_string(most) + " " + what + " in a step but received " +
                                    std::to_string(count));
}

/**
 * Returns the next power of two, or three quarters of it if that is enough. This gives few shapes, with at most a third
 * of the blocks idle.
 */
int bucket(int count) {
  int power = 8;
  while (power < count) power *= 2;
  return power > 8 && count <= power / 4 * 3 ? power / 4 * 3 : power;
}

}  // namespace

CudaPagedBatch::CudaPagedBatch(Stream& stream, const Heads& heads, KeyValueFormat format, const PagedLimits& limits,
                               bool has_tiles)
    : stream_(stream),
      format_(format),
      limits_(limits),
      plan_(limits_of(limits, heads, has_tiles), heads),
      uploaded_(stream.memory(), plan_.limits().bytes, "plan of a step's attention") {
  const size_t partials = static_cast<size_t>(plan_.limits().partials) * heads.query;
  partial_out_ = Buffer<float>(stream.memory(), partials * heads.size, "partial results of attention");
  partial_sums_ = Buffer<float>(stream.memory(), partials * 2, "partial results of attention");
}

void CudaPagedBatch::begin(const PagedSequences& sequences, int rows) {
  check("rows", limits_.rows, rows);
  check("sequences", limits_.sequences, sequences.count);
  check("page numbers", plan_.limits().pages, sequences.first_pages[sequences.count] - sequences.first_pages[0]);
  rows_ = rows;
  plan_.make(sequences, rows);
  stream_.upload(uploaded_.data(), plan_.data(), plan_.bytes());
}

int CudaPagedBatch::blocks() const { return plan_.blocks() > 0 ? bucket(plan_.blocks()) : 0; }

uint64_t CudaPagedBatch::shape() const {
  return static_cast<uint64_t>(is_split()) << 63 | static_cast<uint64_t>(blocks()) << 32 | static_cast<uint32_t>(rows_);
}

PlanView CudaPagedBatch::plan() const {
  const unsigned char* const base = uploaded_.data();
  return {reinterpret_cast<const PlanHeader*>(base),
          reinterpret_cast<const PlanRow*>(base + PagedPlan::rows_offset()),
          reinterpret_cast<const PlanItem*>(base + PagedPlan::items_offset(limits_.rows))};
}

}  // namespace palestra::cuda
