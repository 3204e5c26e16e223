/** Limits on the use of the gym by one token, or by the tokens of one group together. An absent limit does not limit. */
export interface Quota {
  /** Limit on live episodes at the same time. */
  maxEpisodes?: number | undefined;
  /** Limit on live episodes at the same time whose environment holds a sandbox. */
  maxSandboxEpisodes?: number | undefined;
  /** Limit on the steps of one UTC day. */
  maxStepsPerDay?: number | undefined;
}

export interface QuotaHolder {
  /** `local`: all callers without a token together. */
  kind: "token" | "group" | "local";
  name: string;
  quota: Quota;
}

/** The quotas that apply to one caller. */
export interface CallerQuotas {
  own: QuotaHolder;
  /** Quota of the group of the caller's token. */
  group: QuotaHolder | null;
}

/** A limit that can refuse a call, as it is named in metrics. */
export type QuotaKind = "episodes" | "sandbox_episodes" | "steps" | "in_flight" | "seat_waits";

/** Steps in the log that were taken on one UTC day. */
export interface Usage {
  /** `YYYY-MM-DD` */
  day: string;
  /** Number of steps by owner. */
  callers: Record<string, number>;
  /** Number of steps by name of the group. */
  groups: Record<string, number>;
}

/** Live episodes, those that hold a sandbox, and steps of the day. */
export type Counts = readonly [live: number, sandboxes: number, steps: number];

export const noCounts: Counts = [0, 0, 0];

/** Counts of a gym against the limits of tokens, by owner, and of groups, by name. */
export interface UseCounts {
  callers: Record<string, Counts>;
  groups: Record<string, Counts>;
}

const dayMs = 86_400_000;

/** Returns the UTC day of a time as a number of days since 1970. */
export function dayOf(timeMs: number): number {
  return Math.floor(timeMs / dayMs);
}

/** @param day number of days since 1970. @returns `YYYY-MM-DD` */
export function dayText(day: number): string {
  return dayStart(day).slice(0, 10);
}

/** Returns the first moment of a day as an ISO time. */
export function dayStart(day: number): string {
  return new Date(day * dayMs).toISOString();
}
