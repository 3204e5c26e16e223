#pragma once
#include <cstddef>
#include <cstdint>

#include "../core/half.h"
#include "../core/memory.h"

namespace palestra {

enum class Dtype { f32, bf16, f16, f64 };

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

/**
 * Keys and values of `page_positions` positions of one kv head: keys transposed, (head_size, page_positions), so that
 * the scores of one query with all of them are one vector; values as (page_positions, head_size).
 */
template <class T>
struct PagedSequences {
  /** Sequences that have rows in this step. */
  int count;
  /** (count + 1): first row of each sequence. */
  const int32_t* starts;
  /** (count): position of each sequence's first row; the ones before are in its pages. */
  const int32_t* first_positions;
  /** (count + 1): where each sequence's entries of `pages` begin. */
  const int32_t* first_pages;
  /** Page numbers, by sequence and position. */
  const int32_t* pages;
  /** The store of one layer: page p, kv head h at `data + (p * kv_heads + h) * 2 * head_size * page_positions`. */
  T* store;
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

/** What sampling one token obeys. */
struct Sampling {
  float temperature = 1;
  /** 0: all. */
  int32_t top_k = 0;
  float top_p = 1;
  float min_p = 0;
};

/**
 * The op table: all that a model asks of a device. Model code is written once over it; a backend implements it for its
 * activation type T (float on a CPU, double for proofs, bf16 on CUDA). One object is one stream: calls are done in
 * order; on a device that works on its own, only `download` waits.
 *
 * Three rules hold for every backend, and tests hold them to the bit on CPU float:
 *  - a row's result depends on that row alone, not on how many others are beside it (batch invariance);
 *  - a sum runs in the order of its index, starting from what `Into::add` finds there, so that sums over tokens give
 *    the same bits whether the tokens come in one call or in several;
 *  - nothing depends on the number of threads.
 *
 * Pointers are on the device unless they say otherwise. "(a, b)" is a row-major shape.
 */
template <class T>
class Ops {
 public:
  using A = accumulator_t<T>;
  virtual ~Ops() = default;

  virtual Memory& memory() = 0;
  virtual void upload(void* device, const void* host, size_t bytes) = 0;
  virtual void download(void* host, const void* device, size_t bytes) = 0;
  virtual void zero(void* data, size_t bytes) = 0;
  virtual void copy(void* to, const void* from, size_t bytes) = 0;

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
  /** Makes a packed copy of a row-major weight for `linear` alone. */
  virtual Weight pack(void* packed, const A* row_major, int out, int in, Dtype dtype) = 0;

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

  // Causal attention with grouped queries (Ainslie et al. 2023), scores scaled by 1 / sqrt(head_size).

  /** out (rows, query heads * size); @param log_sum (rows, query heads) for the gradient, or null */
  virtual void attention(T* out, A* log_sum, Rows<const T> qkv, const Heads& heads, const Segments& segments) = 0;
  /** dqkv = ..., all of each row. As FlashAttention 2 (Dao 2023), algorithm 2: scores are computed again. */
  virtual void attention_gradient(Rows<T> dqkv, const T* dout, const T* out, const A* log_sum, Rows<const T> qkv,
                                  const Heads& heads, const Segments& segments) = 0;
  /** Writes the keys and values of the rows into their pages. */
  virtual void store_keys_values(Rows<const T> qkv, const Heads& heads, const PagedSequences<T>& sequences) = 0;
  /** As `attention`, keys and values from pages, those of the rows themselves included: the same bits. */
  virtual void paged_attention(T* out, Rows<const T> qkv, const Heads& heads, const PagedSequences<T>& sequences) = 0;

  // SwiGLU (Shazeer 2020): y (rows, width) = silu(gate) * up, of gate_up (rows, 2 * width).

  virtual void swiglu(T* y, const T* gate_up, int width, int rows) = 0;
  /** dgate_up may be gate_up. */
  virtual void swiglu_gradient(T* dgate_up, const T* dy, const T* gate_up, int width, int rows) = 0;

  // The head, on logits (rows, vocabulary) of a chunk of rows.

  /** Log-probability of the targets (rows), its log-sum and entropy. */
  virtual void token_statistics(const TokenStatistics<A>& out, const A* logits, const int32_t* targets, int vocabulary,
                                int rows, A temperature) = 0;
  /**
   * Replaces logits by their gradient, from those of log-probability and entropy:
   * dlogit_j = (g_logp (1[j = target] - p_j) - g_ent p_j (log p_j + H)) / temperature.
   * Null gradients are zero.
   */
  virtual void logits_gradient(A* logits, const TokenStatistics<A>& statistics, const A* logprob_gradient,
                               const A* entropy_gradient, const int32_t* targets, int vocabulary, int rows,
                               A temperature) = 0;
  /** logits (rows, vocabulary) = x w^T, in A whatever T is */
  virtual void logits(A* logits, Rows<const T> x, const Weight& w, int rows) = 0;
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

  /** to += from */
  virtual void add(A* to, const A* from, size_t n) = 0;

  /** AdamW (Loshchilov and Hutter 2019) on the master weights. */
  virtual void adamw(A* weights, const A* gradients, A* first_moment, A* second_moment, size_t n,
                     const AdamW& rule) = 0;
  /** The sum of the squares, in double and in the order of blocks of fixed size. On the host. */
  virtual double squared_norm(const A* values, size_t n) = 0;
};

}  // namespace palestra
