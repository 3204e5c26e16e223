#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "../core/half.h"
#include "stream.h"

namespace palestra {

enum class Dtype { f32, bf16, f16, f64 };

/** Type of the weights that activations of type T are multiplied with. */
template <class T>
constexpr Dtype dtype_of = Dtype::f32;
template <>
inline constexpr Dtype dtype_of<double> = Dtype::f64;
template <>
inline constexpr Dtype dtype_of<bf16> = Dtype::bf16;

/** Type of gradients, master weights and statistics for activations of type T. */
template <class T>
struct accumulator {
  using type = float;
};
template <>
struct accumulator<double> {
  using type = double;
};
template <class T>
using accumulator_t = typename accumulator<T>::type;

/** Rows of a matrix, which may be columns of a wider one: row r begins at `data + r * stride`. */
template <class T>
struct Rows {
  T* data;
  int64_t stride;

  T* operator[](int64_t row) const { return data + row * stride; }
  /** The same rows from a column on. */
  Rows from(int64_t column) const { return {data + column, stride}; }
};

/** The matrix of a linear map y = x w^T: (out, in), as Hugging Face stores it. */
struct Weight {
  const void* data;
  int out;
  int in;
  Dtype dtype;
  /**
   * Whether the matrix is in the backend's own order, made by `Ops::pack`: faster to read, but not trainable. Else it
   * is row-major.
   */
  bool packed;
};

/** Whether a result replaces the destination or is added to it. */
enum class Into { assign, add };

/**
 * Tokens of several sequences side by side, without padding. Segment s has the rows `starts[s]` to `starts[s + 1] - 1`.
 * On the device.
 */
struct Segments {
  int count;
  int rows;
  /** Number of rows of the longest segment. */
  int longest;
  /** (count + 1) */
  const int32_t* starts;
};

/** Attention heads. A row of queries, keys and values is `[query_heads | kv_heads | kv_heads] * head_size`. */
struct Heads {
  int query;
  int kv;
  int size;

  int width() const { return (query + 2 * kv) * size; }
  int key_column() const { return query * size; }
  int value_column() const { return (query + kv) * size; }
};

/** Number of positions in a page of the key-value store. */
constexpr int page_positions = 16;

/** Storage of keys and values during generation. */
enum class KeyValueFormat {
  /** The type of the activations. */
  plain,
  /** fp8 e4m3 with one scale per key and value vector. */
  fp8,
};

/** The sequences that have rows in a step, and the places of their keys and values. Arrays on the host. */
struct PagedSequences {
  int count;
  /** (count + 1): first row of each sequence. */
  const int32_t* starts;
  /** (count): position of each sequence's first row. Earlier positions are in its pages. */
  const int32_t* first_positions;
  /** (count + 1): where each sequence's entries of `pages` begin. */
  const int32_t* first_pages;
  /** Page numbers, by sequence and position. Sequences whose lists begin alike share those keys and values. */
  const int32_t* pages;
};

/** Upper limits of the steps of a `PagedBatch`. */
struct PagedLimits {
  int sequences;
  int rows;
  /** Positions per sequence. */
  int positions;
};

/** The sequences of the current step in the device's form, for the calls of all its layers. Made by `Ops`. */
class PagedBatch {
 public:
  virtual ~PagedBatch() = default;
  /**
   * @param rows the row count of the calls that follow, at least that of the sequences. Extra rows are computed without
   * meaning, and nothing is stored for them
   */
  virtual void begin(const PagedSequences& sequences, int rows) = 0;
  /** Steps of equal shape queue equal work; only the memory contents differ. See `Stream::replay`. */
  virtual uint64_t shape() const = 0;
};

/** Preparation of queries and keys for attention: RMSNorm of each head, if there are weights, then rotation. */
template <class T>
struct HeadPreparation {
  const T* query_norm;  // (head_size), or null
  const T* key_norm;
  float epsilon;
  /** (rows, head_size), from `rotary_turns`. */
  const accumulator_t<T>* turns;
  /** (rows, number of heads), for the gradient; or null. */
  accumulator_t<T>* query_rstd;
  accumulator_t<T>* key_rstd;
};

/** Destination of the keys and values of a layer. */
struct PagedStore {
  const PagedBatch* batch;
  /** Page p begins at byte `Ops::page_bytes` * p. */
  void* pages;
};

/** Rules for sampling a token. */
struct Sampling {
  float temperature = 1;
  /** 0: all tokens. */
  int32_t top_k = 0;
  float top_p = 1;
  float min_p = 0;
};

/** The draw of one token: its rule, random number and mask. Arrays on the host. */
struct Draw {
  Sampling rule;
  /** In [0, 1). */
  double uniform;
  /** One bit per token that may be drawn; null: all tokens. */
  const std::vector<uint32_t>* allowed;
};

/** A drawn token. */
struct Choice {
  /** -1 when a logit is not finite. */
  int32_t token;
  /** Log-probability under the distribution that was drawn from; 0 for a certain choice. */
  float logprob;
  /**
   * Log-probability under the model's distribution at the temperature (1 when greedy), equal to that of
   * `token_statistics`.
   */
  float model_logprob;
};

/** Statistics of a row's distribution over the vocabulary at the temperature. The logits are not kept. */
template <class A>
struct TokenStatistics {
  /** (rows): log of the sum of exp(logits / temperature). */
  A* log_sum;
  /** (rows): log-probability of the row's target. */
  A* logprob;
  /** (rows): entropy in nats; null when not requested. */
  A* entropy;
};

struct AdamW {
  float lr;
  float beta1;
  float beta2;
  float epsilon;
  float weight_decay;
  /** Number of the step, from 1, for the bias correction. */
  int64_t step;
  /** Factor applied to the gradients before their use: clipping, averaging. */
  float gradient_scale;
};

/**
 * The operations that a model needs from a device. Model code is written once on top of them. Each backend implements
 * them for its activation type T (float on a CPU, double for proofs, bf16 and float on CUDA). One object is one stream.
 *
 * Every backend follows three rules. Tests check them bit for bit on CPU float. On CUDA with Palestra's own GEMM, the
 * first and the third hold bit for bit, and the second when rows come in multiples of 16. cuBLAS guarantees none of
 * them.
 *   - Batch invariance: a row's result depends on that row alone, not on the number of rows beside it.
 *   - A sum runs in the order of its index, from the value that `Into::add` finds. Sums over tokens then give equal
 *     bits whether the tokens come in one call or in several.
 *   - No result depends on the number of threads.
 *
 * Pointers are on the device unless stated otherwise. "(a, b)" is a row-major shape.
 */
template <class T>
class Ops : public Stream {
 public:
  using A = accumulator_t<T>;

