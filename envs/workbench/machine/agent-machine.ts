/**
 * The machine of an agent, with files, a shell that keeps its state between commands, and the remaining time for
 * commands.
 */
import { posix } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ExecResult, MachineProvider, Sandbox, Shell, Snapshot } from "../../../sandboxes/sandbox.js";
import { sandboxCode } from "../../errors.js";
import { commandUser, type MachinePlan, specOf } from "../harbor/plan.js";
import type { Healthcheck } from "../harbor/schema.js";
import type { Stage } from "../harbor/task.js";
import { placeFiles, placeSpool } from "./place.js";
import type { Spool } from "./spool.js";

/** Maximum number of bytes that are kept of a command's standard output, and of its standard error. */
export const mostOutputBytes = 2 ** 16;
/** Time limit of a single command in milliseconds. */
export const mostCommandMs = 120_000;
const lifetimeMs = 6 * 3_600_000;
const setupMs = 120_000;

/** Error if a task's preparation of a machine fails, because the task is broken or does not fit the machine. */
export class PreparationFailed extends Error {
  override readonly name = "PreparationFailed";
}

export interface CommandResult extends ExecResult {
  /** Timeout in seconds that ended the command, or undefined if the command ended by itself. */
  endedAfterS: number | undefined;
  /** Whether the command ran in a new shell, because the previous shell had ended. */
  isNewShell: boolean;
}

/** Files or image with which the machine of the next stage starts. */
export interface Inheritance {
  spool?: Spool;
  snapshot?: Snapshot;
}

export class AgentMachine {
  private shell: Shell | undefined;
  private hadShell = false;
  private leftMs: number;
  private readonly as: { user?: string };
  private readonly openedAt = performance.now();

  private constructor(
    readonly sandbox: Sandbox,
    readonly plan: MachinePlan,
    readonly workdir: string,
    { agentMs, user }: Stage,
    private readonly snapshot: Snapshot | undefined,
  ) {
    this.leftMs = agentMs ?? Number.POSITIVE_INFINITY;
    this.as = commandUser(plan, user);
  }

  /**
   * Opens a machine and prepares it for a stage.
   *
   * @throws {SandboxError} no machine is available, or the machine was lost
   * @throws {PreparationFailed}
   * @throws the signal's reason
   */
  static async open(
    machines: MachineProvider,
    plan: MachinePlan,
    stage: Stage,
    { spool, snapshot }: Inheritance,
    signal: AbortSignal,
  ): Promise<AgentMachine> {
    const { network, user } = stage;
    const image = snapshot && { image: snapshot.image };
    const sandbox = await machines.open(specOf(plan, { network, user, lifetimeMs, ...image }), signal);
    try {
      const workdir = plan.workdir ?? (await folderOf(sandbox, signal));
      const machine = new AgentMachine(sandbox, plan, workdir, stage, snapshot);
      await machine.prepare(stage, spool, snapshot !== undefined, signal);
      return machine;
    } catch (error) {
      await sandbox.close();
      throw error;
    }
  }

  /** Whether a machine for the plan can be opened. The method opens a machine and closes it again. */
  static async canOpen(
    machines: MachineProvider,
    plan: MachinePlan,
    stage: Stage,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { network, user } = stage;
    try {
      await (await machines.open(specOf(plan, { network, user, lifetimeMs: setupMs }), signal)).close();
      return true;
    } catch {
      return false;
    }
  }

  /** Whether the machine has reached the end of its lifetime. */
  get isPastLifetime(): boolean {
    return performance.now() - this.openedAt >= lifetimeMs;
  }

  /** Timeout of the next command in milliseconds, or 0 if the stage's time for commands is used up. */
  get commandMs(): number {
    return Math.max(0, Math.min(mostCommandMs, this.leftMs));
  }

  /**
   * Runs a command of one or more lines in the shell.
   *
   * @throws {SandboxError} LOST
   * @throws the signal's reason
   */
  async bash(command: string, signal: AbortSignal): Promise<CommandResult> {
    const timeoutMs = this.commandMs;
    const options = { timeoutMs, maxOutputBytes: mostOutputBytes, signal };
    return this.timed(timeoutMs, async () => {
      let isNewShell = false;
      if (this.shell) {
        try {
          return { ...(await this.shell.run(command, options)), isNewShell };
        } catch (error) {
          if (sandboxCode(error) !== "REFUSED") throw error;
        }
      }
      isNewShell = this.hadShell;
      this.hadShell = true;
      this.shell = await this.sandbox.openShell({
        folder: this.workdir,
        environment: { PWD: this.workdir },
        ...this.as,
      });
      return { ...(await this.shell.run(command, options)), isNewShell };
    });
  }

  /**
   * Runs a program with `input` as its standard input.
   *
   * @throws {SandboxError} LOST
   * @throws the signal's reason
   */
  async run(command: readonly string[], input: string, signal: AbortSignal): Promise<CommandResult> {
    const timeoutMs = this.commandMs;
    const folder = this.workdir;
    const environment = { PWD: folder };
    const options = { timeoutMs, maxOutputBytes: mostOutputBytes, signal, input, folder, environment, ...this.as };
    return this.timed(timeoutMs, async () => ({ ...(await this.sandbox.exec(command, options)), isNewShell: false }));
  }

