/**
 * The C ABI of the engine, for Node's addon and, on a GPU machine, for Python's ctypes.
 *
 * Every function returns a status: 0, or a code of core/failure.h. After a failure, `palestra_last_error` returns the
 * message for the calling thread.
 *
 * The caller checks arguments: no pointer is null unless its comment says so, numbers are in the ranges that native/api
 * states, and the engine's thread never waits for itself. A function checks only what depends on the model, the device
 * or the content of a file.
 *
 * Functions whose parameters end in `done` queue work. Such a function returns once the work is queued, and calls
 * `done` exactly once on the engine's thread. Arguments are copied; output arrays belong to the engine until `done` is
 * called. With a null `done` the function waits for the work. A function that makes a model, trainer or generator also
 * waits for its turn. All other functions return at once.
 *
 * Handles may be used from any thread. Close each handle once, children before their parents. Closing ends queued work
 * with CLOSED. The texts in a description live as long as the described object.
 */
#ifndef PALESTRA_ENGINE_H
#define PALESTRA_ENGINE_H
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PALESTRA_API __attribute__((visibility("default")))

typedef struct palestra_engine palestra_engine;
typedef struct palestra_model palestra_model;
typedef struct palestra_trainer palestra_trainer;
typedef struct palestra_generator palestra_generator;

/** Receives the end of queued work. `message` is null when the code is 0, and lives until the call returns. */
typedef void (*palestra_done)(void* user, int32_t code, const char* message);

PALESTRA_API const char* palestra_last_error(void);

/* Engine */

typedef struct {
  /**
   * Name of the device: "cpu", "cuda:N" or "auto". "auto" is the first usable CUDA device, or the CPU if none is
   * usable.
   */
  const char* device;
  /** Number of CPU threads. 0: all cores. */
  int32_t threads;
  /** Memory budget in bytes. 0: nine tenths of the memory that is free when the engine is made. */
  uint64_t memory_bytes;
  /**
   * Data type. 0: f32 on a CPU, bf16 on CUDA; 1: f32; 2: bf16. On a CPU, the operands of matrix products are rounded to
   * this type. On CUDA, weights and activations have this type; master weights and sums are float.
   */
  int32_t dtype;
  double train_share;
  double generate_share;
  /**
   * Whether the same calls always run in the same order. On CUDA, this option turns cuBLAS off, because cuBLAS results
   * depend on the number of rows.
   */
  int32_t deterministic;
  /** Newest instruction set to use: "scalar", "avx2", "avx512", "avx512bf16", "amxbf16", or null for no limit. For tests. */
  const char* instruction_set;
} palestra_engine_options;

typedef struct {
  const char* device;
  const char* instruction_set;
  const char* gemm;
  /** Reason why CUDA is not in use. Empty when CUDA is in use. */
  const char* no_cuda;
  /**
   * Reason why the first decode step without a CUDA graph launched its kernels one by one. Empty when every decode step
   * used a CUDA graph.
   */
  const char* no_graphs;
  /** Data type, numbered as in the options: 1 f32, 2 bf16. */
  int32_t dtype;
  int32_t threads;
  uint64_t memory_budget, memory_used, memory_highest;
  /** Seconds that the engine's thread has spent on each lane. */
  double train_seconds, generate_seconds;
} palestra_engine_info;

PALESTRA_API int32_t palestra_engine_create(const palestra_engine_options*, palestra_engine** out);
PALESTRA_API int32_t palestra_engine_describe(palestra_engine*, palestra_engine_info* out);
PALESTRA_API int32_t palestra_engine_set_shares(palestra_engine*, double train, double generate);
/**
 * An operation on random operands, for benches. Each operation reads only the fields that it names. `op`:
 *   0 linear              y (rows, out) = x (rows, in) w^T
 *   1 input gradient      dx (rows, in) = dy (rows, out) w
 *   2 weight gradient     dw (out, in) += dy (rows, out)^T x (rows, in)
 *   3 attention           causal, over `rows` rows in sequences of `length`
 *   4 attention gradient  of 3
 *   5 head                logits of `rows` hidden states of width `in` over a vocabulary of `out`, their statistics,
 *                         their gradient and the gradient's two products; in chunks of rows, as in a trainer
 *   6 paged attention     one row of each of `rows` sequences over `length` positions; groups of `group` neighboring
 *                         sequences share the whole pages of their first `shared` positions
 *   7 rms norm            of (rows, in)
 *   8 adamw               of `rows` parameters
 */
