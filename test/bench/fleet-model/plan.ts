/** The inputs of a simulation: episodes, gyms, machines and failures. */
import type { Costs } from "./costs.js";

export type Failure =
  /** The process of a gym ends at once. A supervisor starts another one. */
  | { kind: "kill"; atS: number; gym: number }
  /** A gym does nothing for a while. The others fence it, so it ends when it wakes. */
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
  /** Cores that gyms, PostgreSQL and load share, if they all are on one machine. */
  sharedCores: number | null;
  /** Mean of the exponential distribution of the time that a client takes for an action. */
  thinkMs: number;
  /** Steps of an episode, after which its client creates another one. */
  stepsPerEpisode: number;
  /** Whether clients send steps to any gym, so that most are forwarded, or to the owner as `GET /v1/fleet` tells. */
  isForwarding: boolean;
  /** Whether the CPU time of a step has an exponential distribution with its cost as the mean. Default: constant. */
  isExponential?: boolean;
  failures: readonly Failure[];
  seconds: number;
  /** Seconds at the beginning that do not count. */
  warmUpS: number;
  seed: number;
}

/** Times of the fleet, which its code defines. */
export const fleetTimes = {
  /** A gym that is gone is fenced this long after its last beat, if its connection has ended, or if it is silent. */
  lateMs: 3_000,
  silentMs: 10_000,
  /** Interval of the beats, after which each gym also looks for others that are gone. */
  renewalMs: 1_000,
  /** Pause of a request for an episode that no gym has, before it looks for the owner again. */
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
