#include <algorithm>
#include <cmath>

#include "generator-state.h"
#include "draws/uniform.h"

namespace palestra {
namespace {

const std::vector<uint32_t>* allowed_of(Sequence& sequence) {
  if (sequence.grammar) return &sequence.grammar.allowed(sequence.request.stop_tokens);
  return sequence.request.allowed.empty() ? nullptr : &sequence.request.allowed;
}

Draw draw_of(Sequence& sequence) {
  const Request& request = sequence.request;
  const auto position = static_cast<uint32_t>(sequence.tokens.size());
  return {request.sampling, uniform_at(request.seed, request.stream, position), allowed_of(sequence)};
}

void add_extras(DrawExtras& extras, const Sequence& sequence, size_t draw, size_t draws) {
  if (!sequence.logit_rules.empty()) sequence.logit_rules.append(extras.changes, static_cast<int32_t>(draw));
  if (sequence.request.top_tokens == 0) return;
  extras.top_counts.resize(draws);
  extras.top_counts[draw] = sequence.request.top_tokens;
}

}  // namespace

template <class T>
void Generator<T>::State::sample(const std::vector<SampledRow>& all) {
  const std::vector<SampledRow> rows = without_stuck(all);
  const size_t together = forward.logits_rows();
  for (size_t first = 0; first < rows.size(); first += together) {
    const size_t end = std::min(rows.size(), first + together);
    std::vector<Draw> draws;
    DrawExtras extras;
    for (size_t i = first; i < end; ++i) {
      draws.push_back(draw_of(*rows[i].sequence));
      add_extras(extras, *rows[i].sequence, i - first, end - first);
    }
    DrawnTokens drawn = forward.sample(weights.get(), &rows[first], draws, extras);
    for (size_t i = first; i < end; ++i) {
      take(*rows[i].sequence, drawn.choices[i - first]);
      if (!drawn.tops.empty()) events.back().top = std::move(drawn.tops[i - first]);
    }
  }
}

/** Ends the sequences that no token can continue. @returns the rows of the others */
template <class T>
std::vector<SampledRow> Generator<T>::State::without_stuck(const std::vector<SampledRow>& rows) {
  std::vector<SampledRow> able;
  for (const SampledRow& row : rows) {
    Sequence& sequence = *row.sequence;
    if (sequence.grammar && sequence.grammar.stuck(sequence.request.stop_tokens)) {
      // An extension computes the last position again, to sample from it.
      scheduler.drop(sequence);
      finish(sequence, -1, Finish::failed);
    } else {
      able.push_back(row);
    }
  }
  return able;
}

template <class T>
void Generator<T>::State::take(Sequence& sequence, const Choice& choice) {
  if (choice.token < 0 || !std::isfinite(choice.model_logprob)) {
    scheduler.drop(sequence);
    return finish(sequence, -1, Finish::failed);
  }
  ++decoded;
  finish(sequence, choice.token, finish_after(sequence, choice.token), choice.logprob, choice.model_logprob);
}

template <class T>
Finish Generator<T>::State::finish_after(Sequence& sequence, int32_t token) {
  sequence.tokens.push_back(token);
  sequence.logit_rules.count(token);
  ++sequence.sampled;
  const Request& request = sequence.request;
  const std::vector<int32_t>& stops = request.stop_tokens;
  if (std::find(stops.begin(), stops.end(), token) != stops.end()) return Finish::stop_token;
  if (sequence.grammar) sequence.grammar.advance(token);
  if (!sequence.stops.empty() && sequence.stops.complete(vocabulary[token])) return Finish::stop_string;
  if (sequence.sampled == request.max_new_tokens) return Finish::length;
  if (sequence.tokens.size() >= static_cast<size_t>(model.config().max_position_embeddings)) return Finish::context;
  return Finish::none;
}

template void Generator<bf16>::State::sample(const std::vector<SampledRow>&);
template void Generator<float>::State::sample(const std::vector<SampledRow>&);
template void Generator<double>::State::sample(const std::vector<SampledRow>&);

}  // namespace palestra
