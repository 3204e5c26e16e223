import { describe, expect, test } from "vitest";
import { diagnose, diagnoseEpisode, progressSignOf } from "#palestra/trainer/evaluation/diagnosis.js";
import { episodeOf, lost } from "../support/episode-records.js";

/** An episode that looks, takes something and then goes in circles. One reply has no action. */
const circling = episodeOf([
  ["look", "start"],
  ["take", "a key"],
  ["look", "start"],
  ["look", "start"],
  ["", "expected an action"],
  ["look", "start"],
]);

const partial = episodeOf([
  ["a", "1", 0.25],
  ["b", "2", 0.25],
  ["c", "3", -0.5],
  ["d", "4", 0.5],
  ["e", "5"],
]);

describe("the diagnosis of an episode", () => {
  test("counts repeated actions, the longest run, unchanged observations and replies without an action", () => {
    expect(diagnoseEpisode(circling, "observation")).toEqual({
      // Three of the five actions were taken before.
      repeatedActions: 0.6,
      longestRun: 3,
      // The first look, the fourth turn and the sixth turn show the opening again.
      unchangedObservations: 0.6,
      // No observation is new after the second round.
      stalledRounds: 4,
      unreadReplies: 1,
      rounds: 6,
    });
  });

  test("counts a rise of the best score as progress, and not a return to it", () => {
    // 0.25, 0.5, 0, 0.5, 0.5
    expect(diagnoseEpisode(partial, "score").stalledRounds).toBe(3);
    expect(diagnoseEpisode(partial, "observation").stalledRounds).toBe(0);
  });

  test("of an episode without an action has shares of 0", () => {
    const silent = episodeOf([["", "expected an action"]]);
    expect(diagnoseEpisode(silent, "observation")).toMatchObject({
      repeatedActions: 0,
      longestRun: 0,
      unchangedObservations: 0,
      stalledRounds: 1,
      unreadReplies: 1,
    });
    expect(diagnoseEpisode(episodeOf([]), "score")).toMatchObject({ stalledRounds: 0, rounds: 0 });
  });
});

test("an environment has partial scores if the best score of an episode rose twice", () => {
  const once = episodeOf([
    ["a", "1", 0.4],
    ["b", "2"],
  ]);
  expect(progressSignOf([once, circling])).toBe("observation");
  expect(progressSignOf([circling, partial])).toBe("score");
});

describe("the diagnosis of an environment", () => {
  const solved = episodeOf([["a", "1", 1]], { index: 1 });

  test("has means over the episodes that were not lost", () => {
    const failed = episodeOf([["x", "start"]], { index: 2, ...lost });
    expect(diagnose([circling, solved, failed])).toMatchObject({
      episodes: 2,
      progressSign: "observation",
      repeatedActions: 0.3,
      longestRun: 2,
      unchangedObservations: 0.3,
      stalledRounds: 2,
    });
    // One of the seven replies.
    expect(diagnose([circling, solved])?.unreadReplies).toBeCloseTo(1 / 7, 12);
  });

  test("names at most five unsolved episodes, those without progress for the longest time", () => {
    const standing = [3, 9, 1, 7, 5, 2].map((rounds, index) =>
      episodeOf(
        Array.from({ length: rounds }, () => ["wait", "start"] as const),
        { index },
      ),
    );
    const worst = diagnose([...standing, { ...solved, turns: standing[1]?.turns ?? [] }])?.worst ?? [];
    expect(worst.map(({ index, diagnosis }) => [index, diagnosis.stalledRounds])).toEqual([
      [1, 9],
      [3, 7],
      [4, 5],
      [0, 3],
      [5, 2],
    ]);
  });

  test("is undefined if every episode was lost", () => {
    expect(diagnose([episodeOf([], lost)])).toBeUndefined();
  });
});
