/** Runs in which partners play the other seats: fixed policies, earlier versions, and another run. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { readMetrics } from "#palestra/trainer/report/metrics.js";
import { TrainReport } from "#palestra/trainer/report/train-report.js";
import type { TrainingReportInput } from "#palestra/trainer/report/training-html.js";
import type { TrainSettings } from "#palestra/trainer/settings/settings.js";
import { train } from "#palestra/trainer/train.js";
import { needsEngine } from "../native/tiny-models.js";
import { gymOfFile } from "./support/gym-of-file.js";
import { reportData } from "./support/report-data.js";
import { Notes, tinySettings } from "./support/training.js";

needsEngine();
const file = gymOfFile();
/** The starting model of each run here, cloned once. */
let model: string;

const bargains = {
  train_tasks: ["bargain:train:0-7"],
  eval_tasks: ["bargain:test:0-3"],
  ...{ max_rounds: 4, max_new_tokens: 24, batch_size: 4, n_samples: 2, eval_episodes: 4, clone_episodes: 0 },
  max_head_offpolicyness: 0,
};

beforeAll(async () => {
  const cloning = { clone_episodes: 60, clone_epochs: 30, total_train_steps: 0 };
  const settings = tinySettings(join(file.folder, "beginning"), { ...bargains, ...cloning });
  ({ model } = await train(settings, file.gym, new Notes(), new AbortController().signal));
});

let runs = 0;
const settingsOf = (changes: Partial<TrainSettings> = {}) =>
  tinySettings(join(file.folder, `run-${runs++}`), { ...bargains, model, total_train_steps: 2, ...changes });

async function run(settings: TrainSettings) {
  const notes = new Notes();
  const result = await train(settings, file.gym, notes, new AbortController().signal);
  const groups = notes.steps.flatMap((step) => step.groups);
  const trained = groups.flatMap(({ trajectories }) => trajectories);
  return { notes, result, groups, trained };
}

const weightsIn = (folder: string) => readFileSync(join(folder, "model.safetensors"));

describe("a run with a partner", () => {
  test("trains on the policy's seats alone, each seat in turn, and changes its weights", async () => {
    const { groups, trained, result, notes } = await run(settingsOf({ partner: "expert" }));
    for (const { id, players, trajectories } of groups) {
      const [own, other] = Number(id) % 2 === 0 ? ["left", "right"] : ["right", "left"];
      expect(players).toEqual({ [own as string]: "learner", [other as string]: "expert" });
      expect(new Set(trajectories.map(({ seat }) => seat))).toEqual(new Set([own]));
    }
    expect(groups).toHaveLength(8);
    expect(trained.every(({ tokens, partner }) => tokens.length > 0 && partner === undefined)).toBe(true);
    expect(weightsIn(result.model).equals(weightsIn(model))).toBe(false);
    // The partner plays the held-out episodes, too.
    expect(notes.evaluations[0]?.scores[0]?.seats).toMatchObject({ left: { episodes: 2 }, right: { episodes: 2 } });
  });

  test("plays the named seats alone", async () => {
    const { groups, notes } = await run(
      settingsOf({ partner: "random", learner_seats: ["right"], total_train_steps: 1 }),
    );
    expect(groups.map(({ players }) => players)).toEqual(groups.map(() => ({ left: "random", right: "learner" })));
    expect(Object.keys(notes.evaluations[0]?.scores[0]?.seats ?? {})).toEqual(["right"]);
  });

  test("reports who played which seat, with the seats' returns", async () => {
    const settings = settingsOf({ partner: "expert", learner_seats: ["left"], total_train_steps: 2 });
    const lines: string[] = [];
    const report = new TrainReport(settings, (line) => lines.push(line));
    await train(settings, file.gym, report, new AbortController().signal);
    await report.close("done");
    expect(lines.filter((line) => /^ {4}left +return \d\.\d{3} of 4$/.test(line))).toHaveLength(2);
    const steps = readMetrics(join(settings.output, "metrics.jsonl")).filter(({ seats }) => seats);
    expect(steps.map(({ seats }) => [seats?.left?.players, seats?.right])).toEqual([
      [{ learner: 4 }, { players: { expert: 4 } }],
      [{ learner: 4 }, { players: { expert: 4 } }],
    ]);
    expect(steps[0]?.seats?.left?.reward).toEqual(expect.any(Number));
    const { paper } = reportData<TrainingReportInput>(readFileSync(join(settings.output, "report.html"), "utf8"));
    const [groups, heldOut] = paper?.find(({ heading }) => heading === "Players")?.tables ?? [];
    expect(groups?.rows.map((row) => row.slice(1))).toEqual([
      ["left", "learner", "8"],
      ["right", "expert", "8"],
    ]);
    expect(heldOut?.rows.map((row) => row.slice(1, 4))).toEqual([["bargain:test:0-3", "left", "4"]]);
  });

  test("plays all seats itself in the rest of the groups", async () => {
    const { groups } = await run(settingsOf({ partner: `native:${model}`, partner_share: 0.5, total_train_steps: 3 }));
    const counts = groups.map(({ trajectories }) => new Set(trajectories.map(({ seat }) => seat)).size);
    expect(new Set(counts)).toEqual(new Set([1, 2]));
  });
});

