/** The log of groups and run.json of real runs, and the log on a disk that fails. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { Runs } from "#palestra/server/runs/runs.js";
import { GroupLog, type GroupLogOptions } from "#palestra/trainer/report/group-log.js";
import { TokenTexts } from "#palestra/trainer/report/token-texts.js";
import { TrainReport } from "#palestra/trainer/report/train-report.js";
import type { Group, Trajectory } from "#palestra/trainer/rollout/trajectory.js";
import type { TrainStepReport } from "#palestra/trainer/run/observer.js";
import type { TrainSettings } from "#palestra/trainer/settings/settings.js";
import { train } from "#palestra/trainer/train.js";
import { needsEngine } from "../native/tiny-models.js";
import { scratch } from "../support/serving.js";
import { gymOfFile } from "./support/gym-of-file.js";
import { Notes, tinySettings } from "./support/training.js";

const filesOf = (output: string) => readdirSync(join(output, "groups")).sort();

async function untilWritten(output: string, name: string): Promise<void> {
  await vi.waitFor(() => expect(filesOf(output)).toContain(name), 5_000);
}

describe("a real run", () => {
  needsEngine();
  const file = gymOfFile();
  let model: string;

  beforeAll(async () => {
    const beginning = tinySettings(join(file.folder, "beginning"), { total_train_steps: 0 });
    ({ model } = await train(beginning, file.gym, new Notes(), new AbortController().signal));
  });

  /** Runs a training as `palestra train` does, and returns the reports of the train steps. */
  async function run(settings: TrainSettings): Promise<TrainStepReport[]> {
    vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const steps: TrainStepReport[] = [];
    const report = new TrainReport(settings);
    const told = report.onTrainStep.bind(report);
    report.onTrainStep = (step) => {
      steps.push(step);
      told(step);
    };
    await train(settings, file.gym, report, new AbortController().signal).finally(() => report.close());
    vi.restoreAllMocks();
    return steps;
  }

  const settingsOf = (changes: Partial<TrainSettings> = {}) =>
    tinySettings(join(scratch(), "run"), { model, clone_episodes: 0, total_train_steps: 3, ...changes });

  test("logs the groups of each train step, and the gym shows their tokens", async () => {
    const settings = settingsOf({ gym: `${file.server.url}/t/pal_unshown` });
    const steps = await run(settings);
    expect(filesOf(settings.output)).toEqual([1, 2, 3].map((step) => `step-0000000${step}.groups`));
    const runs = new Runs([join(settings.output, "..")]);
    const call = async (...[name, params]: Parameters<Runs["call"]>) => JSON.parse(await runs.call(name, params));
    const { groups } = await call("groups", { run: "run", step: 2 });
    const learnt = steps[1] as TrainStepReport;
    const kept = groups.filter(({ leftOut }: { leftOut: unknown }) => leftOut === null);
    expect(kept.map(({ group }: { group: string }) => group)).toEqual(learnt.groups.map(({ id }) => id));
    for (const { id, trajectories } of learnt.groups) {
      for (const [index, trajectory] of trajectories.entries()) {
        const logged = await call("rollout", { run: "run", step: 2, group: id, index });
        const credit = learnt.credits.get(trajectory);
        const sampled = (values: ArrayLike<number> | undefined) =>
          Array.from(trajectory.mask, (bit, at) =>
            bit === 1 && values ? expect.closeTo(values[at] as number, 4) : null,
          );
        expect(logged).toMatchObject({
          tokens: [...trajectory.tokens],
          mask: [...trajectory.mask],
          logprobs: sampled(trajectory.logprobs),
          versions: sampled(trajectory.versions),
          advantages: sampled(credit?.advantages),
          rollout: { episodeId: trajectory.episodeId, return: trajectory.return, solved: trajectory.solved },
        });
        expect(logged.texts).toHaveLength(trajectory.tokens.length);
        expect(logged.texts.join("")).toContain("Goal: craft");
      }
    }
    const about = await call("run", { run: "run" });
    expect(about).toMatchObject({
      live: false,
      groupSteps: { first: 1, last: 3, count: 3 },
      engine: { device: "cpu" },
    });
    expect(about.settings).toMatchObject({ total_train_steps: 3, model });
    expect(readFileSync(join(settings.output, "run.json"), "utf8")).not.toContain("unshown");
    await runs.close();
  });

  test("removes the groups after its checkpoint when it is resumed", async () => {
    const settings = settingsOf({ save_freq_steps: 2, total_train_steps: 2 });
    await run(settings);
    const { startedAt } = JSON.parse(readFileSync(join(settings.output, "run.json"), "utf8"));
    for (const step of ["00000003", "00000009"])
      writeFileSync(join(settings.output, "groups", `step-${step}.groups`), "of a later step");
    const longer = { ...settings, total_train_steps: 4 };
    await run(longer);
    expect(filesOf(settings.output)).toEqual([1, 2, 3, 4].map((step) => `step-0000000${step}.groups`));
    expect(readFileSync(join(settings.output, "groups", "step-00000003.groups"), "utf8")).toMatch(
      /^\{"format":1,"step":3,/,
    );
    expect(JSON.parse(readFileSync(join(settings.output, "run.json"), "utf8")).startedAt).toBe(startedAt);
  });

  test("logs every Nth train step, or none", async () => {
    const every = settingsOf({ group_log_freq_steps: 2 });
    await run(every);
    expect(filesOf(every.output)).toEqual(["step-00000002.groups"]);
    const none = settingsOf({ group_log_freq_steps: 0 });
    await run(none);
    expect(readdirSync(none.output)).not.toContain("groups");
  });
});

