/** Parses the lists of tasks to play. */

import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { counted } from "../../server/formats/counted.js";
import { TrainerError } from "../errors.js";

const form = 'indices as 0-99 or 3,5,8-10, or a file as AgentGym\'s [{"item_id": "textcraft_31"}, ...]';

/** Parsed values of the flag `--tasks`, which may be repeated. */
export class TaskLists {
  private constructor(
    /** Lists by the name of the environment. */
    private readonly named: ReadonlyMap<string, readonly number[]>,
    /** List for any environment. */
    private readonly plain: readonly number[] | undefined,
    /** Folder with `<environment>/<environment>_test.json`, as in AgentGym-RL's `AgentEval`. */
    private readonly folder: string | undefined,
  ) {}

  /**
   * Parses the values.
   *
   * @param texts lists or files that `parseTasks` accepts, optionally as `environment=list`, or a folder
   * @throws {TrainerError}
   */
  static parse(texts: readonly string[]): TaskLists {
    const named = new Map<string, readonly number[]>();
    let [plain, folder]: [readonly number[] | undefined, string | undefined] = [undefined, undefined];
    for (const text of texts) {
      const [, environment, list] = /^([a-z][a-z0-9-]*)=(.+)$/.exec(text) ?? [];
      if (environment !== undefined && list !== undefined && !existsSync(text))
        named.set(environment, parseTasks(list));
      else if (isFolder(text)) folder = text;
      else plain = parseTasks(text);
    }
    return new TaskLists(named, plain, folder);
  }

  /**
   * Refuses lists for environments that are not part of the run, and a single list for several environments.
   *
   * @throws {TrainerError}
   */
  expectFor(environments: readonly string[]): void {
    const stray = [...this.named.keys()].find((name) => !environments.includes(name));
    if (stray !== undefined) {
      throw new TrainerError(
        "TASKS_INVALID",
        `expected tasks of one of ${environments.join(", ")}, but received tasks of ${stray}`,
      );
    }
    if (this.plain === undefined || environments.length === 1) return;
    const expected = `--tasks ${environments[0]}=FILE, or a folder with NAME/NAME_test.json for each environment`;
    throw new TrainerError(
      "TASKS_INVALID",
      `expected ${expected}, but received a single list for ${counted(environments.length, "environment")}`,
    );
  }

  /**
   * Returns the list of an environment; undefined if no tasks were given. @throws {TrainerError} the folder has no list
   * of it
   */
  of(environment: string): readonly number[] | undefined {
    const own = this.named.get(environment) ?? this.plain;
    if (own || this.folder === undefined) return own;
    const files = [join(environment, `${environment}_test.json`), `${environment}_test.json`];
    const found = files.map((file) => join(this.folder as string, file)).find((path) => existsSync(path));
    if (found !== undefined) return parseTasks(found);
    throw new TrainerError(
      "TASKS_INVALID",
      `expected ${files[0]} in ${this.folder}, but received no such file. ` +
        `Use --env to name only environments in this folder, or add --tasks ${environment}=FILE.`,
    );
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/**
 * Parses a list of tasks.
 *
 * @param text `0-99`, `3,5,8-10`, or the path of a JSON array of numbers or of AgentGym's items, whose index is the
 *   number at the end of their id
 * @throws {TrainerError}
 */
export function parseTasks(text: string): number[] {
  if (/^[\d,\s-]+$/.test(text) && !existsSync(text))
    return unique(text.split(",").flatMap((part) => range(part, text)));
  let entries: unknown;
  try {
    entries = JSON.parse(readFileSync(text, "utf8"));
  } catch (error) {
    throw new TrainerError(
      "TASKS_INVALID",
      `expected ${form}, but received ${JSON.stringify(text)}: ${(error as Error).message}`,
    );
  }
  if (!Array.isArray(entries) || entries.length === 0)
    throw new TrainerError("TASKS_INVALID", `expected ${form}, but received no tasks in ${text}`);
  return unique(entries.map((entry) => indexOf(entry, text)));
}

function range(part: string, text: string): number[] {
  const [, from, to = from] = /^\s*(\d+)\s*(?:-\s*(\d+)\s*)?$/.exec(part) ?? [];
  const [first, last] = [Number(from), Number(to)];
  if (!Number.isSafeInteger(first) || !Number.isSafeInteger(last) || last < first || last - first >= 1_000_000) {
    throw new TrainerError("TASKS_INVALID", `expected ${form}, but received ${JSON.stringify(text)}`);
  }
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

function indexOf(entry: unknown, path: string): number {
  if (typeof entry === "number" && Number.isSafeInteger(entry) && entry >= 0) return entry;
  const { item_id } = (entry ?? {}) as { item_id?: unknown };
  const index = typeof item_id === "string" ? /_(\d+)$/.exec(item_id)?.[1] : undefined;
  if (index !== undefined) return Number(index);
  throw new TrainerError("TASKS_INVALID", `expected ${form}, but received ${JSON.stringify(entry)} in ${path}`);
}

function unique(indices: number[]): number[] {
  return [...new Set(indices)];
}
