/** Idempotency keys, tokens and their limits at three gyms on one PostgreSQL database, while gyms are killed. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { Fleet, type Node } from "../support/fleet.js";
import { hurriedTimes } from "../support/hurry.js";
import { palestra } from "../support/palestra.js";
import { postgresFolder } from "../support/postgres.js";

/** Milliseconds after which each gym has read the counts of the others. */
const heardMs = 6 * hurriedTimes.fleet.shareUseMs;

interface Created {
  episodeId: string;
}

const keyed = (key: string) => ({ "idempotency-key": key });
const textcraft = { environment: "textcraft", task: { index: 0 } };

describe.skipIf(postgresFolder === null)("a fleet of three gyms", () => {
  test("opens one episode for 20 concurrent creates of one key", async () => {
    const fleet = await Fleet.start(3);
    for (const key of ["first", "second", "third"]) {
      const created = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          fleet.send("/episodes", textcraft, keyed(key), (fleet.nodes[i % 3] as Node).url),
        ),
      );
      expect(new Set(created.map(({ episodeId }) => episodeId)).size, key).toBe(1);
    }
    const { episodes } = (await fleet.send("/episodes")) as unknown as { episodes: Created[] };
    expect(episodes).toHaveLength(3);
  });

  test("opens each episode of a batch once for concurrent batches of one key", async () => {
    const fleet = await Fleet.start(3);
    const body = { episodes: Array.from({ length: 6 }, (_, index) => ({ ...textcraft, task: { index } })) };
    const batches = await Promise.all(
      Array.from({ length: 9 }, (_, i) =>
        fleet.send("/createMany", body, keyed("batch"), (fleet.nodes[i % 3] as Node).url),
      ),
    );
    const idsOf = ({ results }: Record<string, unknown>) => (results as Created[]).map(({ episodeId }) => episodeId);
    const [first = [], ...others] = batches.map(idsOf);
    expect(new Set(first).size).toBe(6);
    expect(first).not.toContain(undefined);
    for (const other of others) expect(other).toEqual(first);
    const { episodes } = (await fleet.send("/episodes")) as unknown as { episodes: Created[] };
    expect(episodes).toHaveLength(6);
  });

  test("opens one episode for concurrent creates of one key while a gym is killed", async () => {
    const fleet = await Fleet.start(3);
    const keys = Array.from({ length: 5 }, (_, i) => `key ${i}`);
    const creating = keys.flatMap((key, i) =>
      Array.from({ length: 20 }, async (_, at) => {
        await sleep(60 * i);
        return [key, (await fleet.send("/episodes", textcraft, keyed(key), fleet.urlOf((i + at) % 3))).episodeId];
      }),
    );
    await sleep(100);
    await fleet.replace(0);
    const created = await Promise.all(creating);
    for (const key of keys) {
      const ids = created.filter(([name]) => name === key).map(([, id]) => id);
      expect(new Set(ids).size, key).toBe(1);
      expect((await fleet.send("/episodes", textcraft, keyed(key))).episodeId).toBe(ids[0]);
    }
    const { episodes } = (await fleet.send("/episodes")) as unknown as { episodes: Created[] };
    expect(episodes).toHaveLength(keys.length);
  });

  test("keeps the episodes and steps of a token at its limits when a gym is killed", async () => {
    const fleet = await Fleet.start(3);
    const limits = ["--max-episodes", "6", "--max-steps-per-day", "12"];
    const { stdout } = await palestra(["token", "create", "--name", "ada", ...limits], {
      PALESTRA_LOG_URL: fleet.database,
    });
    const authorization = { authorization: `Bearer ${stdout.trim()}` };
    const created = [];
    for (let i = 0; i < 6; i++) {
      created.push(await fleet.send("/episodes", textcraft, authorization, fleet.urlOf(i % 3)));
    }
    const ids = created.map(({ episodeId }) => episodeId as string);
    const stepAll = (index: number) =>
      Promise.all(ids.map((id) => fleet.send(`/episodes/${id}/step`, { index, action: "inventory" }, authorization)));
    await stepAll(0);
    await sleep(heardMs);
    await fleet.replace(1);
    // No episode of the killed gym is refused because its old gym still counts it.
    await stepAll(1);
    await sleep(heardMs);
    for (const { url } of fleet.nodes) {
      const step = { index: 2, action: "inventory" };
      const refused = await fleet.sendOnce(url, `/episodes/${ids[0]}/step`, step, authorization);
      expect(refused).toMatchObject({
        reply: { error: { code: "LIMIT_TOKEN_STEPS", details: { limit: 12, used: 12 } } },
      });
      expect(await fleet.sendOnce(url, "/episodes", textcraft, authorization)).toMatchObject({
        reply: { error: { code: "LIMIT_TOKEN_EPISODES", details: { limit: 6, used: 6 } } },
      });
    }
  });
});
