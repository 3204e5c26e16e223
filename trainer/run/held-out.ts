/** Evaluation of a policy on held-out tasks. */
import type { GymClient } from "../gym/gym.js";
import type { BoundedTaskSet } from "../gym/task-set.js";
import { keyedHash } from "../keyed-random.js";
import type { Policy } from "../policy/policy.js";
import { playEpisode, type RolloutSettings } from "../rollout/episode-rollout.js";
import type { Trajectory } from "../rollout/trajectory.js";
import type { Seating, SeatingRequest } from "./partners.js";

export interface HeldOutScore {
  /** Name of the task set. */
  readonly name: string;
  readonly environment: string;
  /** Number of episodes that were played to their end. */
  readonly episodes: number;
  /** Share of solved episodes; undefined without episodes. The means below are undefined too then. */
  readonly success: number | undefined;
  readonly score: number | undefined;
  readonly rounds: number | undefined;
  /** Number of episodes that failed in the gym or the policy. */
  readonly failed: number;
  /** Result of each episode. Checkpoints of earlier versions lack them. */
  readonly outcomes?: HeldOutOutcomes;
  /** Results of the policy by seat; left out if the environment has one player. */
  readonly seats?: Readonly<Record<string, SeatScore>>;
}

export interface SeatScore {
  /** Number of episodes in which the policy played the seat. */
  readonly episodes: number;
  /** Mean return of the seat. */
  readonly score: number;
}

/** Results of the episodes of a task set, in an order that is the same in every evaluation of a run. */
export interface HeldOutOutcomes {
  /** Index of each episode's task. */
  readonly tasks: readonly number[];
  /** A character for each episode: `1` solved, `0` not solved, `-` failed in the gym or the policy. */
  readonly solved: string;
}

export interface HeldOutRequest {
  readonly gym: GymClient;
  readonly policy: Policy;
  readonly settings: RolloutSettings;
  /** Number of episodes of each task set, spread evenly over its indices. */
  readonly episodes: number;
  readonly seed: number;
  /** Maximum number of episodes in flight, for each task set. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** Decides who plays the seats of an episode. Default: the policy plays all seats. */
  seat?(request: SeatingRequest): Promise<Seating>;
}

export function evaluateHeldOut(sets: readonly BoundedTaskSet[], request: HeldOutRequest): Promise<HeldOutScore[]> {
  return Promise.all(sets.map((set) => evaluateSet(set, request)));
}

async function evaluateSet(set: BoundedTaskSet, request: HeldOutRequest): Promise<HeldOutScore> {
  const tasks = indicesOf(set, request.episodes);
  const queue = tasks.entries();
  const played: Trajectory[] = new Array(tasks.length);
  const worker = async () => {
    for (const [number, index] of queue) played[number] = await play(set, index, number, request);
  };
  await Promise.all(Array.from({ length: request.concurrency }, worker));
  const ended = played.filter(({ status }) => status !== "failed");
  const mean = (of: (trajectory: Trajectory) => number) =>
    ended.length > 0 ? ended.reduce((sum, trajectory) => sum + of(trajectory), 0) / ended.length : undefined;
  const seats = seatScores(ended);
  return {
    name: set.name,
    environment: set.environment,
    episodes: ended.length,
    success: mean(({ solved }) => Number(solved)),
    score: mean(({ return: total }) => total),
    rounds: mean(({ steps }) => steps.length),
    failed: played.length - ended.length,
    outcomes: { tasks, solved: played.map(({ status, solved }) => (status === "failed" ? "-" : +solved)).join("") },
    ...(seats && { seats }),
  };
}

async function play(set: BoundedTaskSet, index: number, number: number, request: HeldOutRequest) {
  const { environment, split, seats } = set;
  const task = { environment, split, index, seed: number };
  const seed = keyedHash(request.seed, number);
  const { partners, release } = (await request.seat?.({ number, seed, seats, signal: request.signal })) ?? {};
  try {
    return await playEpisode({ ...request, partners, task, group: "", seed });
  } finally {
    release?.();
  }
}

/** Returns the mean returns of the seats that the policy played. */
function seatScores(ended: readonly Trajectory[]): HeldOutScore["seats"] {
  const played = ended.flatMap(({ seats = [] }) => seats.filter(({ partner }) => partner === undefined));
  if (played.length === 0) return undefined;
  const names = [...new Set(played.map(({ seat }) => seat as string))];
  const scores = names.map((name) => {
    const returns = played.filter(({ seat }) => seat === name).map(({ return: own }) => own);
    return [name, { episodes: returns.length, score: returns.reduce((sum, own) => sum + own, 0) / returns.length }];
  });
  return Object.fromEntries(scores);
}

/**
 * Returns the tasks of a set that a run evaluates, for a benchmark: every task once, in several samples if the set has fewer
 * tasks than episodes.
 */
export function heldOutTasks(set: BoundedTaskSet, episodes: number): { tasks: number[]; k: number } {
  const tasks = [...new Set(indicesOf(set, episodes))];
  return { tasks, k: Math.max(1, Math.floor(episodes / tasks.length)) };
}

/**
 * Returns the indices of the episodes' tasks: evenly spaced if the set has more tasks than episodes, else each task in
 * turn, repeatedly.
 */
function indicesOf({ first, last }: BoundedTaskSet, episodes: number): number[] {
  const size = last - first + 1;
  if (size <= episodes) return Array.from({ length: episodes }, (_, at) => first + (at % size));
  return Array.from({ length: episodes }, (_, at) => first + Math.floor((at * size) / episodes));
}
