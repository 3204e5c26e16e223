#include "cpu-ops.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <vector>

#include "../../core/failure.h"
#include "attention/attention.h"
#include "attention/paged-batch.h"
#include "gemm/gemm.h"
#include "rows/dropout.h"
#include "rows/row-kernels.h"
#include "rows/split.h"
#include "sampling/logit-changes.h"
#include "sampling/sampling.h"

namespace palestra {
namespace {

/**
 * Number of elements in a block of `squared_norm`. The number is part of the definition, since another number changes
 * the result.
 */
constexpr int64_t norm_block = 65536;

template <class T>
class CpuOps final : public Ops<T> {
 public:
  using A = accumulator_t<T>;
  static_assert(std::is_same<T, A>::value, "the kernels take gradients and activations of one type");

  CpuOps(Memory& memory, ThreadPool& pool, const CpuOptions& options)
      : memory_(memory),
        pool_(pool),
        kernels_(row_kernels<T>(options.isa)),
        gemm_(memory, pool, options.isa, options.bf16),
        attention_(memory, pool, options.isa, options.bf16),
        sampling_(pool, kernels_) {}

  Memory& memory() override { return memory_; }
  void upload(void* device, const void* host, size_t bytes) override { copy(device, host, bytes); }
  void download(void* host, const void* device, size_t bytes) override { copy(host, device, bytes); }
  void zero(void* data, size_t bytes) override {
    split(bytes, 1, [&](Range part) { std::memset(static_cast<char*>(data) + part.begin, 0, length(part)); });
  }
  void copy(void* to, const void* from, size_t bytes) override {
    split(bytes, 1, [&](Range part) {
      std::memcpy(static_cast<char*>(to) + part.begin, static_cast<const char*>(from) + part.begin, length(part));
    });
  }

  void round(T* to, const A* from, size_t n) override { copy(to, from, n * sizeof(T)); }

  // Linear maps.

  void linear(Rows<T> y, Rows<const T> x, const Weight& w, const T* bias, int rows, Into into) override {
    if (bias) {
      split(rows, w.out, [&](Range part) { begin_with(y, bias, w.out, into, part); });
      into = Into::add;
    }
    if (w.packed) {
      gemm_.run_packed(y, x, w.data, w.dtype, rows, w.out, w.in, into);
    } else {
      gemm_.run(y, {x.data, x.stride}, {values(w), w.in, true}, rows, w.out, w.in, into);
    }
  }
  void linear_input_gradient(Rows<T> dx, Rows<const T> dy, const Weight& w, int rows, Into into) override {
    gemm_.run(dx, {dy.data, dy.stride}, {values(w), w.in}, rows, w.in, w.out, into);
  }
  void linear_weight_gradient(A* dw, Rows<const T> dy, Rows<const T> x, int out, int in, int rows) override {
    gemm_.run({dw, in}, {dy.data, dy.stride, true}, {x.data, x.stride}, out, in, rows, Into::add);
  }
  void bias_gradient(A* db, Rows<const T> dy, int width, int rows) override {
    split_columns(width, rows, [&](Range part) { kernels_.sum_rows(db, dy, nullptr, width, rows, part); });
  }
  size_t packed_bytes(int out, int in, Dtype dtype) const override { return gemm_.packed_bytes(out, in, dtype); }
  Weight pack(void* packed, const Weight& row_major, Dtype dtype) override {
    gemm_.pack(packed, values(row_major), row_major.in, row_major.out, row_major.in, dtype);
    return {packed, row_major.out, row_major.in, dtype, true};
  }

  // Embedding.

  void embed(Rows<T> y, const Weight& table, const int32_t* tokens, int rows) override {
    split(rows, table.in, [&](Range part) {
      for (int64_t row = part.begin; row < part.end; ++row) {
        if (table.packed) {
          gemm_.unpack_row(y[row], table.data, table.dtype, table.out, table.in, tokens[row]);
        } else {
          std::memcpy(y[row], values(table) + int64_t{tokens[row]} * table.in, sizeof(T) * table.in);
        }
      }
    });
  }
  void embed_gradient(A* dtable, Rows<const T> dy, const int32_t* tokens, int, int width, int rows) override {
    split_columns(width, rows, [&](Range part) { kernels_.sum_rows(dtable, dy, tokens, width, rows, part); });
  }

  // RMSNorm and rotation.

