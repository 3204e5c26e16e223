/**
 * Calls that the routes of all AgentGym servers share, implemented with `Sessions`. An AgentGym environment id is a
 * session id. AgentGym's clients identify an environment by a small integer, and reset it for each new task.
 *
 * As in AgentGym's servers, ids count from 0 and domain errors have status 200. Paths and bodies are also the same.
 * Memory leaks and data races of AgentGym's servers are not reproduced.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Options, TaskRef } from "../../../../envs/env.js";
import { running, SessionError, type SessionFault } from "../../../adapter/session-error.js";
import { Sessions } from "../../../adapter/sessions.js";
import type { Client } from "../../../episodes/episode/client.js";
import { type EpisodeResult, parseResult, readResetResult } from "../../../episodes/episode/results.js";
import type { CreateRequest } from "../../../episodes/episode-factory.js";
import type { Gym } from "../../../episodes/gym.js";
import { clientOf } from "../../plugins/http-client.js";

/** Result of a step or reset in AgentGym's format. */
export interface AgentgymStep {
  observation: string;
  reward: number;
  done: boolean;
  info: Record<string, unknown>;
}

/** Data about an episode for AgentGym's routes that inspect an environment. */
export interface Insight<Queries extends string> {
  last: AgentgymStep;
  /** The `info` of the reset. */
  resetInfo: Record<string, unknown>;
  answers: Record<Queries, unknown>;
}

export interface SurfaceOptions {
  /** Name of the server in the path `/agentgym/<name>`. */
  name: string;
  /** `id@version` */
  environment: string;
  /**
   * Returns the task for AgentGym's `data_idx`, and the seed and options of AgentGym's reset.
   *
   * @throws {AgentgymError} for an index without a task, if AgentGym's server has its own error message for it
   */
  taskOf(dataIndex: number): { task: TaskRef; seed: number; options?: Options };
  /** Whether the error message for a closed id differs from the message for an unknown id. */
  tellsOfClosed?: boolean;
}

/** The sender of a request. */
export interface Visitor {
  owner: string;
  client: Client;
}

export function visitorOf({ caller }: FastifyRequest, reply: FastifyReply): Visitor {
  return { owner: caller.owner, client: clientOf(reply) };
}

/** Error that is sent, as in AgentGym's servers, as `{"error": message}` with status 200. */
export class AgentgymError extends Error {
  override readonly name = "AgentgymError";
}

/**
 * Step limit of an episode. It is high, because AgentGym's servers have no step limit: AgentGym's clients count rounds.
 */
const unlimitedSteps = 1_000_000_000;

/**
 * Lease in milliseconds. It is long, because AgentGym's client cannot renew a lease, and a rollout may pause while a
 * trainer updates its weights.
 */
const leaseMs = 3_600_000;

export class AgentgymSurface {
  private constructor(
    private readonly gym: Gym,
    private readonly options: SurfaceOptions,
    private readonly sessions: Sessions,
  ) {}

  /** Opens the surface. The caller must call `stop` when the app closes. */
  static async open(gym: Gym, options: SurfaceOptions): Promise<AgentgymSurface> {
    const sessions = await Sessions.start(gym, { namespace: options.name, ids: "counted", idleMs: leaseMs });
    return new AgentgymSurface(gym, options, sessions);
  }

  stop(): void {
    this.sessions.stop();
  }

  /** @param dataIndexOf returns the first task's `data_idx` for the new id */
  async create(
    { owner, client }: Visitor,
    dataIndexOf: (id: number) => number,
  ): Promise<AgentgymStep & { id: number }> {
    const { id, newest } = await this.sessions.open(owner, (id) => this.requestOf(dataIndexOf(id)), client);
    return { id, ...stepOf(newest) };
  }

  /** Number of tasks of a split. */
  taskCount(split: string): number {
    return this.gym.registry.get(this.options.environment).splits[split]?.size as number;
  }

