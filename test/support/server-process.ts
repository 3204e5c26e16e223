/** The gym as users run it: in its own process, on a free port, with a data directory. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { databaseOfTests } from "./postgres.js";

export const root = fileURLToPath(new URL("../..", import.meta.url));

const keptCharacters = 65_536;

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface ProcessOptions {
  env?: NodeJS.ProcessEnv;
  /** Whether stderr is also printed. It is always kept. */
  showErrors?: boolean;
}

/** A child process with its output so far. It is ended only through this handle. */
export class ServerProcess {
  readonly exited: Promise<Exit>;
  stderr = "";
  /** Last characters that the process has printed since `listeningUrl` or `discardOutput`. */
  lastOutput = "";

  constructor(
    private readonly child: ChildProcess,
    showErrors: boolean,
  ) {
    this.exited = once(child, "exit").then(([code, signal]) => ({ code, signal }));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
      if (showErrors) process.stderr.write(text);
    });
  }

  get pid(): number {
    return this.child.pid as number;
  }

  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Reads and discards the output, so that the process never waits for a reader. */
  discardOutput(): void {
    this.child.stdout?.on("data", (data: Buffer) => {
      this.lastOutput = (this.lastOutput + data).slice(-keptCharacters);
    });
  }

  /** Stops the process as an operator does. */
  async stop(): Promise<Exit> {
    if (this.running) this.signal("SIGTERM");
    return this.exited;
  }

  /** Kills the process, as the kernel or a power failure does. */
  async kill(): Promise<Exit> {
    if (this.running) this.signal("SIGKILL");
    return this.exited;
  }

  /** Returns the process's resident memory in bytes. */
  residentBytes(): number {
    return this.memory("VmRSS");
  }

  /** Returns the process's peak memory in bytes. */
  peakResidentBytes(): number {
    return this.memory("VmHWM");
  }

  /** Waits until the gym is ready, and returns the URL that it prints. */
  async listeningUrl(): Promise<string> {
    for await (const line of createInterface({ input: this.child.stdout as NodeJS.ReadableStream })) {
      const url = /http:\/\/[0-9.]+:[0-9]+/.exec(line)?.[0];
      if (!url) continue;
      this.discardOutput();
      return url;
    }
    throw new Error(`expected the server to print its URL, but it ended: ${this.stderr}`);
  }

  private memory(name: "VmRSS" | "VmHWM"): number {
    const status = `/proc/${this.pid}/status`;
    // Without /proc the peak is unknown.
    if (!existsSync(status)) return Number(execFileSync("ps", ["-o", "rss=", "-p", `${this.pid}`])) * 1024;
    return Number(new RegExp(`${name}:\\s+([0-9]+) kB`).exec(readFileSync(status, "utf8"))?.[1]) * 1024;
  }
}

export function startNode(args: readonly string[], options: ProcessOptions = {}): ServerProcess {
  const env = { ...process.env, ...options.env };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  return new ServerProcess(child, options.showErrors ?? false);
}

export interface GymOptions extends ProcessOptions {
  dataDir: string;
  port?: number;
  /** Paths of modules with additional environments. */
  environmentModules?: readonly string[];
  /** Factor of the gym's times, see `timesScaledBy`. Default: the usual times. */
  pace?: number | undefined;
}

/** Starts the gym's process without waiting, since it may refuse to start. */
export function spawnGym({ dataDir, port = 0, environmentModules = [], pace, ...options }: GymOptions): ServerProcess {
  const modules = environmentModules.flatMap((path) => ["--environment-module", path]);
  const program = pace === undefined ? ["dist/server/program/cli.js"] : ["test/support/hurried-gym.mjs", `${pace}`];
  const general = [...program, "--data-dir", dataDir, ...modules];
  return startNode([...general, "serve", "--port", `${port}`, "--log-level", "warn"], options);
}

export interface RunningServer {
  url: string;
  process: ServerProcess;
}

export async function startGym(options: GymOptions): Promise<RunningServer> {
  const url = await databaseOfTests(options.dataDir);
  const env = { ...(url !== undefined && { PALESTRA_LOG_URL: url }), ...options.env };
  const server = spawnGym({ ...options, env });
  return { process: server, url: await server.listeningUrl() };
}

/** Makes an empty directory, and returns it with a function that removes it. */
export function scratchDir(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "palestra-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) };
}