  void rms_norm(Rows<T> y, A* rstd, Rows<const T> x, const T* w, int width, int rows, float epsilon,
                int heads) override {
    split(rows, width * heads, [&](Range part) { kernels_.rms_norm(y, rstd, x, w, width, heads, epsilon, part); });
  }
  void rms_norm_gradient(Rows<T> dx, A* dw, Rows<const T> dy, Rows<const T> x, const T* w, const A* rstd, int width,
                         int rows, Into into, int heads) override {
    // The weight's gradient comes first, because dx may overwrite dy.
    if (dw) {
      split_columns(width, int64_t{rows} * heads, [&](Range part) {
        kernels_.rms_norm_weight_gradient(dw, dy, x, rstd, width, heads, rows, part);
      });
    }
    split(rows, width * heads, [&](Range part) {
      kernels_.rms_norm_input_gradient(dx, dy, x, w, rstd, width, heads, into, part);
    });
  }
  void rotary_turns(A* turns, const int32_t* positions, const float* frequencies, int head_size, int rows) override {
    // A sine and a cosine cost as much as some tens of other elements.
    split(rows, 32 * head_size, [&](Range part) {
      kernels_.rotary_turns(turns, positions, frequencies, head_size, part);
    });
  }
  void rotate(Rows<T> x, const A* turns, int heads, int head_size, int rows, int direction) override {
    split(rows, heads * head_size,
          [&](Range part) { kernels_.rotate(x, turns, heads, head_size, direction, part); });
  }
  void prepare_heads(Rows<T> qkv, const HeadPreparation<T>& how, const Heads& heads, int rows,
                     const PagedStore* store) override {
    const Rows<T> keys = qkv.from(heads.key_column());
    const auto norm = [&](Rows<T> x, A* rstd, const T* w, int count, Range part) {
      if (w) kernels_.rms_norm(x, rstd, {x.data, x.stride}, w, heads.size, count, how.epsilon, part);
    };
    split(rows, 2 * heads.width(), [&](Range part) {
      norm(qkv, how.query_rstd, how.query_norm, heads.query, part);
      norm(keys, how.key_rstd, how.key_norm, heads.kv, part);
      // Queries and keys are adjacent, so one call rotates both.
      kernels_.rotate(qkv, how.turns, heads.query + heads.kv, heads.size, 1, part);
    });
    if (store) attention_.store({qkv.data, qkv.stride}, heads, sequences_in(*store));
  }

  // Attention.

  bool attends_to_parents() const override { return true; }
  void attention(T* out, A* log_sum, Rows<const T> qkv, const Heads& heads, const Segments& segments) override {
    attention_.forward(out, log_sum, qkv, heads, segments);
  }
  void attention_gradient(Rows<T> dqkv, const T* dout, const T* out, const A* log_sum, Rows<const T> qkv,
                          const Heads& heads, const Segments& segments) override {
    attention_.gradient(dqkv, dout, out, log_sum, qkv, heads, segments);
  }
  std::unique_ptr<PagedBatch> make_paged_batch(const Heads&, KeyValueFormat, const PagedLimits&) override {
    return std::make_unique<CpuPagedBatch>();
  }
  size_t page_bytes(const Heads& heads, KeyValueFormat format) const override {
    if (format == KeyValueFormat::plain) return page_elements(heads) * sizeof(T);
    throw Failure(Code::invalid_argument,
                  "expected keys and values as the activations are, which is all that a CPU keeps, but received fp8");
  }
  void paged_attention(T* out, Rows<const T> qkv, const Heads& heads, const PagedStore& store) override {
    attention_.paged(out, qkv, heads, sequences_in(store));
  }

  // SwiGLU.

  void swiglu(T* y, const T* gate_up, int width, int rows) override {
    split(rows, width, [&](Range part) { kernels_.swiglu(y, gate_up, width, part); });
  }
  void swiglu_gradient(T* dgate_up, T* y, const T* dy, const T* gate_up, int width, int rows) override {
    split(rows, width, [&](Range part) { kernels_.swiglu_gradient(dgate_up, y, dy, gate_up, width, part); });
  }

  // The head.

  void token_statistics(const TokenStatistics<A>& out, const A* logits, const int32_t* targets, int vocabulary,
                        int rows, A temperature) override {
    split(rows, vocabulary, [&](Range part) {
      kernels_.token_statistics(out, logits, targets, vocabulary, temperature, part);
    });
  }
  void logits_gradient(A* logits, const TokenStatistics<A>& statistics, const A* logprob_gradient,
                       const A* entropy_gradient, const int32_t* targets, int vocabulary, int rows,
                       A temperature) override {
    split(rows, vocabulary, [&](Range part) {
      kernels_.logits_gradient(logits, statistics, logprob_gradient, entropy_gradient, targets, vocabulary,
                               temperature, part);
    });
  }
  size_t logits_bytes() const override { return size_t{16} << 20; }
  void logits(A* logits, Rows<const T> x, const Weight& w, int rows) override {
    linear({logits, w.out}, x, w, nullptr, rows, Into::assign);
  }
  void change_logits(A* logits, int vocabulary, const std::vector<LogitChange>& changes) override {
    changes_.change(logits, vocabulary, changes);
  }
  void restore_logits(A* logits) override { changes_.restore(logits); }
  void sample(Choice* choices, const A* logits, int vocabulary, const std::vector<Draw>& draws) override {
    sampling_.sample(choices, logits, vocabulary, draws);
  }
  void logits_input_gradient(Rows<T> dx, const A* dlogits, const Weight& w, int rows) override {
    linear_input_gradient(dx, {dlogits, w.out}, w, rows, Into::assign);
  }
  void logits_weight_gradient(A* dw, const A* dlogits, Rows<const T> x, int vocabulary, int width,
                              int rows) override {
    linear_weight_gradient(dw, {dlogits, vocabulary}, x, vocabulary, width, rows);
  }

