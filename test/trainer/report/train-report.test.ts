/** Steps without a gradient and checkpoints, in a run's terminal lines, log and report. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { EngineInfo } from "#palestra/native/api/index.js";
import { readMetrics } from "#palestra/trainer/report/metrics.js";
import { TrainReport } from "#palestra/trainer/report/train-report.js";
import type { TrainStepReport } from "#palestra/trainer/run/observer.js";
import { describeEngine } from "#palestra/trainer/start/engine.js";
import { scratch } from "../../support/serving.js";
import { group, trajectory } from "../../support/trajectories.js";
import { tinySettings } from "../support/training.js";

/** Returns the text written to stderr until the test is over. */
function terminal(): () => string {
  const { write } = process.stderr;
  let text = "";
  process.stderr.write = ((chunk: string | Uint8Array) => {
    text += String(chunk);
    return true;
  }) as typeof write;
  onTestFinished(() => {
    process.stderr.write = write;
  });
  return () => text;
}

/** A train step of one group of two, with these rewards. */
function stepOf(trainStep: number, rewards: [number, number]): TrainStepReport {
  const trajectories = rewards.map((reward) => trajectory("..aaa.b", [0, reward]));
  const [one, other] = rewards;
  const advantages = [one - other, other - one].map((advantage) => new Float32Array(7).fill(advantage / 2));
  const isEqual = one === other;
  return {
    ...{ trainStep, groups: [group(...trajectories)], leftOut: [], lr: 1e-4, rounds: 3 },
    credits: new Map(
      trajectories.map((one, at) => [
        one,
        { advantages: advantages[at] as Float32Array, weights: new Float32Array(7) },
      ]),
    ),
    ...{
      learntFrom: isEqual ? 0 : 2,
      trainedTokens: isEqual ? 0 : 14,
      computedTokens: isEqual ? 0 : 9,
      optimiserSteps: isEqual ? 0 : 1,
    },
    ...{ notFinite: 0, gradientNorm: isEqual ? 0 : 0.5, loss: 0, losses: [], decodedTokens: 8, generatorIdleMs: 0 },
    rollouts: {} as TrainStepReport["rollouts"],
    ...{ waitedMs: 1, learntMs: 1, publishedMs: 1, generatorMs: 3 },
  };
}

test("a step of equal rewards reports them, is counted, and has a throughput", async () => {
  const said = terminal();
  const settings = tinySettings(join(scratch(), "run"), { gym: "http://gym.example/t/pal_unshown" });
  const report = new TrainReport(settings);
  report.onStart(0, []);
  report.onTrainStep(stepOf(1, [1, 1]));
  report.onTrainStep(stepOf(2, [1, 0]));
  report.onTrainStep(stepOf(3, [0, 0]));
  await report.close();

  const lines = said().split("\n");
  const lineOf = (step: number) => lines.find((line) => line.startsWith(`train ${step}/`)) ?? "";
  expect(lineOf(1)).toMatch(/ {2}no gradient: all rewards equal$/);
  expect(lineOf(2)).not.toContain("no gradient");
  expect(lineOf(3)).toMatch(/ {2}no gradient: all rewards equal$/);
  for (const step of [1, 2, 3]) expect(lineOf(step)).not.toMatch(/tok\/s 0( |$)/);
  expect(lines.filter((line) => /^health.*(gradient|groups):/.test(line))).toEqual([
    expect.stringMatching(
      /^health {2}red {4}gradient: 2 of 3 train steps had no gradient: every group had equal rewards, .* n_samples/,
    ),
    expect.stringMatching(/^health {2}amber {2}groups: 2 of 3 groups had equal rewards \(66\.7 %\)/),
  ]);

  const records = readMetrics(join(settings.output, "metrics.jsonl"));
  expect(records.map((record) => record["actor/no_gradient"])).toEqual([1, 0, 1]);
  expect(records.map((record) => record["actor/no_gradient_steps"])).toEqual([1, 1, 2]);
  for (const record of records) expect(record["perf/throughput"]).toBeGreaterThan(0);
  expect(records.map((record) => record["perf/total_num_tokens"])).toEqual([0, 14, 14]);
  const html = readFileSync(join(settings.output, "report.html"), "utf8");
  expect(html).toContain('"actor/no_gradient_steps":2');
  expect(html.includes("pal_unshown")).toBe(false);

  // A continued run continues the count.
  const resumed = new TrainReport(settings);
  resumed.onStart(3, []);
  resumed.onTrainStep(stepOf(4, [1, 1]));
  await resumed.close();
  expect(readMetrics(join(settings.output, "metrics.jsonl")).at(-1)?.["actor/no_gradient_steps"]).toBe(3);
});

test("a checkpoint that is rewritten with an evaluation is announced once", async () => {
  const said = terminal();
  const report = new TrainReport(tinySettings(join(scratch(), "run")));
  report.onStart(0, []);
  for (const folder of ["step-00000002", "step-00000004", "step-00000004"]) report.onCheckpoint(folder);
  await report.close();
  expect(said().match(/^saved .*$/gm)).toEqual(["saved step-00000002", "saved step-00000004"]);
});

test("the first line does not mention CUDA if no GPU was requested", () => {
  const said = terminal();
  const engine = { device: "cpu", dtype: "f32", gemm: "own kernels", noCuda: "the device is to be the CPU" };
  const line = describeEngine(engine as EngineInfo, "cpu");
  new TrainReport(tinySettings(join(scratch(), "run"))).onBackend({ line, facts: {} });
  expect(said()).toBe("computing in f32 on cpu by own kernels\n");
});