  /** Returns a new id that has no task until its first reset. Used for environments that are expensive to start. */
  reserve(owner: string): Promise<number> {
    return this.sessions.openEmpty(owner);
  }

  async reset({ owner, client }: Visitor, id: number, dataIndex: number): Promise<AgentgymStep> {
    const reset = this.sessions.reset(owner, id, () => this.requestOf(dataIndex), client);
    return stepOf((await this.worded(reset)).newest);
  }

  async step(owner: string, id: number, action: string): Promise<AgentgymStep> {
    return stepOf((await this.worded(this.sessions.act(owner, id, action))).newest);
  }

  /** Returns a picture as JSON text. */
  render(owner: string, id: number): Promise<string> {
    const render = this.sessions.use(
      owner,
      id,
      async ({ episode }) => (await this.gym.render(owner, running(episode, id).row.id)).picture,
    );
    return this.worded(render);
  }

  /** Returns the first observation of the current task. The task may have ended. */
  firstObservation(owner: string, id: number): Promise<string> {
    const observation = this.sessions.use(
      owner,
      id,
      async ({ episode }) => parseResult(await readResetResult(this.gym.log, episode.row)).observation,
    );
    return this.worded(observation);
  }

  /** Returns the result of the last step or reset. */
  observe(owner: string, id: number): Promise<AgentgymStep> {
    return this.worded(this.sessions.use(owner, id, async ({ newest }) => stepOf(newest)));
  }

  /**
   * Returns the result of the last step, the `info` of the reset and the answers to queries. Refuses a finished task.
   */
  inspect<Queries extends string>(owner: string, id: number, queries: readonly Queries[]): Promise<Insight<Queries>> {
    const inspect = this.sessions.use(owner, id, async ({ newest, episode }) => {
      const last = stepOf(newest);
      if (last.done || episode.phase === "closed") throw finished(id);
      const resetInfo = parseResult(await readResetResult(this.gym.log, episode.row)).info;
      const answers = queries.map(async (query) => {
        const { answer } = await this.gym.query(
          { owner, mayAskExpert: false, mayReadRuns: false },
          episode.row.id,
          query,
        );
        return [query, JSON.parse(answer)] as const;
      });
      return {
        last,
        resetInfo,
        answers: Object.fromEntries(await Promise.all(answers)) as Insight<Queries>["answers"],
      };
    });
    return this.worded(inspect);
  }

  /** Closes an id. Returns whether the id was open. */
  close(owner: string, id: number): Promise<boolean> {
    return this.sessions.close(owner, id);
  }

  private requestOf(dataIndex: number): CreateRequest {
    const { environment, taskOf } = this.options;
    return { environment, ...taskOf(dataIndex), maxSteps: unlimitedSteps, leaseMs };
  }

  /** Rejects with AgentGym's error message instead of a SessionError. */
  private async worded<T>(call: Promise<T>): Promise<T> {
    try {
      return await call;
    } catch (error) {
      if (!(error instanceof SessionError)) throw error;
      const fault = error.fault === "closed" && !this.options.tellsOfClosed ? "unknown" : error.fault;
      throw new AgentgymError(words[fault](error.id));
    }
  }
}

/** Error messages of AgentGym's servers. Only the message for `empty` is not from AgentGym. */
const words: Record<SessionFault, (id: number) => string> = {
  unknown: (id) => `The id ${id} is not valid.`,
  closed: (id) => `The task with environment ${id} has been deleted.`,
  empty: (id) => `The environment ${id} has no task yet. Reset it first.`,
  finished: (id) => `The task with environment ${id} has finished.`,
};

function stepOf({ observation, reward, terminated, truncated, info }: EpisodeResult): AgentgymStep {
  return { observation, reward, done: terminated || truncated, info };
}

/** Returns the error for an id whose task has ended. */
export function finished(id: number): AgentgymError {
  return new AgentgymError(words.finished(id));
}

export function unknown(id: number): AgentgymError {
  return new AgentgymError(words.unknown(id));
}
