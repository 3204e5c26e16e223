// Compares attention and its gradient, by mma.sync and by each kernel by wgmma, with sums in double. Shows where a
// result is wrong, and times the kernels: flash-check [--time] [--size 64|128]. Needs a Hopper GPU and the kernels
// beside the program. Exits with 1 if a result is wrong.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "core/failure.h"
#include "cpp/cuda/attention-problem.h"
#include "ops/cuda/attention/flash-attention.h"
#include "ops/cuda/stream/cuda-stream.h"

namespace palestra::cuda {
namespace {

using test::packed_attention::Problem;
using test::packed_attention::Reference;

constexpr double tolerance = 1e-2;

struct Variant {
  const char* name;
  FlashHopperUse use;
};
const Variant variants[] = {{"mma.sync", {}},
                            {"forward", {true, false, false}},
                            {"dQ", {false, true, false}},
                            {"dK dV", {false, false, true}},
                            {"all wgmma", {true, true, true}}};

/** A problem on the device. */
class Bench {
 public:
  Bench(const Problem<bf16>& problem, CudaStream& stream)
      : problem_(problem), stream_(stream), attention_(stream, stream.memory()),
        starts_(stream.memory(), problem.starts.size(), "check"), qkv_(stream.memory(), problem.qkv.size(), "check"),
        dout_(stream.memory(), problem.dout.size(), "check"), out_(stream.memory(), problem.dout.size(), "check"),
        dqkv_(stream.memory(), problem.qkv.size(), "check"),
        log_sum_(stream.memory(), size_t{1} * problem.rows() * problem.heads.query, "check"),
        trouble_(stream.memory(), 1, "check") {
    stream.upload(starts_.data(), problem.starts.data(), starts_.bytes());
    stream.upload(qkv_.data(), problem.qkv.data(), qkv_.bytes());
    stream.upload(dout_.data(), problem.dout.data(), dout_.bytes());
    stream.zero(trouble_.data(), sizeof(int));
  }

  void use(const FlashHopperUse& use, bool with_limit) {
    attention_.use_wgmma(problem_.heads.size, use, with_limit ? trouble_.data() : nullptr);
  }
  void forward() { attention_.forward<bf16>(out_.data(), log_sum_.data(), rows(), problem_.heads, segments()); }
  void gradient() {
    attention_.gradient<bf16>({dqkv_.data(), problem_.stride}, dout_.data(), out_.data(), log_sum_.data(), rows(),
                              problem_.heads, segments());
  }
  /** Waits, and returns whether a kernel waited for ever. */
  bool hangs() {
    int trouble = 0;
    stream_.download(&trouble, trouble_.data(), sizeof trouble);
    return trouble != 0;
  }
  void spoil() {
    const std::vector<bf16> nan(dqkv_.size(), to_bf16(NAN));
    stream_.upload(dqkv_.data(), nan.data(), dqkv_.bytes());
    stream_.upload(out_.data(), nan.data(), out_.bytes());
  }
  template <class T>
  std::vector<T> values(const Buffer<T>& of) {
    std::vector<T> values(of.size());
    stream_.download(values.data(), of.data(), of.bytes());
    return values;
  }
  std::vector<bf16> out() { return values(out_); }
  std::vector<bf16> dqkv() { return values(dqkv_); }
  std::vector<float> log_sum() { return values(log_sum_); }

 private:
  Rows<const bf16> rows() const { return {qkv_.data(), problem_.stride}; }
  Segments segments() const {
    Segments on_device = problem_.segments();
    on_device.starts = starts_.data();
    return on_device;
  }

