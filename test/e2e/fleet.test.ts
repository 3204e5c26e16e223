/** Three gyms on one PostgreSQL database. Every request goes to any of them, while gyms are killed, stopped and frozen. */
import { describe, expect, onTestFinished, test } from "vitest";
import { Fleet, type Node } from "../support/fleet.js";
import { postgresFolder } from "../support/postgres.js";

const actionsOf = (episode: number, count: number) =>
  Array.from({ length: count }, (_, step) => `get ${step + 1} item ${episode}`);

interface Transcript {
  steps: { index: number; action: string; observation: string }[];
}

describe.skipIf(postgresFolder === null)("a fleet of three gyms", () => {
  test("plays every episode once, through any gym, while gyms are killed", async () => {
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

  test("continues without a frozen gym, and that gym writes nothing when it resumes", {
    timeout: 240_000,
  }, async () => {
    const fleet = await Fleet.start(2);
    const [first] = fleet.nodes as [Node];
    const ids = await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        // The first gym owns some of the episodes, whichever gyms the other requests go to.
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
