#include "timed-op.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "../jobs/call.h"
#include "timed-attention.h"
#include "timed-products.h"
#include "timed-rows.h"

namespace palestra {
namespace {

void check(const char* name, int32_t value, int32_t least, int32_t most) {
  if (value >= least && value <= most) return;
  refuse(std::string(name) + " of " + std::to_string(least) + " to " + std::to_string(most), std::to_string(value));
}

void check_heads(const palestra_timing& t, bool is_paged) {
  check("head_size", t.head_size, 8, 256);
  check("kv_heads", t.kv_heads, 1, 1 << 10);
  check("query_heads", t.query_heads, t.kv_heads, 1 << 10);
  if (t.head_size % 8 != 0) refuse("a head_size that is a multiple of 8", std::to_string(t.head_size));
  if (t.query_heads % t.kv_heads != 0) refuse("query_heads that kv_heads divides", std::to_string(t.query_heads));
  check("length", t.length, 1, 1 << 24);
  if (!is_paged) return;
  check("group", t.group, 1, t.rows);
  check("shared", t.shared, 0, t.length - 1);
  check("keys_values", t.keys_values, 0, 1);
}

template <class T>
std::unique_ptr<TimedOp> make_timed_op(Operands<T>& operands, const palestra_timing& t) {
  switch (static_cast<TimedKind>(t.op)) {
    case TimedKind::linear:
    case TimedKind::input_gradient:
    case TimedKind::weight_gradient:
      return std::make_unique<TimedProduct<T>>(operands, t);
    case TimedKind::attention:
    case TimedKind::attention_gradient:
      return std::make_unique<TimedAttention<T>>(operands, t);
    case TimedKind::head:
      return std::make_unique<TimedHead<T>>(operands, t);
    case TimedKind::paged_attention:
      return std::make_unique<TimedPagedAttention<T>>(operands, t);
    case TimedKind::rms_norm:
      return std::make_unique<TimedNorm<T>>(operands, t);
    case TimedKind::adamw:
      return std::make_unique<TimedAdamW<T>>(operands, t);
  }
  return nullptr;
}

}  // namespace

void check(const palestra_timing& t) {
  check("op", t.op, 0, static_cast<int32_t>(TimedKind::adamw));
  check("sets", t.sets, 1, 1 << 10);
  check("calls", t.calls, 1, 1 << 16);
  check("rounds", t.rounds, 1, 1 << 20);
  const auto kind = static_cast<TimedKind>(t.op);
  check("rows", t.rows, 1, kind == TimedKind::adamw ? 1 << 30 : 1 << 20);
  const bool is_paged = kind == TimedKind::paged_attention;
  const bool is_packed = kind == TimedKind::attention || kind == TimedKind::attention_gradient;
  if (is_paged || is_packed) return check_heads(t, is_paged);
  if (kind == TimedKind::adamw) return;
  check("in", t.in, 1, 1 << 20);
  if (kind == TimedKind::rms_norm) return;
  check("out", t.out, 1, 1 << 20);
  check("packed", t.packed, 0, kind == TimedKind::linear ? 2 : 0);
}

template <class T>
double time_op(Ops<T>& ops, const palestra_timing& t) {
  Operands<T> operands(ops);
  std::vector<std::unique_ptr<TimedOp>> sets;
  for (int i = 0; i < t.sets; ++i) sets.push_back(make_timed_op(operands, t));
  const auto calls = [&] {
    for (int i = 0; i < t.calls; ++i) sets[i % sets.size()]->call();
  };
  std::unique_ptr<Recording> recording;
  const auto round = [&] {
    const auto began = std::chrono::steady_clock::now();
    ops.replay(recording, calls);
    operands.wait();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  };
  // The first round allocates workspaces. When calls are recorded, the second round makes the recording.
  round();
  if (ops.records()) round();
  double seconds = std::numeric_limits<double>::infinity();
  for (int i = 0; i < t.rounds; ++i) seconds = std::min(seconds, round());
  return seconds / t.calls;
}

template double time_op(Ops<float>&, const palestra_timing&);
template double time_op(Ops<bf16>&, const palestra_timing&);

}  // namespace palestra
