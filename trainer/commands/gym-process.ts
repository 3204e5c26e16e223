/** A gym of this machine's own, for as long as a run takes. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { GymError } from "../gym.js";

/** Ends the gym when the process that wanted it is gone, however that went. Its threads load this, too, and have no channel. */
const tether = `data:text/javascript,${encodeURIComponent(
  'if (process.channel) { process.once("disconnect", () => process.kill(process.pid, "SIGTERM")); process.channel.unref(); }',
)}`;

export class GymProcess {
  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
    private readonly dataDir: string,
  ) {}

  /**
   * @param program the bin of the gym, which `palestra eval` names: the trainer knows the gym by its protocol alone
   * @throws {GymError} GYM_UNREACHABLE: it did not come up
   */
  static async start(program: string): Promise<GymProcess> {
    const dataDir = mkdtempSync(join(tmpdir(), "palestra-eval-"));
    const args = ["--import", tether, program, "--data-dir", dataDir, "serve", "--port", "0", "--log-level", "error"];
    const child = spawn(process.execPath, args, {
      // Nobody else is to reach it, so that its expert may be asked.
      env: { ...process.env, PALESTRA_LOCAL_EXPERT: "true" },
      stdio: ["ignore", "pipe", "inherit", "ipc"],
      // A Ctrl-C in the terminal is for the run, which still has episodes to close.
      detached: true,
    });
    try {
      return new GymProcess(await urlOf(child), child, dataDir);
    } catch (error) {
      child.kill("SIGKILL");
      rmSync(dataDir, { recursive: true, force: true });
      throw error;
    }
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const gone = once(this.child, "exit");
      this.child.kill("SIGTERM");
      await gone;
    }
    rmSync(this.dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
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
    "expected the gym to say where it listens, but received its end",
  );
}
