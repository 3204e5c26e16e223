/**
 * The use of the gym by one caller, counted for the caller and for the group of the caller's token. An account refuses
 * what would exceed a limit of the caller, of the group or of the gym.
 */
import type { EnvironmentFacts } from "../../../envs/env.js";
import { type ErrorCode, GymError } from "../../errors.js";
import type { Places } from "./places.js";
import { type Counts, dayStart, noCounts, type QuotaHolder, type QuotaKind } from "./quota.js";

/** A count, and the limit at which it is refused to grow, or null. */
export interface Bounded {
  used: number;
  limit: number | null;
}

export type MeterUse = Record<"episodes" | "sandboxEpisodes" | "stepsToday", Bounded>;

/** Counts the use of one holder of a quota. */
export class Meter {
  live = 0;
  sandboxes = 0;
  stepsInFlight = 0;
  /** Newest counts of the other gyms of a fleet that this gym knows. */
  elsewhere: Counts = noCounts;
  private limits!: Record<"episodes" | "sandboxes" | "steps", number>;

  /** @param stepsToday steps of the current day that are in the log */
  constructor(
    private holder: QuotaHolder,
    public stepsToday: number,
  ) {
    this.limitTo(holder);
  }

  get kind(): QuotaHolder["kind"] {
    return this.holder.kind;
  }

  /** Counts of this gym. */
  get counts(): Counts {
    return [this.live, this.sandboxes, this.stepsToday + this.stepsInFlight];
  }

  get stepsUsed(): number {
    return this.stepsToday + this.stepsInFlight + this.elsewhere[2];
  }

  /** The counts of all gyms and their limits. A limit is null if there is none. */
  get use(): MeterUse {
    const { episodes, sandboxes, steps } = this.limits;
    const limitOf = (limit: number) => (Number.isFinite(limit) ? limit : null);
    return {
      episodes: { used: this.live + this.elsewhere[0], limit: limitOf(episodes) },
      sandboxEpisodes: { used: this.sandboxes + this.elsewhere[1], limit: limitOf(sandboxes) },
      stepsToday: { used: this.stepsUsed, limit: limitOf(steps) },
    };
  }

  /** Whether the quota of the day has room for a further step. */
  get mayStep(): boolean {
    return this.stepsUsed < this.limits.steps;
  }

  /** Replaces the limits. The counts stay. */
  limitTo(holder: QuotaHolder): void {
    if (this.limits && holder.quota === this.holder.quota) return;
    const { maxEpisodes, maxSandboxEpisodes, maxStepsPerDay } = holder.quota;
    const most = Number.POSITIVE_INFINITY;
    this.holder = holder;
    this.limits = {
      episodes: maxEpisodes ?? most,
      sandboxes: maxSandboxEpisodes ?? most,
      steps: maxStepsPerDay ?? most,
    };
  }

  /**
   * @param isSandboxed whether the episode holds a sandbox
   * @param elsewhere what counts besides this gym's episodes
   * @returns LIMIT_TOKEN_EPISODES or LIMIT_TOKEN_SANDBOXES, or null if there is room
   */
  lackOfRoom(isSandboxed: boolean, elsewhere: Counts): NoRoom | null {
    const { limits, kind: holder } = this;
    const [live, sandboxes] = [this.live + elsewhere[0], this.sandboxes + elsewhere[1]];
    const frees = "A place becomes free when an episode ends, is deleted, or its lease expires.";
    const isMine = ({ account }: CountedEpisode) => account.own === this || account.group === this;
    if (live >= limits.episodes) {
      const error = this.refusal("LIMIT_TOKEN_EPISODES", limits.episodes, "live episodes", live, frees);
      return { error, quota: "episodes", holder, isFreedBy: isMine };
    }
    if (!isSandboxed || sandboxes < limits.sandboxes) return null;
    const counted = "live episodes that hold a sandbox";
    const error = this.refusal("LIMIT_TOKEN_SANDBOXES", limits.sandboxes, counted, sandboxes, frees);
    const isFreedBy = (episode: CountedEpisode) => isMine(episode) && holdsSandbox(episode.spec);
    return { error, quota: "sandbox_episodes", holder, isFreedBy };
  }

  /** Returns the error for a step after the last step of a day. @param day number of days since 1970 */
  stepRefusal(day: number): GymError {
    const freesAt = dayStart(day + 1);
    const { limits, stepsUsed } = this;
    const frees = `Steps are possible again from ${freesAt} on.`;
    return this.refusal("LIMIT_TOKEN_STEPS", limits.steps, "steps per UTC day", stepsUsed, frees, { freesAt });
  }

  private refusal(
    code: ErrorCode,
    limit: number,
    counted: string,
    used: number,
    frees: string,
    details?: { freesAt: string },
  ): GymError {
    const { kind, name } = this.holder;
    const reached = {
      token: "The token has reached its",
      group: `The group ${name} has reached its`,
      local: "The callers without a token have reached their",
    }[kind];
    const statement = `${reached} limit of ${limit} ${counted} (${used} in use). ${frees}`;
    return GymError.ofState(code, statement, { limit, used, of: kind, ...details });
  }
}

