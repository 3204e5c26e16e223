/**
 * A client of a Palestra gym, or of a fleet of gyms: any number of episodes on one `/v1/socket` of each gym. See `openapi/gym.d.ts` and
 * `openapi/socket.md`.
 */
import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { components } from "../../openapi/gym.js";
import { textWithoutSecrets } from "../../server/formats/secrets.js";
import { sleep } from "./back-off.js";
import type { Played, Tool } from "./gym.js";
import {
  type EpisodeLabels,
  type EpisodeRequest,
  type GymClient,
  type GymEnvironment,
  type GymEpisode,
  GymError,
  type GymStep,
} from "./gym.js";
import { GymFleet } from "./gym-fleet.js";
import type { GymSocketOptions, Requests } from "./gym-socket.js";

type Schemas = components["schemas"];
export type EnvironmentInfo = Schemas["Environment"];
export type TaskPage = Schemas["TaskPage"];
type EpisodeReply = Schemas["Episode"];

/** Largest number of characters of a label that a gym accepts. */
const longestLabel = 200;

/** Milliseconds that the gym has to close open episodes when the client closes. */
const closingMs = 5_000;

export class PalestraClient implements GymClient {
  private readonly known = new Map<string, Promise<EnvironmentInfo>>();
  /** Open episodes. A closing episode stays in the set until the gym has confirmed the close. */
  private readonly open = new Set<PalestraEpisode>();
  private labels: EpisodeLabels = {};

  private constructor(
    readonly url: string,
    private readonly socket: Requests,
  ) {}

  /** Connects to a gym, and to the other gyms of its fleet. @throws {GymError} GYM_UNREACHABLE or GYM_REFUSED */
  static async connect(url: string, options: GymSocketOptions = {}): Promise<PalestraClient> {
    return new PalestraClient(url, await GymFleet.connect(url, options));
  }

  /**
   * Returns whether this caller may request the expert's actions. The gym checks the right before it looks for the
   * episode.
   */
  async mayAskExpert(): Promise<boolean> {
    try {
      await this.socket.request("expert", { episodeId: "none" });
      return true;
    } catch (error) {
      if (!(error instanceof GymError) || error.passes) throw error;
      return error.code !== "RIGHT_MISSING";
    }
  }

  async environments(): Promise<EnvironmentInfo[]> {
    const { environments } = await this.socket.request<Schemas["EnvironmentList"]>("listEnvironments", {});
    return environments;
  }

  /** Reads a page of a split's tasks, at most 1000. */
  tasks(environment: string, page: { split?: string; from?: number; limit?: number } = {}): Promise<TaskPage> {
    return this.socket.request("listTasks", { environment, ...page });
  }

  /** Reads a page of the caller's episodes, newest first. */
  list(page: { before?: string; limit?: number }): Promise<Schemas["EpisodePage"]> {
    return this.socket.request("list", page);
  }

  /** Reads a page of people's judgments of the caller's episodes, newest first. */
  judgments(page: { limit: number; before?: number }): Promise<Schemas["JudgmentPage"]> {
    return this.socket.request("listJudgments", page);
  }

  /** Reads the state of an episode. */
  state(episodeId: string): Promise<Schemas["Episode"]> {
    return this.socket.request("get", { episodeId });
  }

  /** Reads the first observation of an episode. */
  opening(episodeId: string): Promise<Schemas["Opening"]> {
    return this.socket.request("opening", { episodeId });
  }

  /** Reads an episode as the player of a seat sees it. */
  seat(episodeId: string, seat: string): Promise<Schemas["SeatView"]> {
    return this.socket.request("seat", { episodeId, seat });
  }

  /** Reads a page of an episode's steps, at most 1000. */
  transcript(episodeId: string, page: { from: number; limit?: number }): Promise<Schemas["Transcript"]> {
    return this.socket.request("transcript", { episodeId, ...page });
  }

  async environment(name: string): Promise<GymEnvironment> {
    return factsOf(await this.info(name));
  }

  /** Reads the facts about an environment, and caches them. */
  info(name: string): Promise<EnvironmentInfo> {
    let info = this.known.get(name);
    if (!info) {
      info = this.socket.request<EnvironmentInfo>("getEnvironment", { environment: name });
      this.known.set(name, info);
      info.catch(() => this.known.delete(name));
    }
    return info;
  }

  label({ run, policy }: EpisodeLabels): void {
    const short = (name: string) => textWithoutSecrets(name).slice(0, longestLabel).toWellFormed();
    this.labels = { ...(run && { run: short(run) }), ...(policy && { policy: short(policy) }) };
  }

  async begin(request: EpisodeRequest, signal?: AbortSignal): Promise<GymEpisode> {
    const info = await this.info(request.environment);
    const idempotencyKey = randomUUID();
    const body = { ...bodyOf(request), ...this.labels };
    try {
      return this.hold(await this.socket.request<EpisodeReply>("create", { ...body, idempotencyKey }, signal), info);
    } catch (error) {
      if (signal?.aborted) this.closeUnseen({ ...body, idempotencyKey });
      throw error;
    }
  }

  /** Starts many episodes with one request. @returns the episode or the error of each request, in order */
  async beginMany(requests: readonly EpisodeRequest[]): Promise<(GymEpisode | GymError)[]> {
    const infos = await Promise.all(requests.map(({ environment }) => this.info(environment)));
    const params = {
      episodes: requests.map((request) => ({ ...bodyOf(request), ...this.labels })),
      idempotencyKey: randomUUID(),
    };
    const { results } = await this.socket.request<Schemas["CreateManyReply"]>("createMany", params);
    return Promise.all(
      results.map(async (result, at) => {
        const info = infos[at] as EnvironmentInfo;
        if (!("error" in result)) return this.hold(result, info);
        const { code, class: failureClass, message, details } = result.error;
        // The episode was created, but its reply did not fit into the reply of the batch.
        if (code === "BATCH_TOO_LARGE") return this.hold(await this.socket.request("get", { ...details }), info);
        return new GymError(code, failureClass, message, details);
      }),
    );
  }

