/** The inputs of a simulation: episodes, gyms, machines and failures. */
import type { Costs } from "./costs.js";

export type Failure =
  /** The process of a gym ends at once. A supervisor starts another one. */
  | { kind: "kill"; atS: number; gym: number }
  /** A gym freezes for a while. The others fence it, so it ends when it resumes. */
  | { kind: "freeze"; atS: number; gym: number; seconds: number }
  /** A gym gives its episodes away before it ends. A supervisor starts another one. */
  | { kind: "restart"; atS: number; gym: number }
  /** PostgreSQL takes no commits, while a standby is promoted. */
  | { kind: "failover"; atS: number; seconds: number };

export interface Plan {
  costs: Costs;
  episodes: number;
  gyms: number;
  /** Cores of a gym's machine, and of PostgreSQL's machine. */
  gymCores: number;
  postgresCores: number;
  /** Cores that gyms, PostgreSQL and load share if they all run on one machine. */
  sharedCores: number | null;
  /** Mean of the exponential distribution of the time that a client takes for an action. */
  thinkMs: number;
  /** Steps of an episode, after which its client creates another one. */
  stepsPerEpisode: number;
  /**
   * If true, clients send steps to random gyms, so that most are forwarded. Otherwise, clients send steps to the owner,
   * as named by `GET /v1/fleet`.
   */
  isForwarding: boolean;
  /** Whether the CPU time of a step has an exponential distribution with its cost as the mean. Default: constant. */
  isExponential?: boolean;
  failures: readonly Failure[];
  seconds: number;
  /** Seconds of warm-up, which do not count. */
  warmUpS: number;
  seed: number;
}

/** Times of the fleet, which its code defines. */
export const fleetTimes = {
  /**
   * Milliseconds from the last heartbeat of a dead gym to its fence: with an ended connection, and with a silent one.
   */
  lateMs: 3_000,
  silentMs: 10_000,
  /** Interval in milliseconds of the heartbeats, and of the look of each gym for dead gyms. */
  renewalMs: 1_000,
  /** Pause in milliseconds of a request for an episode without an owner, before it looks for the owner again. */
  retryMs: 100,
};

/** Returns kills of random gyms at even intervals. */
export function killsEvery(seconds: number, untilS: number, gyms: number, below: (limit: number) => number): Failure[] {
  const kills: Failure[] = [];
  for (let atS = seconds; atS < untilS; atS += seconds) kills.push({ kind: "kill", atS, gym: below(gyms) });
  return kills;
}

/** Returns restarts of all gyms, one after the other. */
export function rollingRestart(fromS: number, gyms: number, intervalS: number): Failure[] {
  return Array.from({ length: gyms }, (_, gym) => ({ kind: "restart", atS: fromS + gym * intervalS, gym }));
}

export const assumptions: readonly string[] = [
  "Times to think are exponential and independent; each episode has one step in flight at most.",
  "A gym's cores take steps in the order of arrival. The main thread takes one step at a time.",
  "A gym has one commit in flight. Steps that are ready meanwhile form the next commit.",
  "The work of a commit on a gym comes ahead of the steps that wait, as the log has a thread of its own.",
  "PostgreSQL's cores take commits in the order of arrival. The flush takes a random measured latency and does not queue.",
  "CPU times per step, commit, create and replay are constant: the medians that were measured on a warm gym.",
  "A forwarded step costs half of its additional CPU on each of the two gyms. The network takes no time.",
  "A killed gym is fenced 3 to 5 seconds later, a frozen one 10 to 12 seconds later; its episodes go to all others in equal parts.",
  "Episodes are replayed at their next step. Half of an episode's steps have been played, on average.",
  "A gym that returns takes its equal part of the episodes over at once, and they are replayed, too.",
  "A fail-over loses no commit, and commits go on at full speed after it.",
  "On one machine, the work of the load comes with each step, and other programs slow all work down equally.",
  "On one machine, a commit in PostgreSQL waits for a core for 6 ms at most.",
  "The network, the disk's bandwidth, and PostgreSQL's checkpoints and vacuum take no time.",
];
