/** Preference pairs from people's judgments in a gym: the episode that most raters found better is the chosen one. */
import { type EpisodeHandle, type Played, playedOf } from "./episode.js";

/** Judgment of a rater on a pair of episodes, by their ids. */
export interface PairJudgment {
  readonly left: string;
  readonly right: string;
  readonly choice: "left" | "right" | "tie" | "bad";
  readonly rater: string;
  readonly environment: string;
  readonly task: { readonly split: string; readonly index: number };
  readonly seed: number;
}

export interface JudgedPair {
  readonly chosen: EpisodeHandle;
  readonly rejected: EpisodeHandle;
}

/**
 * Yields the pairs, the newest judged first. The newest judgment of each rater on a pair is a vote. A pair without a
 * majority is left out, and so is one that most raters found equal.
 *
 * @param newestFirst all judgments, the newest first
 * @param handleOf returns the handle of an episode, which the gym may have removed
 */
export function* judgedPairs(
  newestFirst: Iterable<PairJudgment>,
  handleOf: (id: string, played: Played) => EpisodeHandle,
): Generator<JudgedPair> {
  for (const votes of votesByPair(newestFirst).values()) {
    const [first] = votes.values();
    if (!first) continue;
    const played = playedOf(first);
    const ids = [first.left, first.right] as const;
    const counts = ids.map((id) => [...votes.values()].filter((vote) => preferredBy(vote) === id).length);
    const [forFirst = 0, forSecond = 0] = counts;
    if (forFirst === forSecond || Math.max(forFirst, forSecond) <= votes.size - forFirst - forSecond) continue;
    const [chosen, rejected] = forFirst > forSecond ? ids : [ids[1], ids[0]];
    yield { chosen: handleOf(chosen, played), rejected: handleOf(rejected, played) };
  }
}

/** Returns the newest judgment of each rater, by pair. */
function votesByPair(newestFirst: Iterable<PairJudgment>): Map<string, Map<string, PairJudgment>> {
  const pairs = new Map<string, Map<string, PairJudgment>>();
  for (const judgment of newestFirst) {
    const key = [judgment.left, judgment.right].sort().join(" ");
    const votes = pairs.get(key) ?? new Map<string, PairJudgment>();
    if (!votes.has(judgment.rater)) votes.set(judgment.rater, judgment);
    pairs.set(key, votes);
  }
  return pairs;
}

function preferredBy({ choice, left, right }: PairJudgment): string | undefined {
  if (choice === "left") return left;
  return choice === "right" ? right : undefined;
}
