/**
 * The file `judgments.jsonl` in the data directory. A judgment is a line of JSON, which is on the disk before the
 * caller gets an answer. Judgments that arrive at the same time are written together.
 */
import { type FileHandle, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { GymError } from "../errors.js";
import { choices, type Judgment, type JudgmentStore, mostOfOwner, tooManyJudgments } from "./judgment.js";

const Line = z.object({
  owner: z.string(),
  left: z.string(),
  right: z.string(),
  choice: z.enum(choices),
  rater: z.string(),
  note: z.string(),
  environment: z.string(),
  task: z.object({ split: z.string(), index: z.int() }),
  seed: z.int(),
  createdAt: z.string(),
});
type Line = z.infer<typeof Line>;

interface Waiting {
  readonly line: string;
  resolve(): void;
  reject(error: unknown): void;
}

/** Returns the path of the file in a data directory. */
export function judgmentFile(dataDir: string): string {
  return join(dataDir, "judgments.jsonl");
}

/** Returns the judgments in the bytes of a file, oldest first, and the number of bytes with whole lines. */
export function judgmentsIn(bytes: Buffer): { lines: Line[]; length: number } {
  // A gym that was killed may have left the beginning of a line, whose caller got no answer.
  const length = bytes.lastIndexOf("\n") + 1;
  const lines = bytes.toString("utf8", 0, length).split("\n").slice(0, -1);
  return { lines: lines.map((line, at) => parsed(line, at + 1)), length };
}

export class JudgmentFile implements JudgmentStore {
  readonly path: string;
  private readonly byOwner = new Map<string, Judgment[]>();
  private opening: Promise<FileHandle> | undefined;
  /** Bytes of the file that hold whole lines. */
  private length = 0;
  private waiting: Waiting[] = [];
  private writing: Promise<void> = Promise.resolve();

  constructor(dataDir: string) {
    this.path = judgmentFile(dataDir);
  }

  async of(owner: string): Promise<readonly Judgment[]> {
    await this.file();
    return this.byOwner.get(owner) ?? [];
  }

  async add(owner: string, judgment: Omit<Judgment, "number">): Promise<Judgment> {
    await this.file();
    if ((this.byOwner.get(owner)?.length ?? 0) >= mostOfOwner) throw tooManyJudgments();
    await this.append(`${JSON.stringify({ owner, ...judgment })}\n`);
    return this.keep(owner, judgment);
  }

  /** Waits for judgments that are being written, and closes the file. */
  async close(): Promise<void> {
    await this.writing;
    const file = await this.opening?.catch(() => undefined);
    this.opening = undefined;
    await file?.close();
  }

  private keep(owner: string, judgment: Omit<Judgment, "number">): Judgment {
    const own = this.byOwner.get(owner) ?? [];
    this.byOwner.set(owner, own);
    const kept = { number: own.length + 1, ...judgment };
    own.push(kept);
    return kept;
  }

  /** The file is opened at the first use. If that fails, the next use tries again. */
  private file(): Promise<FileHandle> {
    this.opening ??= this.read().catch((error) => {
      this.opening = undefined;
      throw failed(this.path, error);
    });
    return this.opening;
  }

  private async read(): Promise<FileHandle> {
    const file = await open(this.path, "a+", 0o600);
    try {
      const bytes = await file.readFile();
      // The name of a new file is on the disk only after its folder was written.
      if (bytes.length === 0) await syncFolder(dirname(this.path));
      const { lines, length } = judgmentsIn(bytes);
      this.length = length;
      if (length < bytes.length) await file.truncate(length);
      this.byOwner.clear();
      for (const { owner, ...judgment } of lines) this.keep(owner, judgment);
      return file;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  private append(line: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ line, resolve, reject });
      if (this.waiting.length === 1) this.writing = this.writing.then(() => this.writeWaiting());
    });
  }

  private async writeWaiting(): Promise<void> {
    const batch = this.waiting;
    this.waiting = [];
    try {
      const file = await this.file();
      const bytes = Buffer.from(batch.map(({ line }) => line).join(""));
      // The lines of a write that failed must not stay before those that follow.
      await file.truncate(this.length);
      await file.appendFile(bytes);
      await file.datasync();
      this.length += bytes.length;
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { reject } of batch) reject(failed(this.path, error));
    }
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function parsed(line: string, number: number): Line {
  try {
    return Line.parse(JSON.parse(line));
  } catch (error) {
    throw new Error(`line ${number} is no judgment: ${(error as Error).message}`);
  }
}

function failed(path: string, error: unknown): GymError {
  if (error instanceof GymError) return error;
  return new GymError("JUDGMENTS_FAILED", `a readable and writable file ${path}`, (error as Error).message);
}
