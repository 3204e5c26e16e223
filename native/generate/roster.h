#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "pages.h"
#include "request.h"
#include "stop-strings.h"

namespace palestra {

/**
 * Sequences by the tokens that they began with. Their keys and values are the same, but for the last token's: whoever
 * samples has to compute that.
 */
using Siblings = std::map<std::vector<int32_t>, std::vector<uint64_t>>;

struct Sequence {
  enum class Phase { waiting, running, kept };

  Sequence(uint64_t id, PageCounts& counts) : id(id), pages(counts) {}
  /** Positions whose keys and values are still to be computed before the next token can be sampled. */
  int pending() const { return static_cast<int>(tokens.size()) - stored; }

  const uint64_t id;
  Phase phase = Phase::kept;
  /** Where it stands in the order of its phase; of waiting and running ones, of age. */
  int64_t turn = 0;
  /** Without its tokens, which are at the end of `tokens` of the sequence. */
  Request request;
  /** Given and sampled. */
  std::vector<int32_t> tokens;
  /** Sampled for this request. */
  int sampled = 0;
  StopStrings stops;
  PageList pages;
  /** Positions, from the first, whose keys and values are in the pages. */
  int stored = 0;
  /** Null once keys and values may be other ones. */
  Siblings::value_type* siblings = nullptr;
};

/** Rows of one sequence in a step: its next `rows` pending positions. */
struct Part {
  Sequence* sequence;
  int rows;
};

/**
 * Which sequences there are, which of them run, and what each does in the next step. Older ones come first: where pages
 * run out, kept sequences lose theirs, the one longest kept first, then those that wait to go on, then the youngest
 * that runs goes back to wait and computes its keys and values again later. So the oldest always goes on.
 */
class Roster {
 public:
  /** @param copy_page (to, from) */
  Roster(int pages, int max_sequences, int max_rows, std::function<void(int32_t, int32_t)> copy_page);

  /** A sequence in no phase's order yet. Fails where the name is taken. */
  Sequence& add(uint64_t id);
  /** Null where there is none. */
  Sequence* find(uint64_t id) const;
  void remove(uint64_t id);
  /** Lets it begin with what others have computed, or will have, that begin with the same tokens: all that it has so far. */
  void join_siblings(Sequence& sequence);
  /** The weights change: keys and values so far are nobody's to share. */
  void part_siblings();
  /** Puts it behind all that wait. */
  void enqueue(Sequence& sequence);
  /** Takes it out of the work; its pages stay until others need them. */
  void keep(Sequence& sequence);
  /** Gives the sequence's pages back; what runs goes back to its place among those that wait. */
  void drop(Sequence& sequence);
  void drop_all();

  /**
   * The parts of the next step, whose pages are there and are their own: one row of each sequence that decodes, and in
   * the rows that are left, prompts.
   * @param exhausted gets sequences for which there are not enough pages even when they have all
   */
  const std::vector<Part>& plan(std::vector<Sequence*>& exhausted);

  /** Those that wait or run. */
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
  /** Lets it begin with what a sibling has computed. @returns false where one is just computing it */
  bool begin_as_siblings(Sequence& sequence);
  void leave_siblings(Sequence& sequence);
  bool make_room_to_admit(const Sequence& sequence);
  Secured secure_pages(Sequence& sequence, int rows);
  bool secure_next_page(Sequence& sequence);
  /** @returns false where there is nobody but itself to take pages from */
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
