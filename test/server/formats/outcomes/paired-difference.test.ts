import { describe, expect, test } from "vitest";
import { pairedDifference } from "#palestra/server/formats/outcomes/paired-difference.js";
import { keyedRandom } from "#palestra/trainer/keyed-random.js";

describe("the paired difference", () => {
  test("is the mean of the tasks' means, whatever their numbers of samples", () => {
    expect(pairedDifference([[1, 1, 1, 1], [0], [-1, 0]], 1)?.value).toBeCloseTo((1 + 0 - 0.5) / 3, 12);
    expect(pairedDifference([], 1)).toBeUndefined();
    expect(pairedDifference([[]], 1)).toBeUndefined();
  });

  test("scales with the range, and stays within it", () => {
    const tasks = [[0.5], [1], [-0.25], [0]];
    const whole = pairedDifference(tasks, 1);
    const scaled = pairedDifference(
      tasks.map(([value]) => [100 * (value as number)]),
      100,
    );
    expect(scaled?.low).toBeCloseTo(100 * (whole?.low as number), 9);
    expect(pairedDifference([[1], [1]], 1)).toMatchObject({ value: 1, high: 1 });
  });

  test("of tasks that all stayed the same has an interval that narrows with their number", () => {
    const widths = [1, 10, 100, 1_000].map((count) => {
      const { low, high } = pairedDifference(
        Array.from({ length: count }, () => [0]),
        1,
      ) as { low: number; high: number };
      expect(low).toBeCloseTo(-high, 12);
      return high - low;
    });
    expect(widths).toEqual([...widths].sort((a, b) => b - a));
    expect(widths[3]).toBeLessThan(0.01);
  });

  // Drawn pairs of evaluations: an interval must have the true difference in about 95 % of them, or in more.
  test.each([
    [10, 1, 0.5, 0.6],
    [10, 4, 0.9, 0.95],
    [20, 1, 0.05, 0.1],
    [60, 4, 0.3, 0.7],
    [200, 1, 0.5, 0.6],
  ])("of %i tasks with %i samples, solved with %f and %f, has the true difference in its interval", (size, k, a, b) => {
    const draws = 2_000;
    const random = keyedRandom(size, k);
    let held = 0;
    for (let draw = 0; draw < draws; draw++) {
      const tasks = Array.from({ length: size }, () => {
        // Most tasks are as hard for both, so that their outcomes go together.
        const difficulty = random();
        const isFixed = random() < 0.8;
        const solved = (rate: number) => Number((isFixed ? difficulty : random()) < rate);
        return Array.from({ length: k }, () => solved(b) - solved(a));
      });
      const { low, high } = pairedDifference(tasks, 1) as { low: number; high: number };
      held += Number(low <= b - a && b - a <= high);
    }
    expect(held / draws).toBeGreaterThan(0.94);
  });
});
