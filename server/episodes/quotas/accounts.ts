import type { FleetTimes } from "../../config/times.js";
import type { OthersUse, PublishedUse } from "../../log/records/protocol.js";
import { Account, type GymUse, Meter } from "./account.js";
import { Others } from "./others-use.js";
import { Places } from "./places.js";
import {
  type CallerQuotas,
  type Counts,
  dayOf,
  dayText,
  type QuotaHolder,
  type Usage,
  type UseCounts,
} from "./quota.js";

export interface AccountsOptions extends Pick<GymUse, "maxEpisodes" | "onRefusal" | "yieldOne"> {
  maxInFlightSteps: number;
  quotasOf(owner: string): CallerQuotas;
  /** Steps that were counted before the gym started, or null. */
  usage: Usage | null;
  /** Returns milliseconds since the Unix epoch. */
  now(): number;
  times: Pick<FleetTimes, "takeOverMs">;
}

/**
 * The accounts of all callers. `refresh` reads the limits again, and begins a new day. A token's group does not change,
 * but it is unknown as long as the file of the tokens is missing.
 */
export class Accounts {
  private readonly byOwner = new Map<string, Account>();
  private readonly groups = new Map<string, Meter>();
  private readonly gym: GymUse;
  /** Steps of the current day from before the gym started. A meter takes over its number when it is made. */
  private earlier: { callers: Map<string, number>; groups: Map<string, number> };
  private readonly others = new Others();
  private mapVersion: number | null = null;
  private takingOverUntil = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: AccountsOptions) {
    const { maxEpisodes, maxInFlightSteps, usage, now, onRefusal, yieldOne } = options;
    const day = dayOf(now());
    this.gym = {
      live: 0,
      sandboxes: 0,
      maxEpisodes,
      stepsInFlight: new Places(maxInFlightSteps),
      day,
      onRefusal,
      yieldOne,
      isTakingOver: () => performance.now() < this.takingOverUntil,
    };
    const isToday = usage?.day === dayText(day);
    this.earlier = {
      callers: new Map(Object.entries(isToday ? usage.callers : {})),
      groups: new Map(Object.entries(isToday ? usage.groups : {})),
    };
  }

  /** Number of live episodes: their instance runs or is being restored. */
  get live(): number {
    return this.gym.live;
  }

  /** Number of live episodes that hold a sandbox. */
  get sandboxes(): number {
    return this.gym.sandboxes;
  }

  get stepsInFlight(): number {
    return this.gym.stepsInFlight.taken;
  }

  /** Steps of the current day. */
  get usage(): Usage {
    const callers = new Map(this.earlier.callers);
    const groups = new Map(this.earlier.groups);
    for (const [owner, { own }] of this.byOwner) if (own.stepsToday > 0) callers.set(owner, own.stepsToday);
    for (const [name, { stepsToday }] of this.groups) if (stepsToday > 0) groups.set(name, stepsToday);
    const day = dayText(this.gym.day);
    return { day, callers: Object.fromEntries(callers), groups: Object.fromEntries(groups) };
  }

  /**
   * Returns the counts of this gym for the other gyms of a fleet. The callers without a token are limited by a setting of each gym, so
   * they are left out.
   *
   * @param isEnding whether the gym ends, so that its episodes are live no longer
   */
  published(isEnding = false): PublishedUse {
    const counts: UseCounts = { callers: {}, groups: {} };
    const add = (of: Record<string, Counts>, name: string, meter: Meter) => {
      const [live, sandboxes, steps] = meter.counts;
      const told: Counts = isEnding ? [0, 0, steps] : [live, sandboxes, steps];
      if (told.some((count) => count > 0)) of[name] = told;
    };
    for (const [owner, { own }] of this.byOwner) if (own.kind !== "local") add(counts.callers, owner, own);
    for (const [name, meter] of this.groups) add(counts.groups, name, meter);
    return { day: dayText(this.gym.day), counts: JSON.stringify(counts) };
  }

  /** Tells that the gyms of the fleet have moved episodes if the version of their map is another one. */
  onMap(version: number): void {
    const { takeOverMs } = this.options.times;
    if (this.mapVersion !== null && version !== this.mapVersion) this.takingOverUntil = performance.now() + takeOverMs;
    this.mapVersion = version;
  }

  /** Counts what the other gyms of a fleet have published, instead of what they had published before. */
  learn(uses: readonly OthersUse[]): void {
    this.others.learn(uses, dayText(this.gym.day));
    this.countOthers();
  }

  of(owner: string): Account {
    const known = this.byOwner.get(owner);
    if (known) return known;
    const { own, group } = this.options.quotasOf(owner);
    const meter = new Meter(own, this.earlier.callers.get(owner) ?? 0);
    meter.elsewhere = this.others.ofCaller(owner);
    const account = new Account(this.gym, meter, group && this.groupOf(group));
    this.byOwner.set(owner, account);
    return account;
  }

  /**
   * Reads the limits again, and sets the steps to zero on a new UTC day. A clock that is set back by up to a day does
   * not begin a new day, so a small correction around midnight gives no quota back.
   */
  refresh(): void {
    for (const [owner, account] of this.byOwner) {
      const { own, group } = this.options.quotasOf(owner);
      account.own.limitTo(own);
      if (group && !account.group) account.join(this.groupOf(group));
      if (group) account.group?.limitTo(group);
    }
    const today = dayOf(this.options.now());
    if (today === this.gym.day || today === this.gym.day - 1) return;
    this.gym.day = today;
    this.earlier = { callers: new Map(), groups: new Map() };
    for (const { own } of this.byOwner.values()) own.stepsToday = 0;
    for (const meter of this.groups.values()) meter.stepsToday = 0;
    this.others.sum(dayText(today));
    this.countOthers();
  }

  private countOthers(): void {
    for (const [owner, { own }] of this.byOwner) own.elsewhere = this.others.ofCaller(owner);
    for (const [name, meter] of this.groups) meter.elsewhere = this.others.ofGroup(name);
  }

  private groupOf(holder: QuotaHolder): Meter {
    const known = this.groups.get(holder.name);
    if (known) return known;
    const meter = new Meter(holder, this.earlier.groups.get(holder.name) ?? 0);
    meter.elsewhere = this.others.ofGroup(holder.name);
    this.groups.set(holder.name, meter);
    return meter;
  }
}
