import { describe, expect, test } from "vitest";
import { successByRounds, withinRounds } from "#palestra/trainer/evaluation/rounds.js";
import { episodeOf, lost } from "../support/episode-records.js";

const late = episodeOf([
  ["a", "1", 0.25],
  ["b", "2", 0.5],
  ["c", "3", 0.25],
]);

describe("an episode within a round cap", () => {
  test("ends at the cap with the rewards so far", () => {
    const cut = withinRounds(late, 2, 1);
    expect(cut).toMatchObject({ status: "limit", score: 0.75, solved: false });
    expect(cut.turns).toEqual(late.turns.slice(0, 2));
    expect(withinRounds(late, 2, 0.7).solved).toBe(true);
  });

  test("is unchanged if it took no more rounds than the cap", () => {
    expect(withinRounds(late, 3, 1)).toBe(late);
    expect(withinRounds(late, 30, 1)).toBe(late);
  });

  test("stays failed if an infrastructure failure ended it", () => {
    const failed = episodeOf([["a", "1", 1]], lost);
    expect(withinRounds({ ...failed, turns: late.turns }, 1, 1).status).toBe("failed");
  });
});

describe("success by rounds", () => {
  const soon = episodeOf([["a", "1", 1]], { index: 1 });
  const never = episodeOf([["a", "1"], ...Array.from({ length: 9 }, () => ["b", "2"] as const)], { index: 2 });
  const failed = episodeOf([["a", "1", 1]], { index: 3, ...lost });

  test("is the share of episodes solved within each cap, among those that were not lost", () => {
    const results = successByRounds([late, soon, never, failed], [1, 2, 3, 10], 1);
    expect(results.map(({ rounds, solved, episodes }) => [rounds, solved, episodes])).toEqual([
      [1, 1, 3],
      [2, 1, 3],
      [3, 2, 3],
      [10, 2, 3],
    ]);
    expect(results[2]?.successRate?.value).toBeCloseTo(2 / 3, 12);
    expect(results[2]?.successRate?.low).toBeLessThan(2 / 3);
  });

  test("has no rate if every episode was lost", () => {
    expect(successByRounds([failed], [5], 1)).toEqual([{ rounds: 5, solved: 0, episodes: 0, successRate: undefined }]);
  });
});
