/**
 * A client of AgentGym servers: AgentGym's original servers, or `/agentgym/<env>` of a Palestra gym. The protocol has
 * no step numbers, so an unanswered step cannot be retried: the step and its episode fail.
 */

import { didYouMean } from "../../server/formats/did-you-mean.js";
import { openAbort } from "../abort.js";
import { type AgentgymDialect, type AgentgymReply, agentgymDialects } from "./agentgym-dialects.js";
import type { Played } from "./gym.js";
import {
  type EpisodeRequest,
  type GymClient,
  type GymEnvironment,
  type GymEpisode,
  GymError,
  type GymStep,
} from "./gym.js";

export interface AgentgymClientOptions {
  /** Timeout of a call in milliseconds. Default 300 s, as in AgentGym's own client. */
  readonly timeoutMs?: number;
}

/** Name of the only split: the server's own numbering of tasks. */
const split = "agentgym";
const closingMs = 5_000;

export class AgentgymClient implements GymClient {
  readonly url: string;
  private readonly timeoutMs: number;
  private readonly closing = openAbort();
  private readonly open = new Set<AgentgymEpisode>();

  /** @param url URL of the server, without `/create`, as for AgentGym's clients */
  constructor(url: string, options: AgentgymClientOptions = {}) {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
      throw new GymError("GYM_REFUSED", "action", `expected an http URL, but received ${JSON.stringify(url)}`);
    }
    this.url = url.replace(/\/+$/, "");
    this.timeoutMs = options.timeoutMs ?? 300_000;
  }

  async environment(name: string): Promise<GymEnvironment> {
    const { solvedReward, familyKey } = dialectOf(name);
    return {
      id: name,
      splits: new Map([[split, undefined]]),
      defaultSplit: split,
      maxSteps: undefined,
      solvedReward,
      hasExpert: false,
      lacks: [],
      familyKey,
      options: new Map(),
      tools: () => [],
    };
  }

  async begin(request: EpisodeRequest, signal?: AbortSignal): Promise<GymEpisode> {
    const dialect = dialectOf(request.environment);
    checkRequest(request);
    const created = await this.post("create", dialect.createBody, signal);
    const id = typeof created === "number" ? created : (created as AgentgymReply | null)?.[dialect.idKey];
    if (typeof id !== "number") throw unreadable("create", created);
    const begun = { id, request, dialect, environment: await this.environment(request.environment) };
    const episode = new AgentgymEpisode(this, begun, () => this.open.delete(episode));
    this.open.add(episode);
    try {
      await episode.reset(signal);
      return episode;
    } catch (error) {
      await episode.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.open].map((episode) => episode.close()));
    this.closing.abort(new GymError("GYM_CLOSED", "action", "The client is closed."));
  }

  /** @throws {GymError}, or the signal's reason */
  async post(path: string, body?: object, signal?: AbortSignal, timeoutMs = this.timeoutMs): Promise<unknown> {
    this.closing.signal.throwIfAborted();
    const timeout = AbortSignal.timeout(timeoutMs);
    const signals = [timeout, this.closing.signal, ...(signal ? [signal] : [])];
    const sent = body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    try {
      const response = await fetch(`${this.url}/${path}`, {
        method: "POST",
        ...sent,
        signal: AbortSignal.any(signals),
      });
      return read(path, response.status, await response.text());
    } catch (error) {
      if (error instanceof GymError) throw error;
      signal?.throwIfAborted();
      this.closing.signal.throwIfAborted();
      if (timeout.aborted) {
        const message = `expected the reply to ${path} within ${timeoutMs} ms, but received none`;
        throw new GymError("GYM_TIMEOUT", "infrastructure", message);
      }
      const { cause, message } = error as Error & { cause?: Error };
      const received = cause?.message || message;
      throw new GymError(
        "GYM_UNREACHABLE",
        "infrastructure",
        `expected a server at ${this.url}, but received ${received}`,
      );
    }
  }
}

interface Begun {
  id: number;
  request: EpisodeRequest;
  dialect: AgentgymDialect;
  environment: GymEnvironment;
}

class AgentgymEpisode implements GymEpisode {
  readonly id: string;
  readonly environment: GymEnvironment;
  readonly played: Played;
  readonly prompt: string;
  readonly tools = [];
  info: Readonly<Record<string, unknown>> = {};
  observation = "";
  private score = 0;
  private closed: Promise<void> | undefined;

