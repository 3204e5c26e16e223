/** Copies the log of a gym, which may be running. */
import { chmodSync, existsSync, renameSync, rmSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { bytesOfFile, removeStartingWith, walOf } from "../records/disk.js";
import { faultsOf } from "../salvage/database-file.js";
import { storeRowSums } from "../sqlite/backup-sums.js";
import { holdingCheckpoints } from "../sqlite/checkpoint-hold.js";
import { openClosedLog } from "../sqlite/closed-log.js";
import { heldWalsBetween, walHeader } from "../sqlite/held-wals.js";
import { RowsBefore } from "../sqlite/newest-rows.js";
import { type OnProgress, type Verification, verifyLog } from "../sqlite/verify.js";

/** Bytes that are copied at a time. */
const chunkBytes = 2 ** 22;

/** Number of copies that a gym's checkpoint may make inconsistent before the backup gives up. */
const mostAttempts = 10;

export interface BackupOptions {
  /** Whether the copy of a damaged log is kept. Default: false. */
  keepsDamaged?: boolean;
  onProgress?: OnProgress;
}

/** Thrown if a gym wrote to the log's main file during the copy, and kept no copy of the write-ahead log. */
class Spoiled extends Error {}

/**
 * Copies a log to a new file, and compares the copy with its checksums. The copy has every step that was acknowledged
 * before the backup began.
 *
 * A gym appends its commits to the write-ahead log, which can be copied while it grows: its checksums show where the
 * last complete commit ends. A gym also copies pages from the write-ahead log to the main file. As long as the
 * write-ahead log does not start over, it still has these pages, so the two copies together are consistent. If it
 * starts over, the gym keeps a copy of it, and the copies are applied in their order.
 *
 * @param to path of the new file, which is removed if the log cannot be copied
 * @throws {Error} the new file exists, or a file cannot be read or written
 */
export async function backUpLog(
  path: string,
  to: string,
  { keepsDamaged = false, onProgress = () => {} }: BackupOptions = {},
): Promise<Verification> {
  if (existsSync(to)) throw new Error(`expected a new file for the backup, but ${to} exists`);
  statSync(path);
  const partial = `${to}.partial`;
  removeCopies(partial);
  const before = new RowsBefore(path);
  try {
    mergeWals(partial, await holdingCheckpoints(path, () => copyUnspoiled(path, partial, onProgress)));
    const verification = verifyLog(partial, onProgress, before);
    const isSound = verification.damages.length === 0;
    const hasWal = bytesOfFile(walOf(partial)) > 0;
    if (isSound && hasWal) throw new Error(`expected room for a backup in one file, but ${to}-wal could not be merged`);
    if (isSound) addRowSums(partial);
    if (isSound || keepsDamaged) {
      // `palestra log repair` also reads the steps of a write-ahead log that could not be merged.
      if (hasWal) renameSync(`${partial}-wal`, `${to}-wal`);
      renameSync(partial, to);
    }
    return verification;
  } finally {
    removeCopies(partial);
  }
}

/** Returns the paths of the copied write-ahead logs, oldest first. */
async function copyUnspoiled(path: string, to: string, onProgress: OnProgress): Promise<string[]> {
  for (let attempt = 1; ; attempt++) {
    removeCopies(to);
    try {
      return await copyAll(path, to, onProgress);
    } catch (error) {
      if (!(error instanceof Spoiled)) throw error;
      if (attempt === mostAttempts)
        throw new Error(
          `expected a gym that holds its checkpoints during a backup, but ${path} changed ${attempt} times`,
        );
    }
  }
}

/** Returns the paths of the copied write-ahead logs, oldest first. @throws {Spoiled} */
async function copyAll(path: string, to: string, onProgress: OnProgress): Promise<string[]> {
  const first = walHeader(path);
  const before = mainVersion(path);
  const check = () => {
    const isKept = first ? heldSince(path, first) !== null : mainVersion(path) === before && !walHeader(path);
    if (!isKept) throw new Spoiled();
  };
  const total = statSync(path).size + bytesOfFile(walOf(path));
  let done = 0;
  const onCopied = (bytes: number) => {
    done += bytes;
    onProgress(Math.min(done, total), total);
    check();
  };
  await copy(path, to, onCopied);
  if (!first) return [];
  const newest = await copyNewestWal(path, walCopy(to, "newest"), onCopied);
  check();
  const copies: string[] = [];
  for (const held of heldWalsBetween(path, first, newest) ?? []) {
    copies.push(walCopy(to, copies.length));
    await copy(held, copies.at(-1) as string, check);
  }
  return [...copies, walCopy(to, "newest")];
}

/** Returns the header of the copied write-ahead log. */
async function copyNewestWal(path: string, to: string, onCopied: (bytes: number) => void): Promise<Buffer> {
  for (;;) {
    const header = walHeader(path);
    if (!header) throw new Spoiled();
    rmSync(to, { force: true });
    await copy(walOf(path), to, onCopied);
    if (walHeader(path)?.equals(header)) return header;
  }
}

/** Returns the copies of the write-ahead logs since the one with the header `first`, or null if one is missing. */
function heldSince(path: string, first: Buffer): string[] | null {
  const now = walHeader(path);
  const held = now && heldWalsBetween(path, first, now);
  return held?.every((each) => existsSync(each)) ? held : null;
}

/** Returns a text that changes when the main file changes. */
function mainVersion(path: string): string {
  const { ino, size, mtimeNs } = statSync(path, { bigint: true });
  return `${ino} ${size} ${mtimeNs}`;
}

/** Copies a file up to its size at the start. @param onCopied called with the number of bytes of each chunk */
async function copy(from: string, to: string, onCopied: (bytes: number) => void): Promise<void> {
  const source = await open(from, "r");
  const target = await open(to, "wx", 0o600);
  try {
    const chunk = Buffer.alloc(chunkBytes);
    const { size } = await source.stat();
    for (let at = 0; at < size; ) {
      const { bytesRead } = await source.read(chunk, 0, Math.min(chunk.length, size - at), at);
      if (bytesRead === 0) break;
      await target.writeFile(chunk.subarray(0, bytesRead));
      at += bytesRead;
      onCopied(bytesRead);
    }
    await target.sync();
  } finally {
    await source.close();
    await target.close();
  }
}

/**
 * Merges the copied write-ahead logs into the copied file, so that the backup is a single file. A write-ahead log that
 * cannot be merged stays beside the file.
 *
 * @param wals paths of the copies, oldest first
 */
function mergeWals(path: string, wals: readonly string[]): void {
  chmodSync(path, 0o600);
  for (const wal of wals) {
    renameSync(wal, walOf(path));
    // SQLite would drop the commits after a damaged one, and the next write-ahead log needs them.
    if (faultsOf(path).lostCommits > 0) return;
    try {
      openClosedLog(path).close();
    } catch {
      // The verification describes the damage.
      return;
    }
    if (bytesOfFile(walOf(path)) > 0) return;
  }
}

function addRowSums(path: string): void {
  const database = openClosedLog(path);
  try {
    storeRowSums(database);
  } finally {
    database.close();
  }
}

function removeCopies(path: string): void {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
  removeStartingWith(walCopy(path, ""));
}

function walCopy(path: string, name: number | string): string {
  return `${walOf(path)}.${name}`;
}
