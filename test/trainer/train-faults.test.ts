/** Failures in the middle of a run: the gym, an environment, the disk. No episode is scored that was not played. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { TrainerError } from "#palestra/trainer/errors.js";
import type { GymClient } from "#palestra/trainer/gym/gym.js";
import { PalestraClient } from "#palestra/trainer/gym/gym-client.js";
import type { GymSocketOptions } from "#palestra/trainer/gym/gym-socket.js";
import type { TrainRecord } from "#palestra/trainer/report/metric-names.js";
import { readMetrics } from "#palestra/trainer/report/metrics.js";
import { TrainReport } from "#palestra/trainer/report/train-report.js";
import type { TrainObserver, TrainStepReport } from "#palestra/trainer/run/observer.js";
import type { TrainSettings } from "#palestra/trainer/settings/settings.js";
import { train } from "#palestra/trainer/train.js";
import { needsEngine } from "../native/tiny-models.js";
import { type GymOptions, type RunningServer, scratchDir, startGym } from "../support/server-process.js";
import { scratch } from "../support/serving.js";
import { SmallDisk } from "../support/small-disk.js";
import { trainSteps } from "../support/train-records.js";
import { FailingGym } from "./support/failing-gym.js";
import { reportData } from "./support/report-data.js";
import { Notes, tinySettings } from "./support/training.js";

needsEngine();
const shared = scratchDir();
const flaky = new URL("../fixtures/environments/flaky.mjs", import.meta.url).pathname;
const expertOpen = { env: { PALESTRA_LOCAL_EXPERT: "true" }, environmentModules: [flaky] };
let server: RunningServer;
let gym: PalestraClient;
/** The starting model of each run here, cloned once. */
let model: string;
let undisturbed: Buffer;

/** In synchronous mode, the learnt weights do not depend on failures. */
const settingsOf = (output: string, changes: Partial<TrainSettings> = {}) =>
  tinySettings(output, { model, clone_episodes: 0, max_head_offpolicyness: 0, ...changes });

async function run(settings: TrainSettings, client: GymClient, observer: TrainObserver = new Notes()) {
  const result = await train(settings, client, observer, new AbortController().signal);
  return { result, weights: readFileSync(join(result.model, "model.safetensors")) };
}

beforeAll(async () => {
  server = await startGym({ dataDir: join(shared.path, "gym"), ...expertOpen });
  gym = await PalestraClient.connect(server.url);
  const cloning = { total_train_steps: 0, clone_episodes: 60, clone_epochs: 40 };
  const beginning = tinySettings(join(shared.path, "beginning"), cloning);
  ({ model } = await train(beginning, gym, new Notes(), new AbortController().signal));
  ({ weights: undisturbed } = await run(settingsOf(join(shared.path, "undisturbed")), gym));
});
afterAll(async () => {
  await gym?.close();
  await server?.process.stop();
  shared.remove();
});

/** A gym of this test alone, which it kills and stops. */
async function ownGym(options: Partial<GymOptions> = {}, socket: GymSocketOptions = {}) {
  const dataDir = options.dataDir ?? scratch();
  const own = await startGym({ dataDir, ...expertOpen, ...options });
  onTestFinished(async () => void (await own.process.kill()));
  const client = await PalestraClient.connect(own.url, socket);
  onTestFinished(() => client.close());
  return { ...own, dataDir, client };
}

