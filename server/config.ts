/**
 * The server's settings. Command-line flags override environment variables. Environment variables override a JSON file,
 * and the file overrides the defaults. Unknown settings are refused.
 *
 * For example, the variable of the setting `hosts.memoryMb` is `PALESTRA_HOSTS_MEMORY_MB`.
 */
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { z } from "zod";
import { didYouMean } from "./did-you-mean.js";
import { shown } from "./errors.js";
import { highestPort, mostHosts } from "./setting-ranges.js";

/** Longest delay of Node's timers. A timer with a longer delay would fire at once. */
const longestTimerMs = 2 ** 31 - 1;

const mostMemoryMb = 2 ** 20;
const mostBrowsers = 1_024;
const mostContexts = 1_024;
const mostUser = 2 ** 32 - 2;

const count = z.int().min(1);
const milliseconds = z.int().min(1).max(longestTimerMs);

export const Config = z.strictObject({
  host: z.string().min(1).default("127.0.0.1").describe("Address to listen on."),
  port: z.int().min(0).max(highestPort).default(8700).describe("Port to listen on; 0 takes a free one."),
  nemoGym: z
    .record(z.string().min(1).max(200), z.int().min(0).max(highestPort))
    .default({})
    .describe("Port of each environment for NeMo Gym, besides the port of the gym; 0 takes a free one."),
  dataDir: z.string().min(1).default(".palestra").describe("Directory of the episode log and the tokens."),
  auth: z
    .enum(["auto", "required", "off"])
    .default("auto")
    .describe(
      "Callers who need a token. `auto`: none on a loopback address, all on any other. `required`: all. `off`: none.",
    ),
  localExpert: z.boolean().default(false).describe("Whether callers without a token may ask the expert."),
  environments: z
    .array(z.string())
    .default([])
    .describe("Paths of modules with your own environments (compiled JavaScript)."),
  mounts: z
    .array(z.string().min(1))
    .default([])
    .describe("Environments that run elsewhere, each as NAME=KIND:ADDRESS: see the page of mounted environments."),
  runs: z
    .array(z.string().min(1))
    .default(["runs", ".palestra/evaluations"])
    .describe("Folders with training runs and evaluations to show."),
  logLevel: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
  log: z
    .strictObject({
      url: z
        .string()
        .regex(/^postgres(ql)?:\/\/\S+$/)
        .meta({ title: "a URL of the form postgres://user:password@host/database" })
        .optional()
        .describe(
          "URL of a PostgreSQL database for the episode log, `postgres://user:password@host/database`. Default: an SQLite file in `dataDir`.",
        ),
      sync: z
        .enum(["normal", "full"])
        .default("normal")
        .describe(
          "`normal`: acknowledged steps survive a crash of the process. `full`: they also survive a power failure. In PostgreSQL, the server's `synchronous_commit` decides.",
        ),
      retainDays: z
        .number()
        .min(0)
        .default(90)
        .describe("Age in days at which episodes that are not in use are deleted. 0: episodes of any age are kept."),
      maxMb: z
        .number()
        .min(0)
        .default(0)
        .describe("Size of the log in MiB. Near it, the oldest episodes that are not in use are deleted. 0: no limit."),
      minFreeMb: z
        .number()
        .min(0)
        .optional()
        .describe(
          "Free MiB of the log's disk below which no episode is opened. Default: 1024, or a tenth of a smaller disk.",
        ),
    })
    .prefault({}),
  hosts: z
    .strictObject({
      count: count
        .max(mostHosts)
        .default(Math.max(1, availableParallelism() - 1))
        .describe("Worker threads that run environments."),
      memoryMb: z
        .int()
        .min(32)
        .max(mostMemoryMb)
        .default(1024)
        .describe("Memory in MiB of one worker thread or process that runs environments."),
      isolation: z
        .enum(["process", "thread"])
        .default("process")
        .describe(
          "Where synchronous environments of added modules run. `process`: in a process for each module, whose crash ends no other episode. `thread`: faster, in the worker threads of the built-in environments.",
        ),
      passVariables: z
        .array(z.string())
        .default([])
        .describe(
          "Environment variables that the processes of added modules get, besides the usual ones such as PATH.",
        ),
      stepDeadlineMs: milliseconds.default(1_000).describe("Milliseconds that a call of an environment may take."),
    })
    .prefault({}),
  sandboxes: z
    .strictObject({
      jvms: count.default(4).describe("Largest number of concurrent Java processes."),
      machines: count.default(32).describe("Largest number of concurrent sandboxes for commands and files."),
      provider: z
        .enum(["auto", "docker", "process"])
        .default("auto")
        .describe(
          "Kind of sandboxes for commands and files. `auto`: containers if a Docker engine answers, processes otherwise.",
        ),
      engines: z
        .array(z.string())
        .default([])
        .describe("Addresses of Docker engines. Default: DOCKER_HOST, or the engine of this machine."),
      pull: z.boolean().default(true).describe("Whether missing images are pulled from their registry."),
      warm: z
        .int()
        .min(0)
        .default(1)
        .describe("Number of containers to start in advance for each recently requested kind."),
      browsers: count.max(mostBrowsers).default(2).describe("Largest number of concurrent Chromium processes."),
      contextsPerBrowser: count
        .max(mostContexts)
        .default(16)
        .describe("Largest number of concurrent browser sessions of one Chromium process."),
      warmContexts: z
        .int()
        .min(0)
        .max(mostContexts)
        .default(2)
        .describe("Browser contexts that each Chromium keeps ready for new sessions."),
      browser: z
        .string()
        .min(1)
        .default("auto")
        .describe(
          "Path of Chromium's executable. `auto`: Chromium on the PATH, or else the Chromium that Playwright installed.",
        ),
      browserSandbox: z
        .enum(["required", "off"])
        .default("required")
        .describe("`required`: Chromium runs only with its own sandbox. `off`: Chromium runs without its sandbox."),
      browserUser: z
        .int()
        .min(1)
        .max(mostUser)
        .default(65_534)
        .describe("User id of Chromium if the gym runs as root."),
      browserMemoryMb: z
        .int()
        .min(256)
        .max(mostMemoryMb)
        .default(4_096)
        .describe(
          "Memory in MiB above which a Chromium process gets no further session. At twice this value it is ended.",
        ),
      warmMs: milliseconds.default(300_000).describe("Milliseconds for which an unused sandbox is kept."),
      waitMs: milliseconds
        .default(30_000)
        .describe("Milliseconds that an episode waits for a free sandbox, within the deadline of its call."),
    })
    .prefault({}),
  limits: z
    .strictObject({
      maxEpisodes: count.default(50_000).describe("Largest number of live episodes."),
      maxEpisodesPerCaller: count
        .default(50_000)
        .describe("Largest number of live episodes of all callers without a token together."),
      maxInFlightSteps: count
        .default(131_072)
        .describe(
          "Largest number of steps of all episodes that wait for their reply. A caller may have as many of them as are free, so at most half.",
        ),
      maxReplays: count.default(8).describe("Largest number of replays that prove episodes at the same time."),
      maxReplayMs: milliseconds.default(600_000).describe("Milliseconds that the replay of one episode may take."),
      maxPendingSteps: count
        .default(1_024)
        .describe("Largest number of steps of one episode that wait for their reply."),
      maxBodyBytes: count.default(4 * 2 ** 20).describe("Largest request body or socket frame, in bytes."),
      maxConnections: z
        .int()
        .min(16)
        .default(10_000)
        .describe(
          "Largest number of open connections. Shortly below it, each new connection closes the one that is idle longest.",
        ),
      maxPartialBytes: count
        .default(128 * 2 ** 20)
        .describe("Total bytes of incomplete request bodies and socket frames, above which the oldest are refused."),
      maxActionLength: count.default(2 ** 20).describe("Longest action, in characters."),
      maxReplyLength: count.default(16 * 2 ** 20).describe("Longest reply to a step, in characters."),
      maxUnsentBytes: count
        .default(256 * 2 ** 20)
        .describe(
          "Total bytes of HTTP replies that clients have not read yet, above which large replies are refused. At twice as many bytes of replies over HTTP and sockets, the connections with the most unread bytes are closed. A single HTTP reply may be larger and then counts as this number.",
        ),
      maxSocketInFlight: count
        .default(1_024)
        .describe("Largest number of requests of one socket that are handled at a time."),
    })
    .prefault({}),
  sockets: z
    .strictObject({
      pingMs: milliseconds
        .default(30_000)
        .describe("Milliseconds between pings. A socket that misses one pong is closed."),
      stalledMs: milliseconds
        .default(60_000)
        .describe(
          "Milliseconds after which a connection is closed if the client reads none of its replies, or sends no more of a request.",
        ),
    })
    .prefault({}),
  leases: z
    .strictObject({
      defaultMs: milliseconds
        .default(1_800_000)
        .describe("Milliseconds without a call after which an instance is freed."),
      sweepMs: milliseconds.default(1_000),
    })
    .prefault({}),
});
export type Config = z.output<typeof Config>;

