/** The log of metrics stays valid however the process ends, and contains no step twice. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { AlgorithmSettings, createAlgorithm } from "#palestra/trainer/algorithms/index.js";
import { batchMetrics, lossMetrics } from "#palestra/trainer/report/batch-metrics.js";
import { MetricsLog, readMetrics } from "#palestra/trainer/report/metrics.js";
import { recordAt } from "../../support/train-records.js";
import { group, trajectory } from "../../support/trajectories.js";

const made = (given: Partial<AlgorithmSettings>) => createAlgorithm(AlgorithmSettings.parse(given));

const folder = mkdtempSync(join(tmpdir(), "palestra-metrics-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const newPath = () => join(mkdtempSync(join(folder, "run-")), "logs", "metrics.jsonl");

function written(path: string, steps: number): void {
  const log = new MetricsLog(path);
  for (let step = 1; step <= steps; step++) log.write(recordAt(step));
  log.close();
}

describe("the log", () => {
  test("has one record per line, and is read back unchanged", () => {
    const path = newPath();
    written(path, 3);
    expect(readFileSync(path, "utf8").trimEnd().split("\n")).toHaveLength(3);
    expect(readMetrics(path)).toEqual([1, 2, 3].map((step) => recordAt(step)));
  });

  test("of a resumed run has the records up to its checkpoint, and continues from there", () => {
    const path = newPath();
    written(path, 5);
    const log = new MetricsLog(path, 3);
    expect(log.records.map(({ step }) => step)).toEqual([1, 2, 3]);
    log.write(recordAt(4, { "episode/success_rate": 1 }));
    log.close();
    expect(readMetrics(path)).toEqual([
      ...[1, 2, 3].map((step) => recordAt(step)),
      recordAt(4, { "episode/success_rate": 1 }),
    ]);
  });

  test("of a new run is empty", () => {
    const path = newPath();
    written(path, 2);
    expect(new MetricsLog(path).records).toEqual([]);
    expect(statSync(path).size).toBe(0);
  });

  test("loses only its last line, wherever the file is cut", () => {
    const path = newPath();
    written(path, 2);
    const whole = readFileSync(path);
    const [first = ""] = whole.toString().split("\n");
    for (let length = first.length + 1; length < whole.length; length += 7) {
      writeFileSync(path, whole);
      truncateSync(path, length);
      const log = new MetricsLog(path, 9);
      expect(log.records).toEqual([recordAt(1)]);
      log.write(recordAt(2));
      log.close();
      expect(readFileSync(path)).toEqual(whole);
    }
  });

  test("refuses a step that it contains, and every step after its close", () => {
    const log = new MetricsLog(newPath());
    log.write(recordAt(2));
    expect(() => log.write(recordAt(2))).toThrow("expected a train step after 2, but received 2");
    expect(() => log.write(recordAt(1.5))).toThrow("expected a train step after 2");
    log.close();
    log.close();
    expect(() => log.write(recordAt(3))).toThrow(/^The log .+ is closed\.$/);
  });

  test("is refused with the number of an invalid line", () => {
    const path = newPath();
    written(path, 1);
    appendFileSync(path, "what\n");
    expect(() => readMetrics(path)).toThrow(`expected ${path}:2 to be the record of a train step, but received what`);
  });

  test("is valid after kill -9 at any moment, and has every written record", async () => {
    const path = newPath();
    const module = new URL("../../../dist/.modules/trainer/report/metrics.js", import.meta.url);
    const program = `import { MetricsLog } from ${JSON.stringify(module.href)};
      const log = new MetricsLog(process.argv[1], Infinity);
      const from = log.records.length;
      for (let step = from + 1; ; step++) {
        log.write({ step, time: 0, "actor/lr": step / 7 });
        if (step === from + 1) console.log("going");
      }`;
    let most = 0;
    for (let kill = 0; kill < 5; kill++) {
      const child = spawn(process.execPath, ["--input-type=module", "-e", program, path]);
      await once(child.stdout, "data");
      await setTimeout(5 * kill);
      child.kill("SIGKILL");
      await once(child, "close");
      const log = new MetricsLog(path, Number.POSITIVE_INFINITY);
      expect(log.records.map(({ step }) => step)).toEqual(log.records.map((_, index) => index + 1));
      expect(log.records.length).toBeGreaterThan(most);
      most = log.records.length;
      log.close();
    }
  });
});

describe("metrics of a batch", () => {
  test("count episodes, groups and the staleness of trained tokens", () => {
    const first = trajectory(".aa.b", [0, 1], { versions: Int32Array.of(-1, 4, 4, -1, 2) });
    const second = trajectory(".a", [0], { versions: Int32Array.of(-1, 5) });
    const failed = () => trajectory(".a", [0], { status: "failed" });
    const credit = { advantages: Float32Array.of(0, 1, 1, 0, 2), weights: new Float32Array(5) };
    const other = { advantages: Float32Array.of(0, -2), weights: new Float32Array(2) };
    const { metrics, staleness, tokens } = batchMetrics(
      [group(first, second, failed())],
      new Map([
        [first, credit],
        [second, other],
      ]),
      5,
      [
        { group: group(failed(), failed()), reason: "failed" },
        { group: group(first, second), reason: "filtered" },
        { group: group(second, failed()), reason: "failed" },
      ],
    );
    expect(staleness).toEqual([1, 2, 0, 1]);
    expect(tokens).toBe(9);
    expect(metrics).toEqual({
      "episode/count": 2,
      "episode/failed": 4,
      "episode/success_rate": 0.5,
      "episode/reward/mean": 0.5,
      "episode/length/mean": 1.5,
      "response_length/mean": 2,
      "response_length/max": 3,
      "groups/count": 1,
      "groups/zero_variance": 0,
      "groups/too_small": 2,
      "groups/filtered": 1,
      "episode/left_out/count": 3,
      "episode/left_out/success_rate": 1 / 3,
      "episode/left_out/length/mean": 4 / 3,
      "actor/no_gradient": 0,
      "critic/advantages/mean": 0.5,
      "critic/advantages/max": 2,
      "critic/advantages/min": -2,
      "staleness/mean": 1.25,
      "staleness/max": 3,
    });
  });

  test("of equal rewards report that there was no gradient, and still count the tokens of the batch", () => {
    const alike = [trajectory(".aa", [1]), trajectory(".a", [1])];
    const zero = { advantages: new Float32Array(3), weights: Float32Array.of(0, 1, 1) };
    const credits = new Map(alike.map((one) => [one, zero]));
    const { metrics, tokens } = batchMetrics([group(...alike)], credits, 0);
    expect(metrics).toMatchObject({ "actor/no_gradient": 1, "groups/zero_variance": 1, "groups/count": 1 });
    expect(tokens).toBe(5);
    // Prompt tokens have no advantage, so a value there gives no gradient either.
    const ofGiven = { ...zero, advantages: Float32Array.of(1, 0, 0) };
    const given = new Map(alike.map((one) => [one, ofGiven]));
    expect(batchMetrics([group(...alike)], given, 0).metrics["actor/no_gradient"]).toBe(1);
    const some = new Map([...credits, [alike[0], { ...zero, advantages: Float32Array.of(0, 0, -1) }]] as const);
    expect(batchMetrics([group(...alike)], some as typeof credits, 0).metrics["actor/no_gradient"]).toBe(0);
  });

  test("of groups with a single valid trajectory report that there was no gradient", () => {
    const alone = group(trajectory(".a", [1]));
    expect(batchMetrics([alone], new Map(), 0).metrics["actor/no_gradient"]).toBe(1);
  });

  test("of a batch without episodes have no means", () => {
    expect(batchMetrics([], new Map(), 0)).toEqual({
      staleness: [],
      tokens: 0,
      metrics: {
        "episode/count": 0,
        "episode/failed": 0,
        "groups/count": 0,
        "groups/zero_variance": 0,
        "groups/too_small": 0,
        "groups/filtered": 0,
        "episode/left_out/count": 0,
      },
    });
  });

  test("of losses are sums of weighted values and means of the others, only for the terms of the loss", () => {
    const part = {
      ...{ tokens: 2, loss: 1, policyLoss: 2, klLoss: 3, valueLoss: 4, entropy: 6, ratio: 2.2, highestRatio: 1.3 },
      ...{ clippedLow: 1, clippedHigh: 0, dualClipped: 1, behaviourWeight: 3, behaviourCut: 2, proximalKl: 0.2 },
      referenceKl: 0,
    };
    const decoupled = { use_decoupled_loss: true, kl_ctl: 0.1, use_kl_in_reward: false, c_clip: 3 };
    const all = lossMetrics(
      [part, { ...part, tokens: 6, highestRatio: 1.1 }],
      made({ algorithm: "ppo", ...decoupled }),
    );
    expect(all).toMatchObject({
      "actor/loss": 2,
      "actor/pg_loss": 4,
      "actor/kl_loss": 6,
      "critic/vf_loss": 8,
      "actor/entropy": 1.5,
      "actor/ratio/max": 1.3,
      "actor/pg_clipfrac": 0.25,
      "actor/behav_imp_weight/cut": 0.5,
    });
    expect(lossMetrics([], made({}))).toEqual({});
    const absent = (settings: Partial<AlgorithmSettings>) =>
      Object.keys(all).filter((name) => !(name in lossMetrics([part], made(settings))));
    const [kl, value, clip] = ["actor/kl_loss", "critic/vf_loss", "actor/pg_clipfrac"];
    const rest = ["actor/pg_clipfrac_lower", "actor/behav_imp_weight/mean", "actor/behav_imp_weight/cut"];
    expect(absent({ algorithm: "sft" })).toEqual([kl, value, clip, ...rest]);
    expect(absent({ algorithm: "grpo", kl_ctl: 0.1 })).toEqual([value, ...rest]);
    expect(absent({ algorithm: "ppo" })).toEqual([kl, ...rest]);
    expect(absent({ algorithm: "ppo", critic: "separate", c_clip: 3 })).toEqual([kl, ...rest.slice(1)]);
  });
});
