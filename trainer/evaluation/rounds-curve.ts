/** Success by rounds of evaluations that were played before, at every number of rounds up to the cap. */

import type { EpisodeRecord } from "./record.js";
import { type RoundsResult, successByRounds } from "./rounds.js";
import { eachRecord } from "./stored-evaluation.js";

export interface RoundsCurve {
  /** Name of the evaluation as the caller wrote it. */
  readonly name: string;
  readonly environment: string;
  readonly split: string;
  readonly policy: string;
  /** Round cap of the episodes. */
  readonly maxRounds: number;
  /** Indices of the tasks with an episode that was played to its end. */
  readonly tasks: readonly number[];
  /** Results within 1, 2, ... rounds, up to the cap. */
  readonly results: readonly RoundsResult[];
}

/**
 * Reads an evaluation.
 *
 * @param roots folders of evaluations
 * @throws {TrainerError} ARGUMENT_INVALID: there is no such evaluation, or its file is damaged
 */
export async function readRoundsCurve(name: string, roots: readonly string[]): Promise<RoundsCurve> {
  const episodes = new Map<string, EpisodeRecord>();
  const { measurement } = await eachRecord(name, roots, (record) => {
    // Only the rewards of the turns are kept, since transcripts may not fit into memory.
    const turns = record.turns.map(({ reward }) => ({ reply: "", observation: "", reward }));
    episodes.set(`${record.played.index}#${record.sample}`, { ...record, opening: "", turns });
  });
  const records = [...episodes.values()];
  const played = records.filter(({ status }) => status !== "failed");
  const longest = played.reduce((most, { turns }) => Math.max(most, turns.length), 1);
  const maxRounds = typeof measurement.maxRounds === "number" ? measurement.maxRounds : longest;
  const caps = Array.from({ length: maxRounds }, (_, at) => at + 1);
  return {
    name,
    environment: String(measurement.environment),
    split: String(measurement.split),
    policy: String(measurement.policy),
    maxRounds,
    tasks: [...new Set(played.map(({ played: { index } }) => index))].sort((a, b) => a - b),
    results: successByRounds(records, caps, leastSolved(played)),
  };
}

/** Returns the lowest return with which an episode was solved. The file does not have the environment's own bound. */
function leastSolved(records: readonly EpisodeRecord[]): number {
  return records.reduce(
    (least, { solved, score }) => (solved ? Math.min(least, score) : least),
    Number.POSITIVE_INFINITY,
  );
}
