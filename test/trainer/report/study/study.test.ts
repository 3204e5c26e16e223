/** Runs of several seeds joined: intervals over seeds and over tasks, arms, data, cost and texts. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { studentMean } from "#palestra/trainer/evaluation/statistics.js";
import { paperMarkdown } from "#palestra/trainer/report/paper/paper-markdown.js";
import { costOf } from "#palestra/trainer/report/study/cost.js";
import { heldOutResults } from "#palestra/trainer/report/study/held-out.js";
import { readRuns } from "#palestra/trainer/report/study/stored-run.js";
import { type StudyRow, studyOf } from "#palestra/trainer/report/study/study.js";
import { studyPaper } from "#palestra/trainer/report/study/study-paper.js";
import { studyLines } from "#palestra/trainer/report/study/study-text.js";
import { scratch } from "../../../support/serving.js";
import { type Evaluations, type StudyRunOptions, writeStudyRun } from "../../../support/study-runs.js";

const [craft, obj, local] = ["textcraft:test:0-9", "babyai:GoToObj:0-9", "babyai:GoToLocal:0-9"];

function written(runs: Readonly<Record<string, [seed: number, sets: Evaluations, options?: StudyRunOptions]>>): string {
  const folder = scratch();
  for (const [name, run] of Object.entries(runs)) writeStudyRun(join(folder, name), ...run);
  return folder;
}

describe("the interval over seeds", () => {
  test("is Student's: 88, 92 and 93 % have the mean 91 % and reach 6.57 points to both sides", () => {
    const { value, low, high, n } = studentMean([0.88, 0.92, 0.93], { low: 0, high: 1 }) ?? { value: 0, n: 0 };
    expect([value, low, high].map((each) => Number(each?.toFixed(4)))).toEqual([0.91, 0.8443, 0.9757]);
    expect(n).toBe(3);
  });

  test("is cut to the possible range, and is left out for a single seed", () => {
    expect(studentMean([0.9, 1], { low: 0, high: 1 })).toMatchObject({ value: 0.95, high: 1, n: 2 });
    expect(studentMean([0.9], { low: 0, high: 1 })).toEqual({ value: 0.9, n: 1 });
    expect(studentMean([], { low: 0, high: 1 })).toBeUndefined();
  });
});

describe("the gain of a run", () => {
  const resultsOf = (sets: Evaluations) => {
    const [run] = readRuns(writeStudyRun(scratch(), 1, sets), []);
    return heldOutResults(run?.records ?? []);
  };

  test("is paired by task: the same rates have a narrower interval if the same tasks stay solved", () => {
    const gainOf = (first: string, last: string) => resultsOf({ [craft]: [first, last] })?.results[0]?.gain;
    const kept = gainOf("1111100000".repeat(5), "1111110000".repeat(5));
    const moved = gainOf("1111100000".repeat(5), "0000111111".repeat(5));
    expect(kept?.value).toBeCloseTo(0.1, 12);
    expect(moved?.value).toBeCloseTo(0.1, 12);
    const width = (gain: typeof kept) => (gain?.high as number) - (gain?.low as number);
    expect(width(kept)).toBeLessThan(width(moved) / 2);
    expect(kept?.low).toBeGreaterThan(-0.05);
  });

  test("leaves out pairs of which one episode failed, and compares the first evaluation with the last", () => {
    const results = resultsOf({ [craft]: ["1-00", "0000", "11-1"] });
    expect(results).toMatchObject({ firstStep: 0, lastStep: 4, evaluations: 3 });
    expect(results?.results[0]).toMatchObject({ first: 1 / 3, last: 1, episodes: 3 });
  });

  test("has a mean for each environment if there are several, and one over all task sets", () => {
    const results = resultsOf({ [craft]: ["00", "11"], [obj]: ["00", "01"], [local]: ["01", "11"] });
    expect(results?.results.map(({ label, last, sets }) => [label, last, sets])).toEqual([
      [craft, 1, 1],
      [obj, 0.5, 1],
      [local, 1, 1],
      ["babyai, mean", 0.75, 2],
      ["mean", 2.5 / 3, 3],
    ]);
    const mean = results?.results.at(-1)?.gain;
    expect(mean?.low).toBeLessThan(mean?.value as number);
  });

  test("has no interval in a log of an earlier version, and no value with a single evaluation", () => {
    const records = [0, 2].map((step) => ({ step, time: step, held_out: { step, success: { [craft]: step / 4 } } }));
    expect(heldOutResults(records)?.results[0]?.gain).toEqual({ value: 0.5 });
    expect(heldOutResults(records.slice(0, 1))?.results[0]?.gain).toBeUndefined();
    expect(heldOutResults([])).toBeUndefined();
  });
});

describe("a study", () => {
  const seeds = { "seed-1": "1100", "seed-2": "1110", "seed-10": "1111" };
  const ofSeeds = () =>
    written(
      Object.fromEntries(
        Object.entries(seeds).map(([name, last], at) => [
          name,
          [[1, 2, 10][at] as number, { [craft]: ["1000", last] }],
        ]),
      ),
    );

  test("joins the runs of a folder in the order of their seeds, with means and intervals over seeds", () => {
    const study = studyOf({ title: "t", runs: readRuns(ofSeeds(), []) });
    expect(study.arms.map(({ label }) => label)).toEqual(["all runs"]);
    const [arm] = study.arms;
    expect(arm?.seeds.map(({ seed, end }) => [seed, end])).toEqual([
      [1, "done"],
      [2, "done"],
      [10, "done"],
    ]);
    const row = arm?.heldOut[0] as StudyRow;
    expect(row.seeds.map((seed) => seed?.last)).toEqual([0.5, 0.75, 1]);
    expect(row.last).toMatchObject({ value: 0.75, n: 3 });
    expect(row.gain?.value).toBeCloseTo(0.5, 12);
    // Student's t of 2 degrees of freedom, times 0.25 / sqrt(3).
    expect(row.gain?.low).toBeCloseTo(0.5 - 4.302652729911275 * (0.25 / Math.sqrt(3)), 8);
    expect(study.notes).toEqual([]);
  });

  test("has an arm for each other setting, and shares of the settings that do not change what is learned", () => {
    const sets = { [craft]: ["1000", "1100"] };
    const folder = written({
      a: [1, sets],
      b: [2, sets, { settings: { threads: 2, save_keep: 1 } }],
      c: [1, sets, { settings: { rounds_ctrl: [2, 4], lr: 1e-3 } }],
    });
    const { arms } = studyOf({ title: "t", runs: readRuns(folder, []) });
    expect(arms.map(({ label, seeds: own }) => [label, own.length])).toEqual([
      ["lr 0.0001; rounds_ctrl unset", 2],
      ["lr 0.001; rounds_ctrl 2,4", 1],
    ]);
  });

  test("notes seeds with several runs, runs that have not ended, and task sets that not every seed has", () => {
    const folder = written({
      a: [1, { [craft]: ["10", "11"], [obj]: ["10", "11"] }, { settings: { eval_tasks: [craft] } }],
      b: [1, { [craft]: ["10", "11"] }, { end: "stopped" }],
    });
    expect(studyOf({ title: "t", runs: readRuns(folder, []) }).notes).toEqual([
      "seed 1 has several runs, so the runs are not independent.",
      `1 run not ended: ${join(folder, "b")}.`,
      `not every seed was evaluated on ${obj}, mean.`,
    ]);
  });

  test("prints each seed, the means and the gains", () => {
    const study = studyOf({
      title: "t",
      runs: readRuns(ofSeeds(), []),
      failed: [{ seed: 4, message: "no gym\nat x" }],
    });
    const lines = studyLines(study);
    expect(lines[1]).toMatch(
      /^seed 1 {9}25\.0 -> 50\.0, gain \+25\.0 \[-\d+\.\d, \+\d+\.\d\], 2 train steps in 36 s \(done\)$/,
    );
    expect(lines.find((line) => line.startsWith("held out"))).toMatch(
      /^held out +seed 1 +seed 2 +seed 10 +first, mean +last, mean \[95 %\] +gain, mean \[95 %\]$/,
    );
    expect(lines.find((line) => line.startsWith(craft))).toMatch(
      /^textcraft:test:0-9 +50\.0 +75\.0 +100\.0 +25\.0 +75\.0 \[12\.9, 100\.0\] +\+50\.0 \[-12\.1, \+100\.0\]$/,
    );
    expect(lines).toContain("failed         seed 4: no gym");
  });

  test("is a paper with data, cost, versions and commands, and says whether held-out tasks are trained on", () => {
    const paper = paperMarkdown(
      studyPaper(
        studyOf({ title: "Three seeds", runs: readRuns(ofSeeds(), []), command: "palestra train --seeds 1,2,10" }),
      ),
    );
    expect(paper).toContain("# Three seeds");
    expect(paper).toContain("| held out | textcraft | test | 0-9 | 10 |  |");
    expect(paper).toContain("No held-out task has the split and the index of a training task.");
    expect(paper).toContain("| seed 1 | 4 s | 6 s | 12 s | 6 s | 2 s | 6 s | 36 s | 16 | 1,000 | 1,234 |");
    expect(paper).toContain("| palestra | 9.9.9 |");
    expect(paper).toContain("| seed 2 | palestra train --seed 2 |");
    expect(paper).toContain("| this report | palestra train --seeds 1,2,10 |");
    expect(paper).toContain("| 2 | 75.0 % [12.9, 100.0] |");
    const [overlapping] = readRuns(writeStudyRun(scratch(), 1, { "textcraft:train:0-3": ["1", "1"] }), []);
    const own = paperMarkdown(studyPaper(studyOf({ title: "t", runs: overlapping ? [overlapping] : [] })));
    expect(own).toContain("tasks that are also trained on: textcraft:train:0-3.");
  });

  test("counts the time of each phase and the tokens of a run", () => {
    const [run] = readRuns(writeStudyRun(scratch(), 1, { [craft]: ["10", "11", "11"] }), []);
    expect(run && costOf(run)).toEqual({
      seconds: {
        ...{ "experts' episodes": 4, cloning: 6, "waiting for episodes": 24, updates: 12 },
        ...{ "weights and checkpoints": 4, evaluations: 9 },
      },
      ...{ totalSeconds: 59, trainSteps: 4, episodes: 32, sampledTokens: 2000, trainedTokens: 1234 },
    });
  });
});

describe("a run is refused with a reason", () => {
  test("if the folder has none, with the name that was meant", () => {
    const folder = written({ "my-run": [1, { [craft]: ["1"] }] });
    expect(() => readRuns("my-rum", [folder])).toThrow(
      /expected the folder of a training run, or its name in .*, but received "my-rum" \(Did you mean my-run\?\)/,
    );
    expect(readRuns("my-run", [folder])[0]?.name).toBe("my-run");
  });

  test("if its files are damaged", () => {
    const folder = writeStudyRun(scratch(), 1, { [craft]: ["1"] });
    writeFileSync(join(folder, "run.json"), "{");
    expect(() => readRuns(folder, [])).toThrow(/expected the files of a training run in .*, but received: /);
  });
});
