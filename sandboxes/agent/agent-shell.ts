import { randomBytes } from "node:crypto";
import { defaults, type ExecOptions, type ExecResult, SandboxError, type Shell } from "../sandbox.js";
import type { AgentClient, AgentCommand, RunningCommand } from "./agent-client.js";

/**
 * Starts bash if the sandbox has bash, else sh. Descriptors 3 and 4 are copies of both outputs, so the marks reach the
 * host even if a line redirects its outputs.
 */
const program = "exec 3>&1 4>&2; command -v bash >/dev/null && exec bash --norc --noprofile; exec sh";

/** Total number of bytes that the agent passes on from each output of a shell. */
const mostShellBytes = 2 ** 40;

type LineOptions = Pick<ExecOptions, "timeoutMs" | "maxOutputBytes" | "signal">;

export class AgentShell implements Shell {
  private readonly running: RunningCommand;
  private outputs: { stdout: MarkedOutput; stderr: MarkedOutput } | null = null;
  private queue: Promise<unknown> = Promise.resolve();
  private isOver = false;

  constructor(agent: AgentClient, command: AgentCommand) {
    const whole = { ...command, argv: ["sh", "-c", program], maxOutputBytes: mostShellBytes, hasInput: true };
    this.running = agent.start(whole, (output, bytes) => this.outputs?.[output].take(bytes));
    const over = () => {
      this.isOver = true;
    };
    this.running.end.then(over, over);
  }

  /** Runs a line after all earlier lines have ended. */
  run(line: string, options: LineOptions = {}): Promise<ExecResult> {
    const result = this.queue.then(() => this.runNext(line, options));
    this.queue = result.catch(() => {});
    return result;
  }

  async close(): Promise<void> {
    this.running.kill();
    await this.running.end.catch(() => {});
  }

  private async runNext(line: string, options: LineOptions): Promise<ExecResult> {
    const { timeoutMs = defaults.timeoutMs, maxOutputBytes = defaults.maxOutputBytes, signal } = options;
    signal?.throwIfAborted();
    if (this.isOver) throw SandboxError.ofState("REFUSED", "The shell has ended.");
    const mark = randomBytes(16).toString("hex");
    const outputs = { stdout: new MarkedOutput(mark, maxOutputBytes), stderr: new MarkedOutput(mark, maxOutputBytes) };
    this.outputs = outputs;
    let isTimedOut = false;
    const late = () => {
      isTimedOut = true;
      this.running.kill();
    };
    const timer = setTimeout(late, timeoutMs);
    const kill = () => this.running.kill();
    signal?.addEventListener("abort", kill);
    try {
      void this.running.give(Buffer.from(marked(line, mark)));
      const ended = Promise.all([outputs.stdout.status, outputs.stderr.status]);
      const exitCode = await Promise.race([ended.then(([status]) => Number(status)), this.ownEnd()]);
      signal?.throwIfAborted();
      return { exitCode, isTimedOut, ...textOf(outputs) };
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", kill);
      this.outputs = null;
    }
  }

  /** Returns the exit code of the shell after the shell has ended, for example after the line `exit 3`. */
  private async ownEnd(): Promise<number> {
    return (await this.running.end).exitCode;
  }
}

/**
 * Returns a script that runs the line and then writes a secret mark to both outputs. On standard output, the exit code
 * follows the mark.
 */
function marked(line: string, mark: string): string {
  const quoted = `'${line.replaceAll("'", "'\\''")}'`;
  // `command` keeps the shell alive after a syntax error in `eval`. The subshell sets `$?` for the next line.
  return [
    `command eval ${quoted} </dev/null`,
    `__status=$?; printf '\\n%s %s\\n' ${mark} $__status >&3; printf '\\n%s\\n' ${mark} >&4; (exit $__status)`,
    "",
  ].join("\n");
}

function textOf({ stdout, stderr }: { stdout: MarkedOutput; stderr: MarkedOutput }) {
  return { stdout: stdout.text, stderr: stderr.text, isCut: stdout.isCut || stderr.isCut };
}

/** Collects one output of a line, up to the mark. */
class MarkedOutput {
  /** Resolves with the text that follows the mark on the same line. */
  readonly status: Promise<string>;
  isCut = false;
  private onStatus!: (status: string) => void;
  private readonly parts: Buffer[] = [];
  private length = 0;
  private rest: Buffer = Buffer.alloc(0);
  private readonly mark: Buffer;

  constructor(
    mark: string,
    private readonly most: number,
  ) {
    this.mark = Buffer.from(`\n${mark}`);
    this.status = new Promise((resolve) => {
      this.onStatus = resolve;
    });
  }

  take(bytes: Buffer): void {
    const all = Buffer.concat([this.rest, bytes]);
    const at = all.indexOf(this.mark);
    // The last bytes so far may be the beginning of the mark.
    const sure = at < 0 ? Math.max(0, all.length - this.mark.length + 1) : at;
    this.keep(all.subarray(0, sure));
    this.rest = Buffer.from(all.subarray(sure));
    const end = at < 0 ? -1 : this.rest.indexOf("\n", this.mark.length);
    if (end >= 0) this.onStatus(this.rest.subarray(this.mark.length, end).toString());
  }

  get text(): string {
    // If no mark arrives, the shell has ended, and the bytes held back for a mark are output.
    const held = this.rest.indexOf(this.mark) === 0 ? [] : [this.rest];
    return Buffer.concat([...this.parts, ...held]).toString();
  }

  private keep(bytes: Buffer): void {
    const kept = bytes.subarray(0, Math.max(0, this.most - this.length));
    if (kept.length < bytes.length) this.isCut = true;
    if (kept.length === 0) return;
    this.length += kept.length;
    this.parts.push(Buffer.from(kept));
  }
}
