/** Environments behind AgentGym's protocol. */
import type { JsonValue, ResetRequest, ResetResult, StepResult } from "../env.js";
import { isObject, type JsonObject, Server } from "./calls.js";
import { type Dialect, dialects, type Said } from "./dialects.js";
import { BadMount, type Mount } from "./mount.js";
import { anySeed, type Facts, type Kind, type RemoteEpisode } from "./remote.js";

/** Time limit in milliseconds for closing an episode. */
const closingMs = 5_000;
/** A server that is busy answers with status 503, and AgentGym's clients then try again this many times. */
const mostTries = 5;
const pauseMs = 100;

export const agentgym: Kind = {
  assume(mount) {
    const name = dialectName(mount);
    return name === undefined ? unknownFacts(mount) : factsOf(mount, name);
  },
  async discover(mount, signal) {
    const greeting = await new Server(mount.address).call("GET", "", undefined, signal);
    const name = dialectName(mount) ?? dialectBehind(greeting);
    if (name !== undefined) return factsOf(mount, name);
    const known = [...dialects.keys()].join(", ");
    throw new BadMount(
      `expected the dialect of the AgentGym server ${mount.name}, as in ${mount.name}=agentgym/webshop:URL, but the server ` +
        `does not name its environment. The dialects are ${known}`,
    );
  },
  async check(mount, signal) {
    await new Server(mount.address).call("GET", "", undefined, signal);
  },
  open: (mount, { details }) => new AgentgymEpisode(new Server(mount.address), details as string),
};

/** Whether a reply to `GET /` is the greeting of an AgentGym server. */
export function isGreeting(reply: JsonValue | undefined): boolean {
  return reply === "ok" || (typeof reply === "string" && reply.startsWith("This is environment "));
}

/** Returns the dialect that the operator states: in the mount, by the name of the mount, or by the end of the URL's path. */
function dialectName({ name, dialect, address }: Mount): string | undefined {
  if (dialect !== undefined) {
    if (dialects.has(dialect)) return dialect;
    const known = [...dialects.keys()].join(", ");
    throw new BadMount(`expected one of AgentGym's dialects ${known}, but received ${JSON.stringify(dialect)}`);
  }
  return [name, new URL(address).pathname.split("/").at(-1) as string].find((each) => dialects.has(each));
}

function dialectBehind(greeting: JsonValue): string | undefined {
  return [...dialects].find(([, dialect]) => dialect.greeting !== undefined && dialect.greeting === greeting)?.[0];
}

function factsOf({ address }: Mount, name: string): Facts {
  const { title, tasks, maxSteps, rewardRange, solvedReward, prompt } = dialects.get(name) as Dialect;
  return {
    identity: `agentgym ${name} ${new Server(address).place}`,
    title: `${title}, served by AgentGym's protocol`,
    splits: { agentgym: tasks ?? anySeed },
    maxSteps,
    rewardRange,
    solvedReward,
    prompt,
    tools: [],
    details: name,
  };
}

function unknownFacts({ name, address }: Mount): Facts {
  return {
    identity: `agentgym ${new Server(address).place}`,
    title: `${name}, served by AgentGym's protocol`,
    splits: { agentgym: anySeed },
    maxSteps: 30,
    prompt: "Reply with one action that the observation allows.",
    tools: [],
    details: null,
  };
}

/** The ids that a server has given out. */
class Ids {
  /**
   * Ids of ended episodes on a server that cannot close an episode. An id is used again, as AgentGym's own clients do,
   * since the server would keep every instance until it ends.
   */
  free: JsonValue[] = [];
  readonly used = new Map<JsonValue, AgentgymEpisode>();
}

/** Ids by server. */
const idsOfServers = new Map<string, Ids>();

class AgentgymEpisode implements RemoteEpisode {
  private readonly dialect: Dialect;
  private id: JsonValue | undefined;
  /** Whether the server has given the id to another episode. */
  private isReplaced = false;
  private sum = 0;
  /** Whether the last call succeeded, so that the id can be used again. */
  private isSound = true;

  constructor(
    private readonly server: Server,
    dialectName: string,
  ) {
    this.dialect = dialects.get(dialectName) as Dialect;
  }