  /**
   * @param path path relative to the working folder
   * @throws {SandboxError} NO_FILE, TOO_LARGE, REFUSED, LOST
   */
  readFile(path: string, maxBytes: number): Promise<Uint8Array> {
    return this.sandbox.readFile(posix.resolve(this.workdir, path), { maxBytes, ...this.as });
  }

  /**
   * @param path path relative to the working folder
   * @throws {SandboxError} NO_FILE, REFUSED, LOST
   */
  writeFile(path: string, data: Uint8Array): Promise<void> {
    return this.sandbox.writeFile(posix.resolve(this.workdir, path), data, this.as);
  }

  /** Closes the machine, which ends all its programs. The promise never rejects. */
  async close(): Promise<void> {
    await this.sandbox.close();
    await this.snapshot?.remove();
  }

  private async prepare(
    stage: Stage,
    spool: Spool | undefined,
    isResumed: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const { sandbox, plan, workdir } = this;
    await this.makeFolders(signal);
    if (spool) await placeSpool(sandbox, spool, () => true, signal);
    else if (!isResumed) await placeFiles(sandbox, plan.files, signal);
    const files = stage.workdirFiles.map((file) => ({ ...file, to: posix.join(workdir, file.path) }));
    await placeFiles(sandbox, files, signal);
    if (files.some(({ path }) => path === "setup.sh")) await this.setUp(signal);
    for (const healthcheck of stage.healthchecks) await this.becomeHealthy(healthcheck, signal);
  }

  private async becomeHealthy(healthcheck: Healthcheck, signal: AbortSignal): Promise<void> {
    if (await waitUntilHealthy(this.sandbox, this.workdir, healthcheck, signal)) return;
    throw new PreparationFailed(
      `expected the healthcheck ${JSON.stringify(healthcheck.command)} to succeed, but it failed ${healthcheck.retries} times`,
    );
  }

  private async makeFolders(signal: AbortSignal): Promise<void> {
    const logs = ["/logs/verifier", "/logs/agent", "/logs/artifacts"];
    const hasImage = this.plan.image !== undefined;
    const paths = hasImage ? logs : [this.workdir, ...logs];
    // In an image, the agent and the verifier may be different users, and neither may be root.
    const script = `mkdir -p -- "$@"${hasImage ? ' && chmod 777 -- "$@"' : ""}`;
    const command = ["/bin/sh", "-c", script, "sh", ...paths];
    const { exitCode, stderr } = await this.sandbox.exec(command, { folder: "/", signal });
    if (exitCode !== 0)
      throw new PreparationFailed(`expected ${paths.join(", ")} to be created, but received ${stderr}`);
  }

  private async setUp(signal: AbortSignal): Promise<void> {
    const options = { folder: this.workdir, timeoutMs: setupMs, signal };
    const { exitCode, stderr } = await this.sandbox.exec(["bash", "./setup.sh"], options);
    if (exitCode === 0) return;
    throw new PreparationFailed(
      `expected setup.sh to succeed, but it exited with code ${exitCode}: ${stderr.slice(0, 500)}`,
    );
  }

  private async timed(
    timeoutMs: number,
    run: () => Promise<ExecResult & { isNewShell: boolean }>,
  ): Promise<CommandResult> {
    const start = performance.now();
    try {
      const result = await run();
      if (result.isTimedOut) this.shell = undefined;
      return { ...result, endedAfterS: result.isTimedOut ? Math.round(timeoutMs / 1_000) : undefined };
    } finally {
      this.leftMs -= performance.now() - start;
    }
  }
}

/** Returns the working folder that the image sets. */
async function folderOf(sandbox: Sandbox, signal: AbortSignal): Promise<string> {
  const { stdout } = await sandbox.exec(["pwd"], { signal });
  const folder = stdout.trim();
  return folder.startsWith("/") ? folder : "/";
}

/**
 * Runs a health check by Docker's rules for HEALTHCHECK, and returns whether it succeeds. Failures in the start period
 * do not count.
 */
async function waitUntilHealthy(
  sandbox: Sandbox,
  folder: string,
  check: Healthcheck,
  signal: AbortSignal,
): Promise<boolean> {
  const start = performance.now();
  for (let failures = 0; failures < check.retries; ) {
    const timeoutMs = check.timeout_sec * 1_000;
    const { exitCode } = await sandbox.exec(check.command, { timeoutMs, folder, maxOutputBytes: 1_024, signal });
    if (exitCode === 0) return true;
    const isStarting = performance.now() - start < check.start_period_sec * 1_000;
    if (!isStarting) failures += 1;
    const seconds = isStarting ? check.start_interval_sec : check.interval_sec;
    if (failures < check.retries) await sleep(seconds * 1_000, undefined, { signal });
  }
  return false;
}
