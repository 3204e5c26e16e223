/** The gym as its users run it: a process of its own, on a free port, with a data directory. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface ProcessOptions {
  env?: NodeJS.ProcessEnv;
  /** Whether what it writes to stderr is shown, too, beside being kept. */
  showErrors?: boolean;
}

/** A child process, its output so far, and the only ways to end it: by its own handle. */
export class ServerProcess {
  readonly exited: Promise<Exit>;
  stderr = "";

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

  /** As an operator stops it. */
  async stop(): Promise<Exit> {
    if (this.running) this.signal("SIGTERM");
    return this.exited;
  }

  /** As the kernel or a power switch stops it: nothing of it runs any more. */
  async kill(): Promise<Exit> {
    if (this.running) this.signal("SIGKILL");
    return this.exited;
  }

  /** Bytes of memory that it holds. */
  residentBytes(): number {
    return this.memory("VmRSS");
  }

  /** The most that it ever held. */
  peakResidentBytes(): number {
    return this.memory("VmHWM");
  }

  /** What it prints once it answers. */
  async listeningUrl(): Promise<string> {
    for await (const line of createInterface({ input: this.child.stdout as NodeJS.ReadableStream })) {
      const url = /http:\/\/[0-9.]+:[0-9]+/.exec(line)?.[0];
      if (!url) continue;
      this.child.stdout?.resume();
      return url;
    }
    throw new Error(`expected the server to print its URL, but it ended: ${this.stderr}`);
  }

  private memory(name: "VmRSS" | "VmHWM"): number {
    const status = `/proc/${this.pid}/status`;
    // Without a /proc there is no telling what the peak was.
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
  /** Modules with environments beside the built-in ones. */
  environmentModules?: readonly string[];
}

/** The gym's process, not waited for: it may well refuse to start. */
export function spawnGym({ dataDir, port = 0, environmentModules = [], ...options }: GymOptions): ServerProcess {
  const modules = environmentModules.flatMap((path) => ["--environment-module", path]);
  const general = ["dist/server/cli.js", "--data-dir", dataDir, ...modules];
  return startNode([...general, "serve", "--port", `${port}`, "--log-level", "warn"], options);
}

export interface RunningServer {
  url: string;
  process: ServerProcess;
}

export async function startGym(options: GymOptions): Promise<RunningServer> {
  const server = spawnGym(options);
  return { process: server, url: await server.listeningUrl() };
}

/** An empty directory, and what removes it. */
export function scratchDir(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "palestra-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) };
}
