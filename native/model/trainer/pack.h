#pragma once
#include <vector>

#include "../weights/config.h"
#include "trainer.h"

namespace palestra {

/**
 * Fails with `Code::invalid_argument` on a malformed pack: bad token ids, an empty or over-long sequence, starts that
 * do not ascend, a parent that does not precede its sequence, or more than `max_tokens`.
 */
void check_pack(const Pack& pack, const ModelConfig& config, int max_tokens);

/** Returns each token's position, counted from the start of the sequence's first ancestor: (tokens). */
std::vector<int32_t> positions_of(const Pack& pack);

/**
 * Returns the scored tokens, ascending. A token is scored if the mask selects it and a token precedes it in its
 * sequence.
 */
std::vector<int32_t> scored_tokens(const Pack& pack);

/** Returns a number for each token, which is equal where the sequences are equal up to the token: (tokens). */
std::vector<uint32_t> sequence_numbers(const Pack& pack);

/** Returns the number of tokens of the longest sequence. */
int longest_sequence(const Pack& pack);

}  // namespace palestra
