/**
 * AgentGym's protocol over our episodes. Its clients know an environment by a small integer that outlives many tasks:
 * each reset is an episode of its own, and the integer (here: the handle) stands for the one that is played now.
 *
 * Of AgentGym's servers this keeps paths, bodies, integers from 0 and status 200 for domain errors; not their leaks and
 * races. Handles are in the log, so that a client plays on after the server was restarted.
 */

import type { Options, TaskRef } from "../../../envs/env.js";
import type { Episode } from "../../episodes/episode.js";
import type { Gym } from "../../episodes/gym.js";
import { newestSight, readOpening } from "../../episodes/sight.js";
import { specOf, taskOf } from "../../episodes/tasks.js";
import { GymError } from "../../errors.js";
import type { HandleRow } from "../../log/protocol.js";

/** What an AgentGym client is told of a step. */
export interface AgentgymStep {
  observation: string;
  reward: number;
  done: boolean;
  info: Record<string, unknown>;
}

/** What an AgentGym client can be told of an episode beside its steps. */
export interface Insight<Queries extends string> {
  last: AgentgymStep;
  /** The `info` of the reset. */
  opening: Record<string, unknown>;
  answers: Record<Queries, unknown>;
}

export interface SurfaceOptions {
  /** The name in the path: `/agentgym/<name>`. */
  name: string;
  /** `id@version` */
  environment: string;
  /**
   * The task that AgentGym's `data_idx` means, and the seed that AgentGym resets it with.
   *
   * @throws {AgentgymError} the server has words of its own for an index without a task
   */
  taskOf(dataIndex: number): { task: TaskRef; seed: number; options?: Options };
  /** Whether an id that was closed is refused as such, and not as one that never was. */
  tellsOfClosed?: boolean;
}

/** An error that AgentGym's servers answer as `{"error": message}` with status 200. */
export class AgentgymError extends Error {
  override readonly name = "AgentgymError";
}

/** AgentGym's servers have no step limit of their own: its clients count rounds. */
const unlimitedSteps = 1_000_000_000;

/** A rollout may pause for as long as a trainer updates its weights, and its client cannot renew a lease by itself. */
const leaseMs = 3_600_000;

/** Stands for the episode of a handle that has none yet. */
const noEpisode = "";
const nothingYet: AgentgymStep = { observation: "", reward: 0, done: false, info: {} };

interface Handle {
  row: HandleRow;
  last: AgentgymStep;
  touchedAtMs: number;
  /** The end of the queue of calls, which are taken one at a time. */
  tail: Promise<unknown>;
}

export class AgentgymSurface {
  private readonly handles = new Map<number, Handle>();
  private readonly loading = new Map<number, Promise<Handle | null>>();

  private constructor(
    private readonly gym: Gym,
    private readonly options: SurfaceOptions,
    private nextHandle: number,
  ) {
    setInterval(() => this.forgetIdle(), leaseMs / 10).unref();
  }

  static async open(gym: Gym, options: SurfaceOptions): Promise<AgentgymSurface> {
    return new AgentgymSurface(gym, options, await gym.log.call("nextHandle", options.name));
  }

  /** @param dataIndexOf the first task, by the handle that the client gets */
  async create(owner: string, dataIndexOf: (handle: number) => number): Promise<AgentgymStep & { id: number }> {
    const id = this.nextHandle++;
    const { row, last } = await this.begin(owner, id, dataIndexOf(id));
    this.handles.set(id, { row, last, touchedAtMs: Date.now(), tail: Promise.resolve() });
    return { id, ...last };
  }

  /** A handle without a task until its first reset, for environments that are dear to begin. */
  async reserve(owner: string): Promise<number> {
    const handle = this.nextHandle++;
    const row: HandleRow = { surface: this.options.name, handle, owner, episodeId: noEpisode };
    await this.gym.log.call("setHandle", row);
    this.handles.set(handle, { row, last: nothingYet, touchedAtMs: Date.now(), tail: Promise.resolve() });
    return handle;
  }

  /**
   * The old episode ends before the new one begins, since both together may be more than their owner may have. Where
   * the new one then cannot begin, the task counts as finished until another reset.
   */
  reset(owner: string, id: number, dataIndex: number): Promise<AgentgymStep> {
    return this.inLine(owner, id, async (handle, previous) => {
      await this.checkTask(dataIndex);
      await previous?.close();
      const { row, last } = await this.begin(owner, id, dataIndex);
      handle.row = row;
      handle.last = last;
      return last;
    });
  }

  step(owner: string, id: number, action: string): Promise<AgentgymStep> {
    return this.inTurn(owner, id, async (handle, episode) => {
      if (episode.phase === "ended" || episode.phase === "closed") throw finished(id);
      const request = { episodeId: episode.row.id, index: episode.nextIndex, action };
      const reply = await new Promise<string>((resolve, reject) => this.gym.step(owner, request, { resolve, reject }));
      handle.last = stepOf(reply);
      return handle.last;
    });
  }

  /** JSON text of an image. */
  render(owner: string, id: number): Promise<string> {
    return this.inTurn(owner, id, async (_handle, episode) => {
      if (episode.phase === "ended" || episode.phase === "closed") throw finished(id);
      return (await this.gym.render(owner, episode.row.id)).picture;
    });
  }

  /** The first observation of the task that is played, which may have ended. */
  async opening(owner: string, id: number): Promise<string> {
    return this.inTurn(
      owner,
      id,
      async (_handle, episode) => stepOf(await readOpening(this.gym.log, episode.row)).observation,
    );
  }

  async observe(owner: string, id: number): Promise<AgentgymStep> {
    return this.inTurn(owner, id, async (handle) => handle.last);
  }

