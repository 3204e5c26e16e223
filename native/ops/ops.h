#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "../core/half.h"
#include "stream.h"

namespace palestra {

enum class Dtype { f32, bf16, f16, f64 };

/** The type of weights that activations of type T meet. */
template <class T>
constexpr Dtype dtype_of = Dtype::f32;
template <>
inline constexpr Dtype dtype_of<double> = Dtype::f64;
template <>
inline constexpr Dtype dtype_of<bf16> = Dtype::bf16;

/** In which type gradients, master weights and statistics are kept beside activations of type T. */
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

/** Rows of a matrix that may be columns of a wider one: row r begins at `data + r * stride`. */
template <class T>
struct Rows {
  T* data;
  int64_t stride;

  T* operator[](int64_t row) const { return data + row * stride; }
  /** The same rows from that column on. */
  Rows from(int64_t column) const { return {data + column, stride}; }
};

/** The matrix of a linear map y = x w^T: (out, in), as Hugging Face stores it. */
struct Weight {
  const void* data;
  int out;
  int in;
  Dtype dtype;
  /** Row-major, or in the backend's own order as `Ops::pack` made it, which reads faster and cannot be trained. */
  bool packed;
};

/** Whether a result replaces what was there or is added to it. */
enum class Into { assign, add };

/**
 * Tokens of several sequences side by side, without padding. Segment s has the rows `starts[s]` to `starts[s + 1] - 1`.
 * On the device.
 */
struct Segments {
  int count;
  int rows;
  /** Rows of the longest segment. */
  int longest;
  /** (count + 1) */
  const int32_t* starts;
};

/** Heads of attention. A row of queries, keys and values is `[query_heads | kv_heads | kv_heads] * head_size`. */
struct Heads {
  int query;
  int kv;
  int size;

  int width() const { return (query + 2 * kv) * size; }
  int key_column() const { return query * size; }
  int value_column() const { return (query + kv) * size; }
};

/** Positions in a page of the key-value store. */
constexpr int page_positions = 16;

/** How keys and values are kept while generating. */
enum class KeyValueFormat {
  /** As the activations are. */
  plain,
  /** fp8 e4m3 with a scale for each key and value vector. */
  fp8,
};

/** The sequences that have rows in a step, and where their keys and values lie. Arrays on the host. */
struct PagedSequences {
  int count;
  /** (count + 1): first row of each sequence. */
  const int32_t* starts;
  /** (count): position of each sequence's first row; the ones before are in its pages. */
  const int32_t* first_positions;
  /** (count + 1): where each sequence's entries of `pages` begin. */
  const int32_t* first_pages;
  /** Page numbers, by sequence and position. Sequences whose lists begin alike have the same keys and values there. */
  const int32_t* pages;
};

/** The most that a `PagedBatch` is ever begun with. */
struct PagedLimits {
  int sequences;
  int rows;
  /** Of a sequence. */
  int positions;
};

/** The sequences of the step at hand as a device needs them, for the calls of all its layers. Made by `Ops`. */
class PagedBatch {
 public:
  virtual ~PagedBatch() = default;
  /**
   * @param rows that the calls which follow are told, at least those of the sequences: the ones behind are computed and
   *   mean nothing, and nothing is stored of them
   */
  virtual void begin(const PagedSequences& sequences, int rows) = 0;
  /** Two steps of one shape ask for the same work, but for what lies in memory: see `Stream::replay`. */
  virtual uint64_t shape() const = 0;
};

/** What becomes of queries and keys before attention: RMSNorm of each head, where there are weights, then rotation. */
template <class T>
struct HeadPreparation {
  const T* query_norm;  // (head_size), or null
  const T* key_norm;
  float epsilon;
  /** (rows, head_size), of `rotary_turns`. */
  const accumulator_t<T>* turns;
  /** (rows, heads of each): for the gradient, or null. */
  accumulator_t<T>* query_rstd;
  accumulator_t<T>* key_rstd;
};

/** Where the keys and values of a layer go. */
struct PagedStore {
  const PagedBatch* batch;
  /** Page p begins `Ops::page_bytes` * p bytes on. */
  void* pages;
};

/** What sampling one token obeys. */
struct Sampling {
  float temperature = 1;
  /** 0: all. */
  int32_t top_k = 0;
  float top_p = 1;
  float min_p = 0;
};

/** How one token is drawn. Arrays on the host. */
struct Draw {
  Sampling rule;
  /** In [0, 1). */
  double uniform;
  /** A bit each token: may it be drawn; null: all. */
  const std::vector<uint32_t>* allowed;
};

/** A token that was drawn. */
struct Choice {
  /** -1 where a logit is not a finite number. */
  int32_t token;
  /** Under the distribution that was drawn from; 0 for a certain choice. */
  float logprob;
  /** Under the model's at the temperature (1 where greedy), as `token_statistics` has it. */
  float model_logprob;
};

/** A row's distribution over the vocabulary, of which the logits themselves are not kept. All at the temperature. */
template <class A>
struct TokenStatistics {
  /** (rows): log of the sum of exp(logits / temperature). */
  A* log_sum;
  /** (rows): log-probability of the row's target. */
  A* logprob;
  /** (rows): entropy in nats; null where it is not asked for. */
  A* entropy;
};

struct AdamW {
  float lr;
  float beta1;
  float beta2;
  float epsilon;
  float weight_decay;
  /** From 1: for the bias correction. */
  int64_t step;
  /** Multiplies gradients before they are used: clipping, averaging. */
  float gradient_scale;
};

/**
 * The op table: all that a model asks of a device. Model code is written once over it; a backend implements it for its
 * activation type T (float on a CPU, double for proofs, bf16 and float on CUDA). One object is one stream.
 *
 * Three rules hold for every backend, and tests hold them to the bit on CPU float. On CUDA the first and the third hold
 * to the bit where its own GEMM is in use, and the second where rows come in sixteens; cuBLAS promises none of them:
 *  - a row's result depends on that row alone, not on how many others are beside it (batch invariance);
 *  - a sum runs in the order of its index, starting from what `Into::add` finds there, so that sums over tokens give
 *    the same bits whether the tokens come in one call or in several;
 *  - nothing depends on the number of threads.
 *
 * Pointers are on the device unless they say otherwise. "(a, b)" is a row-major shape.
 */
template <class T>
class Ops : public Stream {
 public:
  using A = accumulator_t<T>;

