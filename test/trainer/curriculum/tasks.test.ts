/** Selection of tasks: order, mixture, filter, and the continuation after a resume. */
import { describe, expect, test } from "vitest";
import {
  DifficultyFilter,
  FilteredTasks,
  Learnability,
  Mixture,
  ShuffledTasks,
  type TaskSource,
} from "#palestra/trainer/curriculum/index.js";
import { isFilterIdle } from "#palestra/trainer/run/curriculum.js";

const split = (count: number, environment = "counting@1") => ({ environment, split: "train", count });
const take = (source: TaskSource, count: number) => Array.from({ length: count }, () => source.next());
const saved = (state: unknown) => JSON.parse(JSON.stringify(state)) as unknown;

test("a difficulty filter has no effect if each set has a new task for every group of the run", () => {
  const settings = { difficulty_filter: true, total_train_steps: 200, batch_size: 8 };
  const many = { first: 10, last: 1609 };
  expect(isFilterIdle(settings, [many])).toBe(true);
  expect(isFilterIdle(settings, [many, { first: 0, last: 1598 }])).toBe(false);
  expect(isFilterIdle({ ...settings, difficulty_filter: false }, [many])).toBe(false);
});

describe("shuffled tasks", () => {
  test.each([1, 2, 7, 100])("of a split of %i each come once per epoch", (count) => {
    const source = new ShuffledTasks(split(count), { seed: 5 });
    const whole = Array.from({ length: count }, (_, index) => index);
    for (let epoch = 0; epoch < 3; epoch++) {
      expect(
        take(source, count)
          .map(({ index }) => index)
          .sort((a, b) => a - b),
      ).toEqual(whole);
    }
  });

  test("have one order for each epoch and seed, and different orders for different ones", () => {
    const orderOf = (seed: number, from = 0) =>
      take(new ShuffledTasks(split(50), { seed }, { epoch: from, position: 0 }), 50).map(({ index }) => index);
    expect(orderOf(1)).toEqual(orderOf(1));
    expect(orderOf(1)).not.toEqual(orderOf(2));
    expect(orderOf(1)).not.toEqual(orderOf(1, 1));
  });

  test("continue after a resume at any place as without one", () => {
    const whole = take(new ShuffledTasks(split(7), { seed: 3 }), 40);
    for (let stop = 0; stop < 30; stop++) {
      const source = new ShuffledTasks(split(7), { seed: 3 });
      take(source, stop);
      const resumed = new ShuffledTasks(split(7), { seed: 3 }, saved(source.state()));
      expect(take(resumed, 10)).toEqual(whole.slice(stop, stop + 10));
    }
  });

  test("have each place of the order with equal probability", () => {
    const counts = new Map<string, number>();
    for (let seed = 0; seed < 2000; seed++) {
      for (const [place, { index }] of take(new ShuffledTasks(split(5), { seed }), 5).entries()) {
        const cell = `${index} at ${place}`;
        counts.set(cell, (counts.get(cell) ?? 0) + 1);
      }
    }
    expect(counts.size).toBe(25);
    // The expected count is 400. Five standard deviations of the binomial are 89.
    for (const count of counts.values()) expect(Math.abs(count - 400)).toBeLessThan(89);
  });

  test("have seeds of their own, or a fixed seed if a setting asks for it", () => {
    const seedsOf = (seeds: "each" | "same") => {
      const played = take(new ShuffledTasks(split(20), { seed: 4, seeds }), 40);
      return [played.slice(0, 20), played.slice(20)].map(
        (epoch) => new Map(epoch.map(({ index, seed }) => [index, seed])),
      ) as [Map<number, number>, Map<number, number>];
    };
    const [first, second] = seedsOf("each");
    expect(new Set([...first.values(), ...second.values()]).size).toBe(40);
    const [before, after] = seedsOf("same");
    for (const [index, seed] of before) expect(after.get(index)).toBe(seed);
    for (const seed of first.values()) expect(seed).toBeLessThan(2 ** 31);
  });

  test.each([0, 1.5, -1, Number.NaN])("of a split of %d are refused", (count) => {
    expect(() => new ShuffledTasks(split(count), { seed: 0 })).toThrow(
      "expected counting@1 train to have tasks from index 0",
    );
  });

  test("of a range stay in the range, and a split with a task for every seed is drawn at random", () => {
    const held = take(new ShuffledTasks({ ...split(10), first: 100 }, { seed: 1 }), 10).map(({ index }) => index);
    expect(held.sort()).toEqual(Array.from({ length: 10 }, (_, index) => 100 + index));
    const all = take(new ShuffledTasks(split(Number.MAX_SAFE_INTEGER), { seed: 1 }), 1000).map(({ index }) => index);
    expect(new Set(all).size).toBe(1000);
    expect(all.every(Number.isSafeInteger)).toBe(true);
    // The mean of uniform draws lies within five standard deviations, 5 / sqrt(12 * 1000).
    const mean = all.reduce((sum, index) => sum + index / Number.MAX_SAFE_INTEGER, 0) / 1000;
    expect(Math.abs(mean - 0.5)).toBeLessThan(0.046);
  });

  test.each([null, {}, { epoch: 0, position: 8 }, { epoch: -1, position: 0 }])("refuse the state %j", (state) => {
    expect(() => new ShuffledTasks(split(7), { seed: 0 }, state)).toThrow("expected a state of 7 tasks");
  });
});

