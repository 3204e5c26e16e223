/** Mounts as an operator writes them: `NAME=KIND:ADDRESS#OPTIONS`. */

export type KindName = "agentgym" | "openenv" | "gymnasium";

/** A checked mount. It travels to other processes of the gym as JSON. */
export interface Mount {
  /** Id of the environment in this gym. */
  name: string;
  /** Absent if the remote has to be asked for its protocol. */
  kind?: KindName;
  /** AgentGym: name of the server's dialect. */
  dialect?: string;
  /** URL without a trailing slash, or the id of a Gymnasium environment. */
  address: string;
  options: MountOptions;
}

export interface MountOptions {
  /** The operator states that the remote is deterministic, so that episodes may be restored by replay. */
  replay?: boolean;
  /** Number of tasks. */
  tasks?: number;
  /** Steps after which an episode is truncated. */
  steps?: number;
  /** Lowest and highest reward of a step. */
  rewards?: [number, number];
  /** Return from which an episode counts as solved. */
  solved?: number;
  /** Time limit of a call in seconds. */
  timeout?: number;
  /** Instructions for the agent. */
  prompt?: string;
  /** OpenEnv: field of the observation that is the text for the agent. */
  text?: string;
  /** Gymnasium: names of the actions 0, 1, 2 and so on. */
  actions?: string[];
  /** Gymnasium: the render mode whose result is shown, or `none`. */
  render?: string;
  /** Gymnasium: Python interpreter. */
  python?: string;
  /** Gymnasium: largest number of Python processes. */
  workers?: number;
}

/** Thrown for a mount that cannot be read, and for a remote whose protocol cannot be found out. */
export class BadMount extends Error {
  override readonly name = "BadMount";
}

/** The forms of a mount, for error messages. */
export const forms = [
  "NAME=agentgym:URL or NAME=agentgym/DIALECT:URL for a server of AgentGym",
  "NAME=openenv:URL for an OpenEnv server",
  "NAME=gymnasium:ID for a Gymnasium environment",
  "NAME=URL to ask an AgentGym or OpenEnv server for its protocol",
].join("; ");

/** @throws {BadMount} */
export function parseMount(text: string): Mount {
  const [, name, rest] = /^([^=\s]+)=(\S.*)$/.exec(text) ?? [];
  if (name === undefined || rest === undefined) throw new BadMount(`expected ${forms}; but received ${quoted(text)}`);
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))
    throw new BadMount(
      `expected a name of lower-case letters, digits and dashes, but received ${JSON.stringify(name)}`,
    );
  const hash = rest.indexOf("#");
  const target = hash < 0 ? rest : rest.slice(0, hash);
  const options = hash < 0 ? {} : optionsOf(name, rest.slice(hash + 1));
  return { name, ...targetOf(name, target), options };
}

function targetOf(name: string, target: string): Pick<Mount, "kind" | "dialect" | "address"> {
  const [, kind, dialect, address] = /^(agentgym|openenv|gymnasium)(?:\/([a-z]+))?:(.+)$/.exec(target) ?? [];
  if (kind === undefined || address === undefined) return { address: urlOf(name, target) };
  if (dialect !== undefined && kind !== "agentgym")
    throw new BadMount(`expected ${kind}: without a dialect for the mount ${name}, but received ${kind}/${dialect}:`);
  if (kind !== "gymnasium") {
    return { kind: kind as KindName, ...(dialect !== undefined && { dialect }), address: urlOf(name, address) };
  }
  if (!/^[\w./:-]+$/.test(address))
    throw new BadMount(
      `expected the id of a Gymnasium environment, such as FrozenLake-v1, but received ${quoted(address)}`,
    );
  return { kind, address };
}

function urlOf(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^(https?|wss?):$/.test(url.protocol)) {
    // The text may hold a password, so it is not repeated.
    const received = url ? `the protocol ${url.protocol}` : "a text that is none";
    throw new BadMount(
      `expected an http, https, ws or wss URL for the mount ${name}, but received ${received}. A mount is ${forms}`,
    );
  }
  return url.href.replace(/^ws/, "http").replace(/\/+$/, "");
}

/** Returns the start of a text, up to a colon, so that an error does not repeat a password. */
function quoted(text: string): string {
  const [start = ""] = text.split(":");
  return JSON.stringify(start === text ? text : `${start}:...`);
}

const readers: Readonly<Record<keyof MountOptions, (text: string) => unknown>> = {
  replay: (text) => text === "" || undefined,
  tasks: whole,
  steps: whole,
  rewards(text) {
    const [low, high, ...more] = text.split("..").map(number);
    return low !== undefined && high !== undefined && more.length === 0 && low <= high ? [low, high] : undefined;
  },
  solved: number,
  timeout: (text) => inRange(whole(text), 86_400),
  prompt: (text) => text || undefined,
  text: (text) => text || undefined,
  actions: (text) => (text === "" ? undefined : text.split(",")),
  render: (text) => text || undefined,
  python: (text) => text || undefined,
  workers: (text) => inRange(whole(text), 1_000),
};

const expectations: Readonly<Record<keyof MountOptions, string>> = {
  replay: "no value",
  tasks: "a positive integer",
  steps: "a positive integer",
  rewards: "LOWEST..HIGHEST, such as 0..1",
  solved: "a number",
  timeout: "seconds from 1 to 86400",
  prompt: "the path of a text file",
  text: "the name of a field",
  actions: "names with commas",
  render: "a render mode, or none",
  python: "the path of a Python interpreter",
  workers: "an integer from 1 to 1000",
};

function optionsOf(mount: string, text: string): MountOptions {
  const entries = text.split("&").map((part) => {
    const [name, ...value] = part.split("=") as [keyof MountOptions, ...string[]];
    if (!Object.hasOwn(readers, name)) {
      const known = Object.keys(readers).join(", ");
      throw new BadMount(
        `expected one of the options ${known} of the mount ${mount}, but received ${JSON.stringify(name)}`,
      );
    }
    const read = readers[name](value.join("="));
    if (read === undefined) {
      const expected = `${expectations[name]} as the option ${name} of the mount ${mount}`;
      throw new BadMount(`expected ${expected}, but received ${JSON.stringify(value.join("="))}`);
    }
    return [name, read] as const;
  });
  return Object.fromEntries(entries);
}

function number(text: string): number | undefined {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined;
}

function whole(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

function inRange(value: number | undefined, highest: number): number | undefined {
  return value !== undefined && value <= highest ? value : undefined;
}
