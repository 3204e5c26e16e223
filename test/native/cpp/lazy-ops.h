#pragma once
#include "device.h"
#include "lazy-batch.h"
#include "widened.h"

namespace palestra::test {

/**
 * The operations for bf16 on a stream of its own: the CPU's operations for float, with widening before and rounding
 * after. For tests of the code above the operations: a CPU in float shows neither rounding nor the order of two
 * streams.
 */
class LazyOps final : public Ops<bf16> {
 public:
  using T = bf16;
  using A = float;

  LazyOps(Memory& memory, ThreadPool& pool, bool records = true)
      : inner_(make_cpu_ops<float>(memory, pool, {detect_instruction_set()})), records_(records) {}

  LazyQueue& queue() { return queue_; }
  size_t bytes_of_logits = size_t{1} << 20;

  Memory& memory() override { return inner_->memory(); }
  void upload(void* device, const void* host, size_t bytes) override {
    EXPECT_FALSE(queue_.is_recording()) << "an upload in a recording";
    const auto* first = static_cast<const char*>(host);
    queue_.ask([=, own = std::vector<char>(first, first + bytes)] { std::memcpy(device, own.data(), bytes); });
  }
  void download(void* host, const void* device, size_t bytes) override {
    wait();
    std::memcpy(host, device, bytes);
  }
  void zero(void* data, size_t bytes) override { queue_.ask([=] { std::memset(data, 0, bytes); }); }
  void copy(void* to, const void* from, size_t bytes) override { queue_.ask([=] { std::memcpy(to, from, bytes); }); }
  bool is_done() override { return queue_.is_done(); }
  void wait_for(Stream& other) override { queue_.wait_for(static_cast<LazyOps&>(other).queue_); }
  void replay(std::unique_ptr<Recording>& recording, const std::function<void()>& body) override {
    queue_.replay(recording, body);
  }
  bool records() const override { return records_; }

  void round(T* to, const A* from, size_t n) override {
    queue_.ask([=] {
      for (size_t i = 0; i < n; ++i) to[i] = to_bf16(from[i]);
    });
  }

  void linear(Rows<T> y, Rows<const T> x, const Weight& w, const T* bias, int rows, Into into) override {
    queue_.ask([=] {
      Values out = into == Into::add ? widen(y, w.out, rows) : Values(area(rows, w.out));
      const Values in = widen(x, w.in, rows), offsets = bias ? widen(bias, w.out) : Values();
      const WidenedWeight wide(w);
      inner_->linear({out.data(), w.out}, {in.data(), w.in}, wide.weight, bias ? offsets.data() : nullptr, rows, into);
      put(y, out, w.out, rows);
    });
  }
  void linear_input_gradient(Rows<T> dx, Rows<const T> dy, const Weight& w, int rows, Into into) override {
    queue_.ask([=] {
      Values out = into == Into::add ? widen(dx, w.in, rows) : Values(area(rows, w.in));
      const Values in = widen(dy, w.out, rows);
      inner_->linear_input_gradient({out.data(), w.in}, {in.data(), w.out}, WidenedWeight(w).weight, rows, into);
      put(dx, out, w.in, rows);
    });
  }
  void linear_weight_gradient(A* dw, Rows<const T> dy, Rows<const T> x, int out, int in, int rows) override {
    queue_.ask([=] {
      inner_->linear_weight_gradient(dw, {widen(dy, out, rows).data(), out}, {widen(x, in, rows).data(), in}, out, in,
                                     rows);
    });
  }
  void bias_gradient(A* db, Rows<const T> dy, int width, int rows) override {
    queue_.ask([=] { inner_->bias_gradient(db, {widen(dy, width, rows).data(), width}, width, rows); });
  }
  size_t packed_bytes(int out, int in, Dtype) const override { return inner_->packed_bytes(out, in, Dtype::f32); }
  Weight pack(void* packed, const Weight& w, Dtype) override {
    EXPECT_EQ(w.dtype, Dtype::bf16);
    queue_.ask([=] { inner_->pack(packed, WidenedWeight(w).weight, Dtype::f32); });
    return {packed, w.out, w.in, Dtype::f32, true};
  }

  void embed(Rows<T> y, const Weight& table, const int32_t* tokens, int rows) override {
    queue_.ask([=] {
      Values out(area(rows, table.in));
      inner_->embed({out.data(), table.in}, WidenedWeight(table).weight, tokens, rows);
      put(y, out, table.in, rows);
    });
  }
  void embed_gradient(A* dtable, Rows<const T> dy, const int32_t* tokens, int vocabulary, int width,
                      int rows) override {
    queue_.ask([=] {
      inner_->embed_gradient(dtable, {widen(dy, width, rows).data(), width}, tokens, vocabulary, width, rows);
    });
  }