  /** to (n) = from (n), rounded; a copy where T is A */
  virtual void round(T* to, const A* from, size_t n) = 0;

  // Linear maps. A null bias means no bias.

  /** y (rows, out) = x (rows, in) w^T + bias (out) */
  virtual void linear(Rows<T> y, Rows<const T> x, const Weight& w, const T* bias, int rows, Into into) = 0;
  /** dx (rows, in) = dy (rows, out) w */
  virtual void linear_input_gradient(Rows<T> dx, Rows<const T> dy, const Weight& w, int rows, Into into) = 0;
  /** dw (out, in) += dy (rows, out)^T x (rows, in) */
  virtual void linear_weight_gradient(A* dw, Rows<const T> dy, Rows<const T> x, int out, int in, int rows) = 0;
  /** db (width) += the sum of dy (rows, width) over its rows */
  virtual void bias_gradient(A* db, Rows<const T> dy, int width, int rows) = 0;
  /** Number of bytes of a packed (out, in) weight. */
  virtual size_t packed_bytes(int out, int in, Dtype dtype) const = 0;
  /** Makes a packed copy of a row-major weight of T, for `linear`, `embed` and `logits` only. */
  virtual Weight pack(void* packed, const Weight& row_major, Dtype dtype) = 0;

  // Embedding.

  /** y (rows, width) = the rows of the table (vocabulary, width) selected by the tokens */
  virtual void embed(Rows<T> y, const Weight& table, const int32_t* tokens, int rows) = 0;
  /** dtable += dy, row by row in the order of the rows */
  virtual void embed_gradient(A* dtable, Rows<const T> dy, const int32_t* tokens, int vocabulary, int width,
                              int rows) = 0;

  // RMSNorm (Zhang and Sennrich 2019): y = x * rstd * w, rstd = 1 / sqrt(mean(x^2) + epsilon).

  // With `heads` above 1, a row is that many adjacent vectors of `width`, each normed by itself with the same w.

  /** @param rstd (rows, heads), or null when no gradient will be computed. y may be x. */
  virtual void rms_norm(Rows<T> y, A* rstd, Rows<const T> x, const T* w, int width, int rows, float epsilon,
                        int heads = 1) = 0;
  /** dw (width) += ..., by row and then by head. dx may be dy with `Into::assign`. A null dw is not computed. */
  virtual void rms_norm_gradient(Rows<T> dx, A* dw, Rows<const T> dy, Rows<const T> x, const T* w, const A* rstd,
                                 int width, int rows, Into into, int heads = 1) = 0;

  // Rotary positions (Su et al. 2021). The two halves of a head are paired, as in Hugging Face.

  /**
   * turns (rows, head_size) = the cosines of all pairs' angles, position * frequency, then the sines. Computed once for
   * all layers.
   *
   * @param frequencies (head_size / 2), after any scaling
   */
  virtual void rotary_turns(A* turns, const int32_t* positions, const float* frequencies, int head_size, int rows) = 0;
  /**
   * Rotates `heads` adjacent heads of each row in place.
   *
   * @param direction 1, or -1 for the gradient
   */
  virtual void rotate(Rows<T> x, const A* turns, int heads, int head_size, int rows, int direction) = 0;
  /**
   * Prepares the queries and keys of the rows for attention, in place. With a store, keys and values are also written
   * there. On a CPU, equal to `rms_norm` and `rotate` bit for bit.
   */
  virtual void prepare_heads(Rows<T> qkv, const HeadPreparation<T>& how, const Heads& heads, int rows,
                             const PagedStore* store) = 0;

