#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "../core/half.h"
#include "dropout.h"
#include "stream.h"

namespace palestra {

enum class Dtype { f32, bf16, f16, f64 };

/** Type of the weights with which activations of type T are multiplied. */
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
  /** Returns the same rows from a column on. */
  Rows from(int64_t column) const { return {data + column, stride}; }
};

/** The matrix of a linear map y = x w^T: (out, in), as Hugging Face stores it. */
struct Weight {
  const void* data;
  int out;
  int in;
  Dtype dtype;
  /**
   * Whether the matrix is in the backend's own order, made by `Ops::pack`, which is faster to read but not trainable.
   * Otherwise the matrix is row-major.
   */
  bool packed;
};

/** Whether a result replaces the destination or is added to it. */
enum class Into { assign, add };

/**
 * Tokens of several sequences, concatenated without padding, on the device. Segment s has the rows `starts[s]` to
 * `starts[s + 1] - 1`. A segment with a parent continues the parent's sequence: its rows also attend to all rows of its
 * ancestors. Sequences that begin with the same tokens thus share the rows of these tokens.
 */
struct Segments {
  int count;
  int rows;
  /** Number of rows of the longest segment. */
  int longest;
  /** First row of each segment, followed by the number of rows: (count + 1). */
  const int32_t* starts;
  /** Parent of each segment, which is an earlier segment, or -1: (count). Null: no segment has a parent. */
  const int32_t* parents = nullptr;
};

/**
 * Attention heads. A row of queries, keys and values is `[query_heads | kv_heads | kv_heads] * head_size`. The caller
 * checks that the size is a multiple of 8 up to 256, and that the key-value heads divide the query heads.
 */
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
  /** Keys and values have the type of the activations. */
  plain,
  /** Keys and values are fp8 e4m3, with one scale per vector. */
  fp8,
};

/** The sequences that have rows in a step, and the places of their keys and values. The arrays are on the host. */
struct PagedSequences {
  int count;
  /** First row of each sequence: (count + 1). */
  const int32_t* starts;
  /** Position of each sequence's first row: (count). Earlier positions are in the pages of the sequence. */
  const int32_t* first_positions;
  /** Index in `pages` at which each sequence's entries begin: (count + 1). */
  const int32_t* first_pages;
  /**
   * Page numbers, by sequence and position. Sequences whose lists begin with the same pages share the keys and values
   * of these pages.
   */
  const int32_t* pages;
};

/** Upper limits of the steps of a `PagedBatch`. */
struct PagedLimits {
  int sequences;
  int rows;
  /** Largest number of positions per sequence. */
  int positions;
};

/**
 * The sequences of the current step in the device's form, for the calls of all layers of the step. `Ops` makes this
 * object.
 */
class PagedBatch {
 public:
  virtual ~PagedBatch() = default;
  /**
   * @param rows the row count of the calls that follow, at least that of the sequences. The results of extra rows have
   * no meaning, and nothing is stored for these rows
   */
  virtual void begin(const PagedSequences& sequences, int rows) = 0;
  /**
   * Shape of the step. Steps of equal shape queue equal work, and only the memory contents differ. See
   * `Stream::replay`.
   */
  virtual uint64_t shape() const = 0;
};

/** Preparation of queries and keys for attention: RMSNorm of each head, if weights are given, followed by rotation. */
template <class T>
struct HeadPreparation {
  const T* query_norm;  // (head_size), or null
  const T* key_norm;
  float epsilon;
  /** Turns (rows, head_size), from `rotary_turns`. */
  const accumulator_t<T>* turns;
  /** Statistics for the gradient (rows, number of heads), or null. */
  accumulator_t<T>* query_rstd;
  accumulator_t<T>* key_rstd;
};

/** Destination of the keys and values of a layer. */
struct PagedStore {
  const PagedBatch* batch;
  /** Memory of the pages. Page p begins at byte `Ops::page_bytes` * p. */
  void* pages;
};

/** Rules for sampling a token. */
struct Sampling {
  float temperature = 1;
  /** Number of most probable tokens to keep. 0: all tokens. */
  int32_t top_k = 0;
  float top_p = 1;
  float min_p = 0;
};

/** The draw of one token, with its rule, random number and mask. The arrays are on the host. */
struct Draw {
  Sampling rule;
  /** Random number in [0, 1). */
  double uniform;
  /** Bit mask of the tokens that may be drawn. Null: all tokens. */
  const std::vector<uint32_t>* allowed;
};

/** A change of one logit z: to (z > 0 ? z / divisor : z * divisor) + addend. */
struct LogitChange {
  int32_t row;
  int32_t token;
  float divisor;
  float addend;
};