describe("a mixture", () => {
  const shares = (...weights: number[]) =>
    weights.map((weight, index) => ({
      weight,
      source: (state?: unknown) => new ShuffledTasks(split(5 + index, `env${index}@1`), { seed: index }, state),
    }));

  test.each([[[1]], [[1, 1]], [[3, 1]], [[5, 2, 1]], [[0.7, 0.2, 0.1]], [[1, 100]], [[1, 2, 3, 4, 5, 6, 7]]])(
    "with the weights %j has their proportions at every length",
    (weights) => {
      const mixture = new Mixture(shares(...weights));
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      const counts = weights.map(() => 0);
      for (let drawn = 1; drawn <= 500; drawn++) {
        const index = Number(/\d+/.exec(mixture.next().environment)?.[0]);
        counts[index] = (counts[index] as number) + 1;
        for (const [source, weight] of weights.entries()) {
          expect(Math.abs((counts[source] as number) - (drawn * weight) / total)).toBeLessThan(weights.length);
        }
      }
    },
  );

  test("continues after a resume at any place as without one", () => {
    const whole = take(new Mixture(shares(5, 2, 1)), 60);
    for (let stop = 0; stop < 40; stop++) {
      const mixture = new Mixture(shares(5, 2, 1));
      take(mixture, stop);
      expect(take(new Mixture(shares(5, 2, 1), saved(mixture.state())), 20)).toEqual(whole.slice(stop, stop + 20));
    }
  });

  test("with changed weights uses the new ones from the next draw on", () => {
    const scales = [1, 1];
    const mixture = new Mixture(shares(1, 1).map((share, at) => ({ ...share, scale: () => scales[at] as number })));
    const firsts = (count: number) => take(mixture, count).filter(({ environment }) => environment === "env0@1").length;
    expect(firsts(20)).toBe(10);
    scales[1] = 0.25;
    expect(firsts(50)).toBe(40);
  });

  test("without a source, with a weight of 0, or with the state of another mixture is refused", () => {
    expect(() => new Mixture([])).toThrow("expected at least one source");
    expect(() => new Mixture(shares(1, 0))).toThrow("expected weights above 0, but received 0");
    expect(() => new Mixture(shares(1, 2), new Mixture(shares(1)).state())).toThrow("expected a state of 2 sources");
  });
});

