#pragma once
#include "../../ops.h"
#include "paged-plan.h"

namespace palestra::cuda {

/**
 * A step's plan on the device, and the memory for partial results of its attention. The addresses never change, and
 * kernels read the amount of work from the plan, so that one recording serves all steps of one `shape`.
 */
class CudaPagedBatch final : public PagedBatch {
 public:
  /**
   * @param stream the stream that allocates and uploads; it outlives this object
   * @param has_tiles whether attention works on items of the plan, as on tensor cores
   */
  CudaPagedBatch(Stream& stream, const Heads& heads, KeyValueFormat format, const PagedLimits& limits, bool has_tiles);

  /** Fails with `Code::internal` beyond the limits. */
  void begin(const PagedSequences& sequences, int rows) override;
  uint64_t shape() const override;

  static const CudaPagedBatch& of(const PagedStore& store) { return static_cast<const CudaPagedBatch&>(*store.batch); }
  KeyValueFormat format() const { return format_; }
  int rows() const { return rows_; }
  /** Number of blocks to launch, which is at least the number of blocks with work. */
  int blocks() const;
  bool is_split() const { return plan_.is_split(); }
  PlanView plan() const;
  float* partial_out() const { return partial_out_.data(); }
  float* partial_sums() const { return partial_sums_.data(); }

 private:
  Stream& stream_;
  const KeyValueFormat format_;
  const PagedLimits limits_;
  PagedPlan plan_;
  Buffer<unsigned char> uploaded_;
  Buffer<float> partial_out_;   // (partials, query heads, head_size)
  Buffer<float> partial_sums_;  // (partials, query heads, 2)
  int rows_ = 0;
};

}  // namespace palestra::cuda
