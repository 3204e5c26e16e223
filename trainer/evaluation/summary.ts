/**
 * The summary of a benchmark run. Failed episodes are counted and otherwise left out, since they give no evidence about
 * the policy.
 */

import { type FailureKind, failureKinds } from "../../server/formats/outcomes/failure.js";
import { failureOfRecord } from "../../server/formats/outcomes/record-failure.js";
import { addRetries, type Usage } from "../policy/policy.js";
import { type SeatResults, seatResults } from "./by-seat.js";
import type { EpisodeRecord } from "./record.js";
import { remedyOf } from "./remedies.js";
import { clusteredMean, type Estimate, mean, passAtK, type Range } from "./statistics.js";

/** Results of the episodes that were played to their end: of all tasks, or of one family. */
export interface Results {
  readonly tasks: number;
  readonly episodes: number;
  /** Share of solved episodes; undefined if no episode was played to its end. */
  readonly successRate: Estimate | undefined;
  readonly meanScore: Estimate | undefined;
  /** Share of episodes with a return above 0, which AgentGym-RL's script counts as passed. */
  readonly aboveZero: Estimate | undefined;
  /** Pass@k by k, over tasks with at least k episodes. */
  readonly passAtK: readonly (Estimate & { readonly k: number; readonly tasks: number })[];
  /** Mean number of replies per episode; the next field is the mean over solved episodes. */
  readonly meanSteps: number | undefined;
  readonly meanStepsSolved: number | undefined;
}

export interface Prices {
  /** Price of a million input tokens, in any currency. */
  readonly in: number;
  readonly out: number;
}

export interface LostReason {
  readonly class: string;
  readonly code: string;
  /** HTTP status of the policy server's reply. */
  readonly status?: number;
  /** Number of episodes. */
  readonly count: number;
  /** Example of a message of these failures. */
  readonly example: string;
  readonly remedy: string;
}

export interface Summary extends Results {
  readonly planned: number;
  /** Number of episodes that failed. */
  readonly failed: number;
  /** Reasons why episodes failed, the most frequent first. */
  readonly failures: readonly LostReason[];
  /** Number of episodes by kind of failure, lost episodes included. */
  readonly failureKinds: Readonly<Partial<Record<FailureKind, number>>>;
  readonly statuses: Readonly<Record<string, number>>;
  /** Requests, retries and tokens, including those of failed episodes, which are billed too. */
  readonly usage: Usage;
  readonly cost: number | undefined;
  /** Seconds of play time, summed over episodes. */
  readonly playSeconds: number;
  readonly families: readonly (Results & { readonly family: string })[];
  /** Results by seat and player; left out if the environment has one player. */
  readonly seats?: readonly SeatResults[];
}

/**
 * Summarizes records.
 *
 * @param solvedScore minimum return of a solved task; the range of returns is 0 to `solvedScore`, extended to include
 * every observed return
 */
export function summarise(
  records: readonly EpisodeRecord[],
  planned: number,
  prices: Prices | undefined,
  solvedScore = 1,
): Summary {
  const scored = records.filter(({ status }) => status !== "failed");
  const scores = rangeOf(scored, solvedScore);
  const usage = usageOf(records);
  const families = groupBy(
    scored.filter(({ family }) => family !== undefined),
    ({ family }) => family as string,
  );
  const seats = seatResults(scored);
  return {
    planned,
    ...resultsOf(scored, scores),
    failed: records.length - scored.length,
    failures: failuresOf(records),
    failureKinds: failureKindsOf(records),
    statuses: Object.fromEntries(
      [...groupBy(records, ({ status }) => status)].map(([status, all]) => [status, all.length]),
    ),
    usage,
    cost: prices && (usage.promptTokens * prices.in + usage.completionTokens * prices.out) / 1e6,
    playSeconds: records.reduce((sum, { wallMs }) => sum + wallMs, 0) / 1000,
    families: [...families]
      .map(([family, of]) => ({ family, ...resultsOf(of, scores) }))
      .sort((a, b) => a.family.localeCompare(b.family, "en", { numeric: true })),
    ...(seats.length > 0 && { seats }),
  };
}

function rangeOf(scored: readonly EpisodeRecord[], solvedScore: number): Range {
  const range = { low: 0, high: Number.isFinite(solvedScore) && solvedScore > 0 ? solvedScore : 1 };
  for (const { score } of scored) {
    range.low = Math.min(range.low, score);
    range.high = Math.max(range.high, score);
  }
  return range;
}

function resultsOf(scored: readonly EpisodeRecord[], scores: Range): Results {
  const byTask = [...groupBy(scored, ({ played }) => played.index).values()];
  const solved = scored.filter((record) => record.solved);
  return {
    tasks: byTask.length,
    episodes: scored.length,
    successRate: clusteredMean(byTask.map((samples) => samples.map((sample) => Number(sample.solved)))),
    meanScore: clusteredMean(
      byTask.map((samples) => samples.map(({ score }) => score)),
      scores,
    ),
    aboveZero: clusteredMean(byTask.map((samples) => samples.map(({ score }) => Number(score > 0)))),
    passAtK: passesOf(byTask),
    meanSteps: mean(scored.map(({ turns }) => turns.length)),
    meanStepsSolved: mean(solved.map(({ turns }) => turns.length)),
  };
}

function passesOf(byTask: readonly (readonly EpisodeRecord[])[]): Results["passAtK"] {
  const most = byTask.reduce((longest, { length }) => Math.max(longest, length), 0);
  return ks(most).map((k) => {
    const enough = byTask.filter(({ length }) => length >= k);
    const passes = enough.map((samples) => [passAtK(samples.length, samples.filter(({ solved }) => solved).length, k)]);
    return { k, tasks: enough.length, ...(clusteredMean(passes) as Estimate) };
  });
}

/** Returns the values of k: 1, 2, 4, ... and the maximum. */
function ks(most: number): number[] {
  const powers: number[] = [];
  for (let k = 1; k < most; k *= 2) powers.push(k);
  return most > 0 ? [...powers, most] : [];
}

function failuresOf(records: readonly EpisodeRecord[]): LostReason[] {
  const failed = records.flatMap(({ failure }) => (failure ? [failure] : []));
  const kinds = groupBy(failed, (failure) => `${failure.class} ${failure.code} ${failure.status ?? ""}`);
  const reasons = [...kinds.values()].map((of) => {
    const [first] = of as [(typeof of)[0] & object];
    const { class: failureClass, code, status, message } = first;
    const seen = { count: of.length, example: message, remedy: remedyOf(first) };
    return { class: failureClass, code, ...(status !== undefined && { status }), ...seen };
  });
  return reasons.sort((a, b) => b.count - a.count);
}

function failureKindsOf(records: readonly EpisodeRecord[]): Summary["failureKinds"] {
  const kinds = records.map((record) => failureOfRecord(record)?.kind);
  return Object.fromEntries(
    failureKinds.flatMap((kind) => {
      const count = kinds.filter((each) => each === kind).length;
      return count > 0 ? [[kind, count]] : [];
    }),
  );
}

function usageOf(records: readonly EpisodeRecord[]): Usage {
  const sum = (key: "requests" | "promptTokens" | "completionTokens") =>
    records.reduce((total, { usage }) => total + (usage?.[key] ?? 0), 0);
  const retries = records.reduce((total, { usage }) => addRetries(total, usage?.retries ?? {}), {});
  return {
    requests: sum("requests"),
    promptTokens: sum("promptTokens"),
    completionTokens: sum("completionTokens"),
    ...(Object.keys(retries).length > 0 && { retries }),
  };
}

export function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
