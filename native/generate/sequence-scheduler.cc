#include "sequence-scheduler.h"

#include <algorithm>
#include <string>

#include "../core/failure.h"

namespace palestra {
namespace {

int pages_for(int positions) { return (positions + page_positions - 1) / page_positions; }

}  // namespace

SequenceScheduler::SequenceScheduler(int pages, int max_sequences, int max_rows, std::function<void(int32_t, int32_t)> copy_page)
    : counts_(pages), max_sequences_(max_sequences), max_rows_(max_rows), copy_page_(std::move(copy_page)) {}

Sequence& SequenceScheduler::add(uint64_t id) {
  std::unique_ptr<Sequence>& place = sequences_[id];
  if (place) {
    throw Failure(Code::invalid_argument, "expected a new sequence but received " + std::to_string(id) + " again");
  }
  place = std::make_unique<Sequence>(id, counts_);
  place->turn = next_turn_++;
  kept_[place->turn] = place.get();
  return *place;
}

Sequence* SequenceScheduler::find(uint64_t id) const {
  const auto found = sequences_.find(id);
  return found == sequences_.end() ? nullptr : found->second.get();
}

void SequenceScheduler::remove(uint64_t id) {
  Sequence& sequence = *sequences_.at(id);
  leave_siblings(sequence);
  order_of(sequence.phase).erase(sequence.turn);
  sequences_.erase(id);
}

void SequenceScheduler::join_siblings(Sequence& sequence) {
  // A sequence with a single token has no keys and values to share.
  if (sequence.tokens.size() < 2) return;
  sequence.siblings = &*siblings_.try_emplace(sequence.tokens).first;
  sequence.siblings->second.push_back(sequence.id);
}

void SequenceScheduler::leave_siblings(Sequence& sequence) {
  if (!sequence.siblings) return;
  std::vector<uint64_t>& ids = sequence.siblings->second;
  ids.erase(std::find(ids.begin(), ids.end(), sequence.id));
  if (ids.empty()) siblings_.erase(siblings_.find(sequence.siblings->first));
  sequence.siblings = nullptr;
}

void SequenceScheduler::part_siblings() {
  for (const auto& entry : sequences_) {
    if (entry.second->stored > 0) leave_siblings(*entry.second);
  }
}

SequenceScheduler::Order& SequenceScheduler::order_of(Sequence::Phase phase) {
  if (phase == Sequence::Phase::waiting) return waiting_;
  return phase == Sequence::Phase::running ? running_ : kept_;
}

void SequenceScheduler::move(Sequence& sequence, Sequence::Phase phase) {
  order_of(sequence.phase).erase(sequence.turn);
  sequence.phase = phase;
  order_of(phase)[sequence.turn] = &sequence;
}

void SequenceScheduler::enqueue(Sequence& sequence) {
  order_of(sequence.phase).erase(sequence.turn);
  sequence.phase = Sequence::Phase::waiting;
  sequence.turn = next_turn_++;
  waiting_[sequence.turn] = &sequence;
}

void SequenceScheduler::keep(Sequence& sequence) {
  order_of(sequence.phase).erase(sequence.turn);
  sequence.phase = Sequence::Phase::kept;
  sequence.turn = next_turn_++;
  kept_[sequence.turn] = &sequence;
}

void SequenceScheduler::drop(Sequence& sequence) {
  sequence.pages.clear();
  sequence.stored = 0;
  if (sequence.phase == Sequence::Phase::running) move(sequence, Sequence::Phase::waiting);
}

void SequenceScheduler::drop_all() {
  for (const auto& entry : sequences_) drop(*entry.second);
}

std::vector<Sequence*> SequenceScheduler::under_way() const {
  std::vector<Sequence*> sequences;
  for (const Order* order : {&running_, &waiting_}) {
    for (const auto& entry : *order) sequences.push_back(entry.second);
  }
  return sequences;
}

const std::vector<Part>& SequenceScheduler::plan(std::vector<Sequence*>& exhausted) {
  parts_.clear();
  int decoding = 0;
  for (const auto& entry : running_) decoding += entry.second->pending() == 1;
  // Rows for prompts. The rows of decoding sequences are reserved.
  int rows = max_rows_ - decoding;
  plan_running(exhausted, rows);
  admit(exhausted, rows);
  return parts_;
}

void SequenceScheduler::plan_running(std::vector<Sequence*>& exhausted, int& rows) {
  // The loop goes by turn, not by iterator, because making room removes entries behind this entry, and even this entry.
  for (auto entry = running_.begin(); entry != running_.end();) {
    const int64_t turn = entry->first;
    Sequence& sequence = *entry->second;
    int one = 1;
    plan_part(sequence, sequence.pending(), exhausted, sequence.pending() == 1 ? one : rows);
    entry = running_.upper_bound(turn);
  }
}

void SequenceScheduler::plan_part(Sequence& sequence, int rows, std::vector<Sequence*>& exhausted, int& left) {
  rows = std::min(rows, left);
  if (rows == 0) return;
  const Secured secured = secure_pages(sequence, rows);
  if (secured == Secured::exhausted) exhausted.push_back(&sequence);
  if (secured != Secured::yes) return;
  parts_.push_back({&sequence, rows});
  left -= rows;
}

void SequenceScheduler::admit(std::vector<Sequence*>& exhausted, int& rows) {
  for (auto entry = waiting_.begin(); entry != waiting_.end() && rows > 0 && running() < max_sequences_;) {
    const int64_t turn = entry->first;
    Sequence& sequence = *entry->second;
    if (begin_as_siblings(sequence)) {
      // Younger sequences must not overtake this sequence, or it might wait forever.
      if (!make_room_to_admit(sequence)) return;
      move(sequence, Sequence::Phase::running);
      plan_part(sequence, sequence.pending(), exhausted, rows);
    }
    entry = waiting_.upper_bound(turn);
  }
}

bool SequenceScheduler::begin_as_siblings(Sequence& sequence) {
  if (!sequence.siblings || sequence.stored > 0) return true;
  const int shared = static_cast<int>(sequence.siblings->first.size()) - 1;
  for (uint64_t id : sequence.siblings->second) {
    const Sequence& sibling = *sequences_.at(id);
    if (sibling.stored >= shared) {
      sequence.pages.clear();
      sequence.pages.share(sibling.pages, pages_for(shared));
      sequence.stored = shared;
      shared_positions_ += shared;
      return true;
    }
    if (sibling.phase == Sequence::Phase::running) return false;
  }
  return true;
}

bool SequenceScheduler::make_room_to_admit(const Sequence& sequence) {
  // The sequence needs one more page, for its next tokens or for its own copy of a shared page. The extra page ensures
  // that no sequence that is already planned for this step is preempted.
  const int needed = pages_for(static_cast<int>(sequence.tokens.size())) - sequence.pages.size() + 1;
  while (counts_.free() < needed) {
    if (!drop_longest_kept()) return running_.empty();
  }
  return true;
}

SequenceScheduler::Secured SequenceScheduler::secure_pages(Sequence& sequence, int rows) {
  const int end = pages_for(sequence.stored + rows);
  const int first = sequence.stored / page_positions;
  while (sequence.pages.size() < end || sequence.pages.shared(first)) {
    if (secure_next_page(sequence)) continue;
    if (!reclaim(sequence)) return Secured::exhausted;
    if (sequence.phase != Sequence::Phase::running) return Secured::preempted;
  }
  return Secured::yes;
}

bool SequenceScheduler::secure_next_page(Sequence& sequence) {
  const int first = sequence.stored / page_positions;
  // Among the pages to be written, only the first can be partly filled and shared.
  if (first < sequence.pages.size() && sequence.pages.shared(first)) {
    const int32_t before = sequence.pages.replace(first);
    if (before < 0) return false;
    copy_page_(sequence.pages.numbers()[first], before);
    return true;
  }
  return sequence.pages.append();
}

bool SequenceScheduler::reclaim(Sequence& sequence) {
  if (drop_longest_kept() || drop_youngest_waiting()) return true;
  Sequence& youngest = *running_.rbegin()->second;
  if (&youngest == &sequence && running() == 1) return false;
  drop(youngest);
  ++preemptions_;
  return true;
}

bool SequenceScheduler::drop_longest_kept() {
  for (const auto& entry : kept_) {
    if (entry.second->pages.size() == 0) continue;
    drop(*entry.second);
    return true;
  }
  return false;
}

bool SequenceScheduler::drop_youngest_waiting() {
  for (auto entry = waiting_.rbegin(); entry != waiting_.rend(); ++entry) {
    if (entry->second->pages.size() == 0) continue;
    drop(*entry->second);
    return true;
  }
  return false;
}

}  // namespace palestra