/** Settings before validation, from a file, from environment variables or from flags. */
export type Settings = { [key: string]: unknown };

/**
 * Thrown for an unknown or invalid setting. The message names the setting, the expected value and the received value.
 */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

const variablePrefix = "PALESTRA_";

/** Environment variables that are not settings, because environments read them directly. */
const variablesOfEnvironments: readonly string[] = [
  "PALESTRA_INDEXES",
  "PALESTRA_WEB_HOSTS",
  "PALESTRA_WEB_SEARCH",
  "PALESTRA_WEB_SEARCH_BODY",
  "PALESTRA_WEB_SEARCH_HEADER",
  "PALESTRA_WEB_SEARCH_KEY",
  "PALESTRA_WEB_SEARCH_RESULTS",
  "PALESTRA_JUDGE_KEY",
  "PALESTRA_JUDGE_MODEL",
  "PALESTRA_JUDGE_URL",
  "PALESTRA_MOUNT_PYTHON",
  "PALESTRA_OPENSEARCH_AUTH",
  "PALESTRA_PROBLEMS",
  "PALESTRA_QUESTIONS",
  "PALESTRA_WEBARENA_SITES",
];

/**
 * Merges the settings and checks them.
 *
 * @param flags settings from the command line, in the format of the file. `undefined` entries are ignored.
 * @throws {ConfigError}
 */