  void rms_norm(Rows<T> y, A* rstd, Rows<const T> x, const T* w, int width, int rows, float epsilon,
                int heads) override {
    queue_.ask([=] {
      Values values = widen(x, width * heads, rows);
      const Rows<float> view{values.data(), width * heads};
      inner_->rms_norm(view, rstd, {view.data, view.stride}, widen(w, width).data(), width, rows, epsilon, heads);
      put(y, values, width * heads, rows);
    });
  }
  void rms_norm_gradient(Rows<T> dx, A* dw, Rows<const T> dy, Rows<const T> x, const T* w, const A* rstd, int width,
                         int rows, Into into, int heads) override {
    queue_.ask([=] {
      const int all = width * heads;
      const Values from = widen(dy, all, rows), input = widen(x, all, rows);
      Values out = into == Into::add ? widen(dx, all, rows) : Values(from.size());
      inner_->rms_norm_gradient({out.data(), all}, dw, {from.data(), all}, {input.data(), all}, widen(w, width).data(),
                                rstd, width, rows, into, heads);
      put(dx, out, all, rows);
    });
  }
  void rotary_turns(A* turns, const int32_t* positions, const float* frequencies, int head_size, int rows) override {
    queue_.ask([=] { inner_->rotary_turns(turns, positions, frequencies, head_size, rows); });
  }
  void rotate(Rows<T> x, const A* turns, int heads, int head_size, int rows, int direction) override {
    queue_.ask([=] {
      Values values = widen(x, heads * head_size, rows);
      inner_->rotate({values.data(), heads * head_size}, turns, heads, head_size, rows, direction);
      put(x, values, heads * head_size, rows);
    });
  }
  void prepare_heads(Rows<T> qkv, const HeadPreparation<T>& how, const Heads& heads, int rows,
                     const PagedStore* store) override {
    queue_.ask([this, qkv, how, heads, rows, to = store ? *store : PagedStore{}] {
      Values values = widen(qkv, heads.width(), rows);
      const Rows<float> view{values.data(), heads.width()};
      const Values of_query = how.query_norm ? widen(how.query_norm, heads.size) : Values();
      const Values of_key = how.key_norm ? widen(how.key_norm, heads.size) : Values();
      inner_->prepare_heads(view,
                            {how.query_norm ? of_query.data() : nullptr, how.key_norm ? of_key.data() : nullptr,
                             how.epsilon, how.turns, how.query_rstd, how.key_rstd},
                            heads, rows, nullptr);
      put(qkv, values, heads.width(), rows);
      if (to.pages) store_rounded({qkv.data, qkv.stride}, heads, rows, to);
    });
  }

  /** As on CUDA, so that shared sequences are repeated for attention. */
  bool attends_to_parents() const override { return false; }
  void attention(T* out, A* log_sum, Rows<const T> qkv, const Heads& heads, const Segments& segments) override {
    queue_.ask([=] {
      const int width = heads.query * heads.size;
      Values values(area(segments.rows, width));
      inner_->attention(values.data(), log_sum, {widen(qkv, heads.width(), segments.rows).data(), heads.width()}, heads,
                        segments);
      put({out, width}, values, width, segments.rows);
    });
  }
  void attention_gradient(Rows<T> dqkv, const T* dout, const T* out, const A* log_sum, Rows<const T> qkv,
                          const Heads& heads, const Segments& segments) override {
    queue_.ask([=] {
      const int width = heads.query * heads.size, rows = segments.rows;
      Values values(area(rows, heads.width()));
      inner_->attention_gradient({values.data(), heads.width()}, widen(dout, area(rows, width)).data(),
                                 widen(out, area(rows, width)).data(), log_sum,
                                 {widen(qkv, heads.width(), rows).data(), heads.width()}, heads, segments);
      put(dqkv, values, heads.width(), rows);
    });
  }
  std::unique_ptr<PagedBatch> make_paged_batch(const Heads& heads, KeyValueFormat format,
                                               const PagedLimits& limits) override {
    return std::make_unique<LazyBatch>(queue_, inner_->make_paged_batch(heads, format, limits));
  }
  size_t page_bytes(const Heads& heads, KeyValueFormat format) const override {
    return inner_->page_bytes(heads, format);
  }
  void paged_attention(T* out, Rows<const T> qkv, const Heads& heads, const PagedStore& store) override {
    queue_.ask([=] {
      const auto& batch = *static_cast<const LazyBatch*>(store.batch);
      const int width = heads.query * heads.size, rows = batch.rows();
      Values values(area(rows, width));
      inner_->paged_attention(values.data(), {widen(qkv, heads.width(), rows).data(), heads.width()}, heads,
                              {batch.inner(), store.pages});
      put({out, width}, values, width, rows);
    });
  }

  void swiglu(T* y, const T* gate_up, int width, int rows) override {
    queue_.ask([=] {
      Values out(area(rows, width));
      inner_->swiglu(out.data(), widen(gate_up, 2 * out.size()).data(), width, rows);
      put({y, width}, out, width, rows);
    });
  }
  void swiglu_gradient(T* dgate_up, T* y, const T* dy, const T* gate_up, int width, int rows) override {
    queue_.ask([=] {
      Values gates = widen(gate_up, area(rows, 2 * width)), values = widen(dy, area(rows, width));
      inner_->swiglu_gradient(gates.data(), values.data(), values.data(), gates.data(), width, rows);
      put({dgate_up, 2 * width}, gates, 2 * width, rows);
      put({y, width}, values, width, rows);
    });
  }

