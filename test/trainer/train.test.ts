/** The loop from end to end: a real gym, the real engine, a very small model. */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { oldestVersion } from "#palestra/trainer/rollout/trajectory.js";
import type { TrainStepReport } from "#palestra/trainer/run/observer.js";
import type { TrainSettings } from "#palestra/trainer/settings/settings.js";
import { train } from "#palestra/trainer/train.js";
import { needsEngine } from "../native/tiny-models.js";
import { gymOfFile } from "./support/gym-of-file.js";
import { Notes, tinySettings } from "./support/training.js";

needsEngine();
const file = gymOfFile();

const settingsOf = (output: string, changes: Partial<TrainSettings> = {}) =>
  tinySettings(join(file.folder, output), changes);

async function run(settings: TrainSettings, signal = new AbortController().signal, notes = new Notes()) {
  const result = await train(settings, file.gym, notes, signal);
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

  test("has only tokens of the current policy in synchronous mode, and equal runs end with equal weights", async () => {
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

  test("whose cloning takes an hour still has its max_minutes for train steps", async () => {
    const notes = new Notes();
    const { now } = performance;
    onTestFinished(() => void vi.restoreAllMocks());
    notes.onStage = (stage) => {
      if (stage.startsWith("cloning"))
        vi.spyOn(performance, "now").mockImplementation(() => now.call(performance) + 3.6e6);
    };
    const settings = settingsOf("slow-cloning", { max_minutes: 30, total_train_steps: 2, clone_epochs: 5 });
    const { result } = await run(settings, undefined, notes);
    expect(result).toMatchObject({ trainSteps: 2, end: "done" });
  });

  test("whose time is up before the first train step fails, and the error names what it waited for", async () => {
    const settings = settingsOf("empty", { max_minutes: 1e-6, clone_epochs: 5 });
    const failure = await run(settings).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "RUN_EMPTY" });
    expect(String(failure)).toContain("expected 3 groups for the first train step within max_minutes 0.000001");
    expect(String(failure)).toMatch(/but received: \d+ ended, \d+ running, 0 failed/);
  });

  test("resumes after a stop with the same result as without it, bit for bit", async () => {
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

  test("resumes in asynchronous mode with correct counters: no burst of rollouts, no lost task, no batch learnt twice", async () => {
    const eta = 2;
    const settings = settingsOf("asynchronous", { max_head_offpolicyness: eta, total_train_steps: 6, clone_epochs: 5 });
    const stopping = new AbortController();
    const before = new Notes();
    before.onTrainStepHook = ({ trainStep }) => {
      if (trainStep === 2) stopping.abort(new Error("stopped"));
    };
    await run(settings, stopping.signal, before);
    const { notes: after } = await run(settings);

    const first = after.steps[0] as TrainStepReport;
    const batch = settings.batch_size;
    // Two batches were consumed before. The waiting and running rollouts number at most the rest that admission allows.
    expect(first.rollouts.accepted).toBeGreaterThanOrEqual(3 * batch);
    expect(first.rollouts.accepted + first.rollouts.running).toBeLessThanOrEqual((eta + 2 + 1) * batch);
    const numbers = (notes: Notes) => notes.steps.flatMap(({ groups }) => groups.map(({ id }) => Number(id)));
    const learnt = [...numbers(before), ...numbers(after)];
    expect(new Set(learnt).size).toBe(6 * batch);
    const state = JSON.parse(readFileSync(join(after.saved.at(-1) as string, "state.json"), "utf8"));
    const { next, open } = (state.parts.player as { tasks: unknown }).tasks as {
      next: number;
      open: { number: number }[];
    };
    const all = [...learnt, ...open.map(({ number }) => number)].sort((a, b) => a - b);
    expect(all).toEqual(Array.from({ length: next }, (_, number) => number));
  });

  test("is refused with settings other than its checkpoint's, unless the change is allowed or the run starts over", async () => {
    const output = "changed";
    const settings = settingsOf(output, { total_train_steps: 2, max_head_offpolicyness: 0 });
    await run(settings);
    await expect(run({ ...settings, lr: 2e-3, batch_size: 4, layers: 2 })).rejects.toThrow(
      /batch_size: 3 before, 4 now\n {2}lr: 0.001 before, 0.002 now/,
    );
    const changed = { ...settings, lr: 2e-3, allow_changed_settings: true, total_train_steps: 3 };
    const { notes: after } = await run(changed);
    expect(after.steps.map(({ trainStep, lr }) => [trainStep, lr])).toEqual([[3, 2e-3]]);

    const { notes: anew } = await run({ ...settings, resume: false });
    expect(anew.steps.map(({ trainStep }) => trainStep)).toEqual([1, 2]);
    const aside = anew.stages
      .find((stage) => stage.includes("of an earlier run are now in"))
      ?.split(" ")
      .at(-1);
    expect(readdirSync(aside as string)).toEqual(["best", "step-00000002", "step-00000003"]);
    await expect(run({ ...settings, resume: false, clone_epochs: 31 })).rejects.toThrow(
      /expected the settings that .*cloned was made with.*\n {2}clone_epochs: 30 before, 31 now/,
    );
  });

  test("that fails keeps its train steps, and resumes from them bit for bit", async () => {
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