  /** As `observe` and the answers to queries, of a task that is not finished, with the `info` of its opening. */
  inspect<Queries extends string>(owner: string, id: number, queries: readonly Queries[]): Promise<Insight<Queries>> {
    return this.inTurn(owner, id, async ({ last }, episode) => {
      if (last.done || episode.phase === "closed") throw finished(id);
      const opening = stepOf(await readOpening(this.gym.log, episode.row)).info;
      const answers = queries.map(async (query) => {
        const { answer } = await this.gym.query({ owner, mayAskExpert: false }, episode.row.id, query);
        return [query, JSON.parse(answer)] as const;
      });
      return { last, opening, answers: Object.fromEntries(await Promise.all(answers)) as Insight<Queries>["answers"] };
    });
  }

  /** Whether there was something to close. Closing again is harmless. */
  async close(owner: string, id: number): Promise<boolean> {
    try {
      await this.inLine(owner, id, async (handle, episode) => {
        handle.row = { ...handle.row, episodeId: null };
        this.handles.delete(id);
        await Promise.all([episode?.close(), this.gym.log.call("setHandle", handle.row)]);
      });
      return true;
    } catch (error) {
      if (error instanceof AgentgymError) return false;
      throw error;
    }
  }

  /** @throws {GymError} what the gym has against the task itself */
  private async checkTask(dataIndex: number): Promise<void> {
    const spec = specOf(this.gym.registry, this.options.environment);
    taskOf(spec, this.options.taskOf(dataIndex).task);
    await this.gym.availability.check(spec);
  }

  private async begin(
    owner: string,
    handle: number,
    dataIndex: number,
  ): Promise<{ row: HandleRow; last: AgentgymStep }> {
    const { environment, name, taskOf } = this.options;
    const request = { environment, ...taskOf(dataIndex), maxSteps: unlimitedSteps, leaseMs };
    const { episode, opening } = await this.gym.create(owner, request);
    const row: HandleRow = { surface: name, handle, owner, episodeId: episode.row.id };
    try {
      await this.gym.log.call("setHandle", row);
    } catch (error) {
      // Nobody will ever ask for it: it must not count against its owner for as long as its lease.
      await episode.close().catch(() => {});
      throw error;
    }
    return { row, last: stepOf(await newestSight(this.gym.log, episode, opening)) };
  }

  private inTurn<T>(owner: string, id: number, call: (handle: Handle, episode: Episode) => Promise<T>): Promise<T> {
    return this.inLine(owner, id, async (handle, episode) => {
      if (episode) return call(handle, episode);
      throw new AgentgymError(`The environment ${id} has no task yet. Reset it first.`);
    });
  }

  /** @param call gets the episode, or null where there was no reset yet */
  private async inLine<T>(
    owner: string,
    id: number,
    call: (handle: Handle, episode: Episode | null) => Promise<T>,
  ): Promise<T> {
    const handle = this.handles.get(id) ?? (await this.load(id));
    if (handle?.row.owner !== owner) throw await this.absence(owner, id);
    const turn = handle.tail.then(async () => {
      handle.touchedAtMs = Date.now();
      const episode = await this.episodeOf(handle.row);
      if (episode || handle.row.episodeId === noEpisode) return call(handle, episode);
      this.handles.delete(id);
      throw await this.absence(owner, id);
    });
    handle.tail = turn.catch(() => {});
    return turn;
  }

  /** Why there is nothing to play on. */
  private async absence(owner: string, id: number): Promise<AgentgymError> {
    if (!this.options.tellsOfClosed) return unknown(id);
    const row = await this.gym.log.call("findHandle", this.options.name, id);
    const isClosed = row?.owner === owner && row.episodeId === null;
    return isClosed ? new AgentgymError(`The task with environment ${id} has been deleted.`) : unknown(id);
  }

  /** What the handle plays; null once it is closed or the log no longer keeps the episode. */
  private async episodeOf({ owner, episodeId }: HandleRow): Promise<Episode | null> {
    if (episodeId === null || episodeId === noEpisode) return null;
    try {
      return await this.gym.find(owner, episodeId);
    } catch (error) {
      if (error instanceof GymError && error.code === "EPISODE_UNKNOWN") return null;
      throw error;
    }
  }

  private load(id: number): Promise<Handle | null> {
    let loading = this.loading.get(id);
    if (!loading) {
      loading = this.loadFromLog(id).finally(() => this.loading.delete(id));
      this.loading.set(id, loading);
    }
    return loading;
  }

  private async loadFromLog(id: number): Promise<Handle | null> {
    const row = await this.gym.log.call("findHandle", this.options.name, id);
    const episode = row && (await this.episodeOf(row));
    if (!row || (!episode && row.episodeId !== noEpisode)) return null;
    const last = episode ? stepOf(await newestSight(this.gym.log, episode, null)) : nothingYet;
    const handle: Handle = { row, last, touchedAtMs: Date.now(), tail: Promise.resolve() };
    this.handles.set(id, handle);
    return handle;
  }

  private forgetIdle(): void {
    for (const [id, { touchedAtMs }] of this.handles) if (touchedAtMs + leaseMs < Date.now()) this.handles.delete(id);
  }
}

function stepOf(text: string): AgentgymStep {
  const { observation, reward = 0, terminated, truncated, info } = JSON.parse(text);
  return { observation, reward, done: Boolean(terminated || truncated), info };
}

/** How AgentGym's servers refuse an id whose task has ended, until its next reset. */
export function finished(id: number): AgentgymError {
  return new AgentgymError(`The task with environment ${id} has finished.`);
}

function unknown(id: number): AgentgymError {
  return new AgentgymError(`The id ${id} is not valid.`);
}
