import { expect, test } from "vitest";
import { agreementOf, alphaOf, kappaOf } from "#palestra/server/judging/agreement.js";
import type { Choice, Judgment } from "#palestra/server/judging/judgment.js";

const judgment = (rater: string, left: string, right: string, choice: Choice): Judgment => ({
  ...{ number: 1, left, right, choice, rater, note: "", environment: "plain@1", seed: 0, createdAt: "" },
  task: { split: "only", index: 0 },
});

test("Cohen's kappa of two raters with 20 yes, 15 no and 15 disagreements is 0.4", () => {
  const both = [
    ...Array(20).fill(["yes", "yes"]),
    ...Array(5).fill(["yes", "no"]),
    ...Array(10).fill(["no", "yes"]),
    ...Array(15).fill(["no", "no"]),
  ];
  expect(kappaOf(both)).toBeCloseTo(0.4, 12);
});

test("kappa is undefined without units, and if both raters made one same choice every time", () => {
  expect(kappaOf([["yes", "yes"]])).toBeNull();
  expect(kappaOf([])).toBeNull();
});

test("Krippendorff's alpha is 0.691 for his example with three observers and missing data", () => {
  const rows = ["*****341211 33*3", "1*2133 43*******", "**21344*2113 3*4"].map((row) => row.replaceAll(" ", ""));
  const units = Array.from({ length: 15 }, (_, at) =>
    rows.map((row) => row[at] as string).filter((value) => value !== "*"),
  );
  expect(alphaOf(units)).toBeCloseTo(0.691, 3);
});

test("alpha is 1 for full agreement, and undefined if no unit has two ratings", () => {
  expect(
    alphaOf([
      ["a", "a"],
      ["b", "b"],
    ]),
  ).toBe(1);
  expect(alphaOf([["a"], ["b"]])).toBeNull();
});

test("the order of a pair does not affect a choice, and only a rater's newest judgment counts", () => {
  const judgments = [
    judgment("ada", "ep-1", "ep-2", "right"),
    judgment("ada", "ep-2", "ep-1", "right"),
    judgment("bob", "ep-1", "ep-2", "left"),
    judgment("ada", "ep-1", "ep-3", "tie"),
    judgment("bob", "ep-3", "ep-1", "bad"),
    judgment("eve", "ep-4", "ep-5", "bad"),
  ];
  expect(agreementOf(judgments)).toEqual({
    judgedPairs: 3,
    raters: [
      { name: "ada", judged: 2 },
      { name: "bob", judged: 2 },
      { name: "eve", judged: 1 },
    ],
    pairs: [{ raters: ["ada", "bob"], shared: 2, agreed: 1, kappa: expect.closeTo(1 / 3, 12) }],
    alpha: expect.closeTo(0.4, 12),
  });
});
