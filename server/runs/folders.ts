/**
 * The folders of runs. A run is a folder with files that the trainer writes. Whoever can write to such a folder must not
 * make the gym show other files, so no symbolic link is followed below the folders of the setting.
 */
import { constants, type Dirent } from "node:fs";
import { type FileHandle, open, readdir, realpath, stat } from "node:fs/promises";
import { basename, join, sep } from "node:path";
import { GymError, shown } from "../errors.js";
import { RecentCache } from "./cache.js";
import { stampOf, statsOf } from "./derived.js";

export type RunKind = "training" | "evaluation";

export interface RunFolder {
  /** Name of the run: its path below the folder of runs, with slashes. */
  readonly run: string;
  readonly kind: RunKind;
  readonly path: string;
}

/** Files that make a folder a run, by kind. */
const markers: readonly (readonly [string, RunKind])[] = [
  ["run.json", "training"],
  ["metrics.jsonl", "training"],
  ["episodes.jsonl", "evaluation"],
];

/** Folders inside of a training run, which have no runs. */
const partsOfTraining = /^(checkpoints.*|final|groups|tensorboard|weights)$/;

const deepest = 5;
const mostFolders = 5_000;
const mostRuns = 1_000;
/** Time in milliseconds for which found folders are used again, so that many watchers cost as much as one. */
const keptMs = 1_000;
/**
 * Age in milliseconds that a folder's newest change must have when its entries are read. Only then are the entries kept,
 * since a later change could have the same time.
 */
const settledMs = 2_000;

/** The entries of a folder, as far as the search needs them. */
interface Entries {
  readonly stamp: string;
  readonly kind: RunKind | undefined;
  /** Names of the folders that may have runs. */
  readonly inner: readonly string[];
}

interface Located {
  readonly at: number;
  readonly stamp: string;
  readonly folder: RunFolder;
}

interface Listing {
  readonly found: readonly RunFolder[];
  readonly truncated: boolean;
}

export class RunFolders {
  private listing: { at: number; result: Promise<Listing> } | undefined;
  /** Entries of the folders that the newest search has visited, by path. */
  private entries = new Map<string, Entries>();
  private readonly located = new RecentCache<{ last?: Located }>(64);

  constructor(private readonly roots: readonly string[]) {}

  /** Lists the runs. If two folders have a run of the same name, the first folder's run is listed. */
  list(): Promise<Listing> {
    if (!this.listing || performance.now() - this.listing.at > keptMs)
      this.listing = { at: performance.now(), result: this.search() };
    return this.listing.result;
  }

  /** @throws {GymError} RUN_UNKNOWN */
  async find(run: string, kind?: RunKind): Promise<RunFolder> {
    const kept = this.located.get(run, () => ({}));
    let folder = currentOf(kept.last);
    if (!folder) {
      folder = await this.locate(run);
      if (folder) kept.last = { at: performance.now(), stamp: stampOf([folder.path]), folder };
    }
    if (folder && (kind ?? folder.kind) === folder.kind) return folder;
    throw new GymError("RUN_UNKNOWN", `the name of ${kind ? `a run of kind ${kind}` : "a run"}`, shown(run));
  }

  private async locate(run: string): Promise<RunFolder | undefined> {
    const parts = run.split("/");
    const isPath = parts.length <= deepest && parts.every((part) => isOrdinary(part));
    for (const root of isPath ? this.roots : []) {
      const found = (await folderAt(root, parts)) ?? (run === basename(root) ? await folderAt(root, []) : undefined);
      if (found) return { ...found, run };
    }
    return undefined;
  }

