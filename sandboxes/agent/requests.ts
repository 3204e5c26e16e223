/** Pending requests to the agent, and the results that they collect. */
import { SandboxError } from "../sandbox.js";
import { errnos, errorName } from "./errnos.js";
import { BadFrame, ExitFlag, Reply, type ReplyFrame } from "./frames.js";

/** Result of a command. */
export interface CommandEnd {
  /** Exit code, or 128 plus the signal's number if a signal ended the command. */
  exitCode: number;
  stdout: Buffer;
  stderr: Buffer;
  isCut: boolean;
  isTimedOut: boolean;
}

export interface FileData {
  bytes: Buffer;
  /** Whether `bytes` is only the first part of the file or list. */
  isCut: boolean;
}

/** A request that waits for its answer. */
export abstract class PendingRequest<T = unknown> {
  readonly result: Promise<T>;
  private settle!: (value: unknown) => void;

  constructor() {
    this.result = new Promise((resolve) => {
      this.settle = resolve as (value: unknown) => void;
    });
    // The request may be rejected before the caller waits for the result.
    this.result.catch(() => {});
  }

  reject(error: unknown): void {
    this.settle(Promise.reject(error));
  }

  protected resolve(value: T): void {
    this.settle(value);
  }

  /**
   * Handles one frame of the answer. Returns whether the frame was the last one.
   *
   * @throws {BadFrame} if the frame does not belong to this kind of request
   */
  abstract take(frame: ReplyFrame): boolean;

  protected fail({ payload }: ReplyFrame): true {
    this.reject(this.errorOf(new FrameReader(payload)));
    return true;
  }

  protected abstract errorOf(reader: FrameReader): SandboxError;
}

const smallBytes = 4_096;

/** Collects bytes up to a limit. The agent was told the limit, so more bytes violate the protocol. */
class Collected {
  private readonly parts: Buffer[] = [];
  private length = 0;

  constructor(private readonly most: number) {}

  /** @throws {BadFrame} */
  add(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.length += bytes.length;
    if (this.length > this.most) throw new BadFrame(`more than the ${this.most} requested bytes`);
    // The bytes are copied, since a piece is a view that would keep a larger buffer alive. Small pieces are merged to save
    // objects.
    const last = this.parts.at(-1);
    if (last && last.length < smallBytes) this.parts[this.parts.length - 1] = Buffer.concat([last, bytes]);
    else this.parts.push(Buffer.from(bytes));
  }

  get bytes(): Buffer {
    return Buffer.concat(this.parts);
  }
}

/** Largest number of input bytes that the agent buffers for a command that does not read its input. */
const mostInputAhead = 2 ** 18;

export type OnOutput = (output: "stdout" | "stderr", bytes: Buffer) => void;

export class CommandRequest extends PendingRequest<CommandEnd> {
  private readonly stdout: Collected;
  private readonly stderr: Collected;
  private inputAhead = 0;
  private onRoom: (() => void)[] = [];

  /** @param onOutput receives the outputs as they arrive; if omitted, the outputs are collected */
  constructor(
    private readonly program: string,
    maxOutputBytes: number,
    private readonly onOutput?: OnOutput,
  ) {
    super();
    this.stdout = new Collected(maxOutputBytes);
    this.stderr = new Collected(maxOutputBytes);
  }

  /** Adds to the number of input bytes sent. Settles when the agent accepts more input. */
  async gave(bytes: number): Promise<void> {
    this.inputAhead += bytes;
    while (this.inputAhead > mostInputAhead) await new Promise<void>((resolve) => this.onRoom.push(resolve));
  }

  take(frame: ReplyFrame): boolean {
    const { kind, payload } = frame;
    if (this.onOutput && (kind === Reply.stdout || kind === Reply.stderr))
      this.onOutput(kind === Reply.stdout ? "stdout" : "stderr", payload);
    else if (kind === Reply.stdout) this.stdout.add(payload);
    else if (kind === Reply.stderr) this.stderr.add(payload);
    else if (kind === Reply.taken) this.makeRoom(new FrameReader(payload).u32());
    else if (kind === Reply.exit) return this.end(new FrameReader(payload));
    else if (kind === Reply.error) return this.fail(frame);
    else throw new BadFrame(`the reply ${kind} to a command`);
    return false;
  }

  protected errorOf(reader: FrameReader): SandboxError {
    const [errno, step] = [reader.u32(), reader.text()];
    const expected = stepWords[step] ?? "a command that can be started";
    return new SandboxError("REFUSED", expected, `${errorName(errno)} for ${this.program}`);
  }

  private makeRoom(bytes: number): void {
    this.inputAhead = Math.max(0, this.inputAhead - bytes);
    for (const resolve of this.onRoom.splice(0)) resolve();
  }

  private end(reader: FrameReader): true {
    const exitCode = reader.u32() | 0;
    const flags = reader.u8();
    this.resolve({
      exitCode,
      stdout: this.stdout.bytes,
      stderr: this.stderr.bytes,
      isCut: (flags & ExitFlag.cut) !== 0,
      isTimedOut: (flags & ExitFlag.timedOut) !== 0,
    });
    this.makeRoom(Number.POSITIVE_INFINITY);
    return true;
  }
}

/**
 * Noun phrases for errors, by failed step. Environments quote these texts in observations, so a change needs a new
 * environment version.
 */
const stepWords: Record<string, string> = {
  user: "a user of the sandbox",
  folder: "a folder of the sandbox to run in",
  program: "a program that can be run",
  commands: "fewer commands at once",
};

export class FileRequest extends PendingRequest<FileData> {
  private readonly data: Collected;

  constructor(
    private readonly path: string,
    maxBytes: number,
  ) {
    super();
    this.data = new Collected(maxBytes);
  }

  take(frame: ReplyFrame): boolean {
    if (frame.kind === Reply.error) return this.fail(frame);
    if (frame.kind === Reply.data) {
      this.data.add(frame.payload);
      return false;
    }
    if (frame.kind !== Reply.done) throw new BadFrame(`the reply ${frame.kind} to a request for a file`);
    this.resolve({ bytes: this.data.bytes, isCut: new FrameReader(frame.payload).u8() === 1 });
    return true;
  }

  protected errorOf(reader: FrameReader): SandboxError {
    const errno = reader.u32();
    const code = errno === errnos.ENOENT || errno === errnos.ENOTDIR ? "NO_FILE" : "REFUSED";
    const expected = code === "NO_FILE" ? `a file at ${this.path}` : `a file that can be used at ${this.path}`;
    return new SandboxError(code, expected, errorName(errno));
  }
}

/** Reads a reply's payload. */
class FrameReader {
  private at = 0;

  constructor(private readonly payload: Buffer) {}

  u8(): number {
    return this.bytes(1).readUInt8();
  }

  u32(): number {
    return this.bytes(4).readUInt32LE();
  }

  text(): string {
    return this.bytes(this.u32()).toString();
  }

  /** @throws {BadFrame} */
  private bytes(length: number): Buffer {
    const end = this.at + length;
    if (end > this.payload.length) throw new BadFrame("a truncated reply");
    const bytes = this.payload.subarray(this.at, end);
    this.at = end;
    return bytes;
  }
}
