#pragma once
#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "grammar-positions.h"
#include "token-tree.h"

namespace palestra {

/** The tokens of a vocabulary, for grammars. The bytes outlive it. */
struct GrammarVocabulary {
  GrammarVocabulary(const std::vector<std::string>& bytes, const std::vector<bool>& special)
      : bytes(bytes), tree(bytes, special) {}
  const std::vector<std::string>& bytes;
  const TokenTree tree;
};

/** Tokens that may follow at each position of a grammar. */
class GrammarMasks {
 public:
  GrammarMasks(std::shared_ptr<const GrammarTable> table, std::shared_ptr<const GrammarVocabulary> vocabulary)
      : positions(std::move(table)), vocabulary_(std::move(vocabulary)) {}

  /** Returns a mask with one bit per token. The mask of a position is computed once. */
  const std::vector<uint32_t>& mask(int32_t position);
  /** Returns the position after a token, which its mask allows. */
  int32_t next(int32_t position, int32_t token);
  size_t bytes() const { return positions.bytes() + mask_bytes_; }

  GrammarPositions positions;

 private:
  std::vector<uint32_t> compute(int32_t position);

  const std::shared_ptr<const GrammarVocabulary> vocabulary_;
  std::unordered_map<int32_t, std::vector<uint32_t>> masks_;
  size_t mask_bytes_ = 0;
};

/** Position of a sequence in its grammar. A default cursor has no grammar. */
class GrammarCursor {
 public:
  GrammarCursor() = default;
  explicit GrammarCursor(std::shared_ptr<GrammarMasks> masks)
      : masks_(std::move(masks)), position_(masks_->positions.start()) {}

  explicit operator bool() const { return masks_ != nullptr; }
  /**
   * Returns the tokens that may follow, valid until the cursor moves. Tokens that stop the sequence may follow exactly
   * where the text is one of the grammar's.
   */
  const std::vector<uint32_t>& allowed(const std::vector<int32_t>& stops);
  /** Whether no token may follow, for lack of one in the vocabulary or because the grammar is too ambiguous. */
  bool stuck(const std::vector<int32_t>& stops);
  void advance(int32_t token) {
    position_ = masks_->next(position_, token);
    allowed_ = nullptr;
  }

 private:
  std::shared_ptr<GrammarMasks> masks_;
  int32_t position_ = 0;
  /** The mask with the bits of the stop tokens. */
  std::vector<uint32_t> own_;
  /** Result of `allowed` since the cursor moved last, or null. */
  const std::vector<uint32_t>* allowed_ = nullptr;
};

/** The grammars of the last requests. Sequences of equal grammars share their masks. */
class Grammars {
 public:
  /** @param bytes bytes of each token, kept by reference @param special whether a token is no text */
  void set_vocabulary(const std::vector<std::string>& bytes, std::vector<bool> special);
  GrammarCursor begin(const std::shared_ptr<const GrammarTable>& table);

 private:
  struct Known {
    std::shared_ptr<const GrammarTable> table;
    std::shared_ptr<GrammarMasks> masks;
  };
  /** Makes the vocabulary's tree, which few generators need. */
  const std::shared_ptr<const GrammarVocabulary>& vocabulary();
  /** Returns the memory of all masks that are kept for later sequences. */
  size_t bytes() const;

  const std::vector<std::string>* bytes_ = nullptr;
  std::vector<bool> special_;
  std::shared_ptr<const GrammarVocabulary> vocabulary_;
  /** The most recently used grammar comes first. */
  std::list<Known> known_;
};

}  // namespace palestra
