import { describe, expect, test } from "vitest";
import { compareEvaluations, nothingInCommon } from "#palestra/server/formats/outcomes/comparison.js";

const environment = "maze@1";

/** An episode by its task, its seed and whether it was solved; undefined: lost to a failure. */
function episode(index: number, seed: number, solved: boolean | undefined, score = Number(solved === true)) {
  const status = solved === undefined ? "failed" : "terminated";
  return { played: { environment, split: "test", index, seed }, sample: seed, status, score, solved: solved === true };
}

function evaluation(episodes: ReturnType<typeof episode>[], settings: Record<string, unknown> = {}) {
  return { measurement: { environment, split: "test", policy: "a", options: {}, ...settings }, episodes };
}

describe("two evaluations", () => {
  const a = evaluation([
    episode(0, 0, true),
    episode(1, 0, false),
    episode(2, 0, true),
    episode(3, 0, true),
    episode(4, 0, undefined),
    episode(5, 0, true),
  ]);
  const b = evaluation(
    [
      episode(0, 0, true),
      episode(1, 0, true),
      episode(2, 0, false, 0.5),
      episode(3, 0, false),
      episode(4, 0, true),
      episode(6, 0, true),
      episode(7, 0, true),
    ],
    { policy: "b", maxRounds: 5 },
  );
  const comparison = compareEvaluations(a, b);

  test("have broken, fixed and equal tasks, the largest change first", () => {
    expect(comparison.tasks.map(({ index, change }) => [index, change])).toEqual([
      [3, "broken"],
      [2, "broken"],
      [1, "fixed"],
      [0, "same"],
    ]);
    expect(comparison.counts).toEqual({ broken: 2, fixed: 1, same: 1 });
    expect(comparison.tasks[1]?.scores).toEqual([1, 0.5]);
  });

  test("have tasks that only one of them played, pairs of which one was lost, and settings that differ", () => {
    expect(comparison).toMatchObject({ pairs: 4, lost: 1, onlyInA: 1, onlyInB: 2 });
    expect(comparison.differences).toEqual([
      { name: "policy", a: "a", b: "b" },
      { name: "maxRounds", a: null, b: 5 },
    ]);
  });

  test("have means over the common tasks, and the difference of the second from the first", () => {
    expect(comparison.successRate).toMatchObject({ a: 0.75, b: 0.5, difference: { value: -0.25 } });
    expect(comparison.meanScore).toMatchObject({ a: 0.75, b: 0.625, difference: { value: -0.125 } });
  });

  test("with the sides exchanged have the opposite result", () => {
    const { counts, successRate } = compareEvaluations(b, a);
    expect(counts).toEqual({ broken: 1, fixed: 2, same: 1 });
    expect(successRate?.difference.value).toBe(0.25);
    expect(successRate?.difference.low).toBeCloseTo(-(comparison.successRate?.difference.high as number), 12);
  });
});

test("a task with several samples is solved by half of them, and only equal seeds are paired", () => {
  const a = evaluation([episode(0, 0, true), episode(0, 1, false), episode(0, 2, false), episode(0, 3, true)]);
  const b = evaluation([episode(0, 1, true), episode(0, 2, false), episode(0, 9, true)]);
  const { tasks, pairs } = compareEvaluations(a, b);
  expect(pairs).toBe(2);
  expect(tasks).toMatchObject([{ change: "fixed", solved: [0, 0.5] }]);
  expect(tasks[0]?.pairs.map(([first, second]) => [first.sample, second.sample])).toEqual([
    [1, 1],
    [2, 2],
  ]);
});

test("options are equal in any order, and other options are other episodes", () => {
  const [one, two] = [
    evaluation([episode(0, 0, true)], { options: { a: 1, b: 2 } }),
    evaluation([episode(0, 0, true)]),
  ];
  expect(compareEvaluations(one, evaluation(two.episodes, { options: { b: 2, a: 1 } })).pairs).toBe(1);
  expect(compareEvaluations(one, two)).toMatchObject({ pairs: 0, onlyInA: 1, onlyInB: 1, successRate: undefined });
});

describe("evaluations without a common episode", () => {
  const own = evaluation([episode(0, 0, true), episode(1, 0, true)]);

  test.each([
    [
      "environment: maze@1 and maze@2",
      [{ ...episode(0, 0, true), played: { ...episode(0, 0, true).played, environment: "maze@2" } }],
      {},
    ],
    [
      "split: test and train",
      [{ ...episode(0, 0, true), played: { ...episode(0, 0, true).played, split: "train" } }],
      {},
    ],
    ["task: 0, 1 and 7", [episode(7, 0, true)], {}],
    ["seed: 0 and 5", [episode(0, 5, true)], {}],
    ['options: {} and {"a":"1"}', [episode(0, 0, true)], { options: { a: "1" } }],
    ["environment: maze@1 and none", [], {}],
  ])("say what they do not share: %s", (reason, episodes, settings) => {
    const other = evaluation(episodes, settings);
    expect(nothingInCommon(own, other, compareEvaluations(own, other))).toBe(
      `they have no ${reason.replace(": ", " in common: ")}`,
    );
  });

  test("say that failures lost all of them, or that only single facts are equal", () => {
    const failed = evaluation([episode(0, 0, undefined)]);
    expect(nothingInCommon(own, failed, compareEvaluations(own, failed))).toMatch(/1 common episodes? was lost/);
    const [a, b] = [
      evaluation([episode(0, 0, true), episode(1, 1, true)]),
      evaluation([episode(0, 1, true), episode(1, 0, true)]),
    ];
    expect(nothingInCommon(a, b, compareEvaluations(a, b))).toMatch(/the task and the seed/);
  });
});
