/**
 * The rows of an ended rollout, and the rule of credit:
 *
 * - Every row has the episode's return, the sum of all rewards. The episode counts once in its group's baseline, and
 *   its weight in the loss is distributed over its rows (see `tokenWeights`).
 * - A reward belongs to the call that it names, or to the last call before it. A rewarded call is never dropped (see
 *   `CallTree.paths`). Steps have the order of their calls, so discounted returns (turn_discount, GAE, GiGPO) run over
 *   all rows of the episode, as AReaL's run over all of its completions.
 */
import type { Trajectory, TrajectoryStep } from "../rollout/trajectory.js";
import { type Call, lengthOf, tokensOf } from "./call-tree.js";

export interface EndedRollout
  extends Pick<Trajectory, "episodeId" | "seat" | "group" | "played" | "return" | "solved"> {
  /** Result of `CallTree.paths`. */
  readonly paths: readonly (readonly Call[])[];
}

/** Makes the rows. @param versionOf maps a version of the engine's weights to the policy version */
export function rowsOf({ paths, ...episode }: EndedRollout, versionOf: (weights: number) => number): Trajectory[] {
  const trained = new Set<Call>();
  return paths.map((path, row) => {
    const own = path.filter((call) => !trained.has(call));
    for (const call of own) trained.add(call);
    return {
      ...episode,
      ...(paths.length > 1 && { row }),
      ...columnsOf(path, own, versionOf),
      steps: own.map(stepOf),
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

function stepOf(call: Call): TrajectoryStep {
  const { text: action, observationHash, order: turn, reward } = call;
  return { first: firstOf(call), end: lengthOf(call), action, observationHash, reward, turn };
}

function firstOf({ kept, given }: Call): number {
  return kept + given.length;
}
