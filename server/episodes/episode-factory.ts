import type { EnvironmentFacts, Options } from "../../envs/env.js";
import { type Registry, versionedId } from "../../envs/registry.js";
import { GymError } from "../errors.js";
import type { EpisodeFormat } from "../formats/actions/action-formats.js";
import type { HostPool } from "../hosts/pool.js";
import type { Log } from "../log/log.js";
import { createEpisodeId } from "../log/records/episode-id.js";
import type { EpisodeRow } from "../log/records/protocol.js";
import type { Availability } from "./episode/availability.js";
import { Episode, type EpisodeServices } from "./episode/episode.js";
import type { EpisodeTable } from "./episode/episode-table.js";
import { Opening } from "./episode/opening.js";
import type { EpisodeOrigin } from "./episode/origin.js";
import { settingsText } from "./episode/settings.js";
import { optionsOf, specOf, taskOf } from "./episode/tasks.js";
import type { Ownership } from "./ownership/ownership.js";
import type { Accounts } from "./quotas/accounts.js";
import type { Storage } from "./retention/storage.js";

export interface CreateRequest {
  /** `id` or `id@version` */
  environment: string;
  /** Task of the episode. Default split: that of the environment. */
  task: { split?: string | undefined; index: number };
  seed: number;
  /** Options that are not given have the environment's defaults. */
  options?: Options | undefined;
  /** How an action is read in what the agent writes. Default: the text is the action. */
  format?: EpisodeFormat | undefined;
  /** Number of steps after which the episode is truncated. Default: the limit of the environment. */
  maxSteps?: number | undefined;
  /** Lease: milliseconds without a call after which the episode is parked. Default: the lease in the gym's settings. */
  leaseMs?: number | undefined;
  /** Training run or evaluation that plays the episode. */
  run?: string | undefined;
  /** Policy that plays the episode. */
  policy?: string | undefined;
  /** Key of a session. The gym of a fleet that has the session then also has its episodes. */
  near?: number | undefined;
}

export interface Created {
  episode: Episode;
  /** JSON text of the reset result, or null if the caller must read it from the log. */
  resetResult: string | null;
}

export interface Idempotency {
  idempotencyKey: string;
  requestDigest: string;
}

type NewId = Pick<EpisodeRow, "key" | "id" | "createdAtMs">;

interface FactoryParts {
  registry: Registry;
  availability: Availability;
  hosts: HostPool;
  table: EpisodeTable;
  accounts: Accounts;
  log: Log;
  storage: Storage;
  services: EpisodeServices;
  ownership: Ownership;
  defaultLeaseMs: number;
  onCreate(episode: Episode): void;
  /** Called when the environment or its host failed at the reset of an episode, which then does not exist. */
  onFailedStart(owner: string, environment: string, error: GymError): void;
}

/** Creates episodes and forks. An episode exists once its row is in the log. */
export class EpisodeFactory {
  /** Keys of the episodes that may have a row in the log, and are not in the table of episodes yet. */
  private readonly inCreation = new Set<number>();

  constructor(private readonly parts: FactoryParts) {}

  get keysInCreation(): Iterable<number> {
    return this.inCreation;
  }

  /**
   * @param gone aborts the opening with the signal's reason; an episode that is in the log is open
   * @throws {GymError} ENVIRONMENT_UNKNOWN, ENVIRONMENT_UNAVAILABLE, SPLIT_UNKNOWN, TASK_OUT_OF_RANGE, OPTION_UNKNOWN,
   *   the errors of `Storage.check`, LIMIT_EPISODES, LIMIT_TOKEN_EPISODES, LIMIT_TOKEN_SANDBOXES, LOG_FAILED, HOST_FAILED,
   *   and the errors of the reset
   */
  async create(
    owner: string,
    request: CreateRequest,
    idempotency: Idempotency | null,
    gone: AbortSignal,
  ): Promise<Created> {
    const { registry, availability, hosts, log } = this.parts;
    const spec = specOf(registry, request.environment);
    const task = taskOf(spec, request.task);
    const options = optionsOf(spec, request.options ?? {}, task.split);
    const environment = versionedId(spec);
    const { seed, leaseMs = this.parts.defaultLeaseMs, maxSteps = spec.maxSteps, format = "plain" } = request;
    await availability.check(spec);
    this.parts.storage.check(owner);
    let resetResult = "";
    const play = async (id: NewId) => {
      gone.throwIfAborted();
      const opening = new Opening(
        (listener) =>
          hosts.open(
            { episode: id.key, environment, task, seed, options, format, maxSteps, resetResult: "" },
            listener,
          ),
        gone,
      );
      const row: EpisodeRow = {
        ...id,
        environment,
        split: task.split,
        taskIndex: task.index,
        seed,
        options: settingsText({ options, format }, request),
        maxSteps,
        owner,
        leaseMs,
        parent: null,
        idempotencyKey: idempotency?.idempotencyKey ?? null,
        requestDigest: idempotency?.requestDigest ?? null,
      };
      resetResult = await opening.opened.catch((error: GymError) => {
        if (!gone.aborted && isFailedStart(error)) this.parts.onFailedStart(owner, environment, error);
        throw error;
      });
      if (gone.aborted) opening.abandon();
      gone.throwIfAborted();
      await abandonUnless(log.call("createEpisode", row, resetResult), opening);
      return this.begin({ row, spec, steps: 0, phase: "running", failure: null, expertUsed: false }, opening, true);
    };
    const episode = await this.admitted(owner, spec, () => this.withId(play, request.near));
    return { episode, resetResult };
  }

