/** Options of the environment: MiniGrid's moves as actions, symbolic views and images, and copies. */
import { describe, expect, test } from "vitest";
import { Kind } from "#palestra/envs/babyai/engine/codes.js";
import type { BabyAI } from "#palestra/envs/babyai/env.js";
import babyai from "#palestra/envs/babyai/index.js";
import { frame } from "#palestra/envs/babyai/picture/frame.js";
import { png } from "#palestra/envs/babyai/picture/png.js";
import { svg } from "#palestra/envs/babyai/picture/svg.js";
import type { ObservationPart, Options } from "#palestra/envs/env.js";

const defaults = { actions: "text", ends: "task", view: "none", picture: "none" };

function begin(split: string, index: number, options: Options) {
  const environment = babyai.create({ now: () => 0 });
  const opening = environment.reset({ task: { split, index }, seed: 0, options: { ...defaults, ...options } });
  return { environment, opening };
}

interface Symbolic {
  image: number[][][];
  direction: number;
  mission: string;
}

function symbolic(parts: ObservationPart[] | undefined): Symbolic {
  expect(parts).toEqual([{ type: "json", data: expect.anything() }]);
  return parts?.[0]?.data as unknown as Symbolic;
}

const primitive = { actions: "primitive" };
/** Plays to the end with the expert. @returns its moves */
function solve(environment: BabyAI): string[] {
  const moves: string[] = [];
  for (let done = false; !done; ) {
    const move = babyai.expert?.(environment) as string;
    done = environment.step(move).terminated;
    moves.push(move);
  }
  return moves;
}

const pose = ({ game }: BabyAI) => [game?.agentX, game?.agentY, game?.agentDir];

describe("primitive moves", () => {
  test("are MiniGrid's actions by name", () => {
    const { environment, opening } = begin("GoToLocal", 1234, primitive);
    expect(opening.observation).toMatch(
      /^Your goal: go to the purple ball\nIn front of you .*not carrying anything\.$/,
    );
    const [x, y, direction] = pose(environment) as [number, number, number];
    environment.step("left");
    expect(pose(environment)).toEqual([x, y, (direction + 3) % 4]);
    environment.step(" RIGHT\n");
    expect(pose(environment)).toEqual([x, y, direction]);
    const moves = ["left", "forward", "pickup", "toggle", "drop", "done"].map(
      (move) => environment.step(move).info.moves,
    );
    expect(moves).toEqual([3, 4, 5, 6, 7, 8]);
  });

  test.each(["fly", "", "2", "turn left", "toString"])(
    "do not include %j, and the observation reports the unknown action",
    (action) => {
      const { environment } = begin("GoToLocal", 1234, primitive);
      expect(environment.step(action)).toEqual({
        observation: "The action is not recognized. The actions are left, right, forward, pickup, drop, toggle, done.",
        reward: 0,
        terminated: false,
        truncated: false,
        info: { goal: "go to the purple ball", moves: 0, score: 0 },
      });
    },
  );

  test("keep the order of a mission's parts, unlike AgentGym's text", () => {
    const { opening } = begin("OpenTwoDoors", 0, primitive);
    expect(opening.observation).toContain(`Your goal: ${opening.info.mission}\n`);
    expect(opening.info.mission).toContain(", then ");
    expect(begin("OpenTwoDoors", 0, {}).opening.observation).toContain(", and ");
  });

  test("end the task as failed at the limit on moves", () => {
    const { environment, opening } = begin("GoToObjS4", 0, primitive);
    const allowed = opening.info.maxMoves as number;
    for (let move = 1; move < allowed; move++) expect(environment.step("done").terminated).toBe(false);
    const end = environment.step("done");
    expect(end).toMatchObject({ reward: 0, terminated: true, truncated: false });
    expect(end.observation).toMatch(/\n The task has failed\.$/);
  });

  test("can solve a task at the limit on moves", () => {
    const solution = solve(begin("GoToLocal", 1234, primitive).environment);
    const { environment, opening } = begin("GoToLocal", 1234, primitive);
    for (let move = solution.length; move < (opening.info.maxMoves as number); move++) environment.step("done");
    const last = solution.map((move) => environment.step(move)).at(-1);
    expect(last).toMatchObject({ terminated: true, info: { moves: opening.info.maxMoves } });
    expect(last?.observation).toMatch(/\n The task is completed\.$/);
    expect(last?.reward).toBeCloseTo(0.1);
    expect(last?.reward).toBeGreaterThanOrEqual(babyai.solvedReward as number);
  });

  test("have a reward only for the move that completes the mission", () => {
    const { environment, opening } = begin("GoToLocal", 1234, primitive);
    let steps = 0;
    let last = environment.step("done");
    while (!last.terminated) {
      expect([last.reward, last.info.score]).toEqual([0, 0]);
      last = environment.step(babyai.expert?.(environment) as string);
      steps += 1;
    }
    const reward = 1 - 0.9 * ((steps + 1) / (opening.info.maxMoves as number));
    expect(last).toMatchObject({ reward, info: { score: reward, moves: steps + 1 } });
    expect(last.observation).toMatch(/\n The task is completed\.$/);
  });
});

