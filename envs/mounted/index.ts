/** Environments that run elsewhere: behind AgentGym's or OpenEnv's protocol, or as a Gymnasium environment in Python. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { AsyncEnvironmentSpec, Requirement, TaskSplit, Tool } from "../env.js";
import { ServiceFailed } from "../errors.js";
import { TooLate, within } from "../shared/tools/deadline.js";
import { agentgym, isGreeting } from "./agentgym.js";
import { reasonOf, Server } from "./calls.js";
import { MountedEnvironment } from "./env.js";
import { gymnasium } from "./gymnasium.js";
import { BadMount, forms, type KindName, type Mount, parseMount } from "./mount.js";
import { isSchema, openenv } from "./openenv.js";
import { anySeed, type Facts, type Kind } from "./remote.js";
import { verdictOf } from "./verdict.js";

export interface Mounted {
  spec: AsyncEnvironmentSpec<MountedEnvironment>;
  /** Definition as JSON text, from which another process builds the same environment without a probe. */
  definition: string;
}

/** A mount with what the first process found out about it. */
interface Definition {
  mount: Mount & { kind: KindName };
  version: number;
  /** Null if the remote did not answer the first process, for the reason in `failure`. */
  facts: Facts | null;
  failure?: string;
}

const kinds: Readonly<Record<KindName, Kind>> = { agentgym, openenv, gymnasium };

/** Time limit in milliseconds for the first facts about a remote. The gym starts without them if they take longer. */
const discoveryMs = 10_000;
const defaultTimeoutS = 60;
/** Milliseconds added to the time limit of a call, so that the mount reports a late remote before the gym does. */
const spareMs = 5_000;
/** Reward range of a remote that states none. */
const widestRange = [-1e9, 1e9] as const;
/** Return that counts as solved if nobody states one: no episode reaches it, so that no report calls a task solved. */
const unreachable = 1e9;

/**
 * @param entry JSON text: `{"mount": "NAME=TARGET"}`, or the definition that another process made of it
 * @throws {BadMount}
 */
export async function mountedEnvironment(entry: string): Promise<Mounted> {
  const given = JSON.parse(entry) as { mount: string } | Definition;
  const definition = typeof given.mount === "string" ? await define(given.mount) : (given as Definition);
  return { spec: specOf(definition), definition: JSON.stringify(definition) };
}

async function define(text: string): Promise<Definition> {
  const mount = withFiles(parseMount(text));
  const whole = { ...mount, kind: mount.kind ?? (await kindBehind(mount)) };
  const kind = kinds[whole.kind];
  const assumed = kind.assume(whole);
  const found = await discovered(kind, whole);
  const facts = "failure" in found ? null : found;
  return { mount: whole, version: versionOf(whole, facts ?? assumed), facts, ...("failure" in found && found) };
}

/** Asks the remote for its facts. Only a mount that can never work is refused. @throws {BadMount} */
async function discovered(kind: Kind, mount: Mount): Promise<Facts | { failure: string }> {
  try {
    return await within(discoveryMs, new AbortController().signal, (signal) => kind.discover(mount, signal));
  } catch (error) {
    if (error instanceof BadMount) throw error;
    return { failure: reasonOf(error) };
  }
}

/** Reads the files that the options of a mount name, so that other processes need not find them. */
function withFiles(mount: Mount): Mount {
  const { prompt, ...options } = mount.options;
  const python = options.python ?? process.env.PALESTRA_MOUNT_PYTHON;
  const whole = { ...options, ...(mount.kind === "gymnasium" && python !== undefined && { python }) };
  if (prompt === undefined) return { ...mount, options: whole };
  try {
    return { ...mount, options: { ...whole, prompt: readFileSync(resolve(prompt), "utf8") } };
  } catch (error) {
    throw new BadMount(`expected a text file as the prompt of the mount ${mount.name}: ${(error as Error).message}`);
  }
}

/** Asks a server which protocol it speaks. @throws {BadMount} */
async function kindBehind({ name, address }: Mount): Promise<KindName> {
  const server = new Server(address);
  const refuse = (received: string) =>
    new BadMount(
      `expected an AgentGym or OpenEnv server at ${server.origin} for the mount ${name}, but received ${received}. A mount is ${forms}`,
    );
  try {
    return await within(discoveryMs, new AbortController().signal, async (signal) => {
      if (isSchema(await server.tryCall("GET", "schema", undefined, signal).catch(ifNoJson))) return "openenv";
      if (isGreeting(await server.tryCall("GET", "", undefined, signal).catch(ifNoJson))) return "agentgym";
      throw refuse("a server of another kind");
    });
  } catch (error) {
    throw error instanceof BadMount ? error : refuse(reasonOf(error));
  }
}

/** A server of another kind may answer with HTML. */
function ifNoJson(error: unknown): undefined {
  if (error instanceof ServiceFailed && error.received.startsWith("no JSON")) return undefined;
  throw error;
}

/**
 * Derives the version from the remote, so that an episode of one remote is never replayed on another. A remote that has
 * not answered gets a version of its own.
 */
