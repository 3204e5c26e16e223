/** The loop from end to end: a real gym, the real engine, a very small model. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PalestraClient } from "#palestra/trainer/gym-client.js";
import { oldestVersion } from "#palestra/trainer/rollout/trajectory.js";
import type { TrainSettings } from "#palestra/trainer/settings.js";
import { train } from "#palestra/trainer/train.js";
import { needsEngine } from "../native/tiny-models.js";
import { type RunningServer, scratchDir, startGym } from "../support/server-process.js";
import { Notes, tinySettings } from "./support/training.js";

needsEngine();
const scratch = scratchDir();
let server: RunningServer;
let gym: PalestraClient;

beforeAll(async () => {
  server = await startGym({ dataDir: join(scratch.path, "gym"), env: { PALESTRA_LOCAL_EXPERT: "true" } });
  gym = await PalestraClient.connect(server.url);
});
afterAll(async () => {
  await gym?.close();
  await server?.process.stop();
  scratch.remove();
});

const settingsOf = (output: string, changes: Partial<TrainSettings> = {}) =>
  tinySettings(join(scratch.path, output), changes);

async function run(settings: TrainSettings, signal = new AbortController().signal, notes = new Notes()) {
  const result = await train(settings, gym, notes, signal);
  return { notes, result, weights: readFileSync(join(result.model, "model.safetensors")) };
}

describe("a run", () => {
  test("clones, plays and learns at the same time, and evaluates before and after", async () => {
    const { notes, result } = await run(settingsOf("async", { max_head_offpolicyness: 2 }));
    expect(result).toMatchObject({ trainSteps: 4, end: "done" });
    expect(notes.cloningLosses.at(-1)).toBeLessThan((notes.cloningLosses[0] as number) / 4);
    expect(notes.evaluations.map(({ trainStep }) => trainStep)).toEqual([0, 4]);
    expect(notes.evaluations[0]?.scores).toMatchObject([{ name: "textcraft:all:0-3", episodes: 5, failed: 0 }]);
    for (const [at, { groups, trainStep }] of notes.steps.entries()) {
      expect(trainStep).toBe(at + 1);
      expect(groups.map(({ trajectories }) => trajectories.length)).toEqual([4, 4, 4]);
      for (const trajectory of groups.flatMap(({ trajectories }) => trajectories)) {
        const oldest = oldestVersion(trajectory) as number;
        expect(at - oldest).toBeLessThanOrEqual(2);
        expect(Math.max(...trajectory.versions)).toBeLessThanOrEqual(at);
      }
    }
  });

  test("in synchronous mode every token is the current policy's, and equal runs end with equal weights", async () => {
    const [one, other] = [
      await run(settingsOf("one", { max_head_offpolicyness: 0 })),
      await run(settingsOf("other", { max_head_offpolicyness: 0 })),
    ];
    for (const [at, { groups }] of one.notes.steps.entries()) {
      const versions = groups.flatMap(({ trajectories }) => trajectories.map(oldestVersion));
      expect(new Set(versions)).toEqual(new Set([at]));
    }
    expect(one.notes.steps.some(({ learntFrom }) => learntFrom > 0)).toBe(true);
    expect(one.weights.equals(other.weights)).toBe(true);
  });

  test("goes on after a stop as if there had been none, bit for bit", async () => {
    const undisturbed = await run(settingsOf("undisturbed", { max_head_offpolicyness: 0 }));
    const settings = settingsOf("stopped", { max_head_offpolicyness: 0 });
    for (const stopAfter of [1, 3]) {
      const stopping = new AbortController();
      const notes = new Notes();
      notes.onTrainStepHook = ({ trainStep }) => {
        if (trainStep === stopAfter) stopping.abort(new Error("stopped"));
      };
      const { result } = await run(settings, stopping.signal, notes);
      expect(result).toMatchObject({ end: "stopped", trainSteps: stopAfter });
    }
    const { notes, weights } = await run(settings);
    expect(notes.steps.map(({ trainStep }) => trainStep)).toEqual([4]);
    expect(weights.equals(undisturbed.weights)).toBe(true);
  });

  test("that fails keeps what it learnt, and goes on from there, bit for bit", async () => {
    const settings = settingsOf("failed", { max_head_offpolicyness: 0 });
    const notes = new Notes();
    notes.onTrainStepHook = ({ trainStep }) => {
      if (trainStep === 3) throw new Error("a bug");
    };
    await expect(run(settings, undefined, notes)).rejects.toThrow("a bug");
    const { notes: after, weights } = await run(settings);
    expect(after.steps.map(({ trainStep }) => trainStep)).toEqual([4]);
    const undisturbed = await run(settingsOf("undisturbed-too", { max_head_offpolicyness: 0 }));
    expect(weights.equals(undisturbed.weights)).toBe(true);
    rmSync(settings.output, { recursive: true });
  });
});
