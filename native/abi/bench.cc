#include <algorithm>
#include <chrono>
#include <limits>

#include "objects.h"

namespace palestra {

namespace {

constexpr int largest = 1 << 16;

/** The factors of a linear map, filled with small numbers of both signs. */
class TimedLinear {
 public:
  TimedLinear(Ops<float>& ops, int rows, int out, int in, Dtype packed, bool is_packed)
      : ops_(ops),
        rows_(rows),
        x_(ops.memory(), static_cast<size_t>(rows) * in, "a bench"),
        y_(ops.memory(), static_cast<size_t>(rows) * out, "a bench"),
        w_(ops.memory(), static_cast<size_t>(out) * in, "a bench"),
        packed_(ops.memory(), is_packed ? ops.packed_bytes(out, in, packed) : 0, "a bench"),
        weight_{w_.data(), out, in, Dtype::f32, false} {
    fill(x_);
    fill(w_);
    if (is_packed) weight_ = ops.pack(packed_.data(), w_.data(), out, in, packed);
  }

  /** Seconds of one call. */
  double run() {
    const auto began = std::chrono::steady_clock::now();
    ops_.linear({y_.data(), weight_.out}, {x_.data(), weight_.in}, weight_, nullptr, rows_, Into::assign);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  }

 private:
  static void fill(Buffer<float>& values) {
    for (size_t i = 0; i < values.size(); ++i) values.data()[i] = static_cast<float>(i % 13) / 8 - 0.75f;
  }

  Ops<float>& ops_;
  int rows_;
  Buffer<float> x_, y_, w_;
  Buffer<uint8_t> packed_;
  Weight weight_;
};

}  // namespace

}  // namespace palestra

using namespace palestra;

int32_t palestra_engine_time_linear(palestra_engine* engine, int32_t rows, int32_t out, int32_t in, int32_t packed,
                                    int32_t rounds, double* seconds) {
  return guarded([&] {
    required(seconds, "seconds");
    if (std::min({rows, out, in}) < 1 || std::max({rows, out, in}) > largest) refuse("1 to 65536 rows and columns", "others");
    if (packed < 0 || packed > 2) refuse("packed 0 (no), 1 (f32) or 2 (bf16)", std::to_string(packed));
    if (rounds < 1) refuse("at least 1 round", std::to_string(rounds));
    const auto object = engines().get(engine);
    const auto measure = [=, &ops = object->ops()](size_t) {
      TimedLinear linear(ops, rows, out, in, packed == 2 ? Dtype::bf16 : Dtype::f32, packed != 0);
      linear.run();
      *seconds = std::numeric_limits<double>::infinity();
      for (int i = 0; i < rounds; ++i) *seconds = std::min(*seconds, linear.run());
    };
    object->run(Lane::train, std::make_shared<std::atomic<bool>>(false), nullptr, nullptr,
                [&](Done done) { return std::make_shared<Parts>(1, measure, std::move(done)); });
  });
}