  async reset({ task }: ResetRequest, signal: AbortSignal): Promise<ResetResult> {
    const { dialect } = this;
    if (this.id === undefined) this.take(this.ids.free.pop() ?? (await this.create(signal)));
    return this.soundly(async () => {
      const reply = await this.post("reset", dialect.reset(task.index), signal);
      const said = dialect.first?.(reply) ?? { observation: await this.get("observation", signal) };
      let observation = this.text("reset", said);
      // The server of WebArena reports a failed reset in this way.
      if (observation === "TimeoutError") throw this.server.failed("reset", "TimeoutError");
      if (dialect.alsoAsk !== undefined) observation += `\n\n${lines(await this.get(dialect.alsoAsk, signal))}`;
      this.sum = said.sum === undefined ? 0 : this.number("reset", said.sum);
      return { observation, info: { remoteIndex: task.index, ...said.info } };
    });
  }

  step(action: string, signal: AbortSignal): Promise<StepResult> {
    return this.soundly(async () => {
      const reply = await this.post("step", { action }, signal);
      if (!isObject(reply)) throw this.unreadable("step", reply);
      const said = this.dialect.read(reply);
      const observation = this.text("step", said);
      if (typeof said.done !== "boolean") throw this.unreadable("step", reply);
      const reward =
        said.sum === undefined ? this.number("step", said.reward) : this.number("step", said.sum) - this.sum;
      this.sum += reward;
      return { observation, reward, terminated: said.done, truncated: false, info: said.info ?? {} };
    });
  }

  async close(): Promise<void> {
    const { id, ids } = this;
    this.id = undefined;
    if (id === undefined || this.isReplaced) return;
    ids.used.delete(id);
    if (!this.dialect.closes) {
      if (this.isSound) ids.free.push(id);
      return;
    }
    const signal = AbortSignal.timeout(closingMs);
    await this.server.call("POST", "close", { [this.dialect.idKey]: id }, signal).catch(() => {});
  }

  private async create(signal: AbortSignal): Promise<JsonValue> {
    const created = this.checked("create", await this.server.call("POST", "create", this.dialect.createBody, signal));
    const id = isObject(created) ? created[this.dialect.idKey] : created;
    if (typeof id !== "number" && typeof id !== "string") throw this.unreadable("create", created);
    return id;
  }

  /**
   * Uses an id. A server that has restarted counts its ids from the start. It gives out an id that an episode still uses,
   * whose actions would then reach the new episode.
   */
  private take(id: JsonValue): void {
    const { ids } = this;
    const earlier = ids.used.get(id);
    if (earlier) earlier.isReplaced = true;
    if (earlier || ids.free.includes(id)) ids.free = [];
    ids.used.set(id, this);
    this.id = id;
  }

  private async soundly<T>(call: () => Promise<T>): Promise<T> {
    this.isSound = false;
    if (this.isReplaced)
      throw this.server.failed("create", "the id of this episode for another one, as after a restart");
    const result = await call();
    this.isSound = true;
    return result;
  }

  private async post(path: string, body: JsonObject, signal: AbortSignal): Promise<JsonValue> {
    const whole = { ...body, [this.dialect.idKey]: this.id as JsonValue };
    for (let tries = 1; ; tries++) {
      const reply = await this.server.callUnlessBusy("POST", path, whole, signal, tries < mostTries);
      if (reply !== undefined) return this.checked(path, reply);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  private async get(path: string, signal: AbortSignal): Promise<JsonValue> {
    const query = `${path}?${this.dialect.idKey}=${encodeURIComponent(String(this.id))}`;
    return this.checked(path, await this.server.call("GET", query, undefined, signal));
  }

  /** Refuses an error that AgentGym's servers send with status 200. */
  private checked(path: string, reply: JsonValue): JsonValue {
    if (!isObject(reply) || reply.error === undefined) return reply;
    throw this.server.failed(path, `the error ${JSON.stringify(reply.error)}`);
  }

  private text(path: string, { observation }: Said): string {
    if (typeof observation === "string") return observation;
    throw this.server.failed(path, `an observation of the type ${observation === null ? "null" : typeof observation}`);
  }

  private number(path: string, value: JsonValue | undefined): number {
    if (typeof value === "boolean") return Number(value);
    if (typeof value === "number") return value;
    throw this.server.failed(path, `the reward ${JSON.stringify(value)}`);
  }

  private unreadable(path: string, reply: JsonValue) {
    return this.server.failed(path, JSON.stringify(reply));
  }

  private get ids(): Ids {
    const { url } = this.server;
    const ids = idsOfServers.get(url) ?? new Ids();
    idsOfServers.set(url, ids);
    return ids;
  }
}

function lines(reply: JsonValue): string {
  return Array.isArray(reply) ? reply.join("\n") : JSON.stringify(reply);
}