typedef struct {
  int32_t op, rows, out, in;
  /** Layout of w in operation 0: 0 row-major, as in training; 1 packed f32 and 2 packed bf16, as in generation. */
  int32_t packed;
  int32_t query_heads, kv_heads, head_size, length, shared, group;
  /** Format of keys and values, numbered as in `palestra_generator_options`. */
  int32_t keys_values;
  /**
   * Number of operand sets that are used in turn. With enough sets, the operands of a set have left the caches by its
   * next turn.
   */
  int32_t sets;
  /** Number of calls in a row without a wait between them, and number of such rounds. */
  int32_t calls, rounds;
} palestra_timing;

/** Measures the seconds per call in the fastest round. Waits. */
PALESTRA_API int32_t palestra_engine_time(palestra_engine*, const palestra_timing*, double* seconds);
PALESTRA_API int32_t palestra_engine_close(palestra_engine*);

/* Model */

/** The fields of model/weights/config.h, in the order of that header. `rope_scaling`: 0 none, 1 linear, 2 llama3. */
typedef struct {
  int32_t vocab_size, hidden_size, intermediate_size, num_hidden_layers, num_attention_heads, num_key_value_heads,
      head_dim, max_position_embeddings;
  float rms_norm_eps, rope_theta;
  int32_t rope_scaling;
  float rope_factor, rope_low_freq_factor, rope_high_freq_factor;
  int32_t rope_original_max_position_embeddings;
  int32_t tie_word_embeddings, qkv_bias, qk_norm, value_head;
} palestra_model_config;

/** Location of a tensor in a file: raw values, row-major. */
typedef struct {
  const char* name;
  const char* path;
  uint64_t offset, bytes;
  /** Stored type: 0 f32, 1 bf16, 2 f16, 3 f64; blocks of GGUF: 16 q4_0, 17 q4_1, 18 q8_0. */
  int32_t dtype;
  int32_t rows, columns;
  /**
   * Number of heads whose interleaved halves are put back in order, as in the queries and keys of Llama in GGUF. 0:
   * none.
   */
  int32_t interleaved_heads;
} palestra_tensor_source;

PALESTRA_API int32_t palestra_model_create(palestra_engine*, const palestra_model_config*, palestra_model** out);
PALESTRA_API int32_t palestra_model_initialise(palestra_model*, uint64_t seed, palestra_done, void* user);
/** Reads tensors. Fails unless every tensor is then read. The value head may be missing, and starts at zero. */
PALESTRA_API int32_t palestra_model_read(palestra_model*, const palestra_tensor_source*, int32_t count, palestra_done,
                                         void* user);
typedef struct {
  const char* name;
  int32_t rows, columns, is_vector;
} palestra_parameter;
PALESTRA_API int32_t palestra_model_parameter_count(palestra_model*, int32_t* out);
PALESTRA_API int32_t palestra_model_parameter(palestra_model*, int32_t index, palestra_parameter* out);
/** Copies a parameter to `out`, as float. */
PALESTRA_API int32_t palestra_model_get(palestra_model*, const char* name, float* out, uint64_t count, palestra_done,
                                        void* user);
/**
 * Writes `header` and after it the named parameters, in their order, as `dtype` (0 f32, 1 bf16). The data goes to a
 * temporary file that is flushed and then renamed to `path`. If a trainer is given, its adapters are merged into the
 * weights.
 */
PALESTRA_API int32_t palestra_model_write(palestra_model*, palestra_trainer* adapters, const char* path,
                                          const uint8_t* header, uint64_t header_bytes, const char* const* names,
                                          int32_t count, int32_t dtype, palestra_done, void* user);
PALESTRA_API int32_t palestra_model_version(palestra_model*, int64_t* out);
PALESTRA_API int32_t palestra_model_close(palestra_model*);

/* Trainer */

