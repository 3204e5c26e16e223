/**
 * The folders of runs. A run is a folder with files that the trainer writes. Whoever can write to such a folder must not
 * make the gym show other files, so no symbolic link is followed below the folders of the setting.
 */
import { constants, type Dirent } from "node:fs";
import { type FileHandle, open, readdir, realpath, stat } from "node:fs/promises";
import { basename, join, sep } from "node:path";
import { GymError, shown } from "../errors.js";

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
/** Time in milliseconds for which a list of folders is used again, so that many watchers cost as much as one. */
const keptMs = 1_000;

interface Listing {
  readonly found: readonly RunFolder[];
  readonly truncated: boolean;
}

export class RunFolders {
  private listing: { at: number; result: Promise<Listing> } | undefined;

  constructor(private readonly roots: readonly string[]) {}

  /** Lists the runs. If two folders have a run of the same name, the first folder's run is listed. */
  list(): Promise<Listing> {
    if (!this.listing || performance.now() - this.listing.at > keptMs)
      this.listing = { at: performance.now(), result: this.search() };
    return this.listing.result;
  }

  /** @throws {GymError} RUN_UNKNOWN */
  async find(run: string, kind?: RunKind): Promise<RunFolder> {
    const parts = run.split("/");
    const isPath = parts.length <= deepest && parts.every((part) => isOrdinary(part));
    for (const root of isPath ? this.roots : []) {
      const found = (await folderAt(root, parts)) ?? (run === basename(root) ? await folderAt(root, []) : undefined);
      if (found && (kind ?? found.kind) === found.kind) return { ...found, run };
    }
    throw new GymError("RUN_UNKNOWN", `the name of ${kind ? `a run of kind ${kind}` : "a run"}`, shown(run));
  }

  private async search(): Promise<Listing> {
    const found = new Map<string, RunFolder>();
    let left = mostFolders;
    let truncated = false;
    const visit = async (path: string, parts: readonly string[]): Promise<void> => {
      if (left-- <= 0 || found.size >= mostRuns) {
        truncated = true;
        return;
      }
      const entries = await readdir(path, { withFileTypes: true }).catch(() => [] as Dirent[]);
      const kind = kindOf(entries);
      const run = parts.length === 0 ? basename(path) : parts.join("/");
      if (kind && !found.has(run)) found.set(run, { run, kind, path });
      if (parts.length >= deepest) return;
      for (const entry of entries) {
        const isPart = kind === "training" && partsOfTraining.test(entry.name);
        if (entry.isDirectory() && isOrdinary(entry.name) && !isPart)
          await visit(join(path, entry.name), [...parts, entry.name]);
      }
    };
    for (const root of this.roots) await visit(root, []);
    return { found: [...found.values()], truncated };
  }
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
