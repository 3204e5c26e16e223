/** A gym process that runs as long as the run. If it dies, it is restarted. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { sleep } from "./back-off.js";
import { GymError } from "./gym.js";

/**
 * Returns code that runs in the gym: when the parent process ends for any reason, the gym ends and removes its data.
 * The code has no effect in the gym's threads, which have no IPC channel, or in its child processes, which have a
 * different parent.
 */
function tether(dataDir: string): string {
  const program = `
    import { rmSync } from "node:fs";
    if (process.channel && process.ppid === ${process.pid}) {
      process.once("disconnect", () => {
        process.once("exit", () => rmSync(${JSON.stringify(dataDir)}, { recursive: true, force: true }));
        process.kill(process.pid, "SIGTERM");
      });
      process.channel.unref();
    }`;
  return `data:text/javascript,${encodeURIComponent(program)}`;
}

/** Milliseconds that a gym has to end by itself before it is killed. */
const stoppingMs = 10_000;
/** Number of deaths within `deathsMs` after which the gym is not restarted. */
const mostDeaths = 5;
const deathsMs = 120_000;

/** Program that serves a gym. The trainer knows only the gym's protocol, so its caller names the program. */
export interface GymProgram {
  readonly path: string;
  /** Environment variables of its process, besides those of this process. */
  readonly variables?: Readonly<Record<string, string>>;
}

export class GymProcess {
  private deaths: number[] = [];
  private isStopping = false;
  private isGone = false;

  private constructor(
    readonly url: string,
    private child: ChildProcess,
    private readonly program: GymProgram,
    readonly dataDir: string,
    private readonly say: (line: string) => void,
  ) {
    this.watch();
  }

  /**
   * Starts a gym.
   *
   * @param say receives a line for each death
   * @throws {GymError} GYM_UNREACHABLE: the gym did not start
   */
  static async start(program: GymProgram, say: (line: string) => void): Promise<GymProcess> {
    const dataDir = mkdtempSync(join(tmpdir(), "palestra-gym-"));
    const child = spawnGym(program, dataDir, 0);
    try {
      return new GymProcess(await urlOf(child), child, program, dataDir, say);
    } catch (error) {
      child.kill("SIGKILL");
      rmSync(dataDir, { recursive: true, force: true });
      throw error;
    }
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    const { child } = this;
    if (!this.isGone) {
      const gone = once(child, "exit");
      child.kill("SIGTERM");
      const patience = setTimeout(() => child.kill("SIGKILL"), stoppingMs);
      await gone;
      clearTimeout(patience);
    }
    rmSync(this.dataDir, { recursive: true, force: true, maxRetries: 5 });
  }

  private watch(): void {
    const { child } = this;
    const onEnd = (how: string) => {
      // A process that could not be spawned may emit both events.
      if (!this.isStopping && !this.isGone) void this.startAgain(how);
      this.isGone = true;
    };
    child.once("error", (error) => onEnd(error.message));
    child.once("exit", (code, signal) => onEnd(signal ?? `exit code ${code}`));
  }

  /**
   * Restarts the gym at the same address with the same data. Clients retry, and the gym restores their episodes from
   * its log.
   */
  private async startAgain(how: string): Promise<void> {
    const now = performance.now();
    this.deaths = [...this.deaths.filter((at) => now - at < deathsMs), now];
    if (this.deaths.length > mostDeaths) return this.say(`the gym died again (${how}) and is not restarted`);
    this.say(`the gym died (${how}) and is restarted`);
    await sleep(100 * 2 ** this.deaths.length);
    if (this.isStopping) return;
    this.child = spawnGym(this.program, this.dataDir, Number(new URL(this.url).port));
    this.isGone = false;
    this.child.stdout?.resume();
    this.watch();
  }
}

function spawnGym({ path, variables }: GymProgram, dataDir: string, port: number): ChildProcess {
  const general = ["--import", tether(dataDir), path, "--data-dir", dataDir];
  const address = ["--host", "127.0.0.1", "--port", `${port}`];
  return spawn(process.execPath, [...general, "serve", ...address, "--log-level", "error"], {
    env: { ...process.env, ...variables },
    stdio: ["ignore", "pipe", "inherit", "ipc"],
    // Ctrl-C in the terminal must only reach the run, which has to close its episodes before the gym ends.
    detached: true,
  });
}

async function urlOf(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    const url = /https?:\/\/[^\s/]+:\d+/.exec(line)?.[0];
    if (!url) continue;
    child.stdout?.resume();
    return url;
  }
  throw new GymError(
    "GYM_UNREACHABLE",
    "infrastructure",
    "expected the gym to print its address, but its process ended",
  );
}
