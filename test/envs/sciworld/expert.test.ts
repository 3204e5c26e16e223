import { describe, expect, test } from "vitest";
import type { Options } from "#palestra/envs/env.js";
import { fillOptions } from "#palestra/envs/registry.js";
import { allWithin } from "#palestra/envs/sciworld/engine/reach.js";
import type { Game } from "#palestra/envs/sciworld/game.js";
import sciworld from "#palestra/envs/sciworld/index.js";
import { tasks } from "#palestra/envs/sciworld/tasks/all.js";
import { JavaRandom } from "#palestra/envs/shared/rng/java-random.js";

type Instance = ReturnType<typeof sciworld.create>;

const named = new Map(tasks.map((task) => [task.name, task]));
/** Tasks whose goal is possible only for a short time. */
const fleeting = ["identify-life-stages-1", "identify-life-stages-2"];
const lasting = [...named.keys()].filter((name) => !fleeting.includes(name));

function begin(task: string, variation: number, options: Options = {}): Instance {
  const environment = sciworld.create({ now: () => 0 });
  const ref = { split: task, index: variation };
  environment.reset({ task: ref, seed: 1, options: fillOptions(sciworld, options) });
  return environment;
}

const gameOf = ({ game }: Instance): Game => {
  if (game) return game;
  throw new Error("expected a reset");
};

const ask = (environment: Instance) => sciworld.expert?.(environment) ?? null;

/** Returns evenly spread variations of a task. */
function sample(task: string, count: number, random: JavaRandom): number[] {
  const { variations } = named.get(task) ?? { variations: 0 };
  const stretch = variations / count;
  return Array.from({ length: count }, (_, at) => Math.floor(at * stretch) + random.nextInt(Math.floor(stretch)));
}

interface Played {
  score: number;
  steps: number;
  moves: number;
  /** True if the expert had no action left. */
  gaveUp: boolean;
}

/** Continues with the expert, and checks that the game understands each of its actions. */
function solve(environment: Instance): Played {
  const game = gameOf(environment);
  let steps = 0;
  let action = ask(environment);
  for (; action !== null && steps < sciworld.maxSteps; action = ask(environment)) {
    const isAnswer = game.parser.choices !== undefined;
    const { observation } = environment.step(action);
    if (!isAnswer) expect(observation, action).not.toMatch(/^(No known action|Unknown action)/);
    steps += 1;
  }
  return { score: game.score, steps, moves: game.moves, gaveUp: action === null };
}

/** Makes random valid actions, each kind with the same probability. Focus is left out, since it might fail the task. */
function stray(environment: Instance, steps: number, random: JavaRandom): void {
  for (let left = steps; left > 0; left--) {
    const valid = gameOf(environment)
      .validActions()
      .filter(({ action }) => !action.startsWith("focus") && !action.startsWith("reset"));
    const kinds = [...new Set(valid.map(({ templateId }) => templateId))];
    const kind = kinds[random.nextInt(kinds.length)];
    const alike = valid.filter(({ templateId }) => templateId === kind);
    environment.step(alike[random.nextInt(alike.length)]?.action ?? "look around");
  }
}

describe("from the start of an episode", () => {
  test.each([...named.keys()])("%s is solved within 100 steps and 100 moves", (task) => {
    for (const variation of sample(task, 5, new JavaRandom(1))) {
      const { score, steps, moves } = solve(begin(task, variation));
      expect({ variation, score }).toEqual({ variation, score: 1 });
      expect(Math.max(steps, moves)).toBeLessThanOrEqual(100);
    }
  });

  test.each([
    { simplifications: "easy" },
    { teleport: "yes" },
    { openDoors: "yes" },
    { openContainers: "yes" },
    { selfWatering: "yes" },
    { api: "python" },
  ])("all tasks are solved with %o", (options) => {
    for (const task of named.keys()) {
      const [variation = 0] = sample(task, 1, new JavaRandom(2));
      expect({ task, variation, ...solve(begin(task, variation, options)) }).toMatchObject({ task, score: 1 });
    }
  });
});

describe("after random actions", () => {
  test.each(lasting)("%s is solved", (task) => {
    const random = new JavaRandom(3);
    for (const variation of sample(task, 2, random)) {
      const environment = begin(task, variation);
      stray(environment, 5 + random.nextInt(20), random);
      expect({ variation, ...solve(environment) }).toMatchObject({ variation, score: 1 });
    }
  });

  test.each(fleeting)("%s is solved, or given up if no animal or plant is young enough any more", (task) => {
    const random = new JavaRandom(4);
    const outcomes = sample(task, 5, random).flatMap((variation) =>
      [2, 4, 8, 40].map((steps) => {
        const environment = begin(task, variation);
        stray(environment, steps, random);
        const { score, gaveUp } = solve(environment);
        expect(score === 1 || gaveUp).toBe(true);
        if (score < 1) expectAllTooOld(gameOf(environment));
        return score;
      }),
    );
    expect(outcomes).toContain(1);
    expect(outcomes.some((score) => score < 1)).toBe(true);
  });
});

