/** Preference pairs from people's judgments in a gym: the episode that most raters found better is the chosen one. */
import type { components } from "../../openapi/gym.js";
import type { ActionFormat } from "../actions/action-format.js";
import type { PalestraClient } from "../gym/gym-client.js";
import type { EpisodeHandle } from "./episode.js";
import { episodeHandle } from "./gym-source.js";

type Judgment = components["schemas"]["Judgment"];

export interface JudgedPair {
  readonly chosen: EpisodeHandle;
  readonly rejected: EpisodeHandle;
}

const pageSize = 1_000;

/**
 * Reads the pairs, the newest judged first. The newest judgment of each rater on a pair is a vote. A pair without a
 * majority is left out, and so is one that most raters found equal.
 */
export async function* judgedPairs(client: PalestraClient, format: ActionFormat): AsyncGenerator<JudgedPair> {
  for (const votes of (await votesByPair(client)).values()) {
    const [first] = votes.values();
    if (!first) continue;
    const { environment, task, seed } = first;
    const played = { environment, split: task.split, index: task.index, seed };
    const ids = [first.left, first.right] as const;
    const counts = ids.map((id) => [...votes.values()].filter((vote) => preferredBy(vote) === id).length);
    const [forFirst = 0, forSecond = 0] = counts;
    if (forFirst === forSecond || Math.max(forFirst, forSecond) <= votes.size - forFirst - forSecond) continue;
    const [chosen, rejected] = forFirst > forSecond ? ids : [ids[1], ids[0]];
    yield {
      chosen: episodeHandle(client, chosen, played, format),
      rejected: episodeHandle(client, rejected, played, format),
    };
  }
}

/** Returns the newest judgment of each rater, by pair. */
async function votesByPair(client: PalestraClient): Promise<Map<string, Map<string, Judgment>>> {
  const pairs = new Map<string, Map<string, Judgment>>();
  let before: number | undefined;
  do {
    const page = await client.judgments({ limit: pageSize, ...(before !== undefined && { before }) });
    for (const judgment of page.judgments) {
      const key = [judgment.left, judgment.right].sort().join(" ");
      const votes = pairs.get(key) ?? new Map<string, Judgment>();
      if (!votes.has(judgment.rater)) votes.set(judgment.rater, judgment);
      pairs.set(key, votes);
    }
    before = page.next ?? undefined;
  } while (before !== undefined);
  return pairs;
}

function preferredBy({ choice, left, right }: Judgment): string | undefined {
  if (choice === "left") return left;
  return choice === "right" ? right : undefined;
}