  constructor(
    private readonly client: AgentgymClient,
    private readonly begun: Begun,
    private readonly onClosed: () => void,
  ) {
    const { id, request, dialect, environment } = begun;
    this.id = `${id}`;
    this.environment = environment;
    this.played = { environment: environment.id, split, index: request.index, seed: 0 };
    this.prompt = dialect.prompt;
  }

  async reset(signal?: AbortSignal): Promise<void> {
    const { dialect, request } = this.begun;
    const reply = await this.post("reset", dialect.reset(request.index), signal);
    this.observation = this.read("reset", reply).observation;
    this.info = dialect.info(request.index, reply as AgentgymReply);
  }

  async step(action: string, signal?: AbortSignal): Promise<GymStep> {
    return this.read("step", await this.post("step", { action }, signal));
  }

  async expert(): Promise<string | null> {
    throw new GymError("EXPERT_MISSING", "action", "expected a gym with an expert, but received an AgentGym server");
  }

  close(): Promise<void> {
    const body = { [this.begun.dialect.idKey]: this.begun.id };
    this.closed ??= this.client
      .post("close", body, undefined, closingMs)
      .catch(() => {})
      .then(this.onClosed);
    return this.closed;
  }

  private post(path: string, body: object, signal?: AbortSignal): Promise<unknown> {
    return this.client.post(path, { ...body, [this.begun.dialect.idKey]: this.begun.id }, signal);
  }

  private read(path: string, reply: unknown): GymStep {
    if (typeof reply !== "object" || reply === null) throw unreadable(path, reply);
    const { observation, score, done } = this.begun.dialect.read(reply as AgentgymReply, this.score);
    if (typeof observation !== "string" || !Number.isFinite(score) || typeof done !== "boolean") {
      throw unreadable(path, reply);
    }
    const reward = (score as number) - this.score;
    this.score = score as number;
    return { observation, reward, terminated: done, truncated: false, info: {} };
  }
}

function dialectOf(name: string): AgentgymDialect {
  const dialect = agentgymDialects.get(name);
  if (dialect) return dialect;
  const known = [...agentgymDialects.keys()].join(", ");
  const received = `${JSON.stringify(name)}${didYouMean(name, agentgymDialects.keys())}`;
  const message = `expected one of AgentGym's environments ${known}, but received ${received}`;
  throw new GymError("ENVIRONMENT_UNKNOWN", "action", message);
}

/** Refuses splits and options, which AgentGym servers do not have. */
function checkRequest(request: EpisodeRequest): void {
  if (request.split !== undefined && request.split !== split) {
    const message = `expected the split ${split} of an AgentGym server, but received ${JSON.stringify(request.split)}`;
    throw new GymError("SPLIT_UNKNOWN", "action", message);
  }
  const options = Object.keys(request.options ?? {});
  if (options.length > 0) {
    const message = `expected no options for an AgentGym server, but received ${options.join(", ")}`;
    throw new GymError("OPTION_UNKNOWN", "action", message);
  }
}

/** Parses a reply. AgentGym sends domain errors, such as an unknown id or a finished task, with status 200. */
function read(path: string, status: number, text: string): unknown {
  if (status !== 200) {
    const isCallers = status >= 400 && status < 500 && status !== 408 && status !== 429;
    const message = `expected status 200 for ${path}, but received ${status}: ${text.slice(0, 500)}`;
    throw new GymError("GYM_REPLY", isCallers ? "action" : "infrastructure", message);
  }
  let reply: unknown;
  try {
    reply = JSON.parse(text);
  } catch {
    throw unreadable(path, text);
  }
  const { error } = (reply ?? {}) as { error?: unknown };
  if (error === undefined) return reply;
  throw new GymError(
    "GYM_REPLY",
    "infrastructure",
    `expected ${path} to succeed, but received ${JSON.stringify(error)}`,
  );
}

function unreadable(path: string, received: unknown): GymError {
  const shown = (JSON.stringify(received) ?? "nothing").slice(0, 500);
  return new GymError(
    "GYM_REPLY",
    "infrastructure",
    `expected a reply to ${path} in AgentGym's format, but received ${shown}`,
  );
}
