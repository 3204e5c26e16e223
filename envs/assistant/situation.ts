/** The state of an episode, and the rule when a proposal disturbs. */
import type { Day, Item, Moment } from "./world/day.js";

/** Number of disturbances after which the user turns the assistant off. */
export const mostDisturbances = 5;
/** Cost of a disturbance, as a share of the reward for a wanted proposal. */
export const disturbanceCost = 0.25;

/** Reason why a proposal disturbed the user. */
export type Fault = "busy" | "unwanted" | "wrong" | "twice" | "late";

export interface Disturbance {
  proposal: string;
  fault: Fault;
}

/** State of an episode. It is replaced and never changed. */
export interface Situation {
  day: Day;
  /** Index of the current moment. Once the day is over, it is the number of moments. */
  now: number;
  /** Ids of the news about which the user has made up their mind. */
  settled: readonly string[];
  accepted: readonly string[];
  disturbances: readonly Disturbance[];
  /** Names of the tables of the history that the agent has seen. */
  seen: readonly string[];
}

export function wantedIn({ items }: Day): Item[] {
  return items.filter(({ wanted }) => wanted !== null);
}

/** Returns why a proposal disturbs the user at this moment, or null if the user wants it. */
export function faultOf({ day, now, settled }: Situation, item: Item, proposal: string): Fault | null {
  if ((day.moments[now] as Moment).isBusy) return "busy";
  if (settled.includes(item.id)) return "twice";
  if (item.wanted === null) return "unwanted";
  if (now > item.until) return "late";
  return item.wanted === proposal ? null : "wrong";
}