  const Problem<bf16>& problem_;
  CudaStream& stream_;
  FlashAttention attention_;
  Buffer<int32_t> starts_;
  Buffer<bf16> qkv_, dout_, out_, dqkv_;
  Buffer<float> log_sum_;
  Buffer<int> trouble_;
};

/** Prints the error of some columns, and where it lies if it is large. Returns whether the result is right. */
template <class T>
bool compare(const char* what, const std::vector<T>& got, const std::vector<double>& expected, int64_t stride,
             int begin, int end, int size, const std::vector<int32_t>& starts) {
  double difference = 0, norm = 0;
  for (size_t row = 0; row < expected.size() / stride; ++row) {
    for (int c = begin; c < end; ++c) {
      const double e = expected[row * stride + c], error = widened(got[row * stride + c]) - e;
      difference += error * error, norm += e * e;
    }
  }
  const double error = std::sqrt(difference / norm);
  std::printf("  %s %.1e", what, error);
  if (error < tolerance) return true;
  std::printf(" WRONG\n");
  int shown = 0;
  // By segment, 64 rows of it, head and 16 columns.
  for (size_t s = 0; s + 1 < starts.size(); ++s) {
    for (int first = starts[s]; first < starts[s + 1]; first += 64) {
      for (int c = begin; c < end; c += std::min(16, size)) {
        double off = 0, of = 0;
        int worst_row = 0, worst_column = 0;
        double worst = -1;
        for (int row = first; row < std::min<int>(first + 64, starts[s + 1]); ++row) {
          for (int i = c; i < std::min(c + 16, end); ++i) {
            const double e = expected[row * stride + i], d = std::abs(widened(got[row * stride + i]) - e);
            off += d * d, of += e * e;
            if (!(d <= worst)) worst = d, worst_row = row, worst_column = i;
          }
        }
        if (std::sqrt(off / of) < 2 * tolerance || ++shown > 24) continue;
        std::printf("    segment %zu (%d rows), rows from %d, head %d, columns from %d: off by %.1e; worst at row %d, "
                    "column %d: %g for %g\n",
                    s, starts[s + 1] - starts[s], first - starts[s], (c - begin) / size, (c - begin) % size,
                    std::sqrt(off / of), worst_row - starts[s], (worst_column - begin) % size,
                    static_cast<double>(widened(got[worst_row * stride + worst_column])),
                    expected[worst_row * stride + worst_column]);
      }
    }
  }
  if (shown > 24) std::printf("    and %d more\n", shown - 24);
  return false;
}

bool check(const Heads& heads, const std::vector<int>& lengths, CudaStream& stream) {
  const Problem<bf16> problem(heads, lengths, 8);
  const Reference expected = reference(problem);
  std::printf("%d query and %d kv heads of %d, %zu segments, %d rows\n", heads.query, heads.kv, heads.size,
              lengths.size(), problem.rows());
  Bench bench(problem, stream);
  bool right = true;
  for (const Variant& variant : variants) {
    bench.use(variant.use, true);
    bench.spoil();
    bench.forward();
    bench.gradient();
    std::printf(" %-9s", variant.name);
    if (bench.hangs()) {
      std::printf(" waited for ever\n");
      return false;
    }
    const std::vector<bf16> out = bench.out(), dqkv = bench.dqkv();
    const int key = heads.key_column(), value = heads.value_column(), width = heads.width(), size = heads.size;
    const int64_t stride = problem.stride;
    const std::vector<int32_t>& starts = problem.starts;
    right &= compare("out", out, expected.out, problem.out_width(), 0, key, size, starts);
    right &= compare("sums", bench.log_sum(), expected.log_sum, heads.query, 0, heads.query, 1, starts);
    right &= compare("dQ", dqkv, expected.dqkv, stride, 0, key, size, starts);
    right &= compare("dK", dqkv, expected.dqkv, stride, key, value, size, starts);
    right &= compare("dV", dqkv, expected.dqkv, stride, value, width, size, starts);
    bench.forward();
    bench.gradient();
    const std::vector<bf16> again = bench.dqkv();
    bool same = true;
    for (int row = 0; row < problem.rows(); ++row) {
      same &= std::memcmp(&again[row * stride], &dqkv[row * stride], width * sizeof(bf16)) == 0;
    }
    std::printf("%s\n", same ? "" : " OTHER BITS when it runs again");
    right &= same;
  }
  return right;
}

template <class Work>
double microseconds(CudaStream& stream, Bench& bench, const Work& work) {
  constexpr int calls = 50;
  double best = 1e30;
  for (int round = 0; round < 5; ++round) {
    bench.hangs();
    const auto began = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) work();
    while (!stream.is_done()) {
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    best = std::min(best, took.count() / calls * 1e6);
  }
  return best;
}

void time(const Heads& heads, int sequences, int length, CudaStream& stream) {
  const Problem<bf16> problem(heads, std::vector<int>(sequences, length));
  Bench bench(problem, stream);
  bench.forward();
  const double flops = 2.0 * sequences * heads.query * heads.size * length * length;
  std::printf("%d x %d rows, %d query and %d kv heads of %d: us and TFLOP/s\n", sequences, length, heads.query,
              heads.kv, heads.size);
  for (const Variant& variant : variants) {
    bench.use(variant.use, false);
    const double forward = microseconds(stream, bench, [&] { bench.forward(); });
    const double gradient = microseconds(stream, bench, [&] { bench.gradient(); });
    std::printf(" %-9s forward %7.1f %4.0f  gradient %7.1f %4.0f\n", variant.name, forward, flops / forward * 1e-6,
                gradient, 2.5 * flops / gradient * 1e-6);
    std::fflush(stdout);
  }
}

bool run(bool times, int only) {
  CudaDevice device(0, size_t{8} << 30);
  CudaStream stream(device, Priority::low);
  bool right = true;
  for (const int size : {64, 128}) {
    if (only != 0 && only != size) continue;
    if (!device.has_kernel(size == 64 ? "flash_hopper_forward_64_bf16" : "flash_hopper_forward_128_bf16")) {
      std::printf("expected kernels by wgmma for this device, but received none\n");
      return false;
    }
    // From one tile of one head to the ends of all tiles.
    right &= check({1, 1, size}, {64}, stream);
    right &= check({1, 1, size}, {128}, stream);
    right &= check({9, 3, size}, {1, 63, 2, 65, 64, 130, 191, 193, 300}, stream);
    right &= check({14, 2, size}, {257, 3, 128, 385}, stream);
    right &= check({16, 8, size}, {131, 5, 200}, stream);
    std::fflush(stdout);
  }
  for (const int size : {64, 128}) {
    if (!times || (only != 0 && only != size)) continue;
    if (size == 64) {
      time({14, 2, 64}, 16, 1024, stream);
      time({9, 3, 64}, 8, 2048, stream);
    } else {
      time({16, 8, 128}, 8, 2048, stream);
    }
  }
  return right;
}

}  // namespace
}  // namespace palestra::cuda

int main(int count, char** arguments) {
  bool times = false;
  int only = 0;
  for (int i = 1; i < count; ++i) {
    if (!std::strcmp(arguments[i], "--time")) times = true;
    if (!std::strcmp(arguments[i], "--size") && i + 1 < count) only = std::atoi(arguments[++i]);
  }
  try {
    const bool right = palestra::cuda::run(times, only);
    std::printf(right ? "right\n" : "WRONG\n");
    return right ? 0 : 1;
  } catch (const palestra::Failure& failure) {
    std::printf("failed: %s\n", failure.what());
    return 1;
  }
}
