/**
 * The server's settings: defaults, then a JSON file, then environment variables, then command-line flags. Unknown keys
 * are refused, since a setting that is silently ignored is worse than none.
 *
 * `hosts.memoryMb` in the file is `PALESTRA_HOSTS_MEMORY_MB` in the environment.
 */
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { z } from "zod";

const count = z.coerce.number().int().min(1);
const milliseconds = z.coerce.number().int().min(1);

export const Config = z.strictObject({
  host: z.string().min(1).default("127.0.0.1").describe("Address to listen on."),
  port: z.coerce.number().int().min(0).max(65_535).default(8700).describe("Port to listen on; 0 takes a free one."),
  dataDir: z.string().min(1).default(".palestra").describe("Where the episode log and the tokens are kept."),
  auth: z
    .enum(["auto", "required", "off"])
    .default("auto")
    .describe("Who needs a token. `auto`: nobody on a loopback address, everybody on any other."),
  localExpert: z
    .stringbool()
    .or(z.boolean())
    .default(false)
    .describe("Whether callers without a token may ask the expert."),
  environments: z
    .array(z.string())
    .default([])
    .describe("Paths of modules with environments of your own (compiled JavaScript)."),
  logLevel: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
  log: z
    .strictObject({
      sync: z
        .enum(["normal", "full"])
        .default("normal")
        .describe("`normal`: no acknowledged step is lost when the process dies; `full`: nor when the power fails."),
      retainDays: z.coerce.number().min(0).default(0).describe("Episodes older than this are forgotten; 0: never."),
    })
    .prefault({}),
  hosts: z
    .strictObject({
      count: count.default(Math.max(1, availableParallelism() - 1)).describe("Worker threads that run environments."),
      memoryMb: z.coerce.number().int().min(32).default(1024).describe("Memory of one worker thread."),
      stepDeadlineMs: milliseconds.default(1_000).describe("A call of an environment that runs longer is ended."),
    })
    .prefault({}),
  limits: z
    .strictObject({
      maxEpisodes: count.default(50_000).describe("Live episodes in all."),
      maxEpisodesPerCaller: count.default(50_000).describe("Live episodes of the callers without a token, together."),
      maxInFlightSteps: count.default(65_536).describe("Steps waiting for their reply, in all."),
      maxPendingSteps: count.default(1_024).describe("Steps waiting for their reply, of one episode."),
      maxBodyBytes: count.default(4 * 2 ** 20).describe("A request body or socket frame."),
      maxActionLength: count.default(2 ** 20).describe("Characters of an action."),
      maxReplyLength: count.default(16 * 2 ** 20).describe("Characters of one step's reply."),
      maxSocketInFlight: count.default(1_024).describe("Requests of one socket that are answered at a time."),
    })
    .prefault({}),
  sockets: z
    .strictObject({
      pingMs: milliseconds
        .default(30_000)
        .describe("A socket that has not answered the last ping by the next is ended."),
      stalledMs: milliseconds.default(60_000).describe("A socket that takes none of its replies for so long is ended."),
    })
    .prefault({}),
  leases: z
    .strictObject({
      defaultMs: milliseconds.default(1_800_000).describe("An instance without a call for so long is freed."),
      sweepMs: milliseconds.default(1_000),
    })
    .prefault({}),
});
export type Config = z.output<typeof Config>;

/** What the file, the environment and the flags may say. */
export type Settings = { [key: string]: unknown };

/** A setting that is unknown or does not fit. The message names it, what was expected and what came. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

const variablePrefix = "PALESTRA_";

/**
 * @param flags settings from the command line, shaped like the file; `undefined` entries are passed over
 * @throws {ConfigError}
 */
export function loadConfig(options: { file?: string | undefined; env: NodeJS.ProcessEnv; flags: Settings }): Config {
  const settings: Settings = {};
  if (options.file !== undefined) merge(settings, readFile(options.file));
  merge(settings, fromVariables(options.env));
  merge(settings, options.flags);
  const parsed = Config.safeParse(settings);
  if (!parsed.success) throw new ConfigError(`the settings do not fit:\n${z.prettifyError(parsed.error)}`);
  return { ...parsed.data, dataDir: resolve(parsed.data.dataDir) };
}

function readFile(path: string): Settings {
  const refuse = (received: string) => new ConfigError(`expected a JSON object in ${path}, but received ${received}`);
  let settings: unknown;
  try {
    settings = JSON.parse(readFileSync(path, "utf8"), (key, value) => {
      // Merged like any other key it would change every object of the process.
      if (key === "__proto__") throw new Error("the key __proto__");
      return value;
    });
  } catch (error) {
    throw refuse((error as Error).message);
  }
  if (!isSettings(settings)) throw refuse(JSON.stringify(settings));
  return settings;
}

/** `["hosts", "memoryMb"]` for every setting, by the name of its variable. */
function variables(): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const [key, schema] of Object.entries(Config.shape)) {
    const inner = schema instanceof z.ZodPrefault ? schema.unwrap() : schema;
    const paths = inner instanceof z.ZodObject ? Object.keys(inner.shape).map((name) => [key, name]) : [[key]];
    for (const path of paths) names.set(variablePrefix + path.map(snakeCase).join("_"), path);
  }
  return names;
}

function fromVariables(env: NodeJS.ProcessEnv): Settings {
  const known = variables();
  const settings: Settings = {};
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith(variablePrefix) || value === undefined) continue;
    const path = known.get(name);
    if (!path) throw new ConfigError(`expected one of ${[...known.keys()].join(", ")}, but received ${name}`);
    merge(settings, path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), listOrText(path, value)) as Settings);
  }
  return settings;
}

function listOrText(path: string[], value: string): unknown {
  return path[0] === "environments" ? value.split(",").filter((entry) => entry !== "") : value;
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
