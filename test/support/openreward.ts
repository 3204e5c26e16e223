/** The Python client of the Open Reward Standard, and a proxy that breaks its connections. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer, connect as dial, type Socket } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "palestra");
/** Python of the virtual environment that .ci/run makes. */
const python = join(cache, "openreward-0.1.167", "bin", "python");
const program = fileURLToPath(new URL("../e2e/ors-client.py", import.meta.url));

/** Reason why the client cannot run on this machine, or undefined. */
export const noClient = existsSync(python) ? undefined : `expected openreward 0.1.167 in ${python}: run .ci/run`;

export interface Plan {
  deployment: string;
  variant?: string;
  task: { split: string; index: number } & Record<string, unknown>;
  calls: [tool: string, input: object][];
}

export interface CallOutcome {
  content?: string[];
  reward?: number | null;
  finished?: boolean;
  metadata?: { episode_id: string; step_count: number };
  refused?: string;
  failed?: string;
}

export interface PlayedPlan {
  prompt: string[];
  tools: string[];
  results: CallOutcome[];
}

/** Plays the plans one after another. */
export async function playPlans(url: string, plans: readonly Plan[], key = ""): Promise<PlayedPlan[]> {
  const env = { ...process.env, OPENREWARD_API_KEY: key };
  const child = spawn(python, [program, url], { stdio: ["pipe", "pipe", "pipe"], env });
  onTestFinished(() => void child.kill());
  let [output, errors] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  child.stdin.end(JSON.stringify(plans));
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`expected the client to end, but it failed: ${errors.slice(-2_000)}`);
  return output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/**
 * Starts a proxy that breaks the connection of every second call, when the id of the call comes from the gym.
 *
 * @param passesId whether the id is sent to the client first
 */
export async function breakingProxy(gymUrl: string, passesId: boolean): Promise<{ url: string; breaks(): number }> {
  const sockets = new Set<Socket>();
  let [calls, breaks] = [0, 0];
  const server = createServer((client) => {
    const gym = dial(Number(new URL(gymUrl).port), "127.0.0.1");
    let isChosen = false;
    for (const socket of [client, gym]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.once("close", () => {
        client.destroy();
        gym.destroy();
      });
    }
    client.on("data", (data) => {
      if (data.toString("latin1").startsWith("POST /call")) isChosen = calls++ % 2 === 0;
      gym.write(data);
    });
    gym.on("data", (data) => {
      const isBroken = isChosen && data.includes("event: task_id");
      if (!isBroken) return void client.write(data);
      breaks += 1;
      isChosen = false;
      if (passesId) client.end(data);
      else client.destroy();
      gym.destroy();
    });
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}`, breaks: () => breaks };
}
