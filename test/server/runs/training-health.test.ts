/** The health and the start of training runs, as the gym reads them from folders. */
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { healthOf } from "#palestra/server/formats/health/health.js";
import { StartLog } from "#palestra/trainer/report/start-log.js";
import { openGym, scratchDir } from "../../support/gym.js";

const recorded = (name: string) => fileURLToPath(new URL(`../../fixtures/trainer/runs/${name}.jsonl`, import.meta.url));

async function trainingRun(gym: Awaited<ReturnType<typeof openGym>>, run: string) {
  const details = await gym.call("getRun", { run });
  if (details.kind !== "training") throw new Error(`expected a training run, but received ${details.kind}`);
  return details;
}

test("the list has the worst finding of a run, and its page has all of them", async () => {
  const folder = scratchDir();
  for (const name of ["stuck", "well"]) {
    mkdirSync(join(folder, name));
    copyFileSync(recorded(name), join(folder, name, "metrics.jsonl"));
  }
  const gym = await openGym({ runs: [folder] });
  const { runs } = await gym.call("listRuns");
  const healthBy = Object.fromEntries(
    runs.map((run) => [run.run, "health" in run.summary ? run.summary.health : null]),
  );
  expect(healthBy.stuck).toEqual({
    level: "red",
    cause: expect.stringContaining("8 of 8 train steps had no gradient"),
  });
  expect(healthBy.well?.level).toBe("amber");
  const { health } = await trainingRun(gym, "stuck");
  expect(health.find(({ check }) => check === "gradient")?.change).toContain("`clone_episodes`");
  const page = await gym.app.inject("/v1/runs/stuck/export?format=html");
  expect(page.body).toContain('"health":[{"check":"gradient","level":"red"');
});

test("of a long run, the middle of which is not parsed, the health is that of all its records", async () => {
  const folder = scratchDir();
  mkdirSync(join(folder, "long"));
  const lines = Array.from({ length: 6_000 }, (_, at) => {
    const step = {
      step: at + 1,
      time: at,
      "groups/count": 4,
      "groups/zero_variance": at % 3,
      "actor/entropy": 6_000 - at,
    };
    const more = { "actor/no_gradient": 0, "staleness/max": 1, staleness: [100, 20], "critic/vf_loss": Math.sqrt(at) };
    const share = at === 3_000 ? 0.9 : 0.4;
    const held_out = { step: at + 1, success: { all: share }, episodes: { all: 200 } };
    const evaluation = { step: at + 1, time: at, "val/success_rate": share, held_out };
    return at % 1_000 === 0 ? [{ ...step, ...more }, evaluation] : [{ ...step, ...more }];
  }).flat();
  writeFileSync(join(folder, "long", "metrics.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const gym = await openGym({ runs: [folder] });
  const { health, summary } = await trainingRun(gym, "long");
  expect(health).toEqual(healthOf(lines, {}));
  expect(health.find(({ check }) => check === "held-out trend")?.cause).toContain(
    "its best of 90 % at train step 3001",
  );
  expect(summary).toMatchObject({ trainSteps: 6_000, heldOut: 0.4 });
});

test("a line that is no record is a problem of the run, and the others are judged", async () => {
  const folder = scratchDir();
  mkdirSync(join(folder, "torn"));
  copyFileSync(recorded("torn"), join(folder, "torn", "metrics.jsonl"));
  writeFileSync(join(folder, "torn", "metrics.jsonl"), '{"step": "one"}\n[1]\n{"step":17,"groups/count":{}}\n', {
    flag: "a",
  });
  const gym = await openGym({ runs: [folder] });
  const { problem, health } = await trainingRun(gym, "torn");
  expect(problem).toBe("metrics.jsonl has a line that is not the record of a train step.");
  expect(health.find(({ check }) => check === "KL")?.level).toBe("red");
});

test("the start of a run has its phase, its losses and the time that its rate so far needs", async () => {
  const folder = scratchDir();
  const run = join(folder, "run");
  mkdirSync(run);
  writeFileSync(join(run, "run.json"), JSON.stringify({ settings: { total_train_steps: 5 } }));
  const line = (time: number, fields: object) => `${JSON.stringify({ time, ...fields })}\n`;
  const cloning = (done: number, loss: number) => ({ phase: "cloning", done, total: 300, epoch: 1, epochs: 6, loss });
  const text = [
    line(1_000, { phase: "experts", done: 40, total: 40 }),
    line(1_010, cloning(10, 3.5)),
    "not JSON\n",
    line(1_011, { phase: "elsewhere", done: 1, total: 2 }),
    line(1_012, { phase: "cloning", done: -1, total: 300 }),
    line(1_030, cloning(50, 1.5)),
    '{"time": 1040, "phase": "cloning", "done": 60',
  ].join("");
  writeFileSync(join(run, "start.jsonl"), text);
  const gym = await openGym({ runs: [folder] });
  const { start, summary } = await trainingRun(gym, "run");
  expect(start).toEqual({
    ...cloning(50, 1.5),
    secondsLeft: 125,
    losses: [
      { step: 10, loss: 3.5 },
      { step: 50, loss: 1.5 },
    ],
  });
  expect(summary.start).toEqual({ phase: "cloning", done: 50, total: 300 });
});

test("the trainer's log of a start replaces that of an earlier one, and has few lines of many steps", async () => {
  const folder = scratchDir();
  const run = join(folder, "run");
  mkdirSync(run);
  writeFileSync(join(run, "run.json"), "{}");
  writeFileSync(join(run, "start.jsonl"), '{"time":1,"phase":"cloning","done":9,"total":9,"loss":7}\n');
  const log = new StartLog(run);
  for (let done = 1; done <= 1_000; done++) log.write({ phase: "experts", done, total: 1_000 });
  for (let done = 1; done <= 1_000; done++)
    log.write({ phase: "cloning", done, total: 1_000, epoch: 1, epochs: 1, loss: 1 / done });
  const gym = await openGym({ runs: [folder] });
  const { start } = await trainingRun(gym, "run");
  expect(start).toMatchObject({ phase: "cloning", done: 1_000, total: 1_000, loss: 0.001 });
  expect(start?.losses.length).toBeLessThan(100);
  expect(start?.losses.map(({ loss }) => loss)).not.toContain(7);
});
