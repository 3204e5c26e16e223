/** Episode records for tests of summaries and reports. */
import type { EpisodeRecord, TurnRecord } from "#palestra/trainer/evaluation/record.js";

/** A turn as three words: the action, the observation and the reward. An empty action was not sent. */
export type TurnText = readonly [action: string, observation: string, reward?: number];

export function turnOf([action, observation, reward = 0]: TurnText): TurnRecord {
  return { reply: `Action: ${action}`, ...(action !== "" && { action }), observation, reward };
}

/** An unsolved episode at the opening "start". */
export function episodeOf(
  turns: readonly TurnText[],
  { index = 0, ...change }: Partial<EpisodeRecord> & { index?: number } = {},
): EpisodeRecord {
  const score = turns.reduce((sum, [, , reward = 0]) => sum + reward, 0);
  return {
    played: { environment: "maze@1", split: "test", index, seed: 0 },
    sample: 0,
    status: "terminated",
    score,
    solved: score >= 1,
    wallMs: 1,
    opening: "start",
    turns: turns.map(turnOf),
    ...change,
  };
}

export const lost: Partial<EpisodeRecord> = {
  status: "failed",
  failure: { class: "infrastructure", code: "GYM_TIMEOUT", message: "expected a reply, but received none" },
};