function versionOf({ options, kind }: Mount, { identity }: Facts): number {
  const { timeout, workers, python, replay, ...playing } = options;
  const text = JSON.stringify([kind, identity, Object.entries(playing).sort()]);
  return 1 + createHash("sha256").update(text).digest().readUInt32BE(0);
}

function specOf({ mount, version, facts, failure }: Definition): AsyncEnvironmentSpec<MountedEnvironment> {
  const source = new MountSource(mount, facts, failure);
  const { name, options } = mount;
  return {
    isAsync: true,
    id: name,
    version,
    get summary() {
      return `${source.known.title}${notes(source.known, mount)}.`;
    },
    get splits() {
      return splitsOf(source.known, mount);
    },
    get maxSteps() {
      return options.steps ?? source.known.maxSteps;
    },
    get rewardRange(): readonly [number, number] {
      const [low, high] = options.rewards ?? source.known.rewardRange ?? widestRange;
      // A wrong action may have the reward 0.
      return [Math.min(0, low), Math.max(0, high)];
    },
    get solvedReward() {
      return options.solved ?? source.known.solvedReward ?? unreachable;
    },
    get prompt() {
      return options.prompt ?? source.known.prompt;
    },
    get tools() {
      const { tools } = source.known;
      // An environment with text actions alone has no list of tools.
      return (tools.length > 0 ? tools : undefined) as readonly Tool[];
    },
    requirements: [source.requirement],
    restore: options.replay ? "replay" : "none",
    deadlineMs: source.timeoutMs + spareMs,
    create: () => new MountedEnvironment(source),
    verdict: async (_, end) => verdictOf(end),
  };
}

/** States what the remote does not say and the operator has not declared either. */
function notes({ rewardRange, solvedReward }: Facts, { options }: Mount): string {
  const unknown = [
    ...((options.rewards ?? rewardRange) ? [] : ["range of rewards"]),
    ...((options.solved ?? solvedReward) !== undefined ? [] : ["return that counts as solved"]),
  ];
  return unknown.length === 0 ? "" : ` (it states no ${unknown.join(" and no ")})`;
}

function splitsOf({ splits }: Facts, { options }: Mount): Record<string, TaskSplit> {
  const entries = Object.entries(splits).map(([name, size]) => {
    const isSeed = size === anySeed;
    const split = {
      size: options.tasks ?? size,
      summary: isSeed ? "A task for each seed, which is its index." : "The tasks of the remote, in its order.",
      title: (index: number) => `${isSeed ? "seed" : "task"} ${index} of the remote`,
    };
    return [name, split] as const;
  });
  return Object.fromEntries(entries);
}

/** The facts about a mount as this process knows them. */
class MountSource {
  readonly name: string;
  readonly timeoutMs: number;
  readonly requirement: Requirement;
  private readonly kind: Kind;
  private found: Facts | null;
  private asking: Promise<Facts> | undefined;

  constructor(
    private readonly mount: Definition["mount"],
    facts: Facts | null,
    /** Reason why the remote has not told its facts. */
    private failure: string | undefined,
  ) {
    this.name = mount.name;
    this.kind = kinds[mount.kind];
    this.timeoutMs = (mount.options.timeout ?? defaultTimeoutS) * 1_000;
    this.found = facts;
    this.requirement = { name: "remote", howToGet: howToGet(mount), probe: () => this.probe() };
  }

  /** Facts for the description of the environment. */
  get known(): Facts {
    return this.found ?? this.kind.assume(this.mount);
  }

  async facts(signal: AbortSignal): Promise<Facts> {
    return this.found ?? (await this.ask(signal));
  }

  open(facts: Facts) {
    return this.kind.open(this.mount, facts);
  }

  private async probe(): Promise<{ available: boolean; detail: string }> {
    const mostMs = 900;
    try {
      await within(mostMs, new AbortController().signal, async (signal) => {
        if (this.found) return this.kind.check(this.mount, signal);
        // Finding out the facts may take longer than a probe. A later probe then has them.
        const late = AbortSignal.timeout(discoveryMs);
        this.asking ??= this.ask(late).finally(() => {
          this.asking = undefined;
        });
        await this.asking;
      });
      return { available: true, detail: addressOf(this.mount) };
    } catch (error) {
      const isLate = error instanceof TooLate && this.failure !== undefined;
      return { available: false, detail: isLate ? (this.failure as string) : reasonOf(error) };
    }
  }

  private async ask(signal: AbortSignal): Promise<Facts> {
    try {
      this.found = await this.kind.discover(this.mount, signal);
      return this.found;
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof ServiceFailed
        ? error
        : new ServiceFailed(`the remote of ${this.name}`, (error as Error).message);
    }
  }
}

/** Returns the part of a mount's address that messages may show. */
function addressOf({ kind, address }: Mount): string {
  return kind === "gymnasium" ? address : new Server(address).origin;
}

function howToGet({ name, kind, address, options }: Mount): string {
  if (kind === "gymnasium")
    return `Install ${address} for ${options.python ?? "python3"}, or choose another interpreter with --mount ${name}=gymnasium:${address}#python=PATH`;
  return `Start the ${kind === "openenv" ? "OpenEnv" : "AgentGym"} server at ${new Server(address).origin}`;
}