describe("a gym", () => {
  test("that is killed and restarted does not change the learnt weights", async () => {
    const { url, process, dataDir, client } = await ownGym();
    const notes = new Notes();
    let back: Promise<RunningServer> | undefined;
    notes.onTrainStepHook = ({ trainStep }) => {
      if (trainStep !== 2) return;
      // The kill happens in the middle of the next rollouts.
      setTimeout(() => {
        back = process.kill().then(() => startGym({ dataDir, port: Number(new URL(url).port), ...expertOpen }));
      }, 10);
    };
    const { weights } = await run(settingsOf(scratch()), client, notes);
    const again = await (back as Promise<RunningServer> | undefined);
    await again?.process.kill();
    expect(again?.url).toBe(url);
    expect(weights.equals(undisturbed)).toBe(true);
  });

  // The failing steps are random, and an episode that fails often is retried after up to 30 seconds.
  test("that fails a fifth of all steps does not change the learnt weights", {
    timeout: 300_000,
  }, async () => {
    const failing = new FailingGym(gym, 1);
    const notes = new Notes();
    notes.onStart = () => {
      failing.share = 0.2;
    };
    const { weights } = await run(settingsOf(scratch(), { rollout_retries: 50 }), failing, notes);
    console.info(`${failing.failures} steps failed`);
    expect(failing.failures).toBeGreaterThan(10);
    expect(weights.equals(undisturbed)).toBe(true);
    expect(notes.steps.flatMap(({ groups }) => groups.flatMap(({ failed }) => failed))).toEqual([]);
  });

  test("that hangs for ever ends the run after the timeouts, with a saved checkpoint", async () => {
    // Far above the time of a reply on a busy machine, since a late reply would end the run early.
    const quick = { requestMs: 10_000, giveUpMs: 1_000, backOff: { baseMs: 50, maxMs: 200 } };
    const { process, client } = await ownGym({}, quick);
    const output = scratch();
    const notes = new Notes();
    notes.onTrainStepHook = ({ trainStep }) => {
      if (trainStep === 1) process.signal("SIGSTOP");
    };
    const many = { max_head_offpolicyness: 25, max_concurrent_groups: 64, rollout_retries: 0, save_freq_steps: 100 };
    const failed = run(settingsOf(output, { ...many, total_train_steps: 100 }), client, notes);
    await expect(failed).rejects.toThrow(/64 failed groups in a row, the last with GYM_(TIMEOUT|UNREACHABLE)/);
    const learnt = notes.steps.length;
    expect(notes.saved.at(-1)).toMatch(new RegExp(`step-0*${learnt}$`));
    process.signal("SIGCONT");
  });

  test("that never answers is refused before the run begins", async () => {
    const { process, client } = await ownGym({}, { requestMs: 3_000, giveUpMs: 500 });
    process.signal("SIGSTOP");
    await expect(run(settingsOf(scratch()), client)).rejects.toMatchObject({ code: "GYM_TIMEOUT" });
    process.signal("SIGCONT");
  });
});

test("whose environment fails a fifth of its steps gives training only episodes that were played to an end", async () => {
  const notes = new Notes();
  const tasks = ["flaky:only:0-3"];
  const cloning = { clone_episodes: 100, clone_epochs: 10, clone_lr: 3e-3, context_length: 256 };
  const rollouts = { n_samples: 6, max_head_offpolicyness: 1, total_train_steps: 6, eval_episodes: 40 };
  await train(
    tinySettings(scratch(), { train_tasks: tasks, eval_tasks: tasks, ...cloning, ...rollouts }),
    gym,
    notes,
    new AbortController().signal,
  );
  const left = notes.steps.flatMap(({ leftOut }) => leftOut);
  const groups = notes.steps.flatMap(({ groups }) => groups);
  const failed = groups.flatMap(({ failed }) => failed);
  expect(failed.length).toBeGreaterThan(10);
  for (const { failure, solved } of failed) {
    expect(failure).toMatchObject({ class: "environment", code: "ENVIRONMENT_THREW" });
    expect(solved).toBe(false);
  }
  for (const { trajectories, failed } of groups) {
    expect(trajectories.length).toBeGreaterThanOrEqual(2);
    expect(trajectories.length + failed.length).toBe(6);
  }
  for (const { reason, group } of left) {
    expect(reason).toBe("failed");
    expect(group.trajectories.length).toBeLessThan(2);
  }
  for (const { credits, groups } of notes.steps) {
    const credited = [...credits.keys()];
    expect(credited.length).toBeGreaterThan(0);
    expect(credited.filter(({ status, steps }) => status === "failed" || steps.length < 3)).toEqual([]);
    const played = new Set(groups.flatMap(({ trajectories }) => trajectories));
    expect(credited.every((trajectory) => played.has(trajectory))).toBe(true);
  }
  for (const { scores } of notes.evaluations) {
    const [score] = scores;
    expect((score?.episodes ?? 0) + (score?.failed ?? 0)).toBe(40);
    expect(score?.failed).toBeGreaterThan(0);
    expect(score?.rounds).toBe(3);
  }
});