  async close(): Promise<void> {
    const closed = new AbortController();
    const all = Promise.all([...this.open].map((episode) => episode.close()));
    // An unreachable gym closes the episodes when their leases end.
    await Promise.race([all, sleep(closingMs, closed.signal).catch(() => {})]);
    closed.abort();
    await this.socket.close();
  }

  private hold(reply: EpisodeReply, info: EnvironmentInfo): PalestraEpisode {
    const episode = new PalestraEpisode(this.socket, reply, info, () => this.open.delete(episode));
    this.open.add(episode);
    return episode;
  }

  /**
   * Closes an episode whose creation was aborted by the caller: a create with the same key returns the same episode.
   */
  private closeUnseen(params: object): void {
    this.socket.request<EpisodeReply>("create", params).then(
      ({ episodeId }) => this.socket.request("close", { episodeId }).catch(() => {}),
      () => {},
    );
  }
}

class PalestraEpisode implements GymEpisode {
  readonly id: string;
  readonly environment: GymEnvironment;
  readonly played: Played;
  readonly prompt: string;
  readonly tools: readonly Tool[];
  readonly observation: string;
  readonly turn: string | undefined;
  readonly info: Readonly<Record<string, unknown>>;
  private index: number;
  private closed: Promise<void> | undefined;

  constructor(
    private readonly socket: Requests,
    reply: EpisodeReply,
    info: EnvironmentInfo,
    private readonly onClosed: () => void,
  ) {
    this.id = reply.episodeId;
    const seats = seatsOf(info, reply);
    this.environment = { ...factsOf(info), id: reply.environment, maxSteps: reply.maxSteps, seats };
    this.played = { environment: reply.environment, ...reply.task, seed: reply.seed };
    this.prompt = reply.prompt;
    this.tools = reply.tools;
    this.observation = reply.observation;
    this.turn = reply.turn;
    this.info = reply.info;
    this.index = reply.index;
  }

  async step(action: string, signal?: AbortSignal): Promise<GymStep> {
    const params = { episodeId: this.id, index: this.index, action };
    const reply = await this.ask<Schemas["StepReply"]>("step", params, signal);
    this.index += 1;
    return reply;
  }

  async expert(signal?: AbortSignal): Promise<string | null> {
    const { action } = await this.ask<Schemas["Advice"]>("expert", { episodeId: this.id }, signal);
    return action;
  }

  close(): Promise<void> {
    this.closed ??= this.socket
      .request("close", { episodeId: this.id })
      .catch(() => {})
      .then(this.onClosed);
    return this.closed;
  }

  private async ask<T>(op: string, params: object, signal?: AbortSignal): Promise<T> {
    try {
      return await this.socket.request<T>(op, params, signal);
    } catch (error) {
      if (!(error instanceof GymError) || error.code !== "EPISODE_UNKNOWN") throw error;
      // A gym that restarted without its log has lost the episode, so the error is not the caller's.
      throw new GymError(error.code, "infrastructure", error.message, error.details);
    }
  }
}

function bodyOf({ environment, split, index, seed, options }: EpisodeRequest): Schemas["CreateRequest"] {
  return {
    environment,
    task: { index, ...(split !== undefined && { split }) },
    seed: seed ?? 0,
    ...(options && { options }),
  };
}

/** Return that counts as solved if nobody has stated one, as for some mounted environments. No episode reaches it. */
const unreachable = 1e9;

function factsOf(info: EnvironmentInfo): GymEnvironment {
  const { id, version, splits, defaultSplit, maxSteps, solvedReward, hasExpert, familyKey } = info;
  const sizes = Object.entries(splits).map(([name, { size }]) => [name, size] as const);
  const solves = solvedReward >= unreachable ? Number.POSITIVE_INFINITY : solvedReward;
  const facts = { defaultSplit, maxSteps, solvedReward: solves, hasExpert, familyKey: familyKey ?? undefined };
  const values = Object.entries(info.options).map(([name, { values }]) => [name, Object.keys(values)] as const);
  return {
    id: `${id}@${version}`,
    lacks: info.requirements.filter(({ available }) => !available),
    splits: new Map(sizes),
    options: new Map(values),
    ...facts,
    seats: seatsOf(info, info),
    tools: (options) => toolsOf(info, options),
  };
}

/**
 * Returns the instructions and tools of the seats in an episode. A seat without own ones has those of the episode, which depend
 * on its options.
 */
function seatsOf(info: EnvironmentInfo, episode: Pick<EpisodeReply, "prompt" | "tools">): GymEnvironment["seats"] {
  if (!info.seats) return undefined;
  const places = Object.entries(info.seats).map(([name, { prompt, tools }]) => {
    const isOwn = !isDeepStrictEqual(tools, info.tools);
    const place = { prompt: prompt === info.prompt ? episode.prompt : prompt, tools: isOwn ? tools : episode.tools };
    return [name, place] as const;
  });
  return new Map(places);
}

/** Returns the tools that an episode with these options will have. */
function toolsOf({ tools, options }: EnvironmentInfo, chosen: Readonly<Record<string, string>>): readonly Tool[] {
  const own = Object.entries(chosen).map(([name, value]) => options[name]?.values[value]?.tools);
  return own.find((list) => list !== undefined) ?? tools;
}
