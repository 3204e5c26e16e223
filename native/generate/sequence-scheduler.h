#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "grammar/grammar-masks.h"
#include "pages.h"
#include "request.h"
#include "stop-strings.h"

namespace palestra {

/**
 * Sequences by their initial tokens. Siblings share all keys and values except those of the last token. Each sequence
 * must compute the keys and values of its last token before it samples.
 */
using Siblings = std::map<std::vector<int32_t>, std::vector<uint64_t>>;

struct Sequence {
  enum class Phase { waiting, running, kept };

  Sequence(uint64_t id, PageCounts& counts) : id(id), pages(counts) {}
  /** Number of positions whose keys and values are missing before the next token can be sampled. */
  int pending() const { return static_cast<int>(tokens.size()) - stored; }

  const uint64_t id;
  Phase phase = Phase::kept;
  /** Position in the order of its phase. For waiting and running sequences this is the order of age. */
  int64_t turn = 0;
  /** The request without its tokens, which are at the end of `tokens`. */
  Request request;
  /** Given and sampled tokens. */
  std::vector<int32_t> tokens;
  /** Number of tokens sampled for this request. */
  int sampled = 0;
  StopStrings stops;
  GrammarCursor grammar;
  LogitRules logit_rules;
  PageList pages;
  /** Number of leading positions whose keys and values are in the pages. */
  int stored = 0;
  /** Siblings of the sequence. Null once its keys and values may differ from the siblings'. */
  Siblings::value_type* siblings = nullptr;
};

/** Rows of one sequence in a step: the next `rows` pending positions. */
struct Part {
  Sequence* sequence;
  int rows;
};

/**
 * All sequences, the set of running ones, and their parts in the next step. Older sequences come first. When pages run
 * out, they are taken first from kept sequences, longest kept first, and next from sequences that wait to continue.
 * Last, the youngest running sequence loses its pages, waits and recomputes its keys and values later. The oldest
 * sequence therefore always makes progress.
 */
class SequenceScheduler {
 public:
  /** @param copy_page copies a page; arguments (to, from) */
  SequenceScheduler(int pages, int max_sequences, int max_rows, std::function<void(int32_t, int32_t)> copy_page);

  /** Adds a sequence, which is neither waiting nor running yet. Fails when the id is in use. */
  Sequence& add(uint64_t id);
  /** Returns a sequence, or null when no sequence has the id. */
  Sequence* find(uint64_t id) const;
  void remove(uint64_t id);
  /**
   * Lets the sequence start from the keys and values that other sequences with the same tokens have computed, or will
   * compute.
   */
  void join_siblings(Sequence& sequence);
  /** Ends all sharing, because the weights change. */
  void part_siblings();
  /** Puts the sequence at the end of the waiting sequences. */
  void enqueue(Sequence& sequence);
  /** Stops scheduling the sequence. Its pages are kept until other sequences need them. */
  void keep(Sequence& sequence);
  /** Frees the sequence's pages. A running sequence returns to its place among the waiting sequences. */
  void drop(Sequence& sequence);
  void drop_all();

  /**
   * Plans the parts of the next step and reserves their pages. The step has one row of each decoding sequence, and
   * prompts in the remaining rows.
   *
   * @param exhausted receives sequences for which even all pages are too few
   */
  const std::vector<Part>& plan(std::vector<Sequence*>& exhausted);

  /** Returns the waiting and running sequences. */
  std::vector<Sequence*> under_way() const;
  bool idle() const { return waiting_.empty() && running_.empty(); }
  const PageCounts& pages() const { return counts_; }
  int running() const { return static_cast<int>(running_.size()); }
  int waiting() const { return static_cast<int>(waiting_.size()); }
  int kept() const { return static_cast<int>(kept_.size()); }
  int64_t preemptions() const { return preemptions_; }
  int64_t shared_positions() const { return shared_positions_; }

 private:
  enum class Secured { yes, preempted, exhausted };
  using Order = std::map<int64_t, Sequence*>;

  Order& order_of(Sequence::Phase phase);
  void move(Sequence& sequence, Sequence::Phase phase);
  void plan_running(std::vector<Sequence*>& exhausted, int& rows);
  void admit(std::vector<Sequence*>& exhausted, int& rows);
  void plan_part(Sequence& sequence, int rows, std::vector<Sequence*>& exhausted, int& left);
  /** Shares the pages that a sibling has computed. @returns false while a sibling is computing them */
  bool begin_as_siblings(Sequence& sequence);
  void leave_siblings(Sequence& sequence);
  bool make_room_to_admit(const Sequence& sequence);
  Secured secure_pages(Sequence& sequence, int rows);
  bool secure_next_page(Sequence& sequence);
  /** @returns false when no other sequence has pages to take */
  bool reclaim(Sequence& sequence);
  bool drop_longest_kept();
  bool drop_youngest_waiting();

  PageCounts counts_;
  const int max_sequences_;
  const int max_rows_;
  std::function<void(int32_t, int32_t)> copy_page_;
  std::unordered_map<uint64_t, std::unique_ptr<Sequence>> sequences_;
  Siblings siblings_;
  Order waiting_, running_, kept_;
  std::vector<Part> parts_;
  int64_t next_turn_ = 0;
  int64_t preemptions_ = 0;
  int64_t shared_positions_ = 0;
};

}  // namespace palestra
