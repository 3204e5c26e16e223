/** Trainers that share a fleet of gyms on one PostgreSQL database. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { GymClient } from "#palestra/trainer/gym/gym.js";
import { train } from "#palestra/trainer/train.js";
import { needsEngine } from "../../native/tiny-models.js";
import { postgresFolder } from "../../support/postgres.js";
import { scratch, serve } from "../../support/serving.js";
import { connect } from "../support/gym.js";
import { Notes, tinySettings } from "../support/training.js";
import { WatchedFleet } from "../support/watched-fleet.js";

needsEngine();

const env = { PALESTRA_LOCAL_EXPERT: "true" };
const runs = [
  ["textcraft:all:0-3", 1],
  ["textcraft:all:4-7", 2],
] as const;

test.skipIf(postgresFolder === null)(
  "two trainers at a fleet get the same weights as at gyms of their own, even if a gym is killed",
  { timeout: 300_000 },
  async () => {
    const own = await connect((await serve({ dataDir: scratch(), env })).url);
    const beginning = tinySettings(scratch(), { total_train_steps: 0, clone_episodes: 60, clone_epochs: 40 });
    const { model } = await train(beginning, own, new Notes(), new AbortController().signal);
    const learn = async (client: GymClient, [tasks, seed]: (typeof runs)[number], notes = new Notes()) => {
      // In synchronous mode, the learnt weights do not depend on timing.
      const synchronous = { model, clone_episodes: 0, max_head_offpolicyness: 0, total_train_steps: 6 };
      const settings = tinySettings(scratch(), { ...synchronous, train_tasks: [tasks], seed });
      const result = await train(settings, client, notes, new AbortController().signal);
      return readFileSync(join(result.model, "model.safetensors"));
    };
    const expected = [await learn(own, runs[0]), await learn(own, runs[1])];
    expect(expected[0]?.equals(expected[1] as Buffer)).toBe(false);

    const fleet = await WatchedFleet.start(3, env);
    const notes = [new Notes(), new Notes()] as const;
    let killed: Promise<void> | undefined;
    notes[0].onTrainStepHook = ({ trainStep }) => {
      if (trainStep === 2) setTimeout(() => (killed = fleet.kill(2)), 10);
    };
    const learnt = await Promise.all(
      runs.map(async (run, at) => learn(await connect(fleet.urls[at] as string), run, notes[at])),
    );
    await killed;
    expect(killed).toBeDefined();
    for (const [at, weights] of learnt.entries()) expect(weights.equals(expected[at] as Buffer)).toBe(true);
  },
);
