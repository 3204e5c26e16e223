/** Copies files into a machine. It sends archives of a few megabytes, which the machine's `tar` unpacks. */
import { readFile } from "node:fs/promises";
import { posix } from "node:path";
import type { Sandbox } from "../../../sandboxes/sandbox.js";
import type { PlacedFile } from "../harbor/plan.js";
import type { Spool, SpooledEntry } from "./spool.js";
import { type TarEntry, tarOf } from "./tar.js";

const batchBytes = 8 * 2 ** 20;
const timeoutMs = 60_000;
/** Modification time of a task's files: 1 January 2024, in milliseconds since the epoch. */
export const taskFilesAtMs = 1_704_067_200_000;

/** Error if a machine does not accept the files. */
export class PlacingFailed extends Error {
  override readonly name = "PlacingFailed";
}

/**
 * Copies files of a task into a machine. Without GNU tar in the machine, the files are written one by one and get the
 * current time.
 *
 * @throws {PlacingFailed}
 * @throws {SandboxError} LOST
 */
export async function placeFiles(sandbox: Sandbox, files: readonly PlacedFile[], signal: AbortSignal): Promise<void> {
  try {
    await placeByTar(sandbox, files, signal);
  } catch (error) {
    if (!(error instanceof PlacingFailed)) throw error;
    await placeOneByOne(sandbox, files, signal);
  }
}

async function placeOneByOne(sandbox: Sandbox, files: readonly PlacedFile[], signal: AbortSignal): Promise<void> {
  for (const { to, at } of files) await sandbox.writeFile(to, await readFile(at));
  const programs = files.filter(({ isExecutable }) => isExecutable).map(({ to }) => to);
  for (let at = 0; at < programs.length; at += 500) {
    const command = ["chmod", "755", ...programs.slice(at, at + 500)];
    const { exitCode, stderr } = await sandbox.exec(command, { folder: "/", signal });
    if (exitCode !== 0) throw new PlacingFailed(`expected chmod to make programs executable, but received: ${stderr}`);
  }
}

async function placeByTar(sandbox: Sandbox, files: readonly PlacedFile[], signal: AbortSignal): Promise<void> {
  const placing = new Placing(sandbox, signal);
  for (const folder of foldersOf(files.map(({ to }) => to)))
    await placing.add({ path: folder, type: "folder", mode: 0o755, changedAtMs: taskFilesAtMs });
  for (const { to, at, isExecutable } of files) {
    const mode = isExecutable ? 0o755 : 0o644;
    await placing.add({ path: to, type: "file", mode, changedAtMs: taskFilesAtMs, data: await readFile(at) });
  }
  await placing.send();
}

/**
 * Copies the entries of a spool into a machine, if `isWanted` accepts them.
 *
 * @throws {PlacingFailed}
 * @throws {SandboxError} LOST
 */
export async function placeSpool(
  sandbox: Sandbox,
  spool: Spool,
  isWanted: (entry: SpooledEntry) => boolean,
  signal: AbortSignal,
): Promise<void> {
  const placing = new Placing(sandbox, signal);
  const entries = spool.entries.filter(isWanted);
  // The options write no file through a link, and set the mode of a folder after the files in the folder are written.
  for (const type of ["file", "link", "folder"] as const)
    for (const entry of entries.filter((one) => one.type === type)) await placing.add(await spool.entryOf(entry));
  await placing.send();
}

class Placing {
  private entries: TarEntry[] = [];
  private bytes = 0;

  constructor(
    private readonly sandbox: Sandbox,
    private readonly signal: AbortSignal,
  ) {}

  async add(entry: TarEntry): Promise<void> {
    this.entries.push(entry);
    this.bytes += (entry.data?.length ?? 0) + 1_024;
    if (this.bytes >= batchBytes) await this.send();
  }

  async send(): Promise<void> {
    const { entries } = this;
    if (entries.length === 0) return;
    this.entries = [];
    this.bytes = 0;
    const result = await this.sandbox.exec(
      // Top-level folders belong to the machine and may be links. The options leave such folders unchanged.
      ["tar", "-x", "-p", "-f", "-", "-C", "/", "--no-same-owner", "--keep-directory-symlink", "--no-overwrite-dir"],
      { input: tarOf(entries), timeoutMs, signal: this.signal, folder: "/", environment: { PATH: "/usr/bin:/bin" } },
    );
    if (result.exitCode === 0) return;
    throw new PlacingFailed(
      `expected the machine to accept ${entries.length} files, but received: ${result.stderr.slice(0, 500)}`,
    );
  }
}

/** Returns the parent folders of files, without top-level folders. Each folder precedes its subfolders. */
function foldersOf(paths: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let at = posix.dirname(path); posix.dirname(at) !== "/" && at !== "/"; at = posix.dirname(at)) folders.add(at);
  }
  return [...folders].sort();
}
