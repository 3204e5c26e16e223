/** Two gyms that both believe to own an episode. The database decides, and the other gym can write nothing. */
import { describe, expect, onTestFinished, test } from "vitest";
import { keyOf } from "#palestra/server/log/records/episode-id.js";
import { shardOf } from "#palestra/server/log/records/shards.js";
import { Relay } from "../support/chaos/relay.js";
import { gymDatabase } from "../support/databases.js";
import { freePort } from "../support/free-port.js";
import { eventually } from "../support/gym.js";
import { pace as shorter } from "../support/hurry.js";
import { postgresFolder, sql } from "../support/postgres.js";
import type { RunningServer } from "../support/server-process.js";
import { scratch, serve } from "../support/serving.js";

interface Reply {
  status: number;
  body: { observation?: string; episodeId?: string; steps?: { action: string }[]; error?: { code: string } };
}

/** Sends a request to one gym. A broken connection has the status 0. */
async function send(gym: RunningServer, path: string, body?: object): Promise<Reply> {
  try {
    const reply = await fetch(`${gym.url}/v1${path}`, {
      ...(body && { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
    return { status: reply.status, body: (await reply.json()) as Reply["body"] };
  } catch {
    return { status: 0, body: {} };
  }
}

const step = (gym: RunningServer, id: string, action: string) =>
  send(gym, `/episodes/${id}/step`, { index: 0, action });

/** Two gyms of a fleet. The first one reaches the database through a relay, and owns some of the episodes. */
class Pair {
  private constructor(
    private readonly url: string,
    readonly relay: Relay,
    readonly first: RunningServer,
    readonly other: RunningServer,
  ) {}

  /** @param pace factor of the gyms' times. Default: shorter times */
  static async start(pace = shorter): Promise<Pair> {
    const url = await gymDatabase();
    const relay = await Relay.start(Number(new URL(url).port));
    onTestFinished(() => relay.stop());
    const relayed = Object.assign(new URL(url), { port: `${relay.port}` }).href;
    const [first, other] = await Promise.all([startGym(relayed, pace), startGym(url, pace)]);
    return new Pair(url, relay, first, other);
  }

  sql<Row>(text: string): Promise<Row[]> {
    return sql(this.url, text);
  }

  async firstIncarnation(): Promise<number> {
    const [row] = await this.sql<{ incarnation: string }>(
      `SELECT max(incarnation) AS incarnation FROM palestra.nodes WHERE address = '${this.first.url}'`,
    );
    return Number(row?.incarnation);
  }

  /** Creates episodes until the first gym has enough of them. */
  async episodesOfFirst(count: number): Promise<string[]> {
    const ids: string[] = [];
    await eventually(async () => {
      const { body } = await send(this.first, "/episodes", { environment: "textcraft", task: { index: ids.length } });
      if (body.episodeId !== undefined && (await this.ownerOf(body.episodeId)) === (await this.firstIncarnation()))
        ids.push(body.episodeId);
      return ids.length === count;
    });
    return ids;
  }

  async ownerOf(id: string): Promise<number> {
    const [row] = await this.sql<{ incarnation: string }>(
      `SELECT incarnation FROM palestra.shards WHERE shard = ${shardOf(keyOf(id) as number)}`,
    );
    return Number(row?.incarnation);
  }

  async actionsOf(id: string): Promise<string[] | undefined> {
    const { body } = await send(this.other, `/episodes/${id}/transcript`);
    return body.steps?.map(({ action }) => action);
  }

  /** Takes the first step of an episode on the second gym, once that gym owns the episode. */
  async stepOnOther(id: string, action: string): Promise<void> {
    await eventually(async () => (await step(this.other, id, action)).status === 200, 40_000);
  }
}

async function startGym(database: string, pace: number): Promise<RunningServer> {
  const port = await freePort();
  const env = {
    PALESTRA_LOG_URL: database,
    PALESTRA_FLEET_ADDRESS: `http://127.0.0.1:${port}`,
    PALESTRA_HOSTS_COUNT: "1",
  };
  return serve({ dataDir: scratch(), port, env, pace });
}

describe.skipIf(postgresFolder === null)("when two gyms believe to own an episode,", () => {
  test("the fenced one writes no step, even before it knows that it is fenced", async () => {
    // With the usual times, the first gym believes for four seconds that it owns the episodes.
    const pair = await Pair.start(1);
    const [fresh, contested] = (await pair.episodesOfFirst(2)) as [string, string];
    const fenced = await pair.firstIncarnation();
    // From here on, the first gym cannot renew its membership, and for some seconds it still believes to be a member.
    pair.relay.stalls = (sent) => sent.includes("palestra.nodes");
    await pair.sql(`UPDATE palestra.fences SET live = false WHERE incarnation = ${fenced}`);
    await pair.stepOnOther(contested, "get 2 dirt");
    const replies = await Promise.all([
      step(pair.first, contested, "get 1 dirt"),
      step(pair.first, fresh, "get 1 dirt"),
    ]);
    for (const { status, body } of replies) expect([0, 503], JSON.stringify(body)).toContain(status);
    expect(await pair.first.process.exited).toMatchObject({ code: 1 });
    expect(pair.first.process.lastOutput).toMatch(/another gym has taken over the log/);
    expect(await pair.actionsOf(contested)).toEqual(["get 2 dirt"]);
    expect(await pair.actionsOf(fresh)).toEqual([]);
    await pair.stepOnOther(fresh, "get 3 dirt");
    expect(await pair.actionsOf(fresh)).toEqual(["get 3 dirt"]);
  });

  test("the one that is disconnected from the database writes none of its steps in flight", async () => {
    const pair = await Pair.start();
    const ids = await pair.episodesOfFirst(4);
    pair.relay.switchMode("silent");
    const late = ids.map((id) => step(pair.first, id, "get 1 dirt"));
    await Promise.all(ids.map((id) => pair.stepOnOther(id, "get 2 dirt")));
    pair.relay.switchMode("open");
    for (const { status, body } of await Promise.all(late)) expect([0, 503], JSON.stringify(body)).toContain(status);
    expect(await pair.first.process.exited).toMatchObject({ code: 1 });
    for (const id of ids) expect(await pair.actionsOf(id)).toEqual(["get 2 dirt"]);
  });

  test("the one whose connections broke answers no request from memory", async () => {
    const pair = await Pair.start();
    const [id] = (await pair.episodesOfFirst(1)) as [string];
    const path = `/episodes/${id}/step`;
    expect((await step(pair.first, id, "get 1 dirt")).status).toBe(200);
    pair.relay.switchMode("closed");
    const second = { index: 1, action: "get 2 dirt" };
    await eventually(async () => (await send(pair.other, path, second)).status === 200, 40_000);
    const late = Promise.all([
      send(pair.first, path, { index: 2, action: "get 3 dirt" }),
      send(pair.first, `/episodes/${id}`),
      send(pair.first, `/episodes/${id}/transcript`),
    ]);
    for (const { status, body } of await late) expect([0, 503], JSON.stringify(body)).toContain(status);
    pair.relay.switchMode("open");
    expect(await pair.first.process.exited).toMatchObject({ code: 1 });
    expect(await pair.actionsOf(id)).toEqual(["get 1 dirt", "get 2 dirt"]);
  });

  test("the one that was frozen acknowledges only those of its steps in flight that are in the log", {
    timeout: 240_000,
  }, async () => {
    const pair = await Pair.start();
    const ids = await pair.episodesOfFirst(4);
    const sent = ids.map((id) => step(pair.first, id, "get 1 dirt"));
    pair.first.process.signal("SIGSTOP");
    await Promise.all(
      ids.map((id) =>
        eventually(async () => [200, 409].includes((await step(pair.other, id, "get 2 dirt")).status), 40_000),
      ),
    );
    pair.first.process.signal("SIGCONT");
    const replies = await Promise.all(sent);
    expect(await pair.first.process.exited).toMatchObject({ code: 1 });
    for (const [i, id] of ids.entries()) {
      const [action] = (await pair.actionsOf(id)) as [string];
      if (replies[i]?.status === 200) expect(action).toBe("get 1 dirt");
      else expect(["get 1 dirt", "get 2 dirt"]).toContain(action);
    }
  });
});
