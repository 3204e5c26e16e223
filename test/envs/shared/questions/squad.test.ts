/** Normalisation and scores of answers, compared with AgentGym's server and with manual results. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { contains, f1, isExact, normalized } from "#palestra/envs/shared/questions/squad.js";

const recorded = new URL("../../../fixtures/searchqa/agentgym.json", import.meta.url);
const { normalised: pairs } = JSON.parse(readFileSync(recorded, "utf8")) as { normalised: [string, string][] };

describe("normalisation", () => {
  test("equals the public script's on 10,000 random texts", () => {
    expect(pairs).toHaveLength(10_000);
    const different = pairs.filter(([text, expected]) => normalized(text) !== expected);
    expect(different).toEqual([]);
  });
});

describe("scores", () => {
  test("an answer is exact if it equals a golden one apart from case, articles, punctuation and white space", () => {
    expect(isExact(" The U.S.A. ", ["France", "usa"])).toBe(true);
    expect(isExact("u s a", ["usa"])).toBe(false);
    expect(isExact("the", [""])).toBe(true);
  });

  test("F1 counts common words with the best golden answer", () => {
    expect(f1("the red house", ["house"])).toBeCloseTo(2 / 3);
    expect(f1("red red house", ["red house", "blue"])).toBeCloseTo(0.8);
    expect(f1("house", ["The house!"])).toBe(1);
    expect(f1("", ["house"])).toBe(0);
    expect(f1("a", ["the"])).toBe(0);
  });

  test("a text contains an answer if the answer's words are adjacent in it", () => {
    expect(contains("It lies in New York, they say.", ["new york"])).toBe(true);
    expect(contains("Newer Yorkshire", ["new york"])).toBe(false);
    expect(contains("1,234 people", ["1234"])).toBe(true);
    expect(contains("anything", ["the"])).toBe(false);
  });
});
