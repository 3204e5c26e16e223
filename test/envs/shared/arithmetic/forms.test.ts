/** 5,000 pairs of answers in many forms, compared with the truth and with the verdicts of math-verify. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { finalAnswer } from "#palestra/envs/shared/arithmetic/final-answer.js";
import { isSameAnswer } from "#palestra/envs/shared/arithmetic/same-answer.js";

type Pair = [form: string, expected: string, given: string, equal: boolean, mathVerify: boolean | null];

// Recorded by test/peers/record-forms.py.
const file = new URL("../../../fixtures/arithmetic/forms.jsonl.gz", import.meta.url);
const pairs = gunzipSync(readFileSync(file))
  .toString()
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Pair);

/** Reasons why the verdict of math-verify 0.9.0 on a form differs from ours. */
const explained: Readonly<Record<string, { right?: string; wrong?: string }>> = {
  base: { right: "keeps brackets and words", wrong: "drops the base after two digits of a subscript" },
  chain: { right: "joins no inequalities", wrong: "takes braces for an open interval" },
  compound: { right: "reads symbols of units as variables", wrong: "drops units in words" },
  denial: { wrong: "takes the number out of a sentence that denies it" },
  domain: { wrong: "simplifies as if both sides had one domain" },
  "empty set": { right: "has no \\varnothing" },
  exponential: { right: "does not simplify logarithms of odd powers" },
  "finite set": { wrong: "takes brackets for braces" },
  fraction: { right: "reads a mixed number without \\frac as a product" },
  "half line": { right: "has no \\lt and \\gt, and turns no sides", wrong: "takes the right side of an inequality" },
  "not equal": { right: "has no region for \\ne" },
  percent: { wrong: "takes a percent sign as a hundredth and as nothing" },
  "plain for percent": { wrong: "takes a percent sign as a hundredth and as nothing" },
  ratio: { right: "compares ratios of two only", wrong: "drops a third item" },
  repeating: { right: "has no \\bar, and no fraction for \\overline", wrong: "drops the digits under a line" },
  "scale word": { right: "has no million" },
  scientific: { right: "has no 1e3, and reads x as a variable" },
  thousands: { right: "groups by commas only" },
  tuples: { wrong: "takes braces for brackets" },
  union: { right: "has no region for two inequalities" },
  unit: { right: "converts no units", wrong: "drops all units and percent signs in \\text" },
};

test("every pair gets the verdict that it was constructed for", () => {
  expect(pairs).toHaveLength(5_000);
  expect(pairs.filter(([, expected, given, equal]) => isSameAnswer(expected, finalAnswer(given)) !== equal)).toEqual(
    [],
  );
});

describe("where math-verify differs", () => {
  const differing = pairs.filter(([, , , equal, mathVerify]) => equal !== (mathVerify ?? false));
  const kinds = new Set(differing.map(([form, , , equal]) => `${form}: ${equal ? "right" : "wrong"}`));

  test("each kind of difference has a reason", () => {
    const reasons = Object.entries(explained).flatMap(([form, sides]) =>
      Object.keys(sides).map((side) => `${form}: ${side}`),
    );
    expect([...kinds].sort()).toEqual(reasons.sort());
  });

  test("math-verify agrees on all other pairs, the majority", () => {
    expect(differing.length).toBeLessThan(1_100);
    expect(pairs.filter(([, , , , mathVerify]) => mathVerify === true).length).toBeGreaterThan(1_500);
  });
});

test("a pair is judged in the same way when its sides are swapped, if both are values", () => {
  const values = pairs.filter(([form]) => ["repeating", "thousands", "polynomial", "roots", "relation"].includes(form));
  expect(values.filter(([, expected, given, equal]) => isSameAnswer(given, expected) !== equal)).toEqual([]);
});
