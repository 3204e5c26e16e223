/**
 * Temporary files on disk, on their way from one machine of an episode to the next. Only one machine of an episode runs
 * at a time.
 */
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TarEntry } from "./tar.js";

const prefix = "palestra-workbench-";

export interface SpooledEntry extends Omit<TarEntry, "data"> {
  /** Size of a file in bytes. */
  size: number;
  /** Number of the file in the spool's folder, for a file. */
  index?: number;
}

export class Spool {
  readonly entries: SpooledEntry[] = [];
  private count = 0;

  private constructor(private readonly folder: string) {}

  static async open(): Promise<Spool> {
    await removeOrphans();
    return new Spool(await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`)));
  }

  async add(entry: Omit<SpooledEntry, "index">, data?: Uint8Array): Promise<void> {
    if (data === undefined) return void this.entries.push(entry);
    const index = this.count++;
    await writeFile(join(this.folder, `${index}`), data);
    this.entries.push({ ...entry, index });
  }

  async entryOf({ index, ...entry }: SpooledEntry): Promise<TarEntry> {
    return index === undefined ? entry : { ...entry, data: await readFile(join(this.folder, `${index}`)) };
  }

  /** Removes the spool. The promise never rejects. */
  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  }
}

let swept: Promise<void> | undefined;

/** Removes the spool folders of processes that no longer run. The promise never rejects. */
function removeOrphans(): Promise<void> {
  swept ??= sweep().catch(() => {});
  return swept;
}

async function sweep(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const [, pid] = /^palestra-workbench-([0-9]+)-/.exec(name) ?? [];
    if (pid === undefined || existsSync(`/proc/${pid}`)) continue;
    await rm(join(tmpdir(), name), { recursive: true, force: true });
  }
}
