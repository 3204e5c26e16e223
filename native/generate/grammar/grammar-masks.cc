#include "grammar-masks.h"

#include <algorithm>

namespace palestra {
namespace {

constexpr size_t most_grammars = 64;
/** Memory of a grammar's masks, in bytes, from which on new sequences begin with none of them. */
constexpr size_t most_bytes = 64 << 20;
/** Memory of all grammars' masks, in bytes, from which on those of grammars that were used longest ago are dropped. */
constexpr size_t most_bytes_of_all = 256 << 20;
/**
 * Highest mean width of the positions that a mask visits, over the nodes of the vocabulary's tree. Ambiguous patterns with high limits, such as
 * .*a.{1000}, need seconds for each token. They have an empty mask, so that their sequence fails and the others continue.
 */
constexpr size_t most_width = 32;

bool has(const std::vector<uint32_t>& mask, int32_t token) { return mask[token / 32] >> (token % 32) & 1; }

void set(std::vector<uint32_t>& mask, int32_t token, bool allowed) {
  const uint32_t bit = 1u << (token % 32);
  mask[token / 32] = allowed ? mask[token / 32] | bit : mask[token / 32] & ~bit;
}

}  // namespace

const std::vector<uint32_t>& GrammarMasks::mask(int32_t position) {
  const auto found = masks_.find(position);
  if (found != masks_.end()) return found->second;
  std::vector<uint32_t> computed = compute(position);
  mask_bytes_ += computed.size() * sizeof(uint32_t) + 64;
  return masks_.emplace(position, std::move(computed)).first->second;
}

std::vector<uint32_t> GrammarMasks::compute(int32_t position) {
  const TokenTree& tree = vocabulary_->tree;
  const std::vector<TokenTree::Node>& nodes = tree.nodes();
  std::vector<uint32_t> mask((vocabulary_->bytes.size() + 31) / 32);
  std::vector<int32_t> path(tree.depth() + 1);
  path[0] = position;
  size_t width = 0;
  for (size_t i = 0; i < nodes.size();) {
    const TokenTree::Node& node = nodes[i];
    const int32_t next = positions.next(path[node.depth - 1], node.byte);
    if (next == GrammarPositions::dead) {
      i = node.end;
      continue;
    }
    path[node.depth] = next;
    width += positions.width(next);
    if (width > most_width * nodes.size()) return std::vector<uint32_t>(mask.size());
    for (int32_t token = node.first_token; token < node.end_token; ++token) set(mask, tree.tokens()[token], true);
    ++i;
  }
  return mask;
}

int32_t GrammarMasks::next(int32_t position, int32_t token) {
  for (const char byte : vocabulary_->bytes[token]) position = positions.next(position, static_cast<uint8_t>(byte));
  return position;
}

const std::vector<uint32_t>& GrammarCursor::allowed(const std::vector<int32_t>& stops) {
  if (allowed_) return *allowed_;
  const std::vector<uint32_t>& mask = masks_->mask(position_);
  const bool complete = masks_->positions.complete(position_);
  const auto fits = [&](int32_t stop) { return has(mask, stop) == complete; };
  allowed_ = &mask;
  if (!std::all_of(stops.begin(), stops.end(), fits)) {
    own_ = mask;
    for (const int32_t stop : stops) set(own_, stop, complete);
    allowed_ = &own_;
  }
  return *allowed_;
}

bool GrammarCursor::stuck(const std::vector<int32_t>& stops) {
  const std::vector<uint32_t>& mask = allowed(stops);
  return std::all_of(mask.begin(), mask.end(), [](uint32_t bits) { return bits == 0; });
}

void Grammars::set_vocabulary(const std::vector<std::string>& bytes, std::vector<bool> special) {
  bytes_ = &bytes;
  special_ = std::move(special);
}

const std::shared_ptr<const GrammarVocabulary>& Grammars::vocabulary() {
  if (!vocabulary_) vocabulary_ = std::make_shared<GrammarVocabulary>(*bytes_, special_);
  return vocabulary_;
}

size_t Grammars::bytes() const {
  size_t bytes = 0;
  for (const Known& known : known_) bytes += known.masks ? known.masks->bytes() : 0;
  return bytes;
}

GrammarCursor Grammars::begin(const std::shared_ptr<const GrammarTable>& table) {
  const auto is_equal = [&](const Known& known) { return known.table->numbers() == table->numbers(); };
  const auto found = std::find_if(known_.begin(), known_.end(), is_equal);
  if (found != known_.end()) {
    known_.splice(known_.begin(), known_, found);
  } else {
    known_.push_front({table, nullptr});
  }
  while (known_.size() > 1 && (known_.size() > most_grammars || bytes() > most_bytes_of_all)) known_.pop_back();
  Known& known = known_.front();
  if (!known.masks || known.masks->bytes() > most_bytes) {
    known.masks = std::make_shared<GrammarMasks>(known.table, vocabulary());
  }
  return GrammarCursor(known.masks);
}

}  // namespace palestra
