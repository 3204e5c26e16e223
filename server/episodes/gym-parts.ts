/** The parts of a gym, and what each of them knows of the others. */

import { versionedId } from "../../envs/registry.js";
import { type Times, usualTimes } from "../config/times.js";
import type { GymError } from "../errors.js";
import { HostPool } from "../hosts/pool.js";
import type { Log } from "../log/log.js";
import type { GymFacts, PublishedUse } from "../log/records/protocol.js";
import { version } from "../version.js";
import { Activity } from "./activity.js";
import { Availability } from "./episode/availability.js";
import type { EpisodeServices } from "./episode/episode.js";
import { EpisodeTable } from "./episode/episode-table.js";
import { Watchers } from "./episode/watchers.js";
import { EpisodeFactory } from "./episode-factory.js";
import type { GymOptions } from "./gym-options.js";
import { EpisodeFinder } from "./ownership/episode-finder.js";
import { type Ownership, type Sharing, WholeLog } from "./ownership/ownership.js";
import { PlaceRequests } from "./place-requests.js";
import { Playing } from "./playing.js";
import { holdsSandbox } from "./quotas/account.js";
import { Accounts } from "./quotas/accounts.js";
import { Retention } from "./retention/retention.js";
import { RetentionClock } from "./retention/retention-clock.js";
import type { Storage } from "./retention/storage.js";
import { Upkeep } from "./upkeep.js";
import { Verifications } from "./verifications.js";

export class GymParts {
  readonly availability = new Availability();
  readonly watchers = new Watchers();
  /** Null if this gym has its log for itself. */
  readonly sharing: Sharing | null;
  readonly ownership: Ownership;
  readonly hosts: HostPool;
  readonly verifications: Verifications;
  readonly accounts: Accounts;
  readonly activity: Activity;
  readonly playing: Playing;
  readonly table: EpisodeTable;
  readonly services: EpisodeServices;
  readonly finder: EpisodeFinder;
  readonly factory: EpisodeFactory;
  readonly upkeep: Upkeep;
  readonly times: Times;

  /**
   * @param log the open log. `nextKey` is the key of its next episode, and `newestMs` the creation time of its newest one, or
   *   null if it has none
   */
  constructor(
    private readonly options: GymOptions,
    private readonly log: Log,
    readonly storage: Storage,
    { nextKey, newestMs }: { nextKey: number; newestMs: number | null },
  ) {
    this.times = options.times ?? usualTimes;
    this.sharing = sharingOf(log, options);
    this.ownership = this.sharing?.ownership ?? new WholeLog(nextKey);
    this.hosts = this.openHosts();
    this.verifications = this.openVerifications();
    this.accounts = this.openAccounts();
    this.activity = new Activity(() => ({
      liveEpisodes: this.accounts.live,
      writtenBytes: storage.space.writtenBytes,
    }));
    this.table = new EpisodeTable({
      onLapse: (episode) => options.observer.onLapse(episode.row.environment),
      onYield: (episode) => options.observer.onYield(episode.row.environment),
      quietMs: options.quietMs,
      // The wall clock may jump, and a lease must neither lapse nor last because of that.
      now: () => performance.now(),
    });
    this.playing = new Playing(() => this.table.all());
    this.services = this.openServices();
    this.finder = new EpisodeFinder(this.table, log, options.registry, this.services, this.ownership);
    this.factory = this.openFactory();
    this.upkeep = this.openUpkeep(new RetentionClock(newestMs));
    this.beginSharing();
    log.onTrouble = (cause) => options.observer.onFleetTrouble(cause);
    log.onFleet = (state) => {
      this.accounts.onMap(state.mapVersion);
      this.sharing?.onChange(state);
    };
  }

  /** Returns what other gyms and clients know of this gym. */
  async facts(): Promise<GymFacts> {
    const { availability, accounts, activity } = this;
    const { registry, hosts } = this.options;
    const specs = registry.all();
    const states = await Promise.all(specs.map((spec) => availability.of(spec)));
    const usable = specs.filter((_, i) => states[i]?.every(({ available }) => available));
    return {
      version,
      environments: usable.map(versionedId),
      episodes: accounts.live,
      stepsPerSecond: activity.newest.stepsPerSecond,
      freeSandboxes: Math.max(0, hosts.sandboxes.machines - accounts.sandboxes),
    };
  }

  private beginSharing(): void {
    const { table, finder, factory, watchers } = this;
    this.sharing?.begin({
      table,
      keysInTransit: () => [...finder.keysInLoading, ...factory.keysInCreation],
      onLeft: (episode) => watchers.onLeft(episode),
      facts: () => this.facts(),
    });
  }