/** Returns the living things of the species that the task describes. */
function expectAllTooOld({ goals, universe }: Game): void {
  const aim = goals.pending[0]?.aim;
  if (aim?.type !== "focus on stage") throw new Error(`expected a stage to be asked for, but received ${aim?.type}`);
  const living = [...allWithin(universe)].filter(({ life }) => life?.species === aim.species);
  expect(living.length).toBeGreaterThan(0);
  for (const { life } of living) {
    const stages = life?.stages.map(({ name }) => name) ?? [];
    expect(stages.indexOf(life?.stage.name ?? "")).toBeGreaterThan(stages.indexOf(aim.stage));
  }
}

describe("from an unusual state", () => {
  test("the expert cools a boiled substance in its vessel", () => {
    const environment = begin("freeze", 0);
    const game = gameOf(environment);
    while (game.focus === undefined) environment.step(ask(environment) ?? "wait");
    for (const action of ["move glass cup to stove", "activate stove", "wait", "wait"]) environment.step(action);
    expect(game.focus).toMatchObject({ name: "steam", container: { name: "glass cup" } });
    expect(solve(environment).score).toBe(1);
  });

  test("the expert moves a plant to the pot that the agent carries", () => {
    const environment = begin("grow-plant", 6);
    const game = gameOf(environment);
    for (const place of ["hallway", "greenhouse"]) {
      for (const action of [`open door to ${place}`, `go to ${place}`]) environment.step(action);
    }
    expect(environment.step("pick up flower pot 1").observation).toContain("to the inventory");
    expect(solve(environment).score).toBe(1);
    expect(game.moves).toBeLessThanOrEqual(100);
  });
});

describe("an open question", () => {
  test("is answered if it is about the expert's action", () => {
    const environment = begin("grow-plant", 0);
    const answers: string[] = [];
    for (let action = ask(environment); action !== null; action = ask(environment)) {
      if (gameOf(environment).parser.choices) answers.push(action);
      environment.step(action);
    }
    expect(gameOf(environment).score).toBe(1);
    expect(answers.length).toBeGreaterThan(0);
    expect(answers.join("")).toMatch(/^\d+$/);
  });

  test("is dismissed if it is about another action", () => {
    const environment = begin("grow-plant", 2);
    expect(environment.step("eat plant").observation).toMatch(/^Ambiguous request/);
    const seeds = gameOf(environment).parser.choices?.length;
    expect(ask(environment)).toBe(String(seeds));
    environment.step(String(seeds));
    expect(gameOf(environment).parser.choices).toBeUndefined();
    expect(solve(environment).score).toBe(1);
  });
});

describe("the expert has no action", () => {
  test("before the first reset and after the end", () => {
    const environment = sciworld.create({ now: () => 0 });
    expect(ask(environment)).toBeNull();
    const begun = begin("boil", 0);
    expect(solve(begun)).toMatchObject({ score: 1, gaveUp: true });
    expect(ask(begun)).toBeNull();
  });

  test("after the task has failed", () => {
    const environment = begin("boil", 0);
    expect(environment.step("focus on agent").terminated).toBe(true);
    expect(ask(environment)).toBeNull();
  });

  test("for circuits without electrical actions", () => {
    for (const task of ["power-component", "power-component-renewable-vs-nonrenewable-energy"])
      expect(ask(begin(task, 3, { withoutWires: "yes" }))).toBeNull();
  });

  test("if the object of the task is gone", () => {
    const environment = begin("melt", 10);
    while (gameOf(environment).focus === undefined) environment.step(ask(environment) ?? "wait");
    expect(gameOf(environment).taskDescription).toContain("chocolate");
    expect(environment.step("eat chocolate").observation).toBe("The chocolate was delicious.");
    expect(ask(environment)).toBeNull();
  });
});

test("the expert takes an object out of the wrong box or off the wrong power source before the task fails", () => {
  const conductor = begin("test-conductivity", 0);
  const wrong = gameOf(conductor).taskDescription.match(/nonconductive, place it in the (\w+ box)/)?.[1];
  for (const action of ["open door to workshop", "go to workshop", `move aluminum foil to ${wrong}`]) {
    expect(conductor.step(action).observation).not.toMatch(/^No known/);
  }
  expect(solve(conductor).score).toBe(1);

  const circuit = begin("power-component-renewable-vs-nonrenewable-energy", 0);
  for (const action of [
    ...["open door to workshop", "go to workshop", "connect anode in battery to cathode in red light bulb"],
    ...["connect cathode in battery to anode in red light bulb", "wait"],
  ]) {
    expect(circuit.step(action).observation).not.toMatch(/^No known/);
  }
  expect(solve(circuit).score).toBe(1);
});

test("the expert does not change the episode, and repeats its answer", () => {
  for (const task of named.keys()) {
    const [asked, other] = [begin(task, 1), begin(task, 1)];
    for (let step = 0; step < 12; step++) {
      const action = ask(asked);
      expect(ask(asked)).toBe(action);
      if (action === null) break;
      expect(asked.step(action)).toEqual(other.step(action));
    }
    expect(gameOf(asked).world.random.nextInt(1_000_000)).toBe(gameOf(other).world.random.nextInt(1_000_000));
  }
});
