/**
 * All operations that routes and sockets offer, independent of the transport. The gym identifies callers by owner. For
 * a caller, episodes of other owners do not exist.
 */
import type { Registry } from "../../envs/registry.js";
import { GymError } from "../errors.js";
import { HostPool } from "../hosts/pool.js";
import type { JudgmentStore } from "../judging/judgment.js";
import { Log } from "../log/log.js";
import type { EpisodeRow, PublishedUse } from "../log/protocol.js";
import { holdsSandbox, type MeterUse } from "./account.js";
import { Accounts } from "./accounts.js";
import { Activity } from "./activity.js";
import { Availability } from "./availability.js";
import type { Episode, EpisodeServices } from "./episode.js";
import { type Created, type CreateRequest, EpisodeFactory } from "./episode-factory.js";
import { EpisodeFinder } from "./episode-finder.js";
import { EpisodeReader } from "./episode-reader.js";
import { EpisodeTable } from "./episode-table.js";
import { FleetPart } from "./fleet-part.js";
import type { GymOptions } from "./gym-options.js";
import { IdempotencyKeys } from "./idempotency-keys.js";
import { Ownership } from "./ownership.js";
import { type Caller, Questions } from "./questions.js";
import { Replays, type RunningReplay } from "./replays.js";
import { Retention } from "./retention.js";
import { RetentionClock } from "./retention-clock.js";
import { ShardMoves } from "./shard-moves.js";
import { StepBatch } from "./step-batch.js";
import { Storage } from "./storage.js";
import { Upkeep } from "./upkeep.js";
import { type RewardRequest, Verifications } from "./verifications.js";
import type { StepWaiter } from "./waiting.js";
import { Watchers } from "./watchers.js";

export type { Caller } from "./questions.js";

export interface StepRequest {
  episodeId: string;
  index: number;
  action: string;
}

export class Gym {
  readonly registry: Registry;
  readonly judgments: JudgmentStore;
  readonly availability = new Availability();
  readonly watchers = new Watchers();
  readonly activity: Activity;
  readonly reader: EpisodeReader;
  private readonly hosts: HostPool;
  private readonly table: EpisodeTable;
  private readonly factory: EpisodeFactory;
  private readonly idempotency: IdempotencyKeys<Created>;
  private readonly verifications: Verifications;
  private readonly services: EpisodeServices;
  private readonly replays: Replays;
  private readonly finder: EpisodeFinder;
  private readonly questions: Questions;
  private readonly upkeep: Upkeep;
  private readonly accounts: Accounts;
  readonly ownership: Ownership;
  readonly fleetPart: FleetPart;
  private draining = false;

  private constructor(
    private readonly options: GymOptions,
    /** Episode log. It is public because other parts of the server store aliases in it. */
    readonly log: Log,
    readonly storage: Storage,
    { nextKey, newestMs }: { nextKey: number; newestMs: number | null },
  ) {
    this.registry = options.registry;
    this.ownership = new Ownership(log, nextKey);
    this.judgments = options.judgments;
    this.hosts = this.openHosts();
    this.verifications = this.openVerifications();
    this.accounts = this.openAccounts();
    this.activity = new Activity(() => ({
      liveEpisodes: this.accounts.live,
      writtenBytes: storage.space.writtenBytes,
    }));
    this.table = new EpisodeTable({
      onLapse: (episode) => options.observer.onLapse(episode.row.environment),
      // The wall clock may jump, and a lease must neither lapse nor last because of that.
      now: () => performance.now(),
    });
    this.services = this.openServices();
    this.replays = new Replays(this.services, options.limits);
    this.finder = new EpisodeFinder(this.table, log, this.registry, this.services, this.ownership);
    this.reader = new EpisodeReader(log, this.finder);
    this.questions = new Questions(this, () => this.expectOpen());
    this.factory = this.openFactory();
    this.idempotency = new IdempotencyKeys(log, (row) => this.recall(row));
    this.upkeep = this.openUpkeep(new RetentionClock(newestMs));
    this.fleetPart = this.openFleetPart();
    log.onFleet = (state) => {
      this.accounts.onMap(state.mapVersion);
      this.fleetPart.onFleet(state);
    };
  }

  /** @throws {GymError} LOG_FAILED if the log cannot be opened, for example because another gym has it open */
  static async open(options: GymOptions): Promise<Gym> {
    const log = await Log.open(options.log, options.onLogLost);
    const storage = await Storage.open(log, options.storage);
    const newestMs = await log.call("newestCreatedAtMs");
    const gym = new Gym(options, log, storage, { nextKey: await log.call("nextKey"), newestMs });
    // The steps of the day that were counted before, or by other gyms, count from the first step on.
    await gym.upkeep.shareUse();
    return gym;
  }

  private get needsStandby(): boolean {
    const { log } = this.options;
    return "url" in log && log.durability === "replicated";
  }

