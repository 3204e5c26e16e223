#include <algorithm>
#include <cmath>

#include "generator-state.h"

namespace palestra {
namespace {

/** From about so many logits on, waking other threads to draw from them is worth it. */
constexpr int64_t shared_logits = 16384;

/** Greedy tokens are told by the model's distribution as it is. */
float temperature_of(const Sequence& sequence) {
  const float temperature = sequence.request.sampling.temperature;
  return temperature == 0 ? 1 : temperature;
}

}  // namespace

template <class T>
void Generator<T>::State::sample(std::vector<SampledRow> rows) {
  // Rows of one temperature side by side: their log-probabilities are one call.
  std::stable_sort(rows.begin(), rows.end(), [](const SampledRow& a, const SampledRow& b) {
    return temperature_of(*a.sequence) < temperature_of(*b.sequence);
  });
  const int count = static_cast<int>(rows.size());
  for (int first = 0; first < count; first += forward.logits_rows()) {
    sample_chunk(&rows[first], std::min(forward.logits_rows(), count - first));
  }
}

/** Rows go round the threads, which evens them out: neighbours have one temperature, and greedy ones cost little. */
template <class T>
std::vector<Choice> Generator<T>::State::draw(const A* logits, const SampledRow* rows, int count) {
  const int size = model.config().vocab_size;
  std::vector<Choice> choices(count);
  const bool is_worth_sharing = static_cast<int64_t>(count) * size >= shared_logits;
  const int tiles = is_worth_sharing ? std::min(static_cast<int>(samplers.size()), count) : 1;
  pool.run(tiles, [&](int tile) {
    for (int i = tile; i < count; i += tiles) {
      const Request& request = rows[i].sequence->request;
      const auto position = static_cast<uint32_t>(rows[i].sequence->tokens.size());
      choices[i] = samplers[tile].draw(logits + static_cast<size_t>(i) * size, size, request.sampling, request.allowed,
                                       uniform_at(request.seed, request.stream, position));
    }
  });
  return choices;
}

template <class T>
void Generator<T>::State::sample_chunk(const SampledRow* rows, int count) {
  const std::vector<Choice> choices = draw(forward.logits(weights.get(), rows, count), rows, count);
  std::vector<int32_t> tokens;
  for (const Choice& choice : choices) tokens.push_back(std::max(0, choice.token));
  std::vector<A> model_logprobs(count);
  for (int first = 0, end = 0; first < count; first = end) {
    const float temperature = temperature_of(*rows[first].sequence);
    while (end < count && temperature_of(*rows[end].sequence) == temperature) ++end;
    forward.logprobs(&model_logprobs[first], &tokens[first], first, end - first, temperature);
  }
  for (int i = 0; i < count; ++i) {
    Sequence& sequence = *rows[i].sequence;
    const float model_logprob = static_cast<float>(model_logprobs[i]);
    if (choices[i].token < 0 || !std::isfinite(model_logprob)) {
      roster.drop(sequence);
      finish(sequence, -1, Finish::failed);
      continue;
    }
    ++decoded;
    const Finish end = finish_after(sequence, tokens[i]);
    finish(sequence, tokens[i], end, choices[i].whole ? model_logprob : choices[i].logprob, model_logprob);
  }
}

template <class T>
Finish Generator<T>::State::finish_after(Sequence& sequence, int32_t token) {
  sequence.tokens.push_back(token);
  ++sequence.sampled;
  const Request& request = sequence.request;
  const std::vector<int32_t>& stops = request.stop_tokens;
  if (std::find(stops.begin(), stops.end(), token) != stops.end()) return Finish::stop_token;
  if (!sequence.stops.empty() && sequence.stops.complete(vocabulary[token])) return Finish::stop_string;
  if (sequence.sampled == request.max_new_tokens) return Finish::length;
  if (sequence.tokens.size() >= static_cast<size_t>(model.config().max_position_embeddings)) return Finish::context;
  return Finish::none;
}

template void Generator<float>::State::sample(std::vector<SampledRow>);

}  // namespace palestra