describe("the log", () => {
  const said: string[] = [];

  function logOf(output: string, changes: Partial<GroupLogOptions> = {}): GroupLog {
    said.length = 0;
    const say = (line: string) => said.push(line);
    return new GroupLog({ output, every: 1, mostBytes: 1e9, resumedAt: 0, tokenizer: undefined, say, ...changes });
  }

  const step = (trainStep: number) => ({ trainStep, groups: [], leftOut: [], credits: new Map() });

  /** A train step with at least 8 kB of log. */
  function largeStep(trainStep: number) {
    const length = 1_000;
    const trajectory = {
      ...{ episodeId: "e", return: 0, solved: false, status: "terminated", failure: null, steps: [] },
      ...{ tokens: new Int32Array(length), mask: new Uint8Array(length) },
      ...{ logprobs: new Float32Array(length), versions: new Int32Array(length) },
      played: { environment: "textcraft@1", split: "train", index: 0, seed: 0 },
    } as unknown as Trajectory;
    return { ...step(trainStep), groups: [{ id: "g", trajectories: [trajectory], failed: [] }] as unknown as Group[] };
  }

  test("keeps the newest files that fit into its limit", async () => {
    const output = scratch();
    const log = logOf(output, { mostBytes: 100 });
    for (const trainStep of [1, 2, 3, 4, 5, 6]) {
      log.write(step(trainStep));
      await untilWritten(output, `step-0000000${trainStep}.groups`);
    }
    await log.close();
    const sizes = filesOf(output).map((name) => readFileSync(join(output, "groups", name)).length);
    expect(filesOf(output).at(-1)).toBe("step-00000006.groups");
    expect(sizes.length).toBeGreaterThan(1);
    expect(sizes.length).toBeLessThan(6);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(100);
  });

  test("reports a failed write once, continues, and reports when it can write again", async () => {
    const output = scratch();
    const blocked = join(output, "groups");
    writeFileSync(blocked, "not a folder");
    const log = logOf(output);
    expect(said).toEqual([expect.stringContaining("ENOTDIR")]);
    said.length = 0;
    log.write(step(1));
    await vi.waitFor(() => expect(said).toEqual([expect.stringContaining("train steps are left out")]), 5_000);
    log.write(step(2));
    rmSync(blocked);
    await vi.waitFor(() => {
      log.write(step(3));
      expect(said.at(-1)).toContain("written again");
    }, 5_000);
    expect(said).toHaveLength(2);
    await log.close();
    expect(filesOf(output)).toContain("step-00000003.groups");
  });

  test("does not let train steps pile up, and reports the number of missing ones", async () => {
    const output = scratch();
    const log = logOf(output, { mostWaitingBytes: 20_000 });
    for (let trainStep = 1; trainStep <= 10; trainStep++) log.write(largeStep(trainStep));
    await log.close();
    expect(filesOf(output)).toEqual(["step-00000001.groups", "step-00000002.groups"]);
    expect(said).toEqual([expect.stringContaining("8 train steps")]);

    const roomy = logOf(output);
    for (let trainStep = 3; trainStep <= 50; trainStep++) roomy.write(largeStep(trainStep));
    await roomy.close();
    expect(filesOf(output)).toHaveLength(48);
    expect(said).toEqual([]);
  });

  test("removes incomplete files", () => {
    const output = scratch();
    mkdirSync(join(output, "groups"));
    for (const name of ["step-00000001.groups", "step-00000001.groups.new", "notes.txt"])
      writeFileSync(join(output, "groups", name), "");
    logOf(output, { resumedAt: 1 });
    expect(filesOf(output)).toEqual(["notes.txt", "step-00000001.groups"]);
  });
});

test("a character of several tokens is the text of the last token", () => {
  const pieces = [
    Buffer.from("a"),
    Buffer.of(0xf0, 0x9f),
    Buffer.of(0x98),
    Buffer.of(0x80),
    Buffer.of(0xff),
    Buffer.from("ß"),
  ];
  const offsets = BigUint64Array.from([0, ...pieces].map((_, at) => BigInt(Buffer.concat(pieces.slice(0, at)).length)));
  const texts = new TokenTexts({ bytes: Buffer.concat(pieces), offsets });
  expect(texts.of(Int32Array.of(0, 1, 2, 3, 5, 0))).toEqual(["a", "", "", "😀", "ß", "a"]);
  expect(texts.of(Int32Array.of(4, 0, 1, 99)).join("")).toBe("\ufffda\ufffd");
});
