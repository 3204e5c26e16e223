/**
 * All operations that routes and sockets offer, independent of the transport. The gym identifies callers by owner. For
 * a caller, episodes of other owners do not exist.
 */
import type { Registry } from "../../envs/registry.js";
import { GymError } from "../errors.js";
import { Log } from "../log/log.js";
import type { EpisodeRow, GymFacts } from "../log/records/protocol.js";
import type { Activity } from "./activity.js";
import type { Availability } from "./episode/availability.js";
import { type Client, lasting, Waiters } from "./episode/client.js";
import type { Episode } from "./episode/episode.js";
import { callerGone } from "./episode/refusals.js";
import { TaskTitles } from "./episode/titles.js";
import type { StepWaiter } from "./episode/waiting.js";
import type { Watchers } from "./episode/watchers.js";
import type { Created, CreateRequest } from "./episode-factory.js";
import type { GymOptions } from "./gym-options.js";
import { GymParts } from "./gym-parts.js";
import { IdempotencyKeys } from "./idempotency-keys.js";
import { EpisodeReader } from "./ownership/episode-reader.js";
import type { Ownership, Sharing } from "./ownership/ownership.js";
import type { Playing } from "./playing.js";
import { type Caller, Questions } from "./questions.js";
import { holdsSandbox, type MeterUse } from "./quotas/account.js";
import type { QuotaHolder } from "./quotas/quota.js";
import { SeatWaits } from "./quotas/seat-waits.js";
import { Replays, type RunningReplay } from "./replays.js";
import { Storage } from "./retention/storage.js";
import { Seats } from "./seats.js";
import { StepBatch } from "./step-batch.js";
import type { RewardRequest } from "./verifications.js";

export type { Caller } from "./questions.js";

export interface CreateOptions {
  /** A repeated request with the same key returns the same episode, even after a restart. */
  idempotencyKey?: string | undefined;
  /** Client that waits for the episode. Default: the episode is opened in any case. */
  client?: Client | undefined;
}

export interface StepRequest {
  episodeId: string;
  index: number;
  action: string;
}

export class Gym {
  readonly registry: Registry;
  readonly availability: Availability;
  readonly watchers: Watchers;
  readonly activity: Activity;
  readonly playing: Playing;
  readonly reader: EpisodeReader;
  readonly ownership: Ownership;
  /** Null if this gym has its log for itself. */
  readonly sharing: Sharing | null;
  readonly storage: Storage;
  readonly titles: TaskTitles;
  readonly seats: Seats;
  private readonly idempotency: IdempotencyKeys<Created>;
  private readonly replays: Replays;
  private readonly questions: Questions;
  private draining = false;

  private constructor(
    private readonly options: GymOptions,
    /** Episode log. It is public because other parts of the server store aliases in it. */
    readonly log: Log,
    private readonly parts: GymParts,
  ) {
    this.registry = options.registry;
    this.titles = new TaskTitles(options.registry);
    this.availability = parts.availability;
    this.watchers = parts.watchers;
    this.activity = parts.activity;
    this.playing = parts.playing;
    this.ownership = parts.ownership;
    this.sharing = parts.sharing;
    this.storage = parts.storage;
    this.reader = new EpisodeReader(log, parts.finder);
    this.replays = new Replays(parts.services, options.limits);
    const refused = (owner: string) => options.observer.onQuota("seat_waits", parts.accounts.of(owner).own.kind);
    this.seats = new Seats(this, new SeatWaits(options.limits.maxSeatWaits, refused));
    this.questions = new Questions(this, () => this.expectOpen());
    this.idempotency = new IdempotencyKeys(log, parts.times.clients.returnMs, (row) => this.recall(row));
  }

  /** @throws {GymError} LOG_FAILED if the log cannot be opened, for example because another gym has it open */
  static async open(options: GymOptions): Promise<Gym> {
    const log = await Log.open({ times: options.times?.fleet, ...options.log }, options.onLogLost);
    const storage = await Storage.open(log, options.storage);
    const newestMs = await log.call("newestCreatedAtMs");
    const parts = new GymParts(options, log, storage, { nextKey: await log.call("nextKey"), newestMs });
    // The steps of the day that were counted before, or by other gyms, count from the first step on.
    await parts.upkeep.shareUse();
    return new Gym(options, log, parts);
  }

  private get needsStandby(): boolean {
    const { log } = this.options;
    return "url" in log && log.durability === "replicated";
  }

  get status() {
    return {
      liveEpisodes: this.parts.accounts.live,
      episodesInMemory: this.parts.table.size,
      inFlightSteps: this.parts.accounts.stepsInFlight,
      readyHosts: this.parts.hosts.readyCount,
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
      isInFleet: this.log.fleet !== null,
    };
  }