export function loadConfig(options: { file?: string | undefined; env: NodeJS.ProcessEnv; flags: Settings }): Config {
  const settings: Settings = {};
  if (options.file !== undefined) {
    const inFile = readFile(options.file);
    check(inFile, ` of ${options.file}`);
    merge(settings, inFile);
  }
  merge(settings, fromVariables(options.env));
  merge(settings, options.flags);
  const config = check(settings);
  const mounts = config.mounts.map((mount) => JSON.stringify({ mount }));
  return {
    ...config,
    environments: [...config.environments, ...mounts],
    dataDir: resolve(config.dataDir),
    runs: config.runs.map((folder) => resolve(folder)),
  };
}

function check(settings: Settings, where = ""): Config {
  const parsed = Config.safeParse(settings, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw new ConfigError(parsed.error.issues.map((issue) => complaint(issue, where)).join("\n"));
}

function readFile(path: string): Settings {
  const refuse = (received: string) => new ConfigError(`expected a JSON object in ${path}, but received ${received}`);
  let settings: unknown;
  try {
    settings = JSON.parse(readFileSync(path, "utf8"), (key, value) => {
      // The key `__proto__` would change the prototype of all objects if it was merged like another key.
      if (key === "__proto__") throw new Error("the key __proto__");
      return value;
    });
  } catch (error) {
    throw refuse((error as Error).message.replace(/\s*\n\s*/g, " "));
  }
  if (!isSettings(settings)) throw refuse(shown(settings));
  return settings;
}

/** Returns a map from the variable of each setting to the path of the setting, such as `["hosts", "memoryMb"]`. */
function variables(): Map<string, string[]> {
  const paths = Object.entries(Config.shape).flatMap(([key, schema]) => {
    const inner = bare(schema);
    return inner instanceof z.ZodObject ? Object.keys(inner.shape).map((name) => [key, name]) : [[key]];
  });
  return new Map(paths.map((path) => [variablePrefix + path.map(snakeCase).join("_"), path]));
}

function fromVariables(env: NodeJS.ProcessEnv): Settings {
  const known = variables();
  const settings: Settings = {};
  for (const [name, text] of Object.entries(env)) {
    if (!name.startsWith(variablePrefix) || text === undefined || variablesOfEnvironments.includes(name)) continue;
    const path = known.get(name);
    const all = [...known.keys(), ...variablesOfEnvironments];
    if (!path) throw new ConfigError(`expected one of ${all.join(", ")}, but received ${name}${didYouMean(name, all)}`);
    const schema = schemaAt(path);
    const { success, data } = schema.safeParse(fromText(schema, text));
    if (!success) {
      const value = `${received(text)}${suggestion(schema, text)}`;
      throw new ConfigError(`expected ${expectation(schema)} in ${name}, but received ${value}`);
    }
    merge(settings, path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), data) as Settings);
  }
  return settings;
}

/**
 * Converts a variable to the type of its setting. If the text cannot be converted, it stays text and the schema refuses it.
 */
