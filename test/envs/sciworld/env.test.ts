/** ScienceWorld as an environment: results of resets and steps, its two interfaces, and its queries. */
import { describe, expect, test } from "vitest";
import type { Info, Options, StepResult } from "#palestra/envs/env.js";
import { fillOptions } from "#palestra/envs/registry.js";
import type { ScienceWorld } from "#palestra/envs/sciworld/env.js";
import { Game } from "#palestra/envs/sciworld/game.js";
import sciworld from "#palestra/envs/sciworld/index.js";
import { apiRecordings, sharedTest } from "./recordings.js";

function open(split: string, index: number, options: Options = {}) {
  const environment = sciworld.create({ now: () => 0 });
  const { observation, info } = environment.reset({
    task: { split, index },
    seed: 0,
    options: fillOptions(sciworld, options),
  });
  return { environment, observation, info };
}

const play = (environment: ScienceWorld, actions: readonly string[]): StepResult[] =>
  actions.map((action) => environment.step(action));

const ask = (environment: ScienceWorld, query: string) => sciworld.queries?.[query]?.answer(environment);

describe("rewards", () => {
  /** A task in which the agent starts beside two of the three paints. */
  const [mixing, variation] = ["chemistry-mix-paint-secondary-color", 1] as const;

  test("points earned at the reset are in its info and are paid with the first step", () => {
    const earning = Array.from({ length: 36 }, (_, index) => open(mixing, index)).filter(
      ({ info }) => (info.score as number) > 0,
    );
    expect(earning.length).toBeGreaterThan(0);
    for (const { environment, info } of earning) {
      expect(info).toMatchObject({ score: info.score, reward: info.score, moves: 0 });
      const [first, second] = play(environment, ["look around", "look around"]) as [StepResult, StepResult];
      expect(first).toMatchObject({ reward: (info.score as number) / 100, info: { score: info.score, reward: 0 } });
      expect(second).toMatchObject({ reward: 0, info: { score: info.score, reward: 0 } });
    }
  });

  test("the rewards of a solved task add up to solvedReward in spite of rounding", () => {
    // 0.07 + 0.09 + 0.02 + ... is 0.9999999999999999.
    const { environment } = open("grow-fruit", 73, { simplifications: "easy" });
    let sum = 0;
    let last: StepResult | undefined;
    while (!last?.terminated) {
      last = environment.step(sciworld.expert?.(environment) ?? "wait1");
      sum += last.reward;
    }
    expect(last.info.score).toBe(100);
    expect(sum).not.toBe(1);
    expect(sum).toBeGreaterThanOrEqual(sciworld.solvedReward ?? 1);
  });

  test("the rewards add up to the score, also in a failed task", () => {
    const { environment } = open(mixing, variation);
    const steps = play(environment, ["look around", "inventory", "focus on agent"]);
    expect(steps.reduce((sum, { reward }) => sum + reward, 0)).toBeCloseTo(-1, 12);
    expect(steps.at(-1)).toMatchObject({ terminated: true, info: { score: -100 } });
  });
});

describe("behind the Python API", () => {
  sharedTest("recorded episodes have the same replies, move by move", () => {
    const played = apiRecordings().filter(({ task }) => sciworld.splits[task] !== undefined);
    expect(played.length).toBeGreaterThan(20);
    for (const { task, variation, taskDescription, simplifications, steps } of played) {
      const { environment, info } = open(task, variation, { api: "python", simplifications });
      const rest = play(
        environment,
        steps.slice(1).map(({ action }) => action),
      );
      const said = [
        { observation: info.look, ...tally(info) },
        ...rest.map((step) => ({ ...step, ...tally(step.info) })),
      ];
      expect(info).toMatchObject({ task, variation, taskDescription });
      for (const [at, { observation, score, moves }] of steps.entries())
        expect(said[at]).toMatchObject({ observation, moves, score: Math.round(100 * score) });
    }
  });

  const tally = ({ score, moves }: Info) => ({ score, moves });

  test("an episode ends after the 101st move", () => {
    const actions = [...Array.from({ length: 9 }, () => "wait"), "look at air", "look at air"];
    const [python, engine] = ["python", "engine"].map((api) => play(open("boil", 0, { api }).environment, actions));
    const moves = [11, 22, 33, 44, 55, 66, 77, 88, 99, 100, 101];
    expect(python?.map(({ info, terminated }) => [info.moves, terminated])).toEqual(moves.map((at) => [at, at > 100]));
    expect(engine?.map(({ info, terminated }) => [info.moves, terminated])).toEqual(moves.map((at) => [at, false]));
  });

  test("the list of valid actions after each step draws from the random generator, like a query for it", () => {
    // The generator decides the order of objects with equal names.
    const actions = ["teleport to living room", "objects", "objects"];
    const [python, engine] = ["python", "engine"].map((api) => {
      const { environment } = open("boil", 1, { api, teleport: "yes" });
      return play(environment, actions).map(({ observation }) => observation);
    });
    const game = new Game("boil", 1, new Set(["teleportAction"]));
    const asked = ["look around", ...actions].map((action) => {
      const observation = game.step(action);
      game.validActions({ isDrawing: true });
      return observation;
    });
    expect(python).toEqual(asked.slice(1));
    expect(engine).not.toEqual(python);
  });
});