  void token_statistics(const TokenStatistics<A>& out, const A* logits, const int32_t* targets, int vocabulary,
                        int rows, A temperature) override {
    queue_.ask([=] { inner_->token_statistics(out, logits, targets, vocabulary, rows, temperature); });
  }
  void logits_gradient(A* logits, const TokenStatistics<A>& statistics, const A* logprob_gradient,
                       const A* entropy_gradient, const int32_t* targets, int vocabulary, int rows,
                       A temperature) override {
    queue_.ask([=] {
      inner_->logits_gradient(logits, statistics, logprob_gradient, entropy_gradient, targets, vocabulary, rows,
                              temperature);
    });
  }
  size_t logits_bytes() const override { return bytes_of_logits; }
  size_t step_elements() const override { return size_t{1} << 22; }
  void logits(A* logits, Rows<const T> x, const Weight& w, int rows) override {
    queue_.ask([=] { inner_->logits(logits, {widen(x, w.in, rows).data(), w.in}, WidenedWeight(w).weight, rows); });
  }
  void change_logits(A* logits, int vocabulary, const std::vector<LogitChange>& changes) override {
    queue_.ask([=] { inner_->change_logits(logits, vocabulary, changes); });
  }
  void restore_logits(A* logits) override {
    queue_.ask([=] { inner_->restore_logits(logits); });
  }
  void sample(Choice* choices, const A* logits, int vocabulary, const std::vector<Draw>& draws) override {
    wait();
    inner_->sample(choices, logits, vocabulary, draws);
  }
  void logits_input_gradient(Rows<T> dx, const A* dlogits, const Weight& w, int rows) override {
    queue_.ask([=] {
      Values out(area(rows, w.in));
      inner_->logits_input_gradient({out.data(), w.in}, dlogits, WidenedWeight(w).weight, rows);
      put(dx, out, w.in, rows);
    });
  }
  void logits_weight_gradient(A* dw, const A* dlogits, Rows<const T> x, int vocabulary, int width, int rows) override {
    queue_.ask([=] {
      inner_->logits_weight_gradient(dw, dlogits, {widen(x, width, rows).data(), width}, vocabulary, width, rows);
    });
  }

  void gather_rows(Rows<T> y, Rows<const T> x, const int32_t* indices, int width, int count) override {
    queue_.ask([=] {
      for (int i = 0; i < count; ++i) std::copy_n(x[indices[i]], width, y[i]);
    });
  }
  void scatter_rows(Rows<T> x, Rows<const T> y, const int32_t* indices, int width, int count) override {
    queue_.ask([=] {
      for (int i = 0; i < count; ++i) {
        for (int j = 0; j < width; ++j) {
          x[indices[i]][j] = to_bf16(to_float(x[indices[i]][j]) + to_float(y[i][j]));
        }
      }
    });
  }
  void drop(Rows<T> y, Rows<const T> x, const Dropout& dropout, int width, int rows, Into into) override {
    queue_.ask([=] {
      Values from = widen(x, width, rows), to = widen(y, width, rows);
      inner_->drop({to.data(), width}, {from.data(), width}, dropout, width, rows, into);
      put(y, to, width, rows);
    });
  }
  void scale(Rows<T> x, A factor, int width, int rows) override {
    queue_.ask([=] {
      Values values = widen(x, width, rows);
      inner_->scale({values.data(), width}, factor, width, rows);
      put(x, values, width, rows);
    });
  }

  void add(A* to, const A* from, size_t n) override {
    queue_.ask([=] { inner_->add(to, from, n); });
  }
  void adamw(A* weights, T* rounded, const A* gradients, A* first_moment, A* second_moment, size_t n,
             const AdamW& rule) override {
    queue_.ask([=] {
      inner_->adamw(weights, nullptr, gradients, first_moment, second_moment, n, rule);
      for (size_t i = 0; i < n; ++i) rounded[i] = to_bf16(weights[i]);
    });
  }
  double squared_norm(const A* values, size_t n) override {
    wait();
    return inner_->squared_norm(values, n);
  }

 private:
  void wait() {
    EXPECT_FALSE(queue_.is_recording()) << "a recording that waits";
    queue_.finish();
  }
  /** Pages hold floats. Keys and values are stored after rounding, without rotation. */
  void store_rounded(Rows<const T> qkv, const Heads& heads, int rows, const PagedStore& store) {
    const auto& batch = *static_cast<const LazyBatch*>(store.batch);
    Values values = widen(qkv, heads.width(), rows), turns(area(rows, heads.size));
    for (int row = 0; row < rows; ++row) std::fill_n(&turns[area(row, heads.size)], heads.size / 2, 1.0f);
    const PagedStore inner{batch.inner(), store.pages};
    inner_->prepare_heads({values.data(), heads.width()}, {nullptr, nullptr, 0, turns.data(), nullptr, nullptr}, heads,
                          rows, &inner);
  }

  std::unique_ptr<Ops<float>> inner_;
  const bool records_;
  LazyQueue queue_;
};

}  // namespace palestra::test
