import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, type FileHandle, mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Readable, Writable } from "node:stream";
import type { AgentLine } from "../agent/agent-client.js";
import type { Machinery } from "../agent/agent-sandbox.js";
import { type Limits, SandboxError } from "../sandbox.js";
import { bubblewrapArguments } from "./bubblewrap.js";
import { Cgroup } from "./cgroups.js";
import { groupName, ownFolderPrefix } from "./orphans.js";
import { systemFiles } from "./system-files.js";

/** User that runs bubblewrap if this process is root. The user has no rights and owns no files. */
const nobody = 65_534;

/**
 * Shell script that waits until the shell is in its control groups, and then executes bubblewrap. The limits are those of
 * containers. A lower limit of this machine stays.
 */
const waitAndBecome = 'ulimit -c 0; ulimit -n 4096; read -r go && exec "$@"';

const mostErrorText = 2_000;

/** A bubblewrap process with its control groups and its folder on this machine. */
export class Machine {
  private child: ChildProcess | undefined;
  private ending: Promise<void> | undefined;
  /** Last 2,000 characters of the standard error of bubblewrap and the agent. */
  errors = "";

  private constructor(
    private readonly group: Cgroup,
    private readonly folder: string,
  ) {}

  /** Creates the control groups and the folder. @throws {SandboxError} REFUSED if this machine cannot enforce a limit, START */
  static async make(id: string, limits: Limits): Promise<Machine> {
    const group = await Cgroup.make(groupName(id), limits);
    try {
      const folder = await mkdtemp(ownFolderPrefix);
      const machine = new Machine(group, folder);
      // Bubblewrap's user has to read the files in the folder.
      await chmod(folder, 0o755).catch((error) => machine.end().then(() => Promise.reject(error)));
      return machine;
    } catch (error) {
      await group.end();
      const advice = "Free the folder for temporary files, or name another with TMPDIR";
      throw new SandboxError("START", "a new folder for the sandbox", (error as Error).message, advice, {
        cause: error,
      });
    }
  }

  /** Starts bubblewrap. @param agent path of the agent's program @throws {SandboxError} START */
  async start(bubblewrap: string, agent: string, diskMb: number, writable: readonly string[]): Promise<AgentLine> {
    await Promise.all(
      Object.entries(systemFiles).map(([path, text]) => writeFile(join(this.folder, basename(path)), text)),
    );
    const program = await open(agent, "r");
    try {
      return await this.spawn([bubblewrap, ...bubblewrapArguments(this.folder, diskMb, writable)], program);
    } catch (error) {
      throw new SandboxError("START", "a new process for the sandbox", (error as Error).message, undefined, {
        cause: error,
      });
    } finally {
      await program.close();
    }
  }

  /** Ends every process of the sandbox and removes its control groups and folder. Never rejects. */
  end(): Promise<void> {
    this.ending ??= this.endOnce();
    return this.ending;
  }

  get machinery(): Machinery {
    const refusal = SandboxError.ofState("REFUSED", "The process provider has no images.", "Use Docker");
    return { snapshot: () => Promise.reject(refusal), end: () => this.end() };
  }

  private async spawn(command: readonly string[], program: FileHandle): Promise<AgentLine> {
    const options: SpawnOptions = {
      cwd: "/",
      env: {},
      // Bubblewrap gets a process group of its own, so that a Ctrl-C for this process's group does not reach it.
      detached: true,
      stdio: ["pipe", "pipe", "pipe", program.fd],
    };
    if (process.getuid?.() === 0) {
      options.uid = nobody;
      options.gid = nobody;
    }
    const child = spawn("/bin/sh", ["-c", waitAndBecome, "sh", ...command], options);
    this.child = child;
    const [input, output, errors] = child.stdio as unknown as [Writable, Readable, Readable];
    input.on("error", () => {});
    errors.on("data", (text: Buffer) => {
      this.errors = (this.errors + text).slice(-mostErrorText);
    });
    await once(child, "spawn");
    await this.group.add(child.pid as number);
    input.write("go\n");
    return { input, output };
  }

  private async endOnce(): Promise<void> {
    const { child } = this;
    if (child && child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
      const ended = once(child, "exit");
      // The end of bubblewrap ends its PID namespace, and the kernel kills every process in the namespace. A child that
      // bubblewrap has just cloned, and not yet bound to its own life, is still in the process group.
      process.kill(-child.pid, "SIGKILL");
      await ended;
    }
    // An agent that has left the group without being bound to bubblewrap ends when its input closes.
    for (const stream of child?.stdio ?? []) stream?.destroy();
    await this.group.end();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  }
}