describe("queries", () => {
  const inKitchen = ["open door to kitchen", "go to kitchen", "pick up lighter"];

  test("return the texts of the agent's own actions", () => {
    const { environment, info } = open("boil", 0);
    play(environment, inKitchen);
    expect(ask(environment, "task")).toBe(info.taskDescription);
    for (const [query, action] of Object.entries({ look: "look around", inventory: "inventory" }))
      expect(String(ask(environment, query)).trim()).toBe(environment.step(action).observation);
    expect(ask(environment, "inventory")).toContain("a lighter");
    const { observation } = environment.step("objects");
    expect(observation).toBe(`Possible object references: \n\t${list(environment, "possible-objects").join("\n\t")}`);
    const help = environment.step("help").observation;
    expect(help).toBe(`Possible actions: \n\t${list(environment, "possible-actions").join("\n\t")}`);
  });

  test("valid actions are all actions that are not refused, or the answers to an open question", () => {
    const { environment } = open("boil", 0);
    play(environment, inKitchen);
    const valid = ask(environment, "valid-actions") as { action: string; obj_ids: number[]; type_ids: number[] }[];
    expect(valid.length).toBeGreaterThan(1_000);
    expect(valid.find(({ action }) => action === "open cupboard")).toEqual({
      action: "open cupboard",
      template_id: expect.any(Number),
      obj_ids: [expect.any(Number)],
      type_ids: [24],
    });
    for (const { obj_ids, type_ids } of valid) expect(type_ids).toHaveLength(obj_ids.length);
    play(environment, ["open cupboard"]);
    const { observation } = environment.step("look at cup");
    expect(observation).toContain("Ambiguous request");
    const answers = ask(environment, "valid-actions") as { action: string; template_id: number }[];
    expect(answers.map(({ action, template_id }) => [action, template_id])).toEqual(
      answers.map((_, at) => [String(at), 100 + at]),
    );
    expect(answers.length).toBeGreaterThan(1);
  });

  test("with validActions: accepted, the list has all actions of the original's list that are not refused, and no other", () => {
    // Closed containers of the kitchen hold objects that the list names but the parser refuses.
    const begun = (validActions: string) => {
      const { environment } = open("boil", 0, { validActions, teleport: "yes" });
      environment.step("teleport to kitchen");
      return environment;
    };
    const listed = (validActions: string) =>
      (ask(begun(validActions), "valid-actions") as { action: string }[]).map(({ action }) => action);
    const [accepted, original] = [new Set(listed("accepted")), listed("original")];
    const looks = original.filter((action) => /^(look in|look at|open|close|pick up|eat) /.test(action));
    const outcomes = looks.map((action) => [action, begun("original").step(action).observation] as const);
    const refused = outcomes.filter(([, observation]) => observation === "No known action matches that input.");
    expect(refused.map(([action]) => action)).toContain("look in metal pot");
    for (const [action, observation] of outcomes)
      expect([action, accepted.has(action)]).toEqual([action, observation !== "No known action matches that input."]);
    const known = new Set(original);
    expect([...accepted].filter((action) => !known.has(action))).toEqual([]);
  });

  test("goals are listed with those that are met", () => {
    const { environment } = open("boil", 0);
    const met = () => String(ask(environment, "goals")).match(/^\d+\ttrue\t/gm)?.length ?? 0;
    const before = met();
    play(environment, inKitchen);
    expect(met()).toBeGreaterThan(before);
    expect(ask(environment, "goals")).toContain("\tfocus on substance\n");
  });

  test("the tree of objects has the visible objects, and none in closed containers", () => {
    const { environment } = open("boil", 0);
    play(environment, inKitchen);
    const tree = () => JSON.stringify(ask(environment, "object-tree"));
    expect(tree()).toMatch(/^\{"uuid":"\d+","name":"kitchen"/);
    expect(tree()).toContain('"name":"lighter"');
    const shut = tree();
    expect(shut).toContain('"name":"cupboard"');
    play(environment, ["open cupboard"]);
    expect(tree().length).toBeGreaterThan(shut.length);
    expect(tree()).not.toMatch(/prop|temperature|terminal/);
  });
});

const list = (environment: ScienceWorld, query: string) => ask(environment, query) as string[];