typedef struct {
  int32_t max_tokens;
  /** Activations for the gradients. 0: keep all activations; 1: recompute them layer by layer. */
  int32_t recompute;
  int32_t lora_rank;
  float lora_alpha;
  /** From 0 to below 1. */
  float lora_dropout;
  /** One bit per projection, in the order q, k, v, o, gate, up, down. */
  uint32_t lora_targets;
  uint64_t lora_seed;
} palestra_trainer_options;

/** `Pack` of model/trainer/trainer.h. */
typedef struct {
  const int32_t* tokens;
  int32_t token_count;
  const int32_t* starts;
  int32_t sequence_count;
  const uint8_t* mask;
  /** (sequence_count), or null: no sequence has a parent. */
  const int32_t* parents;
} palestra_pack;

/** `Loss` of model/loss/loss.h. */
typedef struct {
  int32_t policy;
  float clip_low, clip_high, dual_clip;
  int32_t behaviour_weight;
  float behaviour_cap;
  int32_t kl;
  float kl_coefficient, entropy_coefficient, temperature, value_coefficient, value_clip;
} palestra_loss;

/** `LossInputs` of model/loss/loss.h. Each array is (token_count), or null. */
typedef struct {
  const float *weight, *advantage, *behaviour, *proximal, *reference, *returns, *old_values;
} palestra_loss_inputs;

typedef struct {
  double tokens, loss, policy_loss, kl_loss, value_loss, entropy, ratio, highest_ratio, clipped_low, clipped_high,
      dual_clipped, behaviour_weight, behaviour_cut, proximal_kl, reference_kl;
} palestra_loss_statistics;

typedef struct {
  float lr, beta1, beta2, epsilon, weight_decay;
  /** Limit on the norm of the gradients. 0: no clipping. */
  double clip_norm;
} palestra_adamw;

PALESTRA_API int32_t palestra_trainer_create(palestra_model*, const palestra_trainer_options*, palestra_trainer** out);
/**
 * Scores the tokens of a pack. Output arrays are (token_count) or null. To cancel queued work, call `palestra_cancel`
 * with the `user` of the work.
 */
PALESTRA_API int32_t palestra_trainer_score(palestra_trainer*, const palestra_pack*, float temperature, float* logprob,
                                            float* entropy, float* value, palestra_done, void* user);
PALESTRA_API int32_t palestra_trainer_accumulate(palestra_trainer*, const palestra_pack*, const palestra_loss*,
                                                 const palestra_loss_inputs*, palestra_loss_statistics* out,
                                                 palestra_done, void* user);
PALESTRA_API int32_t palestra_trainer_accumulate_gradients(palestra_trainer*, const palestra_pack*, float temperature,
                                                           const float* logprob_gradient, const float* entropy_gradient,
                                                           const float* value_gradient, palestra_done, void* user);
PALESTRA_API int32_t palestra_trainer_step(palestra_trainer*, const palestra_adamw*, double* gradient_norm,
                                           palestra_done, void* user);
/**
 * Copies the accumulated gradient of a trained tensor to `out`. `name` is the name of a parameter, or the PEFT name of
 * an adapter (`base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight`).
 */
PALESTRA_API int32_t palestra_trainer_gradient(palestra_trainer*, const char* name, float* out, uint64_t count,
                                               palestra_done, void* user);
/** Drops the accumulated gradients. */
PALESTRA_API int32_t palestra_trainer_zero_gradients(palestra_trainer*, palestra_done, void* user);
/** Saves weights, adapters, moments and counts: the state that a bit-exact resume needs. */
PALESTRA_API int32_t palestra_trainer_save(palestra_trainer*, const char* path, palestra_done, void* user);
PALESTRA_API int32_t palestra_trainer_load(palestra_trainer*, const char* path, palestra_done, void* user);
PALESTRA_API int32_t palestra_trainer_close(palestra_trainer*);

/* Generator */

typedef struct {
  int32_t max_sequences, max_rows;
  uint64_t kv_bytes;
  /** Type of the generator's weights. 0: the engine's type; 1: f32; 2: bf16. CUDA supports only the engine's type. */
  int32_t weights;
  /** Format of keys and values. 0: the type of the activations; 1: fp8 e4m3 with one scale per vector, on CUDA. */
  int32_t keys_values;
} palestra_generator_options;

