/** Round caps by train step. */
import { expect, test } from "vitest";
import { agentGymRlRounds, fixedRounds, roundDefaults, scalingInter } from "#palestra/trainer/curriculum/index.js";

test("the cap on rounds grows at intervals of train steps and then stays", () => {
  const { roundsAt } = scalingInter({ rounds: [8, 12, 15], steps_scaling_inter: 80 });
  expect([0, 79, 80, 159, 160, 239, 240, 10_000].map(roundsAt)).toEqual([8, 8, 12, 12, 15, 15, 15, 15]);
});

test("the default cap of every environment reaches its maximum at twice its interval", () => {
  for (const defaults of Object.values(agentGymRlRounds)) {
    const { roundsAt } = scalingInter(defaults);
    const curve = Array.from({ length: 400 }, (_, step) => roundsAt(step));
    expect(curve).toEqual(curve.toSorted((a, b) => a - b));
    expect(new Set(curve)).toEqual(new Set(defaults.rounds));
    expect(curve.indexOf(defaults.rounds.at(-1) as number)).toBe(2 * defaults.steps_scaling_inter);
  }
});

test("defaults are found by a name with or without a version", () => {
  expect(roundDefaults("babyai@1")).toEqual({
    fixed: 20,
    rounds: [6, 13, 20],
    steps_scaling_inter: 100,
    evaluation: 20,
  });
  expect(roundDefaults("babyai")).toEqual(roundDefaults("babyai@2"));
  expect(roundDefaults("toString")).toBeUndefined();
});

test("a fixed cap stays", () => {
  expect([0, 1, 1e6].map(fixedRounds(20).roundsAt)).toEqual([20, 20, 20]);
});

test.each([
  [{ rounds: [], steps_scaling_inter: 1 }, "at least one stage"],
  [{ rounds: [5, 0], steps_scaling_inter: 1 }, "rounds[1]"],
  [{ rounds: [5], steps_scaling_inter: 0.5 }, "steps_scaling_inter"],
])("%j is refused", (options, reason) => {
  expect(() => scalingInter(options)).toThrow(reason);
});