/** A drawn token. */
struct Choice {
  /** Id of the token. -1 when a logit is not finite. */
  int32_t token;
  /** Log-probability under the distribution from which the token was drawn. 0 for a certain choice. */
  float logprob;
  /**
   * Log-probability under the model's distribution at the temperature (1 when greedy). Equal to the result of
   * `token_statistics`.
   */
  float model_logprob;
};

/** Statistics of a row's distribution over the vocabulary at the temperature. The logits are not kept. */
template <class A>
struct TokenStatistics {
  /** Log of the sum of exp(logits / temperature): (rows). */
  A* log_sum;
  /** Log-probability of the row's target: (rows). */
  A* logprob;
  /** Entropy in nats: (rows). Null when not requested. */
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
  /** Factor that is applied to the gradients before their use, for clipping or averaging. */
  float gradient_scale;
};

/**
 * The operations that a model needs from a device. Model code is written once on top of these operations. Each backend
 * implements them for its activation type T (float on a CPU, double for proofs, bf16 and float on CUDA). One object is
 * one stream.
 *
 * Every backend follows three rules. Tests check the rules bit for bit on CPU float. On CUDA with Palestra's own GEMM,
 * the first and the third rule hold bit for bit, and the second when rows come in multiples of 16. cuBLAS guarantees
 * none of the rules.
 *   - Batch invariance: a row's result depends on that row alone, not on the number of rows beside it.
 *   - A sum runs in the order of its index, from the value that `Into::add` finds. Sums over tokens therefore give
 * equal
 *     bits whether the tokens come in one call or in several.
 *   - No result depends on the number of threads.
 *
 * Pointers are on the device unless stated otherwise. "(a, b)" is a row-major shape.
 */
template <class T>
class Ops : public Stream {
 public:
  using A = accumulator_t<T>;

  /** Computes to (n) = from (n), rounded. The operation is a copy where T is A. */
  virtual void round(T* to, const A* from, size_t n) = 0;

  // Linear maps. A null bias means no bias.

  /** Computes y (rows, out) = x (rows, in) w^T + bias (out). */
  virtual void linear(Rows<T> y, Rows<const T> x, const Weight& w, const T* bias, int rows, Into into) = 0;
  /** Computes dx (rows, in) = dy (rows, out) w. */
  virtual void linear_input_gradient(Rows<T> dx, Rows<const T> dy, const Weight& w, int rows, Into into) = 0;
  /** Computes dw (out, in) += dy (rows, out)^T x (rows, in). */
  virtual void linear_weight_gradient(A* dw, Rows<const T> dy, Rows<const T> x, int out, int in, int rows) = 0;
  /** Computes db (width) += the sum of dy (rows, width) over its rows. */
  virtual void bias_gradient(A* db, Rows<const T> dy, int width, int rows) = 0;
  /** Number of bytes of a packed (out, in) weight. */
  virtual size_t packed_bytes(int out, int in, Dtype dtype) const = 0;
  /** Makes a packed copy of a row-major weight of T, for `linear`, `embed` and `logits` only. */
  virtual Weight pack(void* packed, const Weight& row_major, Dtype dtype) = 0;

  // Embedding.

  /** Computes y (rows, width) = the rows of the table (vocabulary, width) that the tokens select. */
  virtual void embed(Rows<T> y, const Weight& table, const int32_t* tokens, int rows) = 0;
  /** Computes dtable += dy, row by row in the order of the rows. */
  virtual void embed_gradient(A* dtable, Rows<const T> dy, const int32_t* tokens, int vocabulary, int width,
                              int rows) = 0;

  // RMSNorm (Zhang and Sennrich 2019): y = x * rstd * w, rstd = 1 / sqrt(mean(x^2) + epsilon).

  // With `heads` above 1, a row consists of `heads` adjacent vectors of `width`. Each vector is normed separately with
  // the same w.

  /** @param rstd (rows, heads), or null when no gradient will be computed. y may be x. */
  virtual void rms_norm(Rows<T> y, A* rstd, Rows<const T> x, const T* w, int width, int rows, float epsilon,
                        int heads = 1) = 0;
  /**
   * Computes dw (width) += ..., by row and, within a row, by head. dx may be dy with `Into::assign`. A null dw is not
   * computed.
   */
  virtual void rms_norm_gradient(Rows<T> dx, A* dw, Rows<const T> dy, Rows<const T> x, const T* w, const A* rstd,
                                 int width, int rows, Into into, int heads = 1) = 0;

  // Rotary positions (Su et al. 2021). The two halves of a head are paired, as in Hugging Face.

