/** Three gyms on one PostgreSQL database. Every request goes to any of them, while gyms are killed, stopped and frozen. */
import { type AddressInfo, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { MersenneTwister } from "#palestra/envs/rng/mersenne-twister.js";
import { PostgresServer, postgresFolder } from "../support/postgres.js";
import type { RunningServer } from "../support/server-process.js";
import { scratch, serve } from "../support/serving.js";

const random = new MersenneTwister(26);

interface Node extends RunningServer {
  port: number;
}

/** The gyms of a test, which share a database. */
class Fleet {
  readonly nodes: Node[] = [];

  private constructor(private readonly database: string) {}

  static async start(size: number): Promise<Fleet> {
    const server = await PostgresServer.start();
    const fleet = new Fleet(await server.createDatabase());
    for (let i = 0; i < size; i++) fleet.nodes.push(await fleet.startNode());
    return fleet;
  }

  async startNode(port?: number): Promise<Node> {
    const own = port ?? (await freePort());
    const env = { PALESTRA_LOG_URL: this.database, PALESTRA_FLEET_ADDRESS: `http://127.0.0.1:${own}` };
    return { ...(await serve({ dataDir: scratch(), port: own, env })), port: own };
  }

  /** Kills a gym, and starts another one in its place after a while. */
  async replace(index: number): Promise<void> {
    const node = this.nodes[index] as Node;
    await node.process.kill();
    this.nodes[index] = await this.startNode(node.port);
  }

  anyUrl(): string {
    return (this.nodes[random.randbelow(this.nodes.length)] as Node).url;
  }

  /** Sends a request to a gym, by default to any, and repeats it until it succeeds. */
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
      const isRetryable = answer.status === 0 || answer.status === 503;
      if (!isRetryable || performance.now() > givenUpAt) expect(answer).toMatchObject({ status: 200 });
      await sleep(50);
    }
  }

  private async sendOnce(url: string, path: string, body: object | undefined, headers: Record<string, string>) {
    const reply = await fetch(`${url}/v1${path}`, {
      ...(body && { method: "POST", body: JSON.stringify(body) }),
      headers: { ...(body && { "content-type": "application/json" }), ...headers },
      signal: AbortSignal.timeout(30_000),
    });
    return { status: reply.status, reply: (await reply.json()) as unknown };
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const actionsOf = (episode: number, count: number) =>
  Array.from({ length: count }, (_, step) => `get ${step + 1} item ${episode}`);

interface Transcript {
  steps: { index: number; action: string; observation: string }[];
}

describe.skipIf(postgresFolder === null)("a fleet of three gyms", () => {
  test("plays every episode once, through any gym, while gyms are killed", { timeout: 240_000 }, async () => {
    const fleet = await Fleet.start(3);
    const count = 15;
    const episodes = await Promise.all(
      Array.from({ length: count }, async (_, i) => {
        const key = { "idempotency-key": `episode ${i}` };
        const request = { environment: "textcraft", task: { index: i }, maxSteps: 100 };
        const { episodeId } = await fleet.send("/episodes", request, key);
        expect((await fleet.send("/episodes", request, key)).episodeId, "through another gym").toBe(episodeId);
        return episodeId as string;
      }),
    );
    let acknowledged = 0;
    let killed = Promise.resolve();
    const kills = [40, 120, 200];
    await Promise.all(
      episodes.map(async (id, episode) => {
        for (const [index, action] of actionsOf(episode, 20).entries()) {
          await fleet.send(`/episodes/${id}/step`, { index, action });
          acknowledged += 1;
          if (acknowledged < (kills[0] ?? Number.POSITIVE_INFINITY)) continue;
          const victim = kills.length % 3;
          kills.shift();
          killed = killed.then(() => fleet.replace(victim));
        }
      }),
    );
    await killed;
    for (const [episode, id] of episodes.entries()) {
      const { steps } = (await fleet.send(`/episodes/${id}/transcript`)) as unknown as Transcript;
      expect(steps.map(({ index }) => index)).toEqual(Array.from({ length: 20 }, (_, i) => i));
      expect(steps.map(({ action }) => action)).toEqual(actionsOf(episode, 20));
    }
    const batch = episodes.map((episodeId, episode) => ({ episodeId, index: 20, action: `get 1 item ${episode}` }));
    const { results } = (await fleet.send("/stepMany", { steps: batch })) as { results: { index: number }[] };
    expect(results.map(({ index }) => index)).toEqual(batch.map(() => 20));
  });

  test("goes on without a gym that is frozen, and that gym writes nothing when it wakes", {
    timeout: 120_000,
  }, async () => {
    const fleet = await Fleet.start(2);
    const [first] = fleet.nodes as [Node];
    const ids = await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        // The first gym has some of the episodes, whichever gyms the other requests go to.
        const url = index < 4 ? first.url : undefined;
        const { episodeId } = await fleet.send("/episodes", { environment: "textcraft", task: { index } }, {}, url);
        return episodeId as string;
      }),
    );
    const [frozen] = fleet.nodes.splice(0, 1) as [Node];
    frozen.process.signal("SIGSTOP");
    onTestFinished(() => void frozen.process.kill());
    await Promise.all(ids.map((id) => fleet.send(`/episodes/${id}/step`, { index: 0, action: "inventory" })));
    frozen.process.signal("SIGCONT");
    expect(await frozen.process.exited).toMatchObject({ code: 1 });
    for (const id of ids) {
      const { steps } = (await fleet.send(`/episodes/${id}/transcript`)) as unknown as Transcript;
      expect(steps.map(({ action }) => action)).toEqual(["inventory"]);
    }
  });
});