  /** to (n) = from (n), rounded; a copy where T is A */
  virtual void round(T* to, const A* from, size_t n) = 0;

  // Linear maps. A null bias is none.

  /** y (rows, out) = x (rows, in) w^T + bias (out) */
  virtual void linear(Rows<T> y, Rows<const T> x, const Weight& w, const T* bias, int rows, Into into) = 0;
  /** dx (rows, in) = dy (rows, out) w */
  virtual void linear_input_gradient(Rows<T> dx, Rows<const T> dy, const Weight& w, int rows, Into into) = 0;
  /** dw (out, in) += dy (rows, out)^T x (rows, in) */
  virtual void linear_weight_gradient(A* dw, Rows<const T> dy, Rows<const T> x, int out, int in, int rows) = 0;
  /** db (width) += the sum of dy (rows, width) over its rows */
  virtual void bias_gradient(A* db, Rows<const T> dy, int width, int rows) = 0;
  /** Bytes of a packed (out, in) weight. */
  virtual size_t packed_bytes(int out, int in, Dtype dtype) const = 0;
  /** Makes a packed copy of a row-major weight of T, for `linear`, `embed` and `logits` alone. */
  virtual Weight pack(void* packed, const Weight& row_major, Dtype dtype) = 0;

  // Embedding.

  /** y (rows, width) = the rows of the table (vocabulary, width) that the tokens name */
  virtual void embed(Rows<T> y, const Weight& table, const int32_t* tokens, int rows) = 0;
  /** dtable += dy, row by row in the order of the rows */
  virtual void embed_gradient(A* dtable, Rows<const T> dy, const int32_t* tokens, int vocabulary, int width,
                              int rows) = 0;

  // RMSNorm (Zhang and Sennrich 2019): y = x * rstd * w, rstd = 1 / sqrt(mean(x^2) + epsilon).

  // With `heads` above 1 a row is that many neighbouring vectors of `width`, each normed alone by the same w.

  /** @param rstd (rows, heads), or null where no gradient will be asked for. y may be x. */
  virtual void rms_norm(Rows<T> y, A* rstd, Rows<const T> x, const T* w, int width, int rows, float epsilon,
                        int heads = 1) = 0;
  /** dw (width) += ..., by row and then by head; dx may be dy where it is assigned. A null dw is not computed. */
  virtual void rms_norm_gradient(Rows<T> dx, A* dw, Rows<const T> dy, Rows<const T> x, const T* w, const A* rstd,
                                 int width, int rows, Into into, int heads = 1) = 0;

  // Rotary positions (Su et al. 2021), the two halves of a head paired as Hugging Face pairs them.

  /**
   * turns (rows, head_size) = of each pair the cosine of its angle, position * frequency, then of each the sine: once
   * for all layers.
   * @param frequencies (head_size / 2), after any scaling
   */
  virtual void rotary_turns(A* turns, const int32_t* positions, const float* frequencies, int head_size, int rows) = 0;
  /**
   * Turns `heads` neighbouring heads of each row in place.
   * @param direction 1, or -1 for the gradient
   */
  virtual void rotate(Rows<T> x, const A* turns, int heads, int head_size, int rows, int direction) = 0;
  /**
   * Queries and keys of the rows as attention takes them, in place; with a store, keys and values are written there, too.
   * As `rms_norm` and `rotate` would do it, to the bit on a CPU.
   */
  virtual void prepare_heads(Rows<T> qkv, const HeadPreparation<T>& how, const Heads& heads, int rows,
                             const PagedStore* store) = 0;

