/**
 * Reads the server's settings. Command-line flags override environment variables. Environment variables override a JSON
 * file, and the file overrides the defaults. Unknown settings are refused.
 *
 * For example, the variable of the setting `hosts.memoryMb` is `PALESTRA_HOSTS_MEMORY_MB`.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import { didYouMean } from "../../envs/did-you-mean.js";
import { shown } from "../errors.js";
import { Config } from "./config.js";

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
  "PALESTRA_TAU2_SCRIPTS",
  "PALESTRA_USER_KEY",
  "PALESTRA_USER_MODEL",
  "PALESTRA_USER_URL",
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
  if (config.fleet.address !== undefined && config.log.url === undefined)
    throw new ConfigError(
      "expected the setting log.url beside fleet.address, but received none. A fleet shares a database",
    );
  if (config.log.durability === "replicated" && config.log.url === undefined)
    throw new ConfigError(
      "expected the setting log.url beside log.durability, but received none. SQLite has no standbys",
    );
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
  return shown(typeof value === "string" ? value.replace(/:\/\/.*@/, "://...@") : value);
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
