/** The log's files and their sizes, and the free space of their disk. */
import { copyFileSync, readdirSync, rmSync, statfsSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { roomRemedy } from "../../config/data-dir.js";

/** Space of a file system, in bytes. */
export interface DiskSpace {
  /** Free bytes that the user of this process may use. */
  freeBytes: number;
  totalBytes: number;
}

/** Returns the space of the file system of a path, or null if it is unknown. */
export function diskOf(path: string): DiskSpace | null {
  try {
    const { bsize, bavail, blocks } = statfsSync(path);
    return blocks === 0 ? null : { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch {
    return null;
  }
}

/** Returns the bytes of a file, or 0 if it is missing. */
export function bytesOfFile(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Removes the files of a folder whose paths start with `start`. */
export function removeStartingWith(start: string): void {
  const folder = dirname(start);
  for (const name of readdirSync(folder)) {
    if (name.startsWith(basename(start))) rmSync(join(folder, name), { force: true });
  }
}

/** Path of the write-ahead log of an SQLite file. */
export function walOf(path: string): string {
  return `${path}-wal`;
}

/** Returns the path `<path>.<word>-<time>` for a file that is moved away now. */
export function asidePath(path: string, word: string): string {
  return `${path}.${word}-${new Date().toISOString().replace(/[-:.]/g, "")}`;
}

/** Copies a file for a later investigation. @returns path of the copy @throws {Error} the disk has no room for it */
export function keepAside(path: string): string {
  const kept = asidePath(path, "kept");
  try {
    copyFileSync(path, kept);
  } catch (error) {
    rmSync(kept, { force: true });
    const room = `room for a copy of the damaged file ${path} (${sizeText(bytesOfFile(path))})`;
    throw new Error(`expected ${room}, but received ${(error as Error).message}. ${roomRemedy}`, { cause: error });
  }
  return kept;
}

const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];

/** Returns a size as text for people, such as `1.5 GiB`. */
export function sizeText(bytes: number): string {
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  const value = bytes / 1024 ** power;
  return `${power > 0 && value < 10 ? value.toFixed(1) : Math.floor(value)} ${units[power]}`;
}