test("earlier versions are saved, spread over the run, and play again after a resume", async () => {
  const versions = { partner: "earlier", partner_share: 1, earlier_freq_steps: 1, earlier_versions: 3 };
  const settings = settingsOf({ ...versions, total_train_steps: 4, save_freq_steps: 4 });
  const first = await run(settings);
  const folder = join(settings.output, "earlier");
  expect(readdirSync(folder).sort()).toEqual(["step-00000000", "step-00000002", "step-00000004"]);
  expect(weightsIn(join(folder, "step-00000000")).equals(weightsIn(model))).toBe(true);
  expect(weightsIn(join(folder, "step-00000004")).equals(weightsIn(first.result.model))).toBe(true);
  const names = first.groups
    .flatMap(({ players }) => Object.values(players ?? {}))
    .filter((name) => name !== "learner");
  expect(new Set(names).size).toBeGreaterThan(1);
  for (const name of names) expect(name).toMatch(/^version [0-4]$/);
  // It is evaluated by itself in all seats.
  expect(first.notes.evaluations[0]?.scores[0]?.seats?.left?.episodes).toBe(4);
  const { groups, notes } = await run({ ...settings, total_train_steps: 6 });
  expect(notes.steps.map(({ trainStep }) => trainStep)).toEqual([5, 6]);
  expect(groups.every(({ players }) => Object.values(players ?? {}).some((name) => name.startsWith("version ")))).toBe(
    true,
  );
});

test("two runs at once train a policy for each seat, each with the newest model of the other", async () => {
  const [left, right] = [settingsOf(), settingsOf()];
  const facing = (seat: string, own: TrainSettings, other: TrainSettings) =>
    run({ ...own, learner_seats: [seat], partner: `run:${other.output}`, save_freq_steps: 1 });
  // Each waits for the other's starting model, which run.json names.
  const { writeRunFile } = await import("#palestra/trainer/report/run-file.js");
  for (const settings of [left, right]) writeRunFile({ settings, engine: undefined, hasEnded: false });
  const [one, other] = await Promise.all([facing("left", left, right), facing("right", right, left)]);
  expect(one.groups.map(({ players }) => players)).toEqual(
    one.groups.map(() => ({ left: "learner", right: `run:${right.output}` })),
  );
  expect(other.trained.every(({ seat }) => seat === "right")).toBe(true);
  expect(weightsIn(one.result.model).equals(weightsIn(other.result.model))).toBe(false);
  expect(existsSync(join(left.output, "checkpoints", "step-00000002"))).toBe(true);
});

describe("a run is refused", () => {
  test.each<[Partial<TrainSettings>, string]>([
    [{ partner: "expert", learner_seats: ["buyer"] }, 'expected a seat of bargain (left, right), but received "buyer"'],
    [
      { partner: "random", train_tasks: ["textcraft:all:0-3"], eval_tasks: ["textcraft:all:0-3"] },
      "expected partner self, since no environment of train_tasks has several players, but received random",
    ],
    [{ partner: "native:nowhere" }, "or a GGUF file, but received nowhere, which does not exist"],
  ])("with %j", async (changes, message) => {
    await expect(run(settingsOf(changes))).rejects.toThrow(message);
  });
});
