#pragma once
#include "../../engine.h"
#include "../../ops/ops.h"

namespace palestra {

/** `palestra_timing::op`. */
enum class TimedKind : int32_t {
  linear,
  input_gradient,
  weight_gradient,
  attention,
  attention_gradient,
  head,
  paged_attention,
  rms_norm,
  adamw,
};

/** An operation together with its operands. */
class TimedOp {
 public:
  virtual ~TimedOp() = default;
  /** Queues the same work at every call, without waiting, so that the work can be recorded. */
  virtual void call() = 0;
};

/** Fails with `Code::invalid_argument` on an unknown operation or an unsupported shape. */
void check(const palestra_timing& timing);

/**
 * Returns the seconds per call, as `palestra_engine_time` does. @param timing a description that `check` has accepted
 */
template <class T>
double time_op(Ops<T>& ops, const palestra_timing& timing);

}  // namespace palestra
