#pragma once
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "../model/decoder/decoder.h"
#include "key-value-store.h"
#include "sequence-scheduler.h"
#include "draws/top-tokens.h"

namespace palestra {

/** A row whose next token is sampled. */
struct SampledRow {
  Sequence* sequence;
  /** Index of the row in the step. */
  int32_t row;
};

/** What draws need beside their rules, for sequences that ask for it. */
struct DrawExtras {
  /** Changes of the logits, with the number of the draw as their row. */
  std::vector<LogitChange> changes;
  /** Largest number of top tokens of each draw. Empty if no draw has any. */
  std::vector<int32_t> top_counts;
};

/** The tokens of a step. */
struct DrawnTokens {
  std::vector<Choice> choices;
  /** The most probable tokens of each draw. Empty if no draw asked for any. */
  std::vector<std::vector<TopToken>> tops;
};

/** Upper limits of a step. */
struct StepLimits {
  int rows;
  int sequences;
  int adapter_rank;
};

/** The forward pass of a step: from parts of sequences to sampled tokens. */
template <class T>
class ForwardStep {
 public:
  using A = accumulator_t<T>;
  ForwardStep(Ops<T>& ops, const ModelConfig& config, KeyValueStore<T>& store, KeyValueFormat keys_values,
              const StepLimits& limits);

  /**
   * Computes the rows of the parts and writes their keys and values. When every part is one row, the rows are padded to
   * one of a few sizes. Such a step is recorded and replayed if the stream supports recording.
   */
  void run(const ModelWeights<T>& weights, const std::vector<Part>& parts);
  /** Draws a token for each of these rows of the last `run`. */
  DrawnTokens sample(const ModelWeights<T>& weights, const SampledRow* rows, const std::vector<Draw>& draws,
                     const DrawExtras& extras);
  /** Limit on the rows that are sampled together. Only the logits of these rows exist at a time. */
  int logits_rows() const { return logits_rows_; }

 private:
  /** Attention over the pages of the sequences in the step. */
  class PagedAttention final : public Attention<T> {
   public:
    PagedAttention(Ops<T>& ops, const Heads& heads, KeyValueStore<T>& store, const PagedBatch* batch)
        : ops_(ops), heads_(heads), store_(store), layer_{batch, nullptr} {}
    const PagedStore* store(int layer) override;
    void attend(int layer, T* out, Rows<const T> qkv, int rows) override;

   private:
    Ops<T>& ops_;
    const Heads heads_;
    KeyValueStore<T>& store_;
    PagedStore layer_;
  };
  void begin_batch(const std::vector<Part>& parts, int rows);
  void compute(const ModelWeights<T>& weights, int rows);
  void find_tops(DrawnTokens& drawn, const std::vector<Draw>& draws, const std::vector<int32_t>& counts);
  void restore_model(std::vector<Choice>& choices, const std::vector<Draw>& draws,
                     const std::vector<LogitChange>& changes);
  int padded(int rows) const;

  Ops<T>& ops_;
  const ModelConfig config_;
  const StepLimits limits_;
  Decoder<T> decoder_;
  const std::unique_ptr<PagedBatch> batch_;
  PagedAttention attention_;
  const int logits_rows_;
  Buffer<T> x_;        // (max rows, hidden)
  Buffer<T> sampled_;  // (logits rows, hidden)
  Buffer<A> logits_;   // (logits rows, vocabulary)
  Buffer<int32_t> integers_;  // (2, rows): tokens and positions
  Buffer<int32_t> indices_;   // (logits rows)
  Buffer<A> statistics_;      // (2): log-sum and log-probability, for draws with changed logits
  std::vector<int32_t> staged_;
  std::vector<int32_t> starts_, first_positions_, first_pages_, pages_;
  /**
   * Recordings by the address of the weights, the number of rows and the shape of the batch. All other memory keeps its
   * address.
   */
  std::map<std::tuple<const void*, int, uint64_t>, std::unique_ptr<Recording>> recordings_;
};

}  // namespace palestra