  private openHosts(): HostPool {
    const { observer, registry, hosts } = this.options;
    const onHostLost = (cause: string) => {
      this.activity.hostsLost += 1;
      observer.onHostLost(cause);
    };
    const onStray = (detail: string) => observer.onStray(detail);
    const onInstanceLost = (environment: string, error: GymError) => observer.onInstanceLost(environment, error);
    const yieldOne = (isFitting: (process: string | null) => boolean) =>
      this.table.yieldOne(({ spec }) => holdsSandbox(spec) && isFitting(this.hosts.processOf(spec)));
    // An own place serves a request at once. That of another process may belong to a sandbox with further users.
    const requests = new PlaceRequests(
      (process, kind) =>
        yieldOne((other) => other === process) || yieldOne((other) => this.hosts.holdsSandbox(other, kind)),
    );
    const onWaiting = requests.onWaiting.bind(requests);
    const told = { onHostLost, onStray, onWaiting, onInstanceLost };
    return new HostPool({ ...hosts, registry, times: this.times.hosts, ...told }, this.log);
  }

  private openFactory(): EpisodeFactory {
    const { availability, hosts, table, accounts, log, storage, services, ownership } = this;
    const { registry, defaultLeaseMs, observer } = this.options;
    return new EpisodeFactory({
      registry,
      availability,
      hosts,
      table,
      accounts,
      log,
      storage,
      services,
      ownership,
      defaultLeaseMs,
      onCreate: (episode) => {
        this.activity.created += 1;
        observer.onCreate(episode.row.environment);
        this.watchers.onChanged(episode);
      },
      onFailedStart: (owner, environment, error) => {
        this.activity.onFailure(error.code);
        this.playing.onFailure(owner, environment, null, error);
        if (error.failureClass === "environment") observer.onThrown(environment, error);
      },
    });
  }

  private openUpkeep(clock: RetentionClock): Upkeep {
    const { table, storage, accounts, options } = this;
    const { retainMs, sweepMs, observer, usage } = options;
    const isShared = "url" in options.log;
    const shareUse = isShared ? (own: PublishedUse) => this.log.call("shareUse", own) : undefined;
    const retention = new Retention(this.log, storage, {
      retainMs,
      clock,
      nextKey: () => this.ownership.lowestNewKey,
      keysInUse: (beforeMs) => [...this.finder.keysInUse(beforeMs), ...this.factory.keysInCreation],
      onRemoved: (episodes) => observer.onRemoved(episodes),
    });
    return new Upkeep({
      table,
      storage,
      retention,
      accounts,
      usage,
      shareUse,
      sweepMs,
      times: this.times.fleet,
      observer,
    });
  }

  private openAccounts(): Accounts {
    const { limits, quotasOf, usage, observer } = this.options;
    return new Accounts({
      maxEpisodes: limits.maxEpisodes,
      maxInFlightSteps: limits.maxInFlightSteps,
      quotasOf,
      usage: usage?.read() ?? null,
      onRefusal: (quota, holder) => observer.onQuota(quota, holder),
      yieldOne: (isWanted) => this.table.yieldOne(isWanted),
      now: Date.now,
      times: this.times.fleet,
    });
  }

  private openServices(): EpisodeServices {
    const { observer, limits } = this.options;
    const { watchers } = this;
    return {
      log: this.log,
      open: (request, listener) => this.hosts.open(request, listener),
      accountOf: (owner) => this.accounts.of(owner),
      onStepped: (episode, { action, arrivedAt }, reply, times) => {
        const now = performance.now();
        const durationMs = now - arrivedAt;
        observer.onStep(episode.row.environment, durationMs);
        this.activity.onStep(durationMs);
        this.playing.onStep(episode.row.owner, episode.row.environment, now);
        watchers.onStepped(episode, action, reply, times);
      },
      onChanged: (episode) => watchers.onChanged(episode),
      onFailure: (episode, error) => {
        const { owner, environment, id } = episode.row;
        this.activity.onFailure(error.code);
        this.playing.onFailure(owner, environment, id, error);
        observer.onFailure(environment, error);
      },
      maxPendingSteps: limits.maxPendingSteps,
    };
  }

  private openVerifications(): Verifications {
    const { availability, hosts, options } = this;
    return new Verifications({
      registry: options.registry,
      availability,
      hosts,
      threads: options.hosts.count,
      limits: options.limits,
      onScored: (environment, count) => options.observer.onScored(environment, count),
      onThrown: (environment, error) => options.observer.onThrown(environment, error),
    });
  }
}

function sharingOf(log: Log, { share }: GymOptions): Sharing | null {
  if (!log.fleet) return null;
  if (!share) throw new Error("expected the option `share` for a log that other gyms share, but received none");
  return share(log);
}