typedef struct {
  const int32_t* tokens;
  int32_t token_count, max_new_tokens;
  float temperature;
  int32_t top_k;
  float top_p, min_p;
  uint64_t seed, stream;
  const int32_t* stop_tokens;
  int32_t stop_token_count;
  const char* const* stop_strings;
  const int32_t* stop_string_bytes;
  int32_t stop_string_count;
  /** Bit mask of the tokens that may be sampled, with one bit per token of the vocabulary, or null. */
  const uint32_t* allowed;
  /**
   * Grammar of the sampled text, as numbers in the order of generate/grammar/grammar-table.h, or null. A grammar needs a
   * vocabulary and stop tokens.
   */
  const int32_t* grammar;
  int32_t grammar_count;
  /** `LogitPenalties` of generate/draws/logit-rules.h. A repetition penalty of 0 means 1. */
  float presence_penalty, frequency_penalty, repetition_penalty;
  const int32_t* bias_tokens;
  const float* biases;
  int32_t bias_count;
  /** Number of most probable tokens to report with each sampled token. */
  int32_t top_tokens;
} palestra_request;

/** `TopToken` of generate/draws/top-tokens.h. */
typedef struct {
  int32_t token;
  float logprob;
} palestra_top_token;

/** `Event` of generate/generator.h. */
typedef struct {
  uint64_t sequence;
  int32_t token;
  int32_t finish;
  float logprob, model_logprob;
  int64_t version;
  /** Number of top tokens of this event, which follow those of the event before it. */
  int32_t top_count;
} palestra_event;

typedef struct {
  int64_t steps, decoded_tokens, prefilled_tokens, shared_tokens, preemptions;
  int32_t pages, free_pages, running, waiting, kept;
  int64_t version;
} palestra_generator_statistics;

/**
 * Receives the events of a step, and the top tokens of all of them. Called on the engine's thread after the step.
 */
typedef void (*palestra_events)(void* user, const palestra_event*, int32_t count, const palestra_top_token*);

/** `adapters`: a trainer whose adapters the generator applies, or null. */
PALESTRA_API int32_t palestra_generator_create(palestra_model*, palestra_trainer* adapters,
                                               const palestra_generator_options*, palestra_events, void* user,
                                               palestra_generator** out);
/**
 * Sets the bytes of all tokens. `offsets`: (vocab_size + 1), into `bytes`. `special`: (vocab_size), 1 for a token that is
 * no text for grammars. Call this function before the first request.
 */
PALESTRA_API int32_t palestra_generator_set_vocabulary(palestra_generator*, const uint8_t* bytes,
                                                       const uint64_t* offsets, const uint8_t* special);
/**
 * Starts sequences. `out`: (count) consecutive names of the sequences. Events of the sequences may arrive before this
 * function returns.
 */
PALESTRA_API int32_t palestra_generator_submit(palestra_generator*, const palestra_request*, int32_t count,
                                               uint64_t* out);
PALESTRA_API int32_t palestra_generator_extend(palestra_generator*, uint64_t sequence, const palestra_request*);
PALESTRA_API int32_t palestra_generator_abort(palestra_generator*, uint64_t sequence);
PALESTRA_API int32_t palestra_generator_release(palestra_generator*, uint64_t sequence);
PALESTRA_API int32_t palestra_generator_pause(palestra_generator*, palestra_done, void* user);
PALESTRA_API int32_t palestra_generator_resume(palestra_generator*);
/** Copies the model's current weights. `on_update`: 0 keeps keys and values, 1 recomputes them. */
PALESTRA_API int32_t palestra_generator_update(palestra_generator*, int32_t on_update, palestra_done, void* user);
PALESTRA_API int32_t palestra_generator_describe(palestra_generator*, palestra_generator_statistics* out);
/**
 * Returns the code of the last step that failed, or 0 if no step has failed. After a failure, `palestra_last_error`
 * returns the message. The failed step ended the sequences whose `finish` is 7.
 */
PALESTRA_API int32_t palestra_generator_failure(palestra_generator*, int32_t* out);
PALESTRA_API int32_t palestra_generator_close(palestra_generator*);

/** Ends the queued work with this `user` before its next job. The `done` of the work receives CANCELLED. */
PALESTRA_API int32_t palestra_cancel(palestra_engine*, void* user);

#ifdef __cplusplus
}
#endif
#endif
