/** Findings of the checks of a training run's health, and the form of their figures. */
import type { Bounds } from "./thresholds.js";
import type { HealthRecord } from "./window.js";

export const levels = ["green", "amber", "red"] as const;
export type Level = (typeof levels)[number];

export interface Finding {
  /** Name of the check, such as `entropy`. */
  readonly check: string;
  readonly level: Level;
  /** One sentence with the figures. */
  readonly cause: string;
  /** Settings to change, in one sentence with their names in backquotes; null if the level is green. */
  readonly change: string | null;
}

/** A run whose health is judged. */
export interface Judged {
  /** Records of all train steps and evaluations, in their order. */
  readonly records: readonly HealthRecord[];
  /** Records of the newest train steps. */
  readonly latest: readonly HealthRecord[];
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Returns a finding, or undefined if the run lacks the metrics for it. */
export type Check = (run: Judged) => Omit<Finding, "check"> | undefined;

/** Returns the level of a value that grows worse as it grows, or with `isFalling` as it falls. */
export function levelOf(value: number, { amber, red }: Bounds, isFalling = false): Level {
  const reaches = (bound: number) => (isFalling ? value <= bound : value >= bound);
  return reaches(red) ? "red" : reaches(amber) ? "amber" : "green";
}

export function worseOf(a: Level, b: Level): Level {
  return levels.indexOf(a) > levels.indexOf(b) ? a : b;
}

/** Returns a finding whose remedy is left out where nothing is to be changed. */
export function finding(level: Level, cause: string, change: string): Omit<Finding, "check"> {
  return { level, cause, change: level === "green" ? null : change };
}

/** Writes a share in percent with at most one digit. */
export function percent(share: number): string {
  return `${Math.round(1_000 * share) / 10} %`;
}

/** Writes a number with three significant digits, and rounding errors as 0. */
export function figure(value: number): string {
  return Math.abs(value) < 1e-9 ? "0" : `${Number(value.toPrecision(3))}`;
}
