/**
 * What an ended rollout leaves to learn from, and the rule of credit:
 *
 * - Every row carries the episode's score, the sum of all rewards; in a group's baseline the episode counts once, and in
 *   the loss its weight is shared over its rows (see `tokenWeights`).
 * - A reward belongs to the call that it names, or to the last one before it. A row's step has all that the episode earned
 *   from its call on until the row's next one, whoever else played meanwhile, so that returns of steps (turn_discount,
 *   GAE, GiGPO) are those of the episode.
 */
import type { Trajectory, TrajectoryStep } from "../rollout/trajectory.js";
import { type Call, lengthOf, tokensOf } from "./call-tree.js";

export interface EndedRollout extends Pick<Trajectory, "episodeId" | "group" | "played" | "score" | "solved"> {
  /** As `CallTree.paths` gives them. */
  readonly paths: readonly (readonly Call[])[];
  /** All of the rollout's, those that are dropped among them: what they earned was earned. */
  readonly calls: readonly Call[];
}

/** @param versionOf the policy's version, of that of the engine's weights */
export function rowsOf(
  { paths, calls, ...episode }: EndedRollout,
  versionOf: (weights: number) => number,
): Trajectory[] {
  const trained = new Set<Call>();
  return paths.map((path, row) => {
    const own = path.filter((call) => !trained.has(call));
    for (const call of own) trained.add(call);
    return {
      ...episode,
      ...(paths.length > 1 && { row }),
      ...columnsOf(path, own, versionOf),
      steps: own.map((call, at) => stepOf(call, own[at + 1], calls)),
      status: "terminated" as const,
    };
  });
}

function columnsOf(path: readonly Call[], own: readonly Call[], versionOf: (weights: number) => number) {
  const tokens = tokensOf(path.at(-1) as Call);
  const mask = new Uint8Array(tokens.length);
  const logprobs = new Float32Array(tokens.length);
  const versions = new Int32Array(tokens.length).fill(-1);
  for (const call of own) {
    const first = firstOf(call);
    mask.fill(1, first, lengthOf(call));
    logprobs.set(call.sampled?.logprobs ?? [], first);
    versions.set(call.sampled?.versions.map(versionOf) ?? [], first);
  }
  return { tokens, mask, logprobs, versions };
}

function stepOf(call: Call, next: Call | undefined, calls: readonly Call[]): TrajectoryStep {
  const until = next?.order ?? Number.POSITIVE_INFINITY;
  const since = calls.filter(({ order }) => order >= call.order && order < until);
  return {
    first: firstOf(call),
    end: lengthOf(call),
    action: call.text,
    observationHash: call.observationHash,
    reward: since.reduce((sum, { reward }) => sum + reward, 0),
  };
}

function firstOf({ kept, given }: Call): number {
  return kept + given.length;
}