function fromText(schema: z.ZodType, text: string): unknown {
  if (schema instanceof z.ZodNumber) return /^[+-]?[0-9]+(\.[0-9]+)?$/.test(text) ? Number(text) : text;
  if (schema instanceof z.ZodBoolean) return z.stringbool().safeParse(text).data ?? text;
  if (schema instanceof z.ZodArray) return listIn(text);
  if (schema instanceof z.ZodRecord) return recordIn(text);
  return text;
}

/** Reads a list from a variable: entries with commas between them, or a JSON list if an entry has a comma itself. */
function listIn(text: string): unknown {
  if (!text.startsWith("[")) return text.split(",").filter((entry) => entry !== "");
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Parses `name=number,...`. Text in another form is returned as it is. */
function recordIn(text: string): unknown {
  const pairs = text.split(",").flatMap((entry) => (entry === "" ? [] : [/^([^=]+)=([0-9]+)$/.exec(entry)]));
  return pairs.every((pair) => pair !== null)
    ? Object.fromEntries(pairs.map(([, name, number]) => [name, Number(number)]))
    : text;
}

/** @param where source of the settings for the message, such as ` of gym.json` */
function complaint(issue: z.core.$ZodIssue, where: string): string {
  const path = issue.path.map(String);
  const schema = schemaAt(path);
  if (issue.code === "unrecognized_keys" && schema instanceof z.ZodObject) {
    const known = Object.keys(schema.shape);
    const inside = (name: string) => [...path, name].join(".");
    const given = issue.keys.map((key) => `${inside(key)}${didYouMean(inside(key), settingNames())}`);
    return `expected one of the settings ${known.map(inside).join(", ")}${where}, but received ${given.join(", ")}`;
  }
  return `expected ${expectation(schema)} as the setting ${path.join(".")}${where}, but received ${received(issue.input)}${suggestion(schema, issue.input)}`;
}

/** Returns the names of all settings, such as `hosts.memoryMb`, and of their groups. */
function settingNames(): string[] {
  return [...Object.keys(Config.shape), ...[...variables().values()].map((path) => path.join("."))];
}

/** Returns a suggestion for a value that is close to one of the choices. */
function suggestion(schema: z.ZodType, value: unknown): string {
  const isChoice = schema instanceof z.ZodEnum && typeof value === "string";
  return isChoice ? didYouMean(value, schema.options.map(String)) : "";
}

/** Shows a value of a setting without the user and the password of a URL. */
function received(value: unknown): string {
  return shown(typeof value === "string" ? value.replace(/:\/\/[^@/]*@/, "://...@") : value);
}

function expectation(schema: z.ZodType): string {
  if (schema instanceof z.ZodNumber) {
    const { minValue, maxValue } = schema;
    const isOpen = maxValue === null || maxValue >= Number.MAX_SAFE_INTEGER;
    const range = isOpen ? `of at least ${minValue}` : `from ${minValue} to ${maxValue}`;
    return `${schema instanceof z.ZodNumberFormat ? "an integer" : "a number"} ${range}`;
  }
  if (schema instanceof z.ZodEnum) return `one of ${schema.options.join(", ")}`;
  if (schema instanceof z.ZodBoolean) return "true or false";
  if (schema instanceof z.ZodArray) return "a list of strings";
  if (schema instanceof z.ZodRecord) return "ports by the names of environments";
  if (schema instanceof z.ZodObject) return "an object of settings";
  return schema.meta()?.title ?? "a string that is not empty";
}

/** Returns the schema of a setting, or of a part of a setting, without its default. */
function schemaAt(path: readonly string[]): z.ZodType {
  return path.reduce<z.ZodType>((outer, key) => {
    if (outer instanceof z.ZodObject) return bare(outer.shape[key]);
    if (outer instanceof z.ZodRecord) return bare(outer.valueType);
    return outer instanceof z.ZodArray ? bare(outer.element) : outer;
  }, Config);
}

function bare(schema: unknown): z.ZodType {
  const hasDefault =
    schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional;
  return hasDefault ? bare(schema.unwrap()) : (schema as z.ZodType);
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

function merge(into: Settings, from: Settings): void {
  for (const [key, value] of Object.entries(from)) {
    if (value === undefined) continue;
    const present = into[key];
    if (isSettings(present) && isSettings(value)) merge(present, value);
    else into[key] = isSettings(value) ? structuredClone(value) : value;
  }
}

function isSettings(value: unknown): value is Settings {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
