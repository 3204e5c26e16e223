#pragma once
#include "../engine.h"
#include "../ops/ops.h"

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

/** An op with operands of its own. */
class TimedOp {
 public:
  virtual ~TimedOp() = default;
  /** Only asks, for the same work each time: it may be recorded. */
  virtual void call() = 0;
};

/** Fails with `Code::invalid_argument` where it names no op, or a shape that the op does not have. */
void check(const palestra_timing& timing);

/** Seconds of one call, as `palestra_engine_time` says. @param timing that was checked */
template <class T>
double time_op(Ops<T>& ops, const palestra_timing& timing);

}  // namespace palestra