  get status() {
    return {
      liveEpisodes: this.accounts.live,
      episodesInMemory: this.table.size,
      inFlightSteps: this.accounts.stepsInFlight,
      readyHosts: this.hosts.readyCount,
      logHealthy: this.log.healthy,
      /** Error of the log's last write, or null if it succeeded. */
      logFailure: this.storage.space.failure,
      /** Failures that acknowledged steps survive, or null if the log is not in PostgreSQL. */
      logDurability: this.log.durability,
      /** Whether acknowledged steps survive less than the settings ask for. */
      lacksStandby: this.needsStandby && this.log.durability === "local",
      /** Error for new episodes of all callers, or null if there is room for them. */
      refusal: this.storage.refusal,
      draining: this.draining,
      /** False while the gym of a fleet cannot reach the database, so that other gyms may take over its episodes. */
      isMember: this.log.isMember,
    };
  }

  /** Limits of the gym, and the use of those that `status` does not have. */
  get capacity() {
    const { hosts, limits } = this.options;
    return { hosts: hosts.count, limits, sandboxEpisodes: this.accounts.sandboxes };
  }

  /**
   * Opens an episode.
   *
   * @param idempotencyKey a repeated request with the same key returns the same episode, even after a restart
   * @throws {GymError} SERVER_DRAINING, IDEMPOTENCY_CONFLICT, and the errors of `EpisodeFactory.create`
   */
  async create(owner: string, request: CreateRequest, idempotencyKey?: string): Promise<Created> {
    this.expectOpen();
    if (idempotencyKey === undefined) return this.factory.create(owner, request, null);
    const { environment, task, seed, options = {}, maxSteps, leaseMs } = request;
    const asked = [
      environment,
      task.split ?? null,
      task.index,
      seed,
      Object.entries(options).sort(),
      maxSteps ?? null,
      leaseMs ?? null,
    ];
    const requestDigest = JSON.stringify(asked);
    return this.idempotency.once(owner, idempotencyKey, requestDigest, () =>
      this.factory.create(owner, request, { idempotencyKey, requestDigest }),
    );
  }

  /** Finds an episode in memory or in the log, and renews its lease. @throws {GymError} EPISODE_UNKNOWN */
  async find(owner: string, id: string): Promise<Episode> {
    return this.finder.find(owner, id);
  }

  /** Whether a live episode of an environment holds a sandbox. */
  holdsSandbox(environment: string): boolean {
    return this.registry.has(environment) && holdsSandbox(this.registry.get(environment));
  }

  /** Returns the use of the gym by one caller, and its limits. */
  useOf(owner: string): MeterUse {
    return this.accounts.of(owner).own.use;
  }

  /**
   * Plays step `index` of an episode. The waiter gets the reply when the step is in the log, or is rejected with
   * EPISODE_UNKNOWN, ACTION_TOO_LARGE, SERVER_DRAINING, or an error of `Episode.step`.
   */
  step(owner: string, { episodeId, index, action }: StepRequest, waiter: StepWaiter): void {
    const refusal = this.refusal(action);
    if (refusal) return waiter.reject(refusal);
    // A lone surrogate has no UTF-8 form, so the logged action would differ from the played action.
    const wellFormed = action.isWellFormed() ? action : action.toWellFormed();
    const arrivedAt = performance.now();
    const episode = this.table.get(episodeId);
    if (episode && episode.row.owner === owner) return episode.step(index, wellFormed, waiter, arrivedAt);
    this.find(owner, episodeId).then(
      (loaded) => loaded.step(index, wellFormed, waiter, arrivedAt),
      (error: GymError) => waiter.reject(error),
    );
  }

  /**
   * Plays many steps of one or more episodes. `done` receives one outcome per request, in the order of the requests. An
   * outcome is a reply, an error of `step`, or BATCH_TOO_LARGE for a reply that does not fit into the batch with the
   * other replies.
   */
  stepMany(owner: string, requests: readonly StepRequest[], done: (outcomes: (string | GymError)[]) => void): void {
    if (requests.length === 0) return done([]);
    const batch = new StepBatch(requests.length, done);
    for (let i = 0; i < requests.length; i++) this.step(owner, requests[i] as StepRequest, batch.waiter(i));
  }

  /**
   * Creates an episode that has taken the first `index` steps of another episode. Default: all steps of that episode.
   *
   * @throws {GymError} SERVER_DRAINING, EPISODE_UNKNOWN, and the errors of `EpisodeFactory.fork`
   */
  async fork(owner: string, id: string, index?: number): Promise<Episode> {
    this.expectOpen();
    const parent = await this.find(owner, id);
    return this.factory.fork(parent, index ?? parent.steps);
  }

  /**
   * Scores answers with an environment's verifier, without an episode. See `Verifications.score`.
   *
   * @throws {GymError} SERVER_DRAINING, and the errors of `Verifications.score`
   */
  async score(
    owner: string,
    request: RewardRequest,
    onHangUp: (listener: () => void) => () => void,
  ): Promise<{ environment: string; outcomes: (string | GymError)[] }> {
    this.expectOpen();
    return this.verifications.score(owner, request, onHangUp);
  }

