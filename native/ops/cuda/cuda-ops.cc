#include "cuda-ops.h"

#include <algorithm>
#include <type_traits>

#include "attention/flash-attention.h"
#include "gemm/products.h"
#include "logits/changes.h"
#include "logits/head.h"
#include "logits/sampling.h"
#include "paged-attention/paged-attention.h"
#include "paged-attention/paged-batch.h"
#include "paged-attention/prepare-heads.h"
#include "rows/activation.h"
#include "rows/embedding.h"
#include "rows/group-sums.h"
#include "rows/norm.h"
#include "rows/optimiser.h"
#include "rows/rotary.h"
#include "rows/rows.h"

namespace palestra::cuda {
namespace {

/**
 * Size limit of a chunk of logits, and the limit as a share of the memory. Each chunk reads and writes the head's
 * gradient again: half a gigabyte with a vocabulary of 150,000.
 */
constexpr size_t largest_chunk_of_logits = size_t{2} << 30;
constexpr size_t memory_for_logits = 32;

/** Number of elements per job. On an H100, such a job takes 0.3 ms for reading gradients and 2.5 ms for AdamW. */
constexpr size_t elements_of_step = size_t{1} << 28;

template <class T>
class CudaOps final : public Ops<T> {
 public:
  static_assert(std::is_same<accumulator_t<T>, float>::value, "a type of activations on CUDA");

  CudaOps(CudaDevice& device, Priority priority, bool own_kernels)
      : stream_(device, priority),
        logits_bytes_(std::min(largest_chunk_of_logits, device.memory().budget() / memory_for_logits)),
        products_(stream_, own_kernels),
        attention_(stream_, memory()),
        sums_(memory()),
        norms_(memory()),
        sampler_(memory()),
        changes_(memory()) {
    if (std::is_same<T, bf16>::value && device.has_kernel("flash_hopper_forward_64_bf16")) {
      attention_.use_wgmma(stream_);
    }
  }

  // The stream.

  Memory& memory() override { return stream_.memory(); }
  void upload(void* device, const void* host, size_t bytes) override { stream_.upload(device, host, bytes); }
  void download(void* host, const void* device, size_t bytes) override { stream_.download(host, device, bytes); }
  void zero(void* data, size_t bytes) override { stream_.zero(data, bytes); }
  void copy(void* to, const void* from, size_t bytes) override { stream_.copy(to, from, bytes); }
  bool is_done() override { return stream_.is_done(); }
  void wait_for(Stream& other) override { stream_.wait_for(dynamic_cast<CudaOps&>(other).stream_); }
  void replay(std::unique_ptr<Recording>& recording, const std::function<void()>& body) override {
    stream_.replay(recording, body);
  }
  bool records() const override { return true; }
  std::string why_no_recording() const override { return stream_.why_no_recording(); }

  void round(T* to, const float* from, size_t n) override { cuda::round(stream_, to, from, n); }

  // Linear maps.

  void linear(Rows<T> y, Rows<const T> x, const Weight& w, const T* bias, int rows, Into into) override {
    products_.linear(y, x, w, bias, rows, into);
  }
  void linear_input_gradient(Rows<T> dx, Rows<const T> dy, const Weight& w, int rows, Into into) override {
    products_.linear_input_gradient(dx, dy, w, rows, into);
  }
  void linear_weight_gradient(float* dw, Rows<const T> dy, Rows<const T> x, int out, int in, int rows) override {
    products_.linear_weight_gradient(dw, dy, x, out, in, rows);
  }
  void bias_gradient(float* db, Rows<const T> dy, int width, int rows) override {
    cuda::bias_gradient(stream_, sums_, db, dy, width, rows);
  }
  /** The packed weight is a row-major copy, because these kernels read weights best in that order. */
  size_t packed_bytes(int out, int in, Dtype) const override { return sizeof(T) * out * in; }
  Weight pack(void* packed, const Weight& row_major, Dtype) override {
    copy(packed, row_major.data, packed_bytes(row_major.out, row_major.in, row_major.dtype));
    return {packed, row_major.out, row_major.in, row_major.dtype, false};
  }

  // Embedding.

  void embed(Rows<T> y, const Weight& table, const int32_t* tokens, int rows) override {
    cuda::embed(stream_, y, static_cast<const T*>(table.data), tokens, table.in, rows);
  }
  void embed_gradient(float* dtable, Rows<const T> dy, const int32_t* tokens, int, int width, int rows) override {
    cuda::embed_gradient(stream_, dtable, dy, tokens, width, rows);
  }

  // RMSNorm and rotation.

  void rms_norm(Rows<T> y, float* rstd, Rows<const T> x, const T* w, int width, int rows, float epsilon,
                int heads) override {
    cuda::rms_norm(stream_, y, rstd, x, w, width, rows, epsilon, heads);
  }
  void rms_norm_gradient(Rows<T> dx, float* dw, Rows<const T> dy, Rows<const T> x, const T* w, const float* rstd,
                         int width, int rows, Into into, int heads) override {
    cuda::rms_norm_gradient(stream_, sums_, dx, dw, dy, x, w, rstd, width, rows, into, heads);
  }
  void rotary_turns(float* turns, const int32_t* positions, const float* frequencies, int head_size,
                    int rows) override {
    cuda::rotary_turns(stream_, turns, positions, frequencies, head_size, rows);
  }
  void rotate(Rows<T> x, const float* turns, int heads, int head_size, int rows, int direction) override {
    cuda::rotate(stream_, x, turns, heads, head_size, rows, direction);
  }
  void prepare_heads(Rows<T> qkv, const HeadPreparation<T>& how, const Heads& heads, int rows,
                     const PagedStore* store) override {
    cuda::prepare_heads(stream_, qkv, how, heads, rows, store);
  }

