/** Copies the log of a gym, which may be running. */
import { chmodSync, existsSync, renameSync, rmSync, statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { holdingCheckpoints } from "./checkpoint-hold.js";
import { openClosedLog } from "./closed-log.js";
import { bytesOfFile, walOf } from "./disk.js";
import { type OnProgress, type Verification, verifyLog } from "./verify.js";

/** Bytes that are copied at a time. */
const chunkBytes = 2 ** 22;

/** Number of copies that may be spoiled by a checkpoint of a gym before the backup is given up. */
const mostAttempts = 10;

/** Bytes of the write-ahead log's header. It changes when the write-ahead log starts over. */
const walHeaderBytes = 32;

export interface BackupOptions {
  /** Whether the copy of a damaged log is kept. Default: false. */
  keepsDamaged?: boolean;
  onProgress?: OnProgress;
}

/** Thrown if a gym wrote to the log's main file during the copy. */
class Spoiled extends Error {}

/**
 * Copies a log to a new file, and compares the copy with its checksums. The copy has every step that was acknowledged
 * before the backup began.
 *
 * A gym appends its commits to the write-ahead log, which can be copied while it grows: its checksums tell where the
 * last whole commit ends. A gym also moves pages from the write-ahead log to the main file. As long as the write-ahead
 * log does not start over, it still has these pages, so the two copies together are consistent.
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
  try {
    await holdingCheckpoints(path, () => copyUnspoiled(path, partial, onProgress));
    mergeWal(partial);
    const verification = verifyLog(partial, onProgress);
    const isSound = verification.damages.length === 0;
    const hasWal = bytesOfFile(walOf(partial)) > 0;
    if (isSound && hasWal) throw new Error(`expected room for a backup in one file, but ${to}-wal could not be merged`);
    if (isSound || keepsDamaged) {
      // `palestra log repair` also reads the steps of a write-ahead log that could not be merged.
      if (hasWal) renameSync(`${partial}-wal`, `${to}-wal`);
      renameSync(partial, to);
    }
    return verification;
  } finally {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(partial + suffix, { force: true });
  }
}

async function copyUnspoiled(path: string, to: string, onProgress: OnProgress): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(to + suffix, { force: true });
    try {
      return await copyBoth(path, to, onProgress);
    } catch (error) {
      if (!(error instanceof Spoiled)) throw error;
      if (attempt === mostAttempts)
        throw new Error(
          `expected a gym that holds its checkpoints during a backup, but ${path} changed ${attempt} times`,
        );
    }
  }
}

/** @throws {Spoiled} */
async function copyBoth(path: string, to: string, onProgress: OnProgress): Promise<void> {
  const before = await versionOf(path);
  const check = async () => {
    if ((await versionOf(path)) !== before) throw new Spoiled();
  };
  const total = statSync(path).size + bytesOfFile(walOf(path));
  let done = 0;
  const onCopied = async (bytes: number) => {
    done += bytes;
    onProgress(Math.min(done, total), total);
    await check();
  };
  await copy(path, to, onCopied);
  if (existsSync(`${path}-wal`)) await copy(`${path}-wal`, `${to}-wal`, onCopied);
  await check();
}

/**
 * Returns a text that changes when the write-ahead log starts over. Without a write-ahead log, the text changes when the
 * main file changes.
 */
async function versionOf(path: string): Promise<string> {
  const header = await headerOf(`${path}-wal`);
  if (header !== "") return header;
  const { ino, size, mtimeNs } = statSync(path, { bigint: true });
  return `${ino} ${size} ${mtimeNs}`;
}

/** Returns the header of a write-ahead log, or "" if there is none. */
async function headerOf(walPath: string): Promise<string> {
  let wal: FileHandle;
  try {
    wal = await open(walPath, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
  const { buffer, bytesRead } = await wal.read(Buffer.alloc(walHeaderBytes), 0, walHeaderBytes, 0);
  await wal.close();
  return bytesRead < walHeaderBytes ? "" : buffer.toString("hex");
}

/** Copies a file up to its size at the start. @param onCopied called with the number of bytes of each chunk */
async function copy(from: string, to: string, onCopied: (bytes: number) => Promise<void>): Promise<void> {
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
      await onCopied(bytesRead);
    }
    await target.sync();
  } finally {
    await source.close();
    await target.close();
  }
}

/** Moves the copied write-ahead log into the copied file, so that the backup is a single file. */
function mergeWal(path: string): void {
  chmodSync(path, 0o600);
  try {
    openClosedLog(path).close();
  } catch {
    // The verification describes the damage.
  }
}
