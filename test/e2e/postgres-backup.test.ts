/** A backup of the log in PostgreSQL, made with pg_dump while the gyms of a fleet play, and gyms on the restored copy. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { emptyDatabase } from "../support/databases.js";
import { Fleet } from "../support/fleet.js";
import { postgresFolder } from "../support/postgres.js";
import { scratch } from "../support/serving.js";

const run = (program: string, ...args: string[]) => promisify(execFile)(join(postgresFolder as string, program), args);

interface Transcript {
  steps: { index: number; action: string }[];
}

const action = (index: number) => `get ${index + 1} log`;

/** Plays an episode through any gym until `isOver`, and counts its answered steps. */
async function play(fleet: Fleet, id: string, isOver: () => boolean, answered: Map<string, number>): Promise<void> {
  for (let index = 0; !isOver(); index++) {
    await fleet.send(`/episodes/${id}/step`, { index, action: action(index) });
    answered.set(id, index + 1);
  }
}

async function actionsOf(fleet: Fleet, id: string): Promise<string[]> {
  const { steps } = (await fleet.send(`/episodes/${id}/transcript?limit=1000`)) as unknown as Transcript;
  return steps.map((step) => step.action);
}

describe.skipIf(postgresFolder === null)("a backup of the log in PostgreSQL", () => {
  test("that is made while gyms play has every step answered before, and other gyms continue from it", {
    timeout: 240_000,
  }, async () => {
    const fleet = await Fleet.start(2);
    const ids = await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const { episodeId } = await fleet.send("/episodes", {
          environment: "textcraft",
          task: { index },
          maxSteps: 900,
        });
        return episodeId as string;
      }),
    );
    const answered = new Map(ids.map((id) => [id, 0]));
    let isOver = false;
    const playing = ids.map((id) => play(fleet, id, () => isOver || (answered.get(id) as number) >= 800, answered));
    while (Math.min(...answered.values()) < 20) await new Promise((resolve) => setTimeout(resolve, 10));
    const before = new Map(answered);
    const file = join(scratch(), "gym.dump");
    await run("pg_dump", "--format=custom", "--schema=palestra", `--file=${file}`, fleet.database);
    isOver = true;
    await Promise.all(playing);

    const copy = await emptyDatabase();
    await run("pg_restore", `--dbname=${copy}`, file);
    const restored = await Fleet.on(copy, 2);
    for (const id of ids) {
      const stored = await actionsOf(restored, id);
      expect(stored.length).toBeGreaterThanOrEqual(before.get(id) as number);
      expect(stored).toEqual(stored.map((_, index) => action(index)));
      await restored.send(`/episodes/${id}/step`, { index: stored.length, action: action(stored.length) });
      // The gyms of the first database are not affected.
      expect(await actionsOf(fleet, id)).toHaveLength(answered.get(id) as number);
    }
    const { episodeId } = await restored.send("/episodes", { environment: "textcraft", task: { index: 0 } });
    expect(ids).not.toContain(episodeId);
  });
});