  // Attention.

  bool attends_to_parents() const override { return false; }
  void attention(T* out, float* log_sum, Rows<const T> qkv, const Heads& heads, const Segments& segments) override {
    attention_.forward(out, log_sum, qkv, heads, segments);
  }
  void attention_gradient(Rows<T> dqkv, const T* dout, const T* out, const float* log_sum, Rows<const T> qkv,
                          const Heads& heads, const Segments& segments) override {
    attention_.gradient(dqkv, dout, out, log_sum, qkv, heads, segments);
  }
  std::unique_ptr<PagedBatch> make_paged_batch(const Heads& heads, KeyValueFormat format,
                                               const PagedLimits& limits) override {
    return std::make_unique<CudaPagedBatch>(stream_, heads, format, limits, has_tiles<T>(heads));
  }
  size_t page_bytes(const Heads& heads, KeyValueFormat format) const override {
    return paged_bytes<T>(heads, format);
  }
  void paged_attention(T* out, Rows<const T> qkv, const Heads& heads, const PagedStore& store) override {
    cuda::paged_attention(stream_, out, qkv, heads, store);
  }

  // SwiGLU.

  void swiglu(T* y, const T* gate_up, int width, int rows) override {
    cuda::swiglu(stream_, y, gate_up, width, rows);
  }
  void swiglu_gradient(T* dgate_up, T* y, const T* dy, const T* gate_up, int width, int rows) override {
    cuda::swiglu_gradient(stream_, dgate_up, y, dy, gate_up, width, rows);
  }

  // The head.

  void token_statistics(const TokenStatistics<float>& out, const float* logits, const int32_t* targets, int vocabulary,
                        int rows, float temperature) override {
    cuda::token_statistics(stream_, out, logits, targets, vocabulary, rows, temperature);
  }
  void logits_gradient(float* logits, const TokenStatistics<float>& statistics, const float* logprob_gradient,
                       const float* entropy_gradient, const int32_t* targets, int vocabulary, int rows,
                       float temperature) override {
    cuda::logits_gradient<T>(stream_, logits, statistics, logprob_gradient, entropy_gradient, targets, vocabulary, rows,
                             temperature);
  }
  size_t logits_bytes() const override { return logits_bytes_; }
  void logits(float* logits, Rows<const T> x, const Weight& w, int rows) override {
    products_.logits(logits, x, w, rows);
  }
  void change_logits(float* logits, int vocabulary, const std::vector<LogitChange>& changes) override {
    changes_.change(stream_, stream_, logits, vocabulary, changes);
  }
  void restore_logits(float* logits) override { changes_.restore(stream_, logits); }
  void sample(Choice* choices, const float* logits, int vocabulary, const std::vector<Draw>& draws) override {
    sampler_.sample(stream_, stream_, choices, logits, vocabulary, draws);
  }
  void logits_input_gradient(Rows<T> dx, const float* dlogits, const Weight& w, int rows) override {
    products_.linear_input_gradient(dx, logits_gradient_rows<T>(dlogits, w.out), w, rows, Into::assign);
  }
  void logits_weight_gradient(float* dw, const float* dlogits, Rows<const T> x, int vocabulary, int width,
                              int rows) override {
    products_.linear_weight_gradient(dw, logits_gradient_rows<T>(dlogits, vocabulary), x, vocabulary, width, rows);
  }

  // Rows.

  void gather_rows(Rows<T> y, Rows<const T> x, const int32_t* indices, int width, int count) override {
    cuda::gather_rows(stream_, y, x, indices, width, count);
  }
  void scatter_rows(Rows<T> x, Rows<const T> y, const int32_t* indices, int width, int count) override {
    cuda::scatter_rows(stream_, x, y, indices, width, count);
  }
  void drop(Rows<T> y, Rows<const T> x, const Dropout& dropout, int width, int rows, Into into) override {
    cuda::drop(stream_, y, x, dropout, width, rows, into);
  }
  void scale(Rows<T> x, float factor, int width, int rows) override { cuda::scale(stream_, x, factor, width, rows); }

  // Optimiser.

  size_t step_elements() const override { return elements_of_step; }
  void add(float* to, const float* from, size_t n) override { cuda::add(stream_, to, from, n); }
  void adamw(float* weights, T* rounded, const float* gradients, float* first_moment, float* second_moment, size_t n,
             const AdamW& rule) override {
    cuda::adamw(stream_, weights, rounded, gradients, first_moment, second_moment, n, rule);
  }
  double squared_norm(const float* values, size_t n) override { return norms_.of(stream_, stream_, values, n); }

  std::string gemm_path() const {
    return products_.path() + (attention_.path().empty() ? "" : ", " + attention_.path());
  }

 private:
  CudaStream stream_;
  const size_t logits_bytes_;
  Products<T> products_;
  FlashAttention attention_;
  GroupSums sums_;
  SquaredNorms norms_;
  CudaSampler sampler_;
  CudaLogitChanges changes_;
};

}  // namespace

template <class T>
std::unique_ptr<Ops<T>> make_cuda_ops(CudaDevice& device, Priority priority, bool own_kernels) {
  return std::make_unique<CudaOps<T>>(device, priority, own_kernels);
}

template <class T>
std::string gemm_path(const Ops<T>& ops) {
  return dynamic_cast<const CudaOps<T>&>(ops).gemm_path();
}

template std::unique_ptr<Ops<bf16>> make_cuda_ops(CudaDevice&, Priority, bool);
template std::unique_ptr<Ops<float>> make_cuda_ops(CudaDevice&, Priority, bool);
template std::string gemm_path(const Ops<bf16>&);
template std::string gemm_path(const Ops<float>&);

}  // namespace palestra::cuda
