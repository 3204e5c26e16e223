/** How long each step of an episode took, from the times at which the gym logged the steps. */
import type { Episode, Step } from "../../api.js";

export interface StepTimes {
  /**
   * Milliseconds of each step since the step before it. The first step counts from the creation of the episode, and so does
   * a fork's first own step. Null without both times; negative if the clock of the gym went backwards.
   */
  readonly took: readonly (number | null)[];
  readonly medianMs: number;
  /** Steps that took longer are slow. */
  readonly slowMs: number;
  /** Number of the step that took longest. The first step has number 1. */
  readonly slowest: number;
}

/** A slow step takes several times as long as the median, and so long that a person notices. */
const [slowMedians, shortestSlowMs] = [3, 100];

/** Returns null if fewer than two steps have a time. */
export function stepTimesOf(episode: Episode, steps: readonly Step[]): StepTimes | null {
  const took = durationsOf(episode, steps);
  const known = took.filter((ms) => ms !== null && ms >= 0) as number[];
  if (known.length < 2) return null;
  known.sort((a, b) => a - b);
  const medianMs = known[known.length >> 1] as number;
  const slowMs = Math.max(slowMedians * medianMs, shortestSlowMs);
  return { took, medianMs, slowMs, slowest: took.indexOf(known.at(-1) as number) + 1 };
}

function durationsOf({ createdAt, parent }: Episode, steps: readonly Step[]): (number | null)[] {
  const createdAtMs = Date.parse(createdAt);
  // The first steps of a fork were logged before it was created.
  let beforeMs = parent === null ? createdAtMs : null;
  return steps.map(({ atMs }) => {
    const isFirstOwn = parent !== null && beforeMs !== null && beforeMs < createdAtMs && (atMs ?? 0) >= createdAtMs;
    const took = atMs === null || beforeMs === null ? null : atMs - (isFirstOwn ? createdAtMs : beforeMs);
    beforeMs = atMs;
    return took;
  });
}

/** Returns a time such as `3 ms`, `0.8 s` or `2.5 min`, and a dash for a negative one. */
export function tookText(ms: number): string {
  if (ms < 0) return "–";
  if (ms < 99.5) return `${Math.round(ms)} ms`;
  const unit = units.find(({ most }) => ms / most < 1) as (typeof units)[number];
  return `${(ms / unit.ms).toFixed(1)} ${unit.name}`;
}

/** Units with the number of milliseconds from which on the next unit is used. */
const units = [
  { name: "s", ms: 1_000, most: 59_950 },
  { name: "min", ms: 60_000, most: 59.95 * 60_000 },
  { name: "h", ms: 3_600_000, most: 23.95 * 3_600_000 },
  { name: "d", ms: 86_400_000, most: Number.POSITIVE_INFINITY },
];

const clock = new Intl.DateTimeFormat(undefined, {
  ...{ year: "numeric", month: "short", day: "numeric" },
  ...{ hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3 },
});

/** Returns a time in the time zone of the browser, to the millisecond. */
export function clockText(ms: number): string {
  return clock.format(ms);
}
