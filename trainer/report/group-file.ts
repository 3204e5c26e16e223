/**
 * The file of a train step's groups. Its first line is the header: a JSON object that lists groups and rollouts without
 * tokens. The tokens of each rollout follow as JSON, compressed with deflate. A reader can list the groups, or show one
 * rollout, without unpacking the rest. The gym reads these files (server/runs/group-files.ts).
 */
import { deflateSync } from "node:zlib";
import type { Played } from "../gym/gym.js";
import type { TrajectoryFailure, TrajectoryStatus } from "../rollout/trajectory.js";
import { TokenTexts, type Vocabulary } from "./token-texts.js";

/** Name of the folder in the output folder. */
export const groupsFolder = "groups";

/** A row of tokens. All arrays are `[tokens]`. */
export interface RolloutTokens {
  readonly tokens: Int32Array;
  /** 1 for sampled tokens, 0 for given ones. */
  readonly mask: Uint8Array;
  /** Log-probabilities under the behaviour policy, in nats. */
  readonly logprobs: Float32Array;
  readonly versions: Int32Array;
  /** Undefined if the train step did not learn from the row. */
  readonly advantages: Float32Array | undefined;
}

export interface RolloutEntry extends RolloutTokens {
  readonly episodeId: string;
  /** Number of the row, if the episode has several rows. */
  readonly row: number | null;
  /** Seat whose player's row it is, if the environment has seats. */
  readonly seat?: string | undefined;
  readonly return: number;
  readonly solved: boolean;
  readonly status: TrajectoryStatus;
  readonly failure?: TrajectoryFailure | undefined;
  readonly steps: readonly {
    readonly first: number;
    readonly end: number;
    readonly action: string;
    readonly reward: number;
  }[];
}

export interface GroupEntry {
  readonly group: string;
  readonly task: Played;
  /** Reason why the train step did not learn from the group. */
  readonly leftOut: string | null;
  readonly rollouts: readonly RolloutEntry[];
}

/** Name of the file of a train step. */
export function groupFileName(trainStep: number): string {
  return `step-${String(trainStep).padStart(8, "0")}.groups`;
}

/** Returns the train step of a file, or undefined for another name. */
export function trainStepOf(name: string): number | undefined {
  const [, digits] = /^step-(\d{8,12})\.groups$/.exec(name) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** Makes the file of a train step. @param vocabulary bytes of each token; undefined for a model without a tokenizer */
export function groupFile(
  trainStep: number,
  groups: readonly GroupEntry[],
  vocabulary: Vocabulary | undefined,
): Buffer {
  const texts = vocabulary && new TokenTexts(vocabulary);
  const packed: Buffer[] = [];
  let end = 0;
  const positionOf = (rollout: RolloutEntry): [start: number, bytes: number] => {
    const bytes = deflateSync(JSON.stringify(tokensOf(rollout, texts)), { level: 1 });
    packed.push(bytes);
    end += bytes.length;
    return [end - bytes.length, bytes.length];
  };
  const listed = groups.map(({ group, task, leftOut, rollouts }) => ({
    group,
    task,
    ...versionsOf(rollouts),
    leftOut,
    rollouts: rollouts.map((rollout) => ({ ...summaryOf(rollout), at: positionOf(rollout) })),
  }));
  const header = { format: 1, step: trainStep, groups: listed };
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), ...packed]);
}

function summaryOf({ episodeId, row, seat, return: total, solved, status, failure, steps, ...arrays }: RolloutEntry) {
  const { mask, advantages } = arrays;
  const sampledTokens = mask.reduce((sum, bit) => sum + bit, 0);
  const advantage = advantages?.reduce((sum, value) => sum + value, 0);
  return {
    episodeId,
    row,
    ...(seat !== undefined && { seat }),
    return: total,
    solved,
    status,
    ...(failure && { failure }),
    advantage: advantage === undefined || sampledTokens === 0 ? null : rounded(advantage / sampledTokens),
    tokens: mask.length,
    sampledTokens,
    steps: steps.length,
  };
}

function tokensOf(
  { tokens, mask, logprobs, versions, advantages, steps }: RolloutEntry,
  texts: TokenTexts | undefined,
) {
  const sampled = (values: ArrayLike<number> | undefined) =>
    Array.from(mask, (bit, token) => (bit === 1 && values ? rounded(values[token] as number) : null));
  return {
    tokens: Array.from(tokens),
    texts: texts ? texts.of(tokens) : null,
    mask: Array.from(mask),
    logprobs: sampled(logprobs),
    advantages: sampled(advantages),
    versions: sampled(versions),
    steps,
  };
}

/** Rounds to five decimals, which are enough to show and take half of the space. */
function rounded(value: number): number {
  return Math.round(value * 1e5) / 1e5;
}

function versionsOf(rollouts: readonly RolloutEntry[]) {
  let [minVersion, maxVersion] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { mask, versions } of rollouts) {
    for (let token = 0; token < mask.length; token++) {
      if (mask[token] !== 1) continue;
      minVersion = Math.min(minVersion, versions[token] as number);
      maxVersion = Math.max(maxVersion, versions[token] as number);
    }
  }
  return minVersion <= maxVersion ? { minVersion, maxVersion } : { minVersion: null, maxVersion: null };
}