  /** Returns what other gyms and clients know of this gym. */
  facts(): Promise<GymFacts> {
    return this.parts.facts();
  }

  /** Number of sandboxes of each kind in all processes. */
  get sandboxCounts() {
    return this.parts.hosts.sandboxCounts;
  }

  /** Limits of the gym, and the use of those that `status` does not have. */
  get capacity() {
    const { hosts, limits } = this.options;
    return { hosts: hosts.count, limits, sandboxEpisodes: this.parts.accounts.sandboxes };
  }

  /**
   * Opens an episode.
   *
   * @throws {GymError} SERVER_DRAINING, IDEMPOTENCY_CONFLICT, CALLER_GONE, and the errors of `EpisodeFactory.create`
   */
  async create(
    owner: string,
    request: CreateRequest,
    { idempotencyKey, client = lasting }: CreateOptions = {},
  ): Promise<Created> {
    this.expectOpen();
    if (client.isGone) throw callerGone();
    const created = await (idempotencyKey === undefined
      ? this.createFor(client, owner, request)
      : this.createOnce(client, owner, request, idempotencyKey));
    if (!client.isGone) return created;
    this.leave(created.episode.row.id, performance.now());
    if (idempotencyKey !== undefined) return created;
    await created.episode.close();
    throw callerGone();
  }

  private async createFor(client: Client, owner: string, request: CreateRequest): Promise<Created> {
    const gone = new AbortController();
    const clients = new Waiters(0, () => gone.abort(callerGone()));
    const created = this.parts.factory.create(owner, request, null, gone.signal);
    clients.add(client, created);
    return created;
  }

  private createOnce(client: Client, owner: string, request: CreateRequest, idempotencyKey: string): Promise<Created> {
    const { environment, task, seed, options = {}, format, maxSteps, leaseMs } = request;
    const asked = [
      environment,
      task.split ?? null,
      task.index,
      seed,
      Object.entries(options).sort(),
      maxSteps ?? null,
      leaseMs ?? null,
      ...(format ? [format] : []),
    ];
    const requestDigest = JSON.stringify(asked);
    return this.idempotency.once(owner, { key: idempotencyKey, digest: requestDigest, client }, (gone) =>
      this.parts.factory.create(owner, request, { idempotencyKey, requestDigest }, gone),
    );
  }

  /**
   * Notes that a client of an episode has gone. The episode keeps its instance until another one needs its place.
   *
   * @param lastMs time of the client's last reply, from `performance.now()`
   */
  leave(id: string, lastMs: number): void {
    this.parts.table.leave(id, lastMs);
  }

  /** Whether an episode is in memory. */
  isLoaded(id: string): boolean {
    return this.parts.table.peek(id) !== undefined;
  }

  /** Finds an episode in memory or in the log, and renews its lease. @throws {GymError} EPISODE_UNKNOWN */
  async find(owner: string, id: string): Promise<Episode> {
    return this.parts.finder.find(owner, id);
  }

  /** Whether a live episode of an environment holds a sandbox. */
  holdsSandbox(environment: string): boolean {
    return this.registry.has(environment) && holdsSandbox(this.registry.get(environment));
  }

  /** Returns the use of the gym by one caller, and its limits. */
  useOf(owner: string): MeterUse {
    return this.parts.accounts.of(owner).own.use;
  }

  /** Returns the name of a caller, and the caller's own limits. */
  holderOf(owner: string): QuotaHolder {
    return this.options.quotasOf(owner).own;
  }

  /** Returns the use of the gym by the group of a caller's token, and the limits of the group, or null without a group. */
  groupUseOf(owner: string): MeterUse | null {
    return this.parts.accounts.of(owner).group?.use ?? null;
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
    const episode = this.parts.table.get(episodeId);
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
    return this.parts.factory.fork(parent, index ?? parent.steps);
  }

  /**
   * Scores answers with an environment's verifier, without an episode. See `Verifications.score`.
   *
   * @throws {GymError} SERVER_DRAINING, and the errors of `Verifications.score`
   */
  async score(
    caller: Caller,
    request: RewardRequest,
    client: Client,
  ): Promise<{ environment: string; outcomes: (string | GymError)[] }> {
    this.expectOpen();
    return this.parts.verifications.score(caller, request, client);
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
    this.seats.drain();
    this.parts.hosts.drain();
  }

  async close(): Promise<void> {
    this.drain();
    this.parts.upkeep.stop();
    this.activity.stop();
    await this.parts.hosts.close();
    await this.parts.upkeep.shareUse();
    await this.log.close();
    await this.parts.upkeep.saveUsage();
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