  /**
   * Plays an episode again in a fresh instance, to compare each result with the log.
   *
   * @throws {GymError} SERVER_DRAINING, EPISODE_UNKNOWN, and the errors of `Replays.start`
   */
  async replay(owner: string, id: string): Promise<RunningReplay> {
    this.expectOpen();
    return this.replays.start(await this.find(owner, id));
  }

  /** See `Questions.advise`. */
  advise(caller: Caller, id: string): Promise<{ index: number; action: string | null }> {
    return this.questions.advise(caller, id);
  }

  /** See `Questions.render`. */
  render(owner: string, id: string): Promise<{ index: number; picture: string }> {
    return this.questions.render(owner, id);
  }

  /** See `Questions.query`. */
  query(caller: Caller, id: string, query: string): Promise<{ index: number; answer: string }> {
    return this.questions.query(caller, id, query);
  }

  /** From now on, refuses new work. Work in flight is still answered. */
  drain(): void {
    if (this.draining) return;
    this.draining = true;
    this.hosts.drain();
  }

  async close(): Promise<void> {
    this.drain();
    this.upkeep.stop();
    this.activity.stop();
    await this.hosts.close();
    await this.upkeep.shareUse();
    await this.log.close();
    await this.judgments.close();
    await this.upkeep.saveUsage();
  }

  private openFleetPart(): FleetPart {
    const { log, ownership, table, finder, factory, registry, availability, watchers, accounts, activity } = this;
    const keysInTransit = () => [...finder.keysInLoading, ...factory.keysInCreation];
    const onLeft = (episode: Episode) => watchers.onLeft(episode);
    const onGiven = (shards: number) => {
      activity.movedShards += shards;
    };
    const moves = new ShardMoves({ log, ownership, table, keysInTransit, onLeft, onGiven });
    const { machines } = this.options.hosts.sandboxes;
    const load = () => ({
      episodes: accounts.live,
      stepsPerSecond: activity.newest.stepsPerSecond,
      freeSandboxes: Math.max(0, machines - accounts.sandboxes),
    });
    return new FleetPart({ log, ownership, moves, registry, availability, load });
  }

  private openHosts(): HostPool {
    const { observer, registry, hosts } = this.options;
    const onHostLost = (cause: string) => {
      this.activity.hostsLost += 1;
      observer.onHostLost(cause);
    };
    const onStray = (detail: string) => observer.onStray(detail);
    const onInstanceLost = (environment: string, error: GymError) => observer.onInstanceLost(environment, error);
    return new HostPool({ ...hosts, registry, onHostLost, onStray, onInstanceLost }, this.log);
  }

  private openFactory(): EpisodeFactory {
    const { registry, availability, hosts, table, accounts, log, storage, services, ownership } = this;
    const { defaultLeaseMs, observer } = this.options;
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
    return new Upkeep({ table, storage, retention, accounts, usage, shareUse, sweepMs, observer });
  }

  private openAccounts(): Accounts {
    const { limits, quotasOf, usage, observer } = this.options;
    return new Accounts({
      maxEpisodes: limits.maxEpisodes,
      maxInFlightSteps: limits.maxInFlightSteps,
      quotasOf,
      usage: usage?.read() ?? null,
      onRefusal: (quota, holder) => observer.onQuota(quota, holder),
      now: Date.now,
    });
  }

  private openServices(): EpisodeServices {
    const { observer, limits } = this.options;
    const { watchers } = this;
    return {
      log: this.log,
      open: (request, listener) => this.hosts.open(request, listener),
      accountOf: (owner) => this.accounts.of(owner),
      onStepped: (episode, { action, arrivedAt }, reply, atMs) => {
        const durationMs = performance.now() - arrivedAt;
        observer.onStep(episode.row.environment, durationMs);
        this.activity.onStep(durationMs);
        watchers.onStepped(episode, action, reply, atMs);
      },
      onChanged: (episode) => watchers.onChanged(episode),
      onFailure: (episode, code) => {
        this.activity.onFailure(code);
        observer.onFailure(episode.row.environment, code);
      },
      maxPendingSteps: limits.maxPendingSteps,
    };
  }

  private openVerifications(): Verifications {
    const { registry, availability, hosts, options } = this;
    return new Verifications({
      registry,
      availability,
      hosts,
      threads: options.hosts.count,
      limits: options.limits,
      onScored: (environment, count) => options.observer.onScored(environment, count),
    });
  }

  private async recall({ owner, id }: EpisodeRow): Promise<Created> {
    return { episode: await this.find(owner, id), resetResult: null };
  }

  /** @throws {GymError} SERVER_DRAINING */
  private expectOpen(): void {
    if (this.draining) throw drained();
  }

  private refusal(action: string): GymError | null {
    const { maxActionLength } = this.options.limits;
    if (this.draining) return drained();
    if (action.length <= maxActionLength) return null;
    return new GymError("ACTION_TOO_LARGE", `an action of at most ${maxActionLength} characters`, `${action.length}`);
  }
}

/** @throws {GymError} EPISODE_UNKNOWN */
function drained(): GymError {
  return GymError.ofState("SERVER_DRAINING", "The server is shutting down.");
}