  /**
   * Computes turns (rows, head_size) = the cosines of all pairs' angles, position * frequency, followed by the sines.
   * The turns are computed once for all layers.
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
   * Prepares the queries and keys of the rows for attention, in place. If a store is given, keys and values are also
   * written to it. On a CPU, the results equal those of `rms_norm` and `rotate` bit for bit.
   */
  virtual void prepare_heads(Rows<T> qkv, const HeadPreparation<T>& how, const Heads& heads, int rows,
                             const PagedStore* store) = 0;

  // Causal attention with grouped queries (Ainslie et al. 2023), scores scaled by 1 / sqrt(head_size).

  /** Whether `attention` and `attention_gradient` accept segments with parents. */
  virtual bool attends_to_parents() const = 0;
  /** Computes out (rows, query heads * size). @param log_sum (rows, query heads) for the gradient, or null */
  virtual void attention(T* out, A* log_sum, Rows<const T> qkv, const Heads& heads, const Segments& segments) = 0;
  /** Computes dqkv = ..., all of each row. Recomputes the scores, as FlashAttention 2 (Dao 2023), algorithm 2, does. */
  virtual void attention_gradient(Rows<T> dqkv, const T* dout, const T* out, const A* log_sum, Rows<const T> qkv,
                                  const Heads& heads, const Segments& segments) = 0;
  virtual std::unique_ptr<PagedBatch> make_paged_batch(const Heads& heads, KeyValueFormat format,
                                                       const PagedLimits& limits) = 0;
  /**
   * Number of bytes of a page of one layer. Fails with `Code::invalid_argument` when the device does not support the
   * format.
   */
  virtual size_t page_bytes(const Heads& heads, KeyValueFormat format) const = 0;
  /**
   * Like `attention`, with keys and values from pages, including those of the rows themselves. On a CPU, the bits equal
   * those of `attention`.
   */
  virtual void paged_attention(T* out, Rows<const T> qkv, const Heads& heads, const PagedStore& store) = 0;

  // SwiGLU (Shazeer 2020): y (rows, width) = silu(gate) * up, of gate_up (rows, 2 * width).

  virtual void swiglu(T* y, const T* gate_up, int width, int rows) = 0;
  /**
   * Computes the gradient of SwiGLU. Also recomputes y, which costs less than keeping it, since the gradient of the
   * following linear map needs y. dgate_up may be gate_up, and y may be dy.
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
  /**
   * Number of bytes of logits that exist at a time if the caller sets no limit: enough rows to keep the device busy.
   */
  virtual size_t logits_bytes() const = 0;
  /** Computes logits (rows, vocabulary) = x w^T, in A for every T. */
  virtual void logits(A* logits, Rows<const T> x, const Weight& w, int rows) = 0;
  /** Changes logits (rows, vocabulary) in place. The changes are on the host, and no logit is changed twice. */
  virtual void change_logits(A* logits, int vocabulary, const std::vector<LogitChange>& changes) = 0;
  /** Undoes the last `change_logits`, bit for bit. */
  virtual void restore_logits(A* logits) = 0;
  /**
   * Draws a token for each row of the logits, as described in ops/cpu/sampling/sampler.h. @param choices (draws), on
   * the host
   */
  virtual void sample(Choice* choices, const A* logits, int vocabulary, const std::vector<Draw>& draws) = 0;
  /** Computes dx = dlogits w. */
  virtual void logits_input_gradient(Rows<T> dx, const A* dlogits, const Weight& w, int rows) = 0;
  /** Computes dw (vocabulary, width) += dlogits^T x. */
  virtual void logits_weight_gradient(A* dw, const A* dlogits, Rows<const T> x, int vocabulary, int width,
                                      int rows) = 0;

  // Rows.

  /** Computes y (count, width) = the rows of x that `indices` selects, bit for bit. */
  virtual void gather_rows(Rows<T> y, Rows<const T> x, const int32_t* indices, int width, int count) = 0;
  /** Computes x row indices[i] += y row i. No index may occur twice. */
  virtual void scatter_rows(Rows<T> x, Rows<const T> y, const int32_t* indices, int width, int count) = 0;
  /** Computes y (rows, width) = or += x without the elements that `dropout` drops; y may be x. See ops/dropout.h. */
  virtual void drop(Rows<T> y, Rows<const T> x, const Dropout& dropout, int width, int rows, Into into) = 0;
  /** Computes x (rows, width) *= factor. */
  virtual void scale(Rows<T> x, A factor, int width, int rows) = 0;

  // Optimizer, on n adjacent parameters.

  /** Number of elements per job of a step, which take some milliseconds on the device. */
  virtual size_t step_elements() const = 0;

  /** Computes to += from. */
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
