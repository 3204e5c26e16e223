/** A gym with a log of its own, in which the episodes of the pictures are played. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { root } from "../step.mjs";
import type { Script } from "./episodes.js";

/** The environment without settings of Palestra, which would change the pictures. */
export const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(PALESTRA_|GYM_)/.test(name)),
);

export class Gym {
  private constructor(
    readonly url: string,
    private readonly stopGym: () => Promise<void>,
  ) {}

  static async start(): Promise<Gym> {
    const folder = mkdtempSync(join(tmpdir(), "palestra-images-"));
    const args = ["dist/server/program/cli.js", "--data-dir", folder, "serve", "--port", "0", "--hosts", "1"];
    const child = spawn(process.execPath, [...args, "--log-level", "warn"], {
      ...{ cwd: root, env: { ...environment, PALESTRA_LOCAL_EXPERT: "true" } },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const exited = once(child, "exit");
    const stop = async () => {
      child.kill("SIGTERM");
      await exited;
      rmSync(folder, { recursive: true, force: true });
    };
    for await (const line of createInterface({ input: child.stdout })) {
      const [url] = /http:\/\/[0-9.]+:[0-9]+/.exec(line) ?? [];
      if (url === undefined) continue;
      child.stdout.resume();
      return new Gym(url, stop);
    }
    await stop();
    throw new Error("expected the gym to print its address, but it ended");
  }

  /** Plays an episode to the end of its actions. @returns its id */
  async play({ actions, ...request }: Script): Promise<string> {
    const { episodeId } = (await this.call("v1/episodes", request)) as { episodeId: string };
    for (const [index, action] of actions.entries()) {
      const { terminated, truncated } = (await this.call(`v1/episodes/${episodeId}/step`, { index, action })) as Ends;
      const isLast = index === actions.length - 1;
      if ((terminated || truncated) !== isLast)
        throw new Error(`expected the episode to end with its last action, but "${action}" was step ${index}`);
    }
    return episodeId;
  }

  async stop(): Promise<void> {
    await this.stopGym();
  }

  private async call(path: string, body: object): Promise<unknown> {
    const headers = { "content-type": "application/json" };
    const reply = await fetch(`${this.url}/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    if (!reply.ok)
      throw new Error(`expected status 200 of ${path}, but received ${reply.status}: ${await reply.text()}`);
    return reply.json();
  }
}

interface Ends {
  terminated: boolean;
  truncated: boolean;
}
