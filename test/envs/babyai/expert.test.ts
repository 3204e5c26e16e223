import { describe, expect, test } from "vitest";
import { levels } from "#palestra/envs/babyai/engine/levels/index.js";
import babyai from "#palestra/envs/babyai/index.js";
import type { Options } from "#palestra/envs/env.js";
import { impossibility } from "./mission-proofs.js";

type Instance = ReturnType<typeof babyai.create>;

const kinds = ["text", "primitive"] as const;
const firstSeed = 50;
const seedsPerLevel = 3;

function begin(level: string, seed: number, asked: Options = {}): Instance {
  const environment = babyai.create({ now: () => 0 });
  const options = { actions: "text", ends: "task", view: "none", picture: "none", ...asked };
  environment.reset({ task: { split: level, index: seed }, seed: 1, options });
  return environment;
}

const ask = (environment: Instance) => babyai.expert?.(environment) ?? null;

/** Continues with the expert, and checks that each of its actions is a move. @returns the reward */
function solve(environment: Instance): number {
  const { game } = environment;
  for (let action = ask(environment); action !== null && game; action = ask(environment)) {
    const before = game.stepCount;
    const { reward, terminated } = environment.step(action);
    expect(game.stepCount, action).toBeGreaterThan(before);
    if (terminated) return reward;
  }
  return 0;
}

/** Returns a stream of integers below `n`, the same in every run. */
function numbers(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

/** Makes random legal actions that do not end the episode. Toggles are left out, since one might fail it. */
function stray(environment: Instance, next: (n: number) => number): void {
  const moves = ["left", "right", "forward", "forward", "pickup", "drop"];
  const { game, play } = environment;
  if (!game || !play) throw new Error("expected a reset");
  for (let left = 2 + next(Math.min(40, game.maxSteps / 6)); left > 0; left--) {
    const actions = "actions" in play ? play.actions.filter((name) => !name.includes("toggle")) : moves;
    const action = actions[next(actions.length)] as string;
    const trial = environment.clone();
    if (trial.step(action).terminated || (trial.game?.stepCount ?? 0) > game.maxSteps / 3) continue;
    environment.step(action);
  }
}

const everyMission = [...levels.keys()].flatMap((level) =>
  Array.from({ length: seedsPerLevel }, (_, i) => [level, firstSeed + i] as const),
);

describe.each(kinds)("by %s actions", (actions) => {
  test("the expert solves every mission except those that are proved impossible", () => {
    let impossible = 0;
    for (const [level, seed] of everyMission) {
      const environment = begin(level, seed, { actions });
      const reason = environment.game && impossibility(environment.game, actions === "text");
      const isSolved = solve(environment) > 0.1;
      expect(isSolved, `${level} ${seed}: ${reason ?? "possible"}`).toBe(reason === undefined);
      if (!isSolved) impossible += 1;
    }
    expect(impossible).toBeLessThan(everyMission.length / 30);
  });

  test("the expert solves a mission after random actions", () => {
    for (const [level, seed] of everyMission.filter((_, i) => i % seedsPerLevel === 0)) {
      const environment = begin(level, seed, { actions });
      if (environment.game && impossibility(environment.game, actions === "text")) continue;
      stray(environment, numbers(seed));
      if (environment.game && impossibility(environment.game, actions === "text")) continue;
      expect(solve(environment), `${level} ${seed}`).toBeGreaterThan(0);
    }
  });
});

test("the expert continues after an end that AgentGym ignores", () => {
  for (let seed = 0; seed < 10; seed++) {
    expect(solve(begin("OpenDoorsOrderN4Debug", seed, { ends: "agentgym" })), `seed ${seed}`).toBeGreaterThan(0.5);
  }
});

test("the expert has no action if the reward would be at most 0.5, which AgentGym ignores", () => {
  const environment = begin("GoToLocal", 1, { ends: "agentgym" });
  for (let i = 0; i < 0.5 * (environment.game?.maxSteps ?? 0); i++) environment.step("turn left");
  expect(ask(environment)).not.toBeNull();
  for (let i = 0; i < 0.06 * (environment.game?.maxSteps ?? 0); i++) environment.step("turn left");
  expect(ask(environment)).toBeNull();
});

test("the expert has no text action for a key in a box, since text can only toggle doors", () => {
  expect(ask(begin("KeyInBox", 0))).toBeNull();
  expect(solve(begin("KeyInBox", 0, { actions: "primitive" }))).toBeGreaterThan(0.9);
});

test("the expert has no action before the first reset and after the end", () => {
  expect(ask(babyai.create({ now: () => 0 }))).toBeNull();
  const environment = begin("GoToRedBall", 0);
  solve(environment);
  expect(ask(environment)).toBeNull();
});

test.each(kinds)("the expert for %s actions does not change the game, and repeats its answer", (actions) => {
  for (const level of ["GoToRedBall", "KeyCorridorS3R3", "PutNextS5N2Carrying", "MiniBossLevel"]) {
    const [environment, unasked] = [begin(level, 3, { actions }), begin(level, 3, { actions })];
    for (let action = ask(environment); action !== null; action = ask(environment)) {
      expect(ask(environment)).toBe(action);
      expect(ask(unasked.clone())).toBe(action);
      expect(environment.step(action)).toEqual(unasked.step(action));
      expect(environment.game?.encode()).toEqual(unasked.game?.encode());
    }
  }
});
