/** Gyms that share one PostgreSQL database, with requests to any of them. */

import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { expect } from "vitest";
import { MersenneTwister } from "#palestra/envs/shared/rng/mersenne-twister.js";
import { gymDatabase } from "./databases.js";
import { freePort } from "./free-port.js";
import { pace } from "./hurry.js";
import { type RunningServer, root } from "./server-process.js";
import { scratch, serve } from "./serving.js";

const random = new MersenneTwister(26);

export interface Node extends RunningServer {
  port: number;
}

/** The gyms of a test, which share a database. */
export class Fleet {
  readonly nodes: Node[] = [];
  /** Number of attempts without a reply, or with a refusal. */
  readonly refused: { status: number; reply: unknown }[] = [];

  private constructor(readonly database: string) {}

  static async start(size: number): Promise<Fleet> {
    return Fleet.on(await gymDatabase(), size);
  }

  /** Starts gyms on a database. */
  static async on(database: string, size: number): Promise<Fleet> {
    const fleet = new Fleet(database);
    for (let i = 0; i < size; i++) fleet.nodes.push(await fleet.startNode());
    return fleet;
  }

  async startNode(port?: number, environmentModules: readonly string[] = []): Promise<Node> {
    const own = port ?? (await freePort());
    const env = { PALESTRA_LOG_URL: this.database, PALESTRA_FLEET_ADDRESS: `http://127.0.0.1:${own}` };
    return { ...(await serve({ dataDir: scratch(), port: own, env, environmentModules, pace })), port: own };
  }

  /** Kills a gym, and starts another one in its place after a while. */
  async replace(index: number): Promise<void> {
    const node = this.nodes[index] as Node;
    await node.process.kill();
    this.nodes[index] = await this.startNode(node.port);
  }

  /** Runs a command of `palestra` that has to succeed, and returns its output. */
  async palestra(...args: string[]): Promise<string> {
    const env = { ...process.env, PALESTRA_LOG_URL: this.database };
    const { stdout } = await promisify(execFile)(process.execPath, ["dist/server/program/cli.js", ...args], {
      cwd: root,
      env,
    });
    return stdout;
  }

  /** URL of the gym that is currently at a place in the fleet. */
  urlOf(index: number): string {
    return (this.nodes[index] as Node).url;
  }

  anyUrl(): string {
    return (this.nodes[random.randbelow(this.nodes.length)] as Node).url;
  }

  /** Sends a request to a gym, by default to a random one, and repeats it until it succeeds. */
  async send(
    path: string,
    body?: object,
    headers: Record<string, string> = {},
    url?: string,
  ): Promise<Record<string, unknown>> {
    const givenUpAt = performance.now() + 60_000;
    for (;;) {
      const answer = await this.sendOnce(url ?? this.anyUrl(), path, body, headers).catch((error: Error) => ({
        status: 0,
        reply: error.message,
      }));
      if (answer.status === 200) return answer.reply as Record<string, unknown>;
      this.refused.push(answer);
      const isRetryable = answer.status === 0 || answer.status === 503;
      if (!isRetryable || performance.now() > givenUpAt) expect(answer).toMatchObject({ status: 200 });
      await sleep(50);
    }
  }

  /** Sends a request to a gym once, and returns any reply. */
  async sendOnce(url: string, path: string, body?: object, headers: Record<string, string> = {}) {
    const reply = await fetch(`${url}/v1${path}`, {
      ...(body && { method: "POST", body: JSON.stringify(body) }),
      headers: { ...(body && { "content-type": "application/json" }), ...headers },
      signal: AbortSignal.timeout(30_000),
    });
    return { status: reply.status, reply: (await reply.json()) as unknown };
  }
}