  private async search(): Promise<Listing> {
    const found = new Map<string, RunFolder>();
    const visited = new Map<string, Entries>();
    let truncated = false;
    const visit = async (path: string, parts: readonly string[]): Promise<void> => {
      if (visited.size >= mostFolders || found.size >= mostRuns) {
        truncated = true;
        return;
      }
      const entries = await this.entriesOf(path);
      visited.set(path, entries);
      const run = parts.length === 0 ? basename(path) : parts.join("/");
      if (entries.kind && !found.has(run)) found.set(run, { run, kind: entries.kind, path });
      if (parts.length >= deepest) return;
      for (const name of entries.inner) await visit(join(path, name), [...parts, name]);
    };
    for (const root of this.roots) await visit(root, []);
    this.entries = visited;
    return { found: [...found.values()], truncated };
  }

  private async entriesOf(path: string): Promise<Entries> {
    const known = this.entries.get(path);
    const stamp = stampOf([path]);
    if (known && stamp !== "" && known.stamp === stamp) return known;
    const read = await readdir(path, { withFileTypes: true }).catch(() => [] as Dirent[]);
    const kind = kindOf(read);
    const inner = read.filter((entry) => entry.isDirectory() && isOrdinary(entry.name)).map(({ name }) => name);
    return {
      stamp: Date.now() - (statsOf(path)?.ctimeMs ?? Infinity) > settledMs ? stamp : "",
      kind,
      inner: kind === "training" ? inner.filter((name) => !partsOfTraining.test(name)) : inner,
    };
  }
}

/** Returns a run's folder that was found shortly before, if it is still the same. */
function currentOf(located: Located | undefined): RunFolder | undefined {
  if (!located || performance.now() - located.at > keptMs) return undefined;
  return stampOf([located.folder.path]) === located.stamp ? located.folder : undefined;
}

function kindOf(entries: readonly Dirent[]): RunKind | undefined {
  const files = new Set(entries.filter((entry) => entry.isFile()).map(({ name }) => name));
  return markers.find(([name]) => files.has(name))?.[1];
}

/** Whether a name is neither hidden, nor leads out of its folder. */
function isOrdinary(name: string): boolean {
  return name !== "" && !name.startsWith(".") && !name.includes("\0") && !name.includes("\\");
}

async function folderAt(root: string, parts: readonly string[]): Promise<Omit<RunFolder, "run"> | undefined> {
  try {
    const real = await realpath(root);
    const path = parts.length === 0 ? real : [real, ...parts].join(sep);
    // A different real path means that a part is a symbolic link.
    if ((await realpath(path)) !== path || !(await stat(path)).isDirectory()) return undefined;
    const kind = kindOf(await readdir(path, { withFileTypes: true }));
    return kind && { kind, path };
  } catch {
    return undefined;
  }
}

/**
 * Opens a file of a run for reading. @throws {GymError} RUN_DAMAGED: not an ordinary file @throws errors of the file
 * system
 */
export async function openFile(folder: string, ...names: string[]): Promise<FileHandle> {
  const path = join(folder, ...names);
  // A named pipe without a writer would block a thread of Node's pool.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch((error) => {
    if (error.code === "ELOOP") throw new GymError("RUN_DAMAGED", `a file ${names.join("/")}`, "a symbolic link");
    throw error;
  });
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new GymError("RUN_DAMAGED", `a file ${names.join("/")}`, "another kind of entry");
}

/**
 * Reads a JSON object; undefined if the file does not exist.
 *
 * @throws {GymError} RUN_DAMAGED: the file is too large, or has other content
 */
export async function readObject(
  folder: string,
  names: readonly string[],
  mostBytes: number,
): Promise<Record<string, unknown> | undefined> {
  const name = names.join("/");
  const file = await openFile(folder, ...names).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  });
  if (!file) return undefined;
  try {
    const { size } = await file.stat();
    if (size > mostBytes) throw new GymError("RUN_DAMAGED", `a file ${name} of at most ${mostBytes} bytes`, `${size}`);
    return objectOf(name, await file.readFile("utf8"));
  } finally {
    await file.close();
  }
}

/** Parses a JSON object. @throws {GymError} RUN_DAMAGED */
export function objectOf(name: string, text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {}
  throw new GymError("RUN_DAMAGED", `a JSON object in ${name}`, shown(text.slice(0, 200)));
}