  // Causal attention with grouped queries (Ainslie et al. 2023), scores scaled by 1 / sqrt(head_size).

  /** out (rows, query heads * size); @param log_sum (rows, query heads) for the gradient, or null */
  virtual void attention(T* out, A* log_sum, Rows<const T> qkv, const Heads& heads, const Segments& segments) = 0;
  /** dqkv = ..., all of each row. As FlashAttention 2 (Dao 2023), algorithm 2: scores are computed again. */
  virtual void attention_gradient(Rows<T> dqkv, const T* dout, const T* out, const A* log_sum, Rows<const T> qkv,
                                  const Heads& heads, const Segments& segments) = 0;
  virtual std::unique_ptr<PagedBatch> make_paged_batch(const Heads& heads, KeyValueFormat format,
                                                       const PagedLimits& limits) = 0;
  /** Bytes of a page of one layer. Fails with `Code::invalid_argument` where the device has no such format. */
  virtual size_t page_bytes(const Heads& heads, KeyValueFormat format) const = 0;
  /** As `attention`, keys and values from pages, those of the rows themselves included; the same bits on a CPU. */
  virtual void paged_attention(T* out, Rows<const T> qkv, const Heads& heads, const PagedStore& store) = 0;

  // SwiGLU (Shazeer 2020): y (rows, width) = silu(gate) * up, of gate_up (rows, 2 * width).

  virtual void swiglu(T* y, const T* gate_up, int width, int rows) = 0;
  /**
   * And y again, which costs less than keeping it: the map that it goes through needs it for its own gradient. dgate_up
   * may be gate_up, and y may be dy.
   */
  virtual void swiglu_gradient(T* dgate_up, T* y, const T* dy, const T* gate_up, int width, int rows) = 0;

  // The head, on logits (rows, vocabulary) of a chunk of rows.

  /** Log-probability of the targets (rows), its log-sum and entropy. */
  virtual void token_statistics(const TokenStatistics<A>& out, const A* logits, const int32_t* targets, int vocabulary,
                                int rows, A temperature) = 0;
  /**
   * Replaces logits by their gradient, from those of log-probability and entropy:
   * dlogit_j = (g_logp (1[j = target] - p_j) - g_ent p_j (log p_j + H)) / temperature.
   * Null gradients are zero. How they lie in that memory is the backend's own affair, for the two calls below.
   */
  virtual void logits_gradient(A* logits, const TokenStatistics<A>& statistics, const A* logprob_gradient,
                               const A* entropy_gradient, const int32_t* targets, int vocabulary, int rows,
                               A temperature) = 0;
  /** Bytes of logits that exist at a time, where the model chooses: enough rows to keep the device busy. */
  virtual size_t logits_bytes() const = 0;
  /** logits (rows, vocabulary) = x w^T, in A whatever T is */
  virtual void logits(A* logits, Rows<const T> x, const Weight& w, int rows) = 0;
  /** Draws a token of each row of the logits, as ops/cpu/sampler.h says. @param choices (draws), on the host */
  virtual void sample(Choice* choices, const A* logits, int vocabulary, const std::vector<Draw>& draws) = 0;
  /** dx = dlogits w */
  virtual void logits_input_gradient(Rows<T> dx, const A* dlogits, const Weight& w, int rows) = 0;
  /** dw (vocabulary, width) += dlogits^T x */
  virtual void logits_weight_gradient(A* dw, const A* dlogits, Rows<const T> x, int vocabulary, int width,
                                      int rows) = 0;

  // Rows.

  /** y (count, width) = the rows of x that `indices` names */
  virtual void gather_rows(Rows<T> y, Rows<const T> x, const int32_t* indices, int width, int count) = 0;
  /** x row indices[i] += y row i; no index twice */
  virtual void scatter_rows(Rows<T> x, Rows<const T> y, const int32_t* indices, int width, int count) = 0;
  /** x (rows, width) *= factor */
  virtual void scale(Rows<T> x, A factor, int width, int rows) = 0;

  // Optimiser, on n neighbouring parameters.

  /** Elements that one job of a step goes over: some milliseconds of the device's time, worth waiting for in between. */
  virtual size_t step_elements() const = 0;

  /** to += from */
  virtual void add(A* to, const A* from, size_t n) = 0;

  /**
   * AdamW (Loshchilov and Hutter 2019) on the master weights.
   * @param rounded (n): the weights as activations meet them, written as `round` does; null where T is A
   */
  virtual void adamw(A* weights, T* rounded, const A* gradients, A* first_moment, A* second_moment, size_t n,
                     const AdamW& rule) = 0;
  /** The sum of the squares, in double and in the order of blocks of fixed size. On the host. */
  virtual double squared_norm(const A* values, size_t n) = 0;
};

}  // namespace palestra