  /**
   * Creates an episode that has taken the first `at` steps of `parent`. If the parent is at step `at` and the
   * environment can be cloned, the parent's instance is copied. Otherwise the first call to the fork restores it by
   * replay.
   *
   * @throws {GymError} STEP_INDEX, EPISODE_ENDED, EPISODE_CLOSED, EPISODE_FAILED, EPISODE_LOST if the environment
   *   cannot be restored, LOG_FAILED, LIMIT_EPISODES, LIMIT_TOKEN_EPISODES, LIMIT_TOKEN_SANDBOXES, and the errors of
   *   `Storage.check`
   */
  async fork(parent: Episode, at: number): Promise<Episode> {
    checkFork(parent, at);
    this.parts.storage.check(parent.row.owner);
    return this.withId((id) => this.forkAs(id, parent, at));
  }

  private async forkAs(id: NewId, parent: Episode, at: number): Promise<Episode> {
    const { owner } = parent.row;
    const row: EpisodeRow = { ...parent.row, ...id, parent: parent.row.id, idempotencyKey: null, requestDigest: null };
    const copy = async (opening: Opening | null, admitted: boolean) => {
      await abandonUnless(this.parts.log.call("forkEpisode", row, parent.row.key, at), opening);
      const { spec, expertUsed } = parent;
      return this.begin({ row, spec, steps: at, phase: "running", failure: null, expertUsed }, opening, admitted);
    };
    if (at !== parent.steps || !parent.clonable) return copy(null, false);
    return this.admitted(owner, parent.spec, async () => {
      const opening = new Opening((listener) => parent.cloneSlot(row.key, listener));
      const copied = opening.opened.then(
        () => true,
        (error: GymError) => {
          if (error.code === "HOST_FAILED") return false;
          throw error;
        },
      );
      return copy((await copied) ? opening : null, true);
    });
  }

  /** Increments the number of live episodes and runs `create`. If `create` fails, the count is decremented again. */
  private async admitted(owner: string, spec: EnvironmentFacts, create: () => Promise<Episode>): Promise<Episode> {
    const account = this.parts.accounts.of(owner);
    account.admit(spec);
    try {
      return await create();
    } catch (error) {
      account.release(spec);
      throw error;
    }
  }

  /** @param admitted whether the episode was counted as live */
  private begin(origin: EpisodeOrigin, opening: Opening | null, admitted: boolean): Episode {
    const episode = new Episode(origin, this.parts.services);
    opening?.handOver(episode);
    // The host has ended meanwhile, so the episode starts parked. From now on the episode itself reports when it is live.
    if (admitted && !episode.live) this.parts.accounts.of(origin.row.owner).release(origin.spec);
    this.parts.table.add(episode);
    this.parts.onCreate(episode);
    return episode;
  }

  /** Runs `create` with the id of a new episode, which is not removed from the log meanwhile. */
  private async withId(create: (id: NewId) => Promise<Episode>, near?: number): Promise<Episode> {
    const key = await this.parts.ownership.newKey((reserved) => this.inCreation.add(reserved), near);
    try {
      return await create({ key, id: createEpisodeId(key), createdAtMs: Date.now() });
    } finally {
      this.inCreation.delete(key);
    }
  }
}

/** Whether a reset failed by itself. Any other error is the caller's, or one of a place that the episode did not get. */
function isFailedStart({ failureClass }: GymError): boolean {
  return failureClass === "environment" || failureClass === "infrastructure";
}

function checkFork(parent: Episode, at: number): void {
  if (parent.phase === "closed" || parent.phase === "failed") throw parent.refusal();
  if (parent.spec.restore === "none") {
    throw GymError.ofState(
      "EPISODE_LOST",
      `The environment ${parent.spec.id} cannot be replayed, so its episodes cannot be forked.`,
    );
  }
  if (at > parent.steps) {
    throw new GymError("STEP_INDEX", `an index from 0 to ${parent.steps}`, `${at}`, { nextIndex: parent.steps });
  }
  if (at === parent.steps && parent.phase === "ended") {
    throw new GymError("EPISODE_ENDED", `an index below ${at}, the number of steps of the ended episode`, `${at}`);
  }
}

async function abandonUnless<T>(logged: Promise<T>, opening: Opening | null): Promise<T> {
  try {
    return await logged;
  } catch (error) {
    opening?.abandon();
    throw error;
  }
}
