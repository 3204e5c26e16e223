/** Reads the files of a task directory, checks names and limits, and computes a digest. */
import { createHash } from "node:crypto";
import { constants, createReadStream, type Stats } from "node:fs";
import { lstat, readdir, realpath } from "node:fs/promises";
import { basename, join, posix, relative, sep } from "node:path";
import { mismatch, TaskRefused } from "./refusal.js";

export interface TaskFile {
  /** Path relative to the task directory, with `/` between the parts. */
  path: string;
  /** Absolute path on the local disk, with links resolved. */
  at: string;
  /** Size in bytes. */
  size: number;
  isExecutable: boolean;
}

export interface TaskDirectory {
  root: string;
  /** Files by path. */
  files: readonly TaskFile[];
  /** SHA-256 of all paths, executable bits and contents, in hexadecimal digits. */
  digest: string;
}

export const bounds = { files: 10_000, bytes: 512 * 2 ** 20, depth: 32, nameBytes: 255 } as const;

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern refuses control characters
const outlawed = /[\x00-\x1f\x7f\\]/;

/**
 * @param grader path of a file to add beside each `tests/test.sh`. If undefined, the task has only its own files.
 * @throws {TaskRefused} the directory contains a link to the outside, a device or an invalid name, or exceeds a limit
 */
export async function readDirectory(task: string, folder: string, grader?: string): Promise<TaskDirectory> {
  const root = await realpath(folder).catch(() => {
    throw new TaskRefused(task, [mismatch("a folder", folder)]);
  });
  const walk = new Walk(task, root);
  await walk.visit(root, 0);
  if (grader !== undefined) await walk.addGrader(grader);
  const files = walk.files.sort((one, other) => (one.path < other.path ? -1 : 1));
  return { root, files, digest: await digestOf(files) };
}

class Walk {
  readonly files: TaskFile[] = [];
  private bytes = 0;

  constructor(
    private readonly task: string,
    private readonly root: string,
  ) {}

  async visit(folder: string, depth: number): Promise<void> {
    if (depth > bounds.depth) throw this.refused(`folders at most ${bounds.depth} deep`, folder);
    for (const name of await readdir(folder)) {
      const at = join(folder, name);
      if (outlawed.test(name) || name.includes("\ufffd") || Buffer.byteLength(name) > bounds.nameBytes)
        throw this.refused("names in UTF-8 without control characters and backslashes", JSON.stringify(name));
      if (name === ".git") continue;
      await this.take(at, depth);
    }
  }

  async addGrader(at: string): Promise<void> {
    const status = await lstat(at);
    const scripts = this.files.filter(({ path }) => /^(steps\/[^/]+\/)?tests\/test\.sh$/.test(path));
    for (const { path } of scripts) this.add(posix.join(posix.dirname(path), basename(at)), at, status);
  }

  private async take(at: string, depth: number): Promise<void> {
    const status = await lstat(at);
    if (status.isDirectory()) return this.visit(at, depth + 1);
    const target = status.isSymbolicLink() ? await this.targetOf(at) : at;
    const { size, mode } = target === at ? status : await lstat(target);
    if ((mode & constants.S_IFMT) !== constants.S_IFREG)
      throw this.refused("files, folders, and links to files", relative(this.root, at));
    this.add(this.pathOf(at), target, { size, mode });
  }

  private add(path: string, at: string, { size, mode }: Pick<Stats, "size" | "mode">): void {
    this.bytes += size;
    this.files.push({ path, at, size, isExecutable: (mode & 0o111) !== 0 });
    if (this.files.length > bounds.files)
      throw this.refused(`at most ${bounds.files} files`, `more than ${bounds.files}`);
    if (this.bytes > bounds.bytes)
      throw this.refused(`files of at most ${bounds.bytes} bytes in total`, `more than ${bounds.bytes} bytes`);
  }

  private async targetOf(at: string): Promise<string> {
    const target = await realpath(at).catch(() => undefined);
    if (target?.startsWith(this.root + sep)) return target;
    throw this.refused("links that lead to files of the task", `${this.pathOf(at)} -> ${target ?? "nothing"}`);
  }

  private pathOf(at: string): string {
    return relative(this.root, at).split(sep).join("/");
  }

  private refused(expected: string, received: string): TaskRefused {
    return new TaskRefused(this.task, [mismatch(expected, received)]);
  }
}

async function digestOf(files: readonly TaskFile[]): Promise<string> {
  const whole = createHash("sha256");
  for (const { path, at, isExecutable } of files) {
    const content = createHash("sha256");
    // The file is read in pieces, since a large file would block the thread.
    for await (const piece of createReadStream(at)) content.update(piece as Buffer);
    whole.update(JSON.stringify([path, isExecutable, content.digest("hex")]));
  }
  return whole.digest("hex");
}

/** Returns the files inside a folder of the task, with paths relative to this folder. */
export function filesBelow({ files }: TaskDirectory, folder: string): TaskFile[] {
  const prefix = `${folder}/`;
  return files
    .filter(({ path }) => path.startsWith(prefix))
    .map((file) => ({ ...file, path: file.path.slice(prefix.length) }));
}