  // Rows.

  void gather_rows(Rows<T> y, Rows<const T> x, const int32_t* indices, int width, int count) override {
    split(count, width, [&](Range part) {
      for (int64_t i = part.begin; i < part.end; ++i) std::memcpy(y[i], x[indices[i]], sizeof(T) * width);
    });
  }
  void scatter_rows(Rows<T> x, Rows<const T> y, const int32_t* indices, int width, int count) override {
    split(count, width, [&](Range part) {
      for (int64_t i = part.begin; i < part.end; ++i) kernels_.add(x[indices[i]], y[i], {0, width});
    });
  }
  void drop(Rows<T> y, Rows<const T> x, const Dropout& dropout, int width, int rows, Into into) override {
    split(rows, width, [&](Range part) {
      for (int64_t row = part.begin; row < part.end; ++row) drop_row(y[row], x[row], dropout, row, width, into);
    });
  }
  void scale(Rows<T> x, A factor, int width, int rows) override {
    split(rows, width, [&](Range part) {
      for (int64_t row = part.begin; row < part.end; ++row) kernels_.scale(x[row], factor, {0, width});
    });
  }

  // Optimiser.

  size_t step_elements() const override { return size_t{1} << 22; }
  void add(A* to, const A* from, size_t n) override {
    split(n, 1, [&](Range part) { kernels_.add(to, from, part); });
  }
  void adamw(A* weights, T*, const A* gradients, A* first_moment, A* second_moment, size_t n,
             const AdamW& rule) override {
    split(n, 1, [&](Range part) { kernels_.adamw(weights, gradients, first_moment, second_moment, rule, part); });
  }
  double squared_norm(const A* values, size_t n) override {
    const int blocks = static_cast<int>((n + norm_block - 1) / norm_block);
    std::vector<double> parts(blocks);
    pool_.run(blocks, [&](int block) {
      const int64_t begin = block * norm_block;
      parts[block] = kernels_.squared_norm(values, {begin, std::min<int64_t>(begin + norm_block, n)});
    });
    double total = 0;
    for (double part : parts) total += part;
    return total;
  }

 private:
  static size_t length(Range range) { return static_cast<size_t>(range.end - range.begin); }

  template <class Part>
  void split(int64_t count, int64_t elements_each, Part&& part) {
    split_rows(pool_, count, elements_each, part);
  }
  template <class Part>
  void split_columns(int64_t width, int64_t rows, Part&& part) {
    palestra::split_columns(pool_, width, rows, part);
  }

  void begin_with(Rows<T> y, const T* bias, int width, Into into, Range rows) {
    for (int64_t row = rows.begin; row < rows.end; ++row) {
      if (into == Into::add) {
        kernels_.add(y[row], bias, {0, width});
      } else {
        std::memcpy(y[row], bias, sizeof(T) * width);
      }
    }
  }

  static StoredSequences<T> sequences_in(const PagedStore& store) {
    return {static_cast<const CpuPagedBatch*>(store.batch)->sequences(), static_cast<T*>(store.pages)};
  }

  static const T* values(const Weight& w) {
    if (w.packed || w.dtype != dtype_of<T>) {
      throw Failure(Code::internal, "expected a row-major weight of the activations' type but received another");
    }
    return static_cast<const T*>(w.data);
  }

  Memory& memory_;
  ThreadPool& pool_;
  const RowKernels<T>& kernels_;
  Gemm<T> gemm_;
  CpuAttention<T> attention_;
  CpuSampling<T> sampling_;
  CpuLogitChanges<A> changes_;
};

}  // namespace

template <class T>
std::unique_ptr<Ops<T>> make_cpu_ops(Memory& memory, ThreadPool& pool, const CpuOptions& options) {
  return std::make_unique<CpuOps<T>>(memory, pool, options);
}

template std::unique_ptr<Ops<float>> make_cpu_ops(Memory&, ThreadPool&, const CpuOptions&);
template std::unique_ptr<Ops<double>> make_cpu_ops(Memory&, ThreadPool&, const CpuOptions&);

}  // namespace palestra