/** Use of the gym by all callers together. */
export interface GymUse {
  live: number;
  /** Live episodes that hold a sandbox. */
  sandboxes: number;
  readonly maxEpisodes: number;
  readonly stepsInFlight: Places;
  /** Current UTC day, as a number of days since 1970. */
  day: number;
  /** Whether other gyms may still count episodes that this gym has taken over from them. */
  isTakingOver(): boolean;
  onRefusal(quota: QuotaKind, holder: QuotaHolder["kind"] | "gym"): void;
  /** Frees the place of an episode without a client. Returns whether there was one that is wanted. */
  yieldOne(isWanted: (episode: CountedEpisode) => boolean): boolean;
}

/** What an account knows of a live episode. */
export interface CountedEpisode {
  readonly account: Account;
  readonly spec: EnvironmentFacts;
}

/** Why a further live episode is refused. */
interface NoRoom {
  error: GymError;
  quota: QuotaKind;
  holder: QuotaHolder["kind"] | "gym";
  /** Whether the end of an episode would make room. */
  isFreedBy(episode: CountedEpisode): boolean;
}

export class Account {
  constructor(
    private readonly gym: GymUse,
    readonly own: Meter,
    private meterOfGroup: Meter | null,
  ) {}

  get group(): Meter | null {
    return this.meterOfGroup;
  }

  /** Adds a caller whose group was unknown to its group, with the episodes and steps that are in progress. */
  join(group: Meter): void {
    this.meterOfGroup = group;
    group.live += this.own.live;
    group.sandboxes += this.own.sandboxes;
    group.stepsInFlight += this.own.stepsInFlight;
  }

  /**
   * Counts a live episode of an environment. Episodes without a client make room for it.
   *
   * @param isRestored whether the episode was live before, maybe at another gym of the fleet
   * @throws {GymError} LIMIT_EPISODES, LIMIT_TOKEN_EPISODES, LIMIT_TOKEN_SANDBOXES
   */
  admit(spec: EnvironmentFacts, isRestored = false): void {
    const isSandboxed = holdsSandbox(spec);
    for (;;) {
      const lack = this.lackOfRoom(isSandboxed, isRestored);
      if (!lack) return this.count(isSandboxed, 1);
      if (this.gym.yieldOne(lack.isFreedBy)) continue;
      this.gym.onRefusal(lack.quota, lack.holder);
      throw lack.error;
    }
  }

  /** Counts a live episode no longer. */
  release(spec: EnvironmentFacts): void {
    this.count(holdsSandbox(spec), -1);
  }

  /** Returns LIMIT_TOKEN_STEPS or LIMIT_IN_FLIGHT if the caller may take no further step now, or null. */
  stepRefusal(): GymError | null {
    const { gym, own, group } = this;
    const isWithinDay = own.mayStep && (group === null || group.mayStep);
    if (isWithinDay && gym.stepsInFlight.hasRoom(own.stepsInFlight)) return null;
    return this.explainStepRefusal();
  }

  /** Counts a step that was accepted and is not yet in the log. */
  stepBegun(): void {
    this.gym.stepsInFlight.taken += 1;
    this.own.stepsInFlight += 1;
    if (this.group) this.group.stepsInFlight += 1;
  }

  /** Counts a step in flight as a step in the log. */
  stepLogged(): void {
    this.stepsDropped(1);
    this.own.stepsToday += 1;
    if (this.group) this.group.stepsToday += 1;
  }

  /** Counts steps in flight no longer, because they failed. */
  stepsDropped(count: number): void {
    this.gym.stepsInFlight.taken -= count;
    this.own.stepsInFlight -= count;
    if (this.group) this.group.stepsInFlight -= count;
  }

  private lackOfRoom(isSandboxed: boolean, isRestored: boolean): NoRoom | null {
    const { gym } = this;
    if (gym.live >= gym.maxEpisodes) {
      const statement = `The gym has reached its limit of ${gym.maxEpisodes} live episodes.`;
      const error = GymError.ofState("LIMIT_EPISODES", statement);
      return { error, quota: "episodes", holder: "gym", isFreedBy: () => true };
    }
    for (const meter of this.meters) {
      const elsewhere = isRestored && gym.isTakingOver() ? noCounts : meter.elsewhere;
      const lack = meter.lackOfRoom(isSandboxed, elsewhere);
      if (lack) return lack;
    }
    return null;
  }

  private get meters(): Meter[] {
    return this.group ? [this.own, this.group] : [this.own];
  }

  private count(isSandboxed: boolean, change: 1 | -1): void {
    this.gym.live += change;
    if (isSandboxed) this.gym.sandboxes += change;
    for (const meter of this.meters) {
      meter.live += change;
      if (isSandboxed) meter.sandboxes += change;
    }
  }

  private explainStepRefusal(): GymError {
    const { gym, own } = this;
    const exhausted = this.meters.find((meter) => !meter.mayStep);
    if (exhausted) {
      gym.onRefusal("steps", exhausted.kind);
      return exhausted.stepRefusal(gym.day);
    }
    gym.onRefusal("in_flight", own.kind);
    const { taken, count } = gym.stepsInFlight;
    const held = `${taken} of the gym's ${count} steps in flight are taken, ${own.stepsInFlight} of them by this caller`;
    const rule = "A caller may have as many steps in flight as are free. Wait for replies first.";
    return GymError.ofState("LIMIT_IN_FLIGHT", `The caller has reached its share of steps in flight: ${held}. ${rule}`);
  }
}

/** Whether a live episode of the environment holds a sandbox. */
export function holdsSandbox({ requirements }: EnvironmentFacts): boolean {
  return requirements.some(({ isSandbox }) => isSandbox);
}