  // Causal attention with grouped queries (Ainslie et al. 2023), scores scaled by 1 / sqrt(head_size).

  /** out (rows, query heads * size). @param log_sum (rows, query heads) for the gradient, or null */
  virtual void attention(T* out, A* log_sum, Rows<const T> qkv, const Heads& heads, const Segments& segments) = 0;
  /** dqkv = ..., all of each row. Recomputes the scores, as FlashAttention 2 (Dao 2023), algorithm 2. */
  virtual void attention_gradient(Rows<T> dqkv, const T* dout, const T* out, const A* log_sum, Rows<const T> qkv,
                                  const Heads& heads, const Segments& segments) = 0;
  virtual std::unique_ptr<PagedBatch> make_paged_batch(const Heads& heads, KeyValueFormat format,
                                                       const PagedLimits& limits) = 0;
  /**
   * Number of bytes of a page of one layer. Fails with `Code::invalid_argument` when the device does not support the
   * format.
   */
  virtual size_t page_bytes(const Heads& heads, KeyValueFormat format) const = 0;
  /** Like `attention`, with keys and values from pages, including those of the rows themselves. Equal bits on a CPU. */
  virtual void paged_attention(T* out, Rows<const T> qkv, const Heads& heads, const PagedStore& store) = 0;

  // SwiGLU (Shazeer 2020): y (rows, width) = silu(gate) * up, of gate_up (rows, 2 * width).

  virtual void swiglu(T* y, const T* gate_up, int width, int rows) = 0;
  /**
   * Also recomputes y, which costs less than keeping it; the gradient of the following linear map needs it. dgate_up
   * may be gate_up, and y may be dy.
   */
  virtual void swiglu_gradient(T* dgate_up, T* y, const T* dy, const T* gate_up, int width, int rows) = 0;

  // The head, on logits (rows, vocabulary) of one chunk of rows.

  /** Computes the log-probability of the targets (rows), the log-sum and the entropy. */
  virtual void token_statistics(const TokenStatistics<A>& out, const A* logits, const int32_t* targets, int vocabulary,
                                int rows, A temperature) = 0;
  /**
   * Replaces logits by their gradient, from the gradients of log-probability and entropy:
   *   dlogit_j = (g_logp (1[j = target] - p_j) - g_ent p_j (log p_j + H)) / temperature.
   * Null gradients are zero. The backend chooses the layout of the gradient, which only the two calls below read.
   */
  virtual void logits_gradient(A* logits, const TokenStatistics<A>& statistics, const A* logprob_gradient,
                               const A* entropy_gradient, const int32_t* targets, int vocabulary, int rows,
                               A temperature) = 0;
  /** Bytes of logits that exist at a time when the model chooses: enough rows to keep the device busy. */
  virtual size_t logits_bytes() const = 0;
  /** logits (rows, vocabulary) = x w^T, in A for every T */
  virtual void logits(A* logits, Rows<const T> x, const Weight& w, int rows) = 0;
  /**
   * Draws a token for each row of the logits, as described in ops/cpu/sampler.h. @param choices (draws), on the host
   */
  virtual void sample(Choice* choices, const A* logits, int vocabulary, const std::vector<Draw>& draws) = 0;
  /** dx = dlogits w */
  virtual void logits_input_gradient(Rows<T> dx, const A* dlogits, const Weight& w, int rows) = 0;
  /** dw (vocabulary, width) += dlogits^T x */
  virtual void logits_weight_gradient(A* dw, const A* dlogits, Rows<const T> x, int vocabulary, int width,
                                      int rows) = 0;

  // Rows.

  /** y (count, width) = the rows of x selected by `indices` */
  virtual void gather_rows(Rows<T> y, Rows<const T> x, const int32_t* indices, int width, int count) = 0;
  /** x row indices[i] += y row i; no index may occur twice */
  virtual void scatter_rows(Rows<T> x, Rows<const T> y, const int32_t* indices, int width, int count) = 0;
  /** x (rows, width) *= factor */
  virtual void scale(Rows<T> x, A factor, int width, int rows) = 0;

  // Optimiser, on n adjacent parameters.

  /** Number of elements per job of a step: some milliseconds on the device. */
  virtual size_t step_elements() const = 0;

  /** to += from */
  virtual void add(A* to, const A* from, size_t n) = 0;

  /**
   * AdamW (Loshchilov and Hutter 2019) on the master weights.
   *
   * @param rounded (n): receives the weights rounded to T, as `round` does; null where T is A
   */
  virtual void adamw(A* weights, T* rounded, const A* gradients, A* first_moment, A* second_moment, size_t n,
                     const AdamW& rule) = 0;
  /** Returns the sum of the squares, in double, in the order of blocks of a fixed size. On the host. */
  virtual double squared_norm(const A* values, size_t n) = 0;
};

}  // namespace palestra
