#pragma once
#include <vector>

#include "config.h"
#include "trainer.h"

namespace palestra {

/**
 * Fails with `Code::invalid_argument` where a pack does not fit: token ids, an empty or over-long sequence, starts that
 * do not ascend, more than `max_tokens`.
 */
void check_pack(const Pack& pack, const ModelConfig& config, int max_tokens);

/** (tokens): each token's place in its sequence. */
std::vector<int32_t> positions_of(const Pack& pack);

/** The tokens that are scored, ascending: those under the mask that have a token before them in their sequence. */
std::vector<int32_t> scored_tokens(const Pack& pack);

/** Tokens of the longest sequence. */
int longest_sequence(const Pack& pack);

}  // namespace palestra