test("AgentGym's split has the missions of its server's second reset, both in play and in the list of tasks", () => {
  const options = [{}, { ends: "agentgym" }, primitive];
  const missionsOf = (split: string, index: number) =>
    options.map((played) => begin(split, index, played).opening.info.mission);
  const title = (split: string, index: number) => babyai.splits[split]?.title(index);
  const second = expect.stringMatching(/^put the purple key next to/);
  expect([...missionsOf("agentgym", 5874), title("agentgym", 5874)]).toEqual(Array(4).fill(second));
  expect([...missionsOf("SynthS5R2", 146), title("SynthS5R2", 146)]).toEqual(Array(4).fill("pick up a grey box"));
});

test("the test split has each of AgentGym's levels, with seeds that AgentGym does not number", () => {
  const { size } = babyai.splits.test as { size: number };
  const problems = Array.from({ length: size }, (_, index) => begin("test", index, {}).opening.info);
  const ownLevels = Array.from({ length: 40 }, (_, index) => begin("agentgym", index, {}).opening.info.level);
  expect(problems.map(({ level }) => level)).toEqual([...ownLevels, ...ownLevels, ...ownLevels]);
  expect(problems.map(({ seed }) => seed)).toEqual([0, 1, 2].flatMap((round) => Array(40).fill(1_000_000_000 + round)));
  expect(babyai.splits.test?.title(3)).toBe(problems[3]?.mission);
});

describe("the symbolic view", () => {
  const things = (view: Symbolic) =>
    view.image.flatMap((column, x) =>
      column.flatMap((cell, y) => ((cell[0] as number) > Kind.wall ? [[x, y, ...cell]] : [])),
    );

  // Recorded from `gymnasium.make("BabyAI-GoToDoor-v0")` with seed 3 and action 0, on minigrid 3.2.0.
  test("is MiniGrid's observation, after reset and after a step", () => {
    const { environment, opening } = begin("GoToDoor", 3, { view: "symbolic" });
    const first = symbolic(opening.parts);
    expect(first).toMatchObject({ direction: 2, mission: "go to a grey door" });
    expect(things(first)).toEqual([[0, 5, 4, 5, 2]]);
    const kinds = first.image.flat().map(([kind]) => kind);
    expect(kinds.filter((kind) => kind === Kind.wall)).toHaveLength(6);
    expect(kinds).toHaveLength(49);

    const second = symbolic(environment.step("turn left").parts);
    expect(second.direction).toBe(1);
    expect(things(second)).toEqual([
      [3, 2, 4, 5, 1],
      [4, 3, 4, 5, 2],
    ]);
  });

  test("comes before the image if both are requested", () => {
    const { opening } = begin("GoToDoor", 3, { view: "symbolic", picture: "svg" });
    expect(opening.parts?.map(({ type }) => type)).toEqual(["json", "image"]);
  });
});

describe("pictures", () => {
  test.each(["text", "primitive"])("come with the reset and with each step, for %s actions", (actions) => {
    for (const [picture, mediaType] of [
      ["svg", "image/svg+xml"],
      ["png", "image/png"],
    ] as const) {
      const { environment, opening } = begin("GoToDoor", 3, { actions, picture });
      const game = () => environment.game as NonNullable<BabyAI["game"]>;
      const drawn = () => (picture === "svg" ? Buffer.from(svg(game())) : png(frame(game()))).toString("base64");
      expect(opening.parts).toEqual([{ type: "image", mediaType, data: drawn() }]);
      const { parts } = environment.step(actions === "text" ? "turn left" : "left");
      expect(parts).toEqual([{ type: "image", mediaType, data: drawn() }]);
      expect(parts).not.toEqual(opening.parts);
    }
  });

  test("are sent only on request, but can be rendered at any time", () => {
    const { environment, opening } = begin("GoToDoor", 3, {});
    expect(opening).not.toHaveProperty("parts");
    expect(environment.step("turn left")).not.toHaveProperty("parts");
    expect(babyai.render?.(environment)).toMatchObject({ type: "image", mediaType: "image/png" });
  });
});

test.each([
  { actions: "text", picture: "svg" },
  { actions: "primitive", picture: "svg" },
  { actions: "text", ends: "agentgym" },
])("a copy of a game with %j continues like the original and is independent", (options) => {
  const { environment } = begin("PutNextS5N2Carrying", 1, options);
  const actions =
    options.actions === "text" ? ["turn left", "fly", "drop", "turn right"] : ["left", "fly", "drop", "right"];
  for (const action of actions.slice(0, 2)) environment.step(action);
  const copy = environment.clone();
  const played = (each: BabyAI) => actions.map((action) => each.step(action));
  const ofCopy = played(copy);
  expect(played(environment)).toEqual(ofCopy);
  copy.close();
  expect(environment.step(actions[0] as string).info.moves).toBeGreaterThan(0);
});

test("a copy made after the end of a level that AgentGym's server continues has the score of the original", () => {
  const solution = solve(begin("GoToLocal", 1234, {}).environment);
  const { environment, opening } = begin("GoToLocal", 1234, { ends: "agentgym" });
  // After more than 5/9 of the allowed moves the reward is below 0.5. Four turns lead back to the first view.
  const rounds = Math.ceil((opening.info.maxMoves as number) / 6);
  for (let turn = 0; turn < 4 * rounds; turn++) environment.step("turn left");
  const solved = solution.map((action) => environment.step(action)).at(-1);
  expect(solved).toMatchObject({ terminated: false, info: { score: solved?.reward } });
  expect(solved?.reward).toBeGreaterThan(0);
  const copy = environment.clone();
  for (const action of ["fly", "turn left", "turn left"]) expect(copy.step(action)).toEqual(environment.step(action));
  expect(copy.step("fly").info.score).toBeGreaterThan(solved?.reward as number);
});
