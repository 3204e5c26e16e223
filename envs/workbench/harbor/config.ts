/**
 * The parser of `task.toml`. It accepts the former names of renamed fields, and reports the path of each invalid value.
 */
import { parse, TomlError } from "smol-toml";
import { mismatch, TaskRefused } from "./refusal.js";
import { TaskConfig, unknownKeys } from "./schema.js";

type Table = { [key: string]: unknown };

export interface ReadConfig {
  config: TaskConfig;
  /** Paths of keys that no version of the format has. */
  unknown: string[];
}

const newestMinor = 4;

/** @throws {TaskRefused} */
export function readConfig(task: string, text: string): ReadConfig {
  const table = renamed(task, tableOf(task, text));
  const parsed = TaskConfig.safeParse(table);
  if (!parsed.success) {
    const reasons = parsed.error.issues.map(({ path, message }) =>
      mismatch(`task.toml to have a valid ${path.join(".") || "root"}`, message),
    );
    throw new TaskRefused(task, reasons);
  }
  const config = parsed.data;
  checkVersion(task, config.schema_version);
  return { config, unknown: unknownKeys(TaskConfig, table) };
}

function tableOf(task: string, text: string): Table {
  try {
    return parse(text) as Table;
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [line] = error.message.split("\n");
    throw new TaskRefused(task, [mismatch("task.toml in TOML", `line ${error.line}: ${line}`)]);
  }
}

function checkVersion(task: string, version: string): void {
  const [, minor] = /^1\.([0-9]+)(?:\.[0-9]+)?$/.exec(version) ?? [];
  if (minor !== undefined && Number(minor) <= newestMinor) return;
  throw new TaskRefused(task, [mismatch(`a schema_version from 1.0 to 1.${newestMinor}`, version)]);
}

function renamed(task: string, { version, ...table }: Table): Table {
  if (version !== undefined) table.schema_version ??= version;
  const steps = Array.isArray(table.steps) ? table.steps : [];
  const verifiers = [table, ...steps].filter(isTable).map(({ verifier }) => verifier);
  const environments = [table, ...verifiers].filter(isTable).map(({ environment }) => environment);
  for (const environment of environments.filter(isTable)) renameFields(task, environment);
  return table;
}

function renameFields(task: string, environment: Table): void {
  for (const [old, name] of [
    ["memory", "memory_mb"],
    ["storage", "storage_mb"],
  ] as const) {
    const size = environment[old];
    delete environment[old];
    if (typeof size !== "string") continue;
    const megabytes = megabytesOf(task, old, size);
    const other = environment[name];
    if (other !== undefined && other !== megabytes)
      throw new TaskRefused(task, [mismatch(`${old} and ${name} to agree`, `${size} and ${String(other)}`)]);
    environment[name] = megabytes;
  }
  const { allow_internet: isOpen } = environment;
  delete environment.allow_internet;
  if (typeof isOpen === "boolean" && environment.network_mode === undefined && environment.allowed_hosts === undefined)
    environment.network_mode = isOpen ? "public" : "no-network";
  if (typeof environment.os === "string") environment.os = environment.os.toLowerCase();
}

function megabytesOf(task: string, name: string, size: string): number {
  const [, number, unit] = /^\s*([0-9]+(?:\.[0-9]+)?)([GMK])\s*$/i.exec(size) ?? [];
  if (number === undefined) throw new TaskRefused(task, [mismatch(`${name} as 2G, 512M or 100K`, size)]);
  const factor = { G: 1024, M: 1, K: 1 / 1024 }[(unit as string).toUpperCase()] as number;
  return Math.trunc(Number(number) * factor);
}

function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
