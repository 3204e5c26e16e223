/**
 * Copies of the write-ahead logs that a gym starts over during a backup. Without the copies, the write-ahead log would
 * grow during the whole backup, and steps would wait for seconds while it is copied to the main file. The backup
 * applies the copies in order.
 */
import { closeSync, copyFileSync, openSync, readSync, renameSync, rmSync } from "node:fs";
import { bytesOfFile, removeStartingWith, walOf } from "../records/disk.js";

/** Bytes of the header of a write-ahead log. It changes when the write-ahead log starts over. */
const headerBytes = 32;

/** Position in the header of a number that grows by one each time the write-ahead log starts over. */
const numberAt = 16;

/** Returns the header of a write-ahead log, or null if there is none. */
export function walHeader(path: string): Buffer | null {
  let file: number;
  try {
    file = openSync(walOf(path), "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
  try {
    const header = Buffer.alloc(headerBytes);
    return readSync(file, header, 0, headerBytes, 0) < headerBytes ? null : header;
  } finally {
    closeSync(file);
  }
}

/** Limit on the copies of one backup. */
const mostHeld = 1_000;

/**
 * Returns the paths of the copies from the write-ahead log with the header `first` to the one before the header `last`.
 * Returns null if `last` does not follow `first`, since the gym was restarted and began with a random number.
 */
export function heldWalsBetween(path: string, first: Buffer, last: Buffer): string[] | null {
  if (first.equals(last)) return [];
  const number = first.readUInt32BE(numberAt);
  // 0 follows the largest number.
  const count = (last.readUInt32BE(numberAt) - number) >>> 0;
  if (count === 0 || count > mostHeld) return null;
  return Array.from({ length: count }, (_, i) => heldWal(path, (number + i) >>> 0));
}

function heldWal(path: string, number: number | string): string {
  return `${path}.hold-${number}`;
}

/** The gym's side of the copies. */
export class HeldWals {
  /** Bytes of all copies. */
  bytes = 0;
  private readonly kept: string[] = [];

  constructor(private readonly path: string) {}

  /** Copies the present write-ahead log. Returns false if it cannot be copied, for example to a full disk. */
  keep(): boolean {
    const header = walHeader(this.path);
    if (!header) return false;
    const copy = heldWal(this.path, header.readUInt32BE(numberAt));
    try {
      copyFileSync(walOf(this.path), `${copy}.partial`);
      renameSync(`${copy}.partial`, copy);
      this.bytes += bytesOfFile(copy);
      this.kept.push(copy);
      return true;
    } catch {
      rmSync(`${copy}.partial`, { force: true });
      return false;
    }
  }

  /** Removes the oldest copy after a backup. The removal of all copies at once would delay steps. */
  removeOne(): void {
    const oldest = this.kept.shift();
    if (oldest !== undefined) rmSync(oldest, { force: true });
    if (this.kept.length === 0) this.bytes = 0;
  }

  /** Removes the copies that a killed gym left. */
  removeLeft(): void {
    removeStartingWith(heldWal(this.path, ""));
  }
}