describe("learnability", () => {
  const reached = (shares: readonly number[], count: number) => {
    const learnability = new Learnability(1);
    for (let at = 0; at < count; at++) learnability.observe(0, shares[at % shares.length] as number);
    return learnability.of(0);
  };

  test("starts at its maximum and approaches 4 p (1 - p), with p the share of solved episodes", () => {
    expect(new Learnability(2).of(1)).toBe(1);
    expect(reached([0.5], 200)).toBeCloseTo(1, 3);
    expect(reached([0.25], 200)).toBeCloseTo(0.75, 3);
    // Half of the tasks are always solved and half never. The set's rate is 1/2, but no group teaches anything.
    expect(reached([0, 1], 200)).toBe(0.05);
  });

  test("of a set that is always or never solved stays above 0, and rises once its groups have mixed results", () => {
    const learnability = new Learnability(1, { memory: 4, least: 0.1 });
    for (let at = 0; at < 100; at++) learnability.observe(0, 1);
    expect(learnability.of(0)).toBe(0.1);
    for (let at = 0; at < 4; at++) learnability.observe(0, 0.5);
    expect(learnability.of(0)).toBeCloseTo(1 - 0.75 ** 4, 6);
  });

  test("is unchanged after a resume, and refuses the state of other sets", () => {
    const learnability = new Learnability(2);
    learnability.observe(1, 0.125);
    const resumed = new Learnability(2, {}, saved(learnability.state()));
    expect([resumed.of(0), resumed.of(1)]).toEqual([learnability.of(0), learnability.of(1)]);
    expect(() => new Learnability(3, {}, learnability.state())).toThrow("expected the learnability of 3 sets");
    expect(() => new Learnability(1, { memory: 0 })).toThrow("expected `memory` to be at least 1");
  });
});

describe("the difficulty filter", () => {
  const task = (index: number) => ({ environment: "counting@1", split: "train", index, seed: 0 });
  const seen = (outcomes: string, filter = new DifficultyFilter({ evidence: 4, halfLife: 10 })) => {
    for (const outcome of outcomes) filter.observe(task(0), outcome === "+", 0);
    return filter;
  };

  test.each([
    ["", true],
    ["+++", true],
    ["++++", false],
    ["----", false],
    ["+++-", true],
    ["---+", true],
  ])("of a task with the results %j admits it: %s", (outcomes, admitted) => {
    expect(seen(outcomes).admits(task(0), 0)).toBe(admitted);
  });

  test("distinguishes tasks, and treats all seeds of a task alike", () => {
    const filter = seen("++++");
    expect(filter.admits(task(1), 0)).toBe(true);
    expect(filter.admits({ ...task(0), seed: 9 }, 0)).toBe(false);
  });

  test("tries a task again once the evidence against it has faded", () => {
    const filter = seen("++++++++");
    expect([0, 9, 11].map((step) => filter.admits(task(0), step))).toEqual([false, false, true]);
    filter.observe(task(0), false, 11);
    expect(filter.admits(task(0), 11)).toBe(true);
  });

  test("is unchanged after a resume", () => {
    const filter = new DifficultyFilter({ evidence: 2, halfLife: 7 });
    const draws = Array.from({ length: 200 }, (_, i) => ({
      index: (i * 7) % 11,
      isSolved: (i * 13) % 5 < 2,
      step: i >> 2,
    }));
    for (const { index, isSolved, step } of draws.slice(0, 100)) filter.observe(task(index), isSolved, step);
    const resumed = new DifficultyFilter({ evidence: 2, halfLife: 7 }, saved(filter.state()));
    for (const { index, isSolved, step } of draws.slice(100)) {
      expect(resumed.admits(task(index), step)).toBe(filter.admits(task(index), step));
      filter.observe(task(index), isSolved, step);
      resumed.observe(task(index), isSolved, step);
    }
    expect(resumed.state()).toEqual(filter.state());
  });

  test("skips tasks, but never for ever", () => {
    const filter = new DifficultyFilter({ evidence: 1, halfLife: 1000 });
    for (const index of [0, 1, 2]) filter.observe(task(index), true, 0);
    const filtered = (count: number) =>
      new FilteredTasks(new ShuffledTasks(split(count), { seed: 1 }), { filter, trainStep: () => 0, patience: 10 });
    const indices = take(filtered(5), 10).map(({ index }) => index);
    expect(new Set(indices)).toEqual(new Set([3, 4]));
    expect(take(filtered(3), 5)).toHaveLength(5);
  });

  test.each([{ lowest: 0.9, highest: 0.1 }, { highest: 2 }, { evidence: 0 }, { halfLife: 0 }])(
    "refuses %j",
    (options) => {
      expect(() => new DifficultyFilter(options)).toThrow(RangeError);
    },
  );

  test("refuses an invalid state", () => {
    expect(() => new DifficultyFilter({}, { a: 1 })).toThrow("expected the state of a difficulty filter");
  });
});