test("an evaluation without a played episode has no score", async () => {
  const failing = new FailingGym(gym);
  failing.share = 1;
  const notes = new Notes();
  await run(settingsOf(scratch(), { total_train_steps: 0, rollout_retries: 0 }), failing, notes);
  expect(notes.evaluations[0]?.scores).toMatchObject([
    { episodes: 0, failed: 5, success: undefined, score: undefined },
  ]);
});

/** A run with its output on the terminal, and a disk that the test fills and frees during the run. */
class Watched extends TrainReport {
  readonly told: string[] = [];
  readonly hooks: ((report: TrainStepReport) => void)[] = [];

  override onTrainStep(report: TrainStepReport): void {
    super.onTrainStep(report);
    for (const hook of this.hooks) hook(report);
  }

  override onCheckpointFailed(error: TrainerError): void {
    super.onCheckpointFailed(error);
    this.told.push(error.message);
  }
}

test("a model that does not exist is refused before the experts play", async () => {
  const notes = new Notes();
  const settings = tinySettings(scratch(), { model: "no/such/model" });
  await expect(run(settings, gym, notes)).rejects.toMatchObject({
    code: "MODEL_UNUSABLE",
    message: expect.stringContaining("at no/such/model, but received: ENOENT"),
  });
  expect(notes.stages.filter((stage) => stage.includes("experts"))).toEqual([]);
});

describe("a full disk", () => {
  test("lets the run continue, and all records are written once there is room", async (context) => {
    const disk = SmallDisk.mount(context, 16);
    const settings = settingsOf(join(disk.path, "run"), { save_freq_steps: 1, total_train_steps: 4 });
    const report = new Watched(settings);
    report.hooks.push(({ trainStep }) => {
      if (trainStep === 2) disk.fill();
      if (trainStep === 3) {
        // The previous checkpoint existed all the time.
        expect(existsSync(join(settings.output, "checkpoints", "step-00000001", "trainer.bin"))).toBe(true);
        disk.free();
      }
    });
    const { weights } = await run(settings, gym, report);
    await report.close();
    expect(report.told).toEqual([expect.stringMatching(/expected to save a checkpoint in .*No space left on device/)]);
    expect(weights.equals(undisturbed)).toBe(true);
    const records = readMetrics(join(settings.output, "metrics.jsonl"));
    expect(trainSteps(records).map(({ step }) => step)).toEqual([1, 2, 3, 4]);
    const shown = reportData<{ records: TrainRecord[] }>(readFileSync(join(settings.output, "report.html"), "utf8"));
    expect(shown.records).toEqual(JSON.parse(JSON.stringify(records)));
  });

  test("that stays full ends the run with an error, and the run resumes from the previous checkpoint", async (context) => {
    const disk = SmallDisk.mount(context, 16);
    const settings = settingsOf(join(disk.path, "run"), { save_freq_steps: 2, total_train_steps: 4 });
    const report = new Watched(settings);
    report.hooks.push(({ trainStep }) => {
      if (trainStep === 3) disk.fill();
    });
    await expect(run(settings, gym, report)).rejects.toThrow(/No space left on device/);
    await report.close();
    expect(report.told.length).toBeGreaterThan(0);
    disk.free();
    const notes = new Notes();
    const { weights } = await run(settings, gym, notes);
    expect(notes.stages).toContain("resuming after train step 2");
    expect(weights.equals(undisturbed)).toBe(true);
  });
});
