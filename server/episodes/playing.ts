/** Live episodes and steps of the last minute, by caller and environment, and the last failures. */
import type { ErrorCode, FailureClass, GymError } from "../errors.js";
import type { Episode } from "./episode/episode.js";
import { hasRun, labelsOf } from "./episode/settings.js";

/** Episodes and steps of one caller in one environment. */
export interface Play {
  readonly owner: string;
  readonly environment: string;
  /** Live episodes. */
  episodes: number;
  stepsLastMinute: number;
  /** Names of the runs that play, as far as the client has told them. */
  readonly runs: string[];
}

/** An episode that failed, or a reset that failed, so that its episode does not exist. */
export interface FailedEpisode {
  readonly atMs: number;
  readonly owner: string;
  readonly environment: string;
  /** Null for an episode that does not exist. */
  readonly episodeId: string | null;
  readonly code: ErrorCode;
  readonly failureClass: FailureClass;
  readonly message: string;
}

/** A live episode of an environment with pictures. */
export interface Pictured {
  readonly id: string;
  readonly environment: string;
  readonly index: number;
  readonly touchedAtMs: number;
}

/** State of all plays at one time. */
export interface Snapshot {
  readonly plays: readonly Play[];
  /** The live episodes of each owner with pictures that were called last, newest first. */
  readonly pictured: ReadonlyMap<string, readonly Pictured[]>;
}

/** Milliseconds for which a snapshot serves all readers, so that many open studios cost as much as one: it visits each live episode. */
const keptMs = 2_000;
const mostFailures = 500;
const mostPictured = 12;
const longestMessage = 500;
/** Runs that are told for one caller and environment. */
const mostRuns = 5;

export class Playing {
  private readonly rates = new ByPlay(() => new Rate());
  private readonly failed: FailedEpisode[] = [];
  private newest: { readonly at: number; readonly snapshot: Snapshot } | null = null;

  /** @param episodes returns the episodes in memory */
  constructor(private readonly episodes: () => Iterable<Episode>) {}

  /** @param atMs time from `performance.now()` */
  onStep(owner: string, environment: string, atMs: number): void {
    this.rates.of(owner, environment).add(atMs);
  }

  onFailure(owner: string, environment: string, episodeId: string | null, error: GymError): void {
    const { code, failureClass } = error;
    const message = error.message.slice(0, longestMessage).toWellFormed();
    this.failed.push({ atMs: Date.now(), owner, environment, episodeId, code, failureClass, message });
    if (this.failed.length > mostFailures) this.failed.shift();
  }

  /** Returns the newest failures, newest first. @param owner of the failures; null for those of all owners */
  failures(owner: string | null, most: number): FailedEpisode[] {
    const found: FailedEpisode[] = [];
    for (let at = this.failed.length - 1; at >= 0 && found.length < most; at--) {
      const failure = this.failed[at] as FailedEpisode;
      if (owner === null || failure.owner === owner) found.push(failure);
    }
    return found;
  }

  /** Returns what is played now, at most two seconds old. @param at time from `performance.now()` */
  snapshot(at = performance.now()): Snapshot {
    if (!this.newest || at - this.newest.at >= keptMs) this.newest = { at, snapshot: this.take(at) };
    return this.newest.snapshot;
  }

  private take(at: number): Snapshot {
    const plays = new ByPlay(
      (owner, environment): Play => ({ owner, environment, episodes: 0, stepsLastMinute: 0, runs: [] }),
    );
    this.rates.keepIf((rate, owner, environment) => {
      const steps = rate.lastMinute(at);
      if (steps > 0) plays.of(owner, environment).stepsLastMinute = steps;
      return steps > 0;
    });
    const pictured = new Map<string, Pictured[]>();
    for (const episode of this.episodes()) {
      if (!episode.live || episode.phase !== "running") continue;
      const { owner, environment } = episode.row;
      const play = plays.of(owner, environment);
      play.episodes += 1;
      addRun(play, episode);
      if (episode.spec.render) keepNewest(pictured, owner, episode);
    }
    const busiest = (a: Play, b: Play) => b.stepsLastMinute - a.stepsLastMinute || b.episodes - a.episodes;
    return { plays: plays.all.sort(busiest), pictured };
  }
}

function addRun({ runs }: Play, { row }: Episode): void {
  if (runs.length >= mostRuns || !hasRun(row)) return;
  const { run } = labelsOf(row);
  if (run !== null && !runs.includes(run)) runs.push(run);
}

/** Values by caller and environment. */
class ByPlay<T> {
  private readonly byOwner = new Map<string, Map<string, T>>();

  constructor(private readonly make: (owner: string, environment: string) => T) {}

  /** Returns the value, which is made if there is none. */
  of(owner: string, environment: string): T {
    let byEnvironment = this.byOwner.get(owner);
    if (!byEnvironment) {
      byEnvironment = new Map();
      this.byOwner.set(owner, byEnvironment);
    }
    let value = byEnvironment.get(environment);
    if (value === undefined) {
      value = this.make(owner, environment);
      byEnvironment.set(environment, value);
    }
    return value;
  }

  get all(): T[] {
    return [...this.byOwner.values()].flatMap((byEnvironment) => [...byEnvironment.values()]);
  }

  keepIf(isKept: (value: T, owner: string, environment: string) => boolean): void {
    for (const [owner, byEnvironment] of this.byOwner) {
      for (const [environment, value] of byEnvironment)
        if (!isKept(value, owner, environment)) byEnvironment.delete(environment);
      if (byEnvironment.size === 0) this.byOwner.delete(owner);
    }
  }
}

/** Keeps an episode if it is among the newest of its owner. */
function keepNewest(pictured: Map<string, Pictured[]>, owner: string, { row, steps, touchedAtMs }: Episode): void {
  const kept = pictured.get(owner) ?? [];
  pictured.set(owner, kept);
  if (kept.length === mostPictured && (kept.at(-1) as Pictured).touchedAtMs >= touchedAtMs) return;
  const place = kept.findIndex((other) => other.touchedAtMs < touchedAtMs);
  const entry = { id: row.id, environment: row.environment, index: steps, touchedAtMs };
  kept.splice(place < 0 ? kept.length : place, 0, entry);
  if (kept.length > mostPictured) kept.pop();
}

const bucketMs = 5_000;
const bucketCount = 12;

/** Counts events in the last minute, to within five seconds. */
class Rate {
  private readonly buckets = new Uint32Array(bucketCount);
  private newest = 0;

  add(atMs: number): void {
    this.roll(atMs);
    const at = this.newest % bucketCount;
    this.buckets[at] = (this.buckets[at] as number) + 1;
  }

  lastMinute(atMs: number): number {
    this.roll(atMs);
    return this.buckets.reduce((sum, count) => sum + count, 0);
  }

  /** Empties the buckets of the time since the newest one. */
  private roll(atMs: number): void {
    const bucket = Math.floor(atMs / bucketMs);
    if (bucket - this.newest >= bucketCount) this.buckets.fill(0);
    else for (let at = this.newest + 1; at <= bucket; at++) this.buckets[at % bucketCount] = 0;
    this.newest = bucket;
  }
}
