/**
 * Collects the agent's files from its machine. Programs in the machine may still run, and are not trusted. Therefore
 * paths, types and sizes are checked, and paths from the machine are never used as paths on the gym's disk.
 */
import { posix } from "node:path";
import type { FileEntry, Sandbox } from "../../../sandboxes/sandbox.js";
import { sandboxCode } from "../../errors.js";
import type { Spool } from "./spool.js";

export const bounds = {
  entries: 20_000,
  bytes: 256 * 2 ** 20,
  fileBytes: 64 * 2 ** 20,
  depth: 64,
  noteCount: 20,
} as const;

/** Error if the agent's files exceed a limit. */
export class TooMuchLeft extends Error {
  override readonly name = "TooMuchLeft";
}

export interface CollectRequest {
  /** Absolute paths of files and folders. Missing paths are skipped. */
  roots: readonly string[];
  /** Returns whether to skip a path and everything below it. */
  isExcluded(path: string): boolean;
}

/**
 * @returns one line of text for each file that was not collected
 * @throws {TooMuchLeft}
 * @throws {SandboxError} LOST
 */
export async function collect(
  sandbox: Sandbox,
  request: CollectRequest,
  spool: Spool,
  signal: AbortSignal,
): Promise<string[]> {
  const collector = new Collector(sandbox, request, spool, signal);
  for (const root of request.roots) await collector.takeRoot(root);
  await collector.takeLinks();
  return collector.notes;
}

class Collector {
  readonly notes: string[] = [];
  private readonly links: { path: string; changedAtMs: number }[] = [];
  private entries = 0;
  private bytes = 0;

  constructor(
    private readonly sandbox: Sandbox,
    private readonly request: CollectRequest,
    private readonly spool: Spool,
    private readonly signal: AbortSignal,
  ) {}

  async takeRoot(root: string): Promise<void> {
    const status = await orNothing(this.sandbox.stat(root));
    if (!status) return;
    // A folder of the machine may be a link of the provider to a writable folder.
    const isFolder = status.type === "folder" || (status.type === "link" && (await this.isOwnFolder(root)));
    if (isFolder) return this.visit(root, 0);
    await this.take({ ...status, name: posix.basename(root) }, root, 0);
  }

  /** Collects the links at the end of the walk. One command reads up to 500 links. */
  async takeLinks(): Promise<void> {
    const { links } = this;
    for (let at = 0; at < links.length; at += 500) {
      const part = links.slice(at, at + 500);
      const targets = await this.targetsOf(part.map(({ path }) => path));
      for (const [place, { path, changedAtMs }] of part.entries()) {
        const target = targets[place] ?? "";
        if (target === "" || target.includes("\ufffd")) this.leave(path, "a link that cannot be read");
        else await this.spool.add({ path, type: "link", mode: 0o777, changedAtMs, size: 0, target });
      }
    }
  }

  private async isOwnFolder(root: string): Promise<boolean> {
    // Only entries of the root folder are accepted, since programs in the machine cannot change them.
    if (posix.dirname(root) !== "/") return false;
    return (await orNothing(this.sandbox.list(root))) !== undefined;
  }

  private async visit(folder: string, depth: number): Promise<void> {
    this.signal.throwIfAborted();
    if (depth > bounds.depth) throw new TooMuchLeft(`folders more than ${bounds.depth} deep`);
    const entries = await orNothing(this.sandbox.list(folder));
    for (const entry of entries ?? []) {
      const { name } = entry;
      if (name === "" || name === "." || name === ".." || name.includes("/") || name.includes("\ufffd"))
        this.leave(`${folder}/${name}`, "a name that is not UTF-8");
      else await this.take(entry, posix.join(folder, name), depth);
    }
  }

  private async take(entry: FileEntry, path: string, depth: number): Promise<void> {
    if (this.request.isExcluded(path)) return;
    this.entries += 1;
    if (this.entries > bounds.entries) throw new TooMuchLeft(`more than ${bounds.entries} files`);
    const { type, mode, changedAtMs } = entry;
    if (type === "link") this.links.push({ path, changedAtMs });
    else if (type === "other") this.leave(path, "a device, pipe or socket");
    else if (type === "folder") {
      await this.spool.add({ path, type, mode: mode | 0o700, changedAtMs, size: 0 });
      await this.visit(path, depth + 1);
    } else await this.takeFile(entry, path);
  }

  private async takeFile({ mode, changedAtMs, size }: FileEntry, path: string): Promise<void> {
    const room = bounds.bytes - this.bytes;
    if (size > bounds.fileBytes) throw new TooMuchLeft(`a file of more than ${bounds.fileBytes} bytes`);
    if (size > room) throw new TooMuchLeft(`files of more than ${bounds.bytes} bytes`);
    const data = await orNothing(
      this.sandbox.readFile(path, { maxBytes: Math.max(1, Math.min(room, bounds.fileBytes)) }),
    );
    if (!data) return this.leave(path, "a file that cannot be read");
    this.bytes += data.length;
    await this.spool.add({ path, type: "file", mode, changedAtMs, size: data.length }, data);
  }

  private async targetsOf(paths: readonly string[]): Promise<string[]> {
    const script = `for path do readlink -z -- "$path" || printf '\\0'; done`;
    const { stdout } = await this.sandbox.exec(["/bin/sh", "-c", script, "sh", ...paths], {
      folder: "/",
      timeoutMs: 20_000,
      maxOutputBytes: 4 * 2 ** 20,
      environment: { PATH: "/usr/bin:/bin" },
      signal: this.signal,
    });
    return stdout.split("\0");
  }

  private leave(path: string, why: string): void {
    if (this.notes.length < bounds.noteCount) this.notes.push(`${path}: ${why}`);
  }
}

/** Returns the result of reading a file, or undefined if the file is missing or unreadable. */
async function orNothing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    const code = sandboxCode(error);
    if (code === "TOO_LARGE") throw new TooMuchLeft((error as Error).message);
    if (code === "NO_FILE" || code === "REFUSED") return undefined;
    throw error;
  }
}
