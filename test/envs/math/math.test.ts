import { describe, expect, test } from "vitest";
import type { StepResult, TaskRef } from "#palestra/envs/env.js";
import math from "#palestra/envs/math/index.js";
import { familyNames, taskOf } from "#palestra/envs/math/tasks.js";
import { allSolutions, faultOf, solvableHands } from "#palestra/envs/math/twenty-four.js";
import { calculate } from "#palestra/envs/shared/arithmetic/calculate.js";
import { Pcg64 } from "#palestra/envs/shared/rng/pcg64.js";

const context = { now: () => 0 };

function begun(task: TaskRef, answers = "once") {
  const problem = math.create(context);
  return { problem, ...problem.reset({ task, seed: 0, options: { answers } }) };
}

function indices(split: string, every: number): number[] {
  const size = math.splits[split]?.size as number;
  return Array.from({ length: Math.ceil(size / every) }, (_, at) => at * every);
}

test.each([
  ["train", 7],
  ["test", 1],
  ["easy", 10],
  ["easy-test", 1],
  ["twenty-four", 5],
] as const)("the expert solves %s", (split, every) => {
  for (const index of indices(split, every)) {
    const { problem } = begun({ split, index });
    let last: StepResult | undefined;
    for (let action = problem.advise(); action !== null; action = problem.advise()) last = problem.step(action);
    expect(last, `${split}:${index}`).toMatchObject({ reward: 1, terminated: true });
  }
});

test("an answer and the value of its formula, computed independently, are equal", () => {
  for (const index of indices("test", 1)) {
    const { answer, working, hand, text } = taskOf({ split: "test", index });
    // Two solutions and the ends of an interval have one formula each. Values of formulas contain no pi or percent.
    const ends = answer.replace(/^[[(](.*)[\])]$|%$/, "$1").split(", ");
    const formulas = working.slice(-ends.length);
    if (hand) expect(calculate(formulas[0] as string)).toBe("24");
    else
      expect(
        formulas.map((formula) => calculate(formula)),
        text,
      ).toEqual(ends.map((end) => calculate(end)));
  }
});

test("train and test have all families and difficulties, but no common problem", () => {
  const seen = new Set(indices("train", 1).map((index) => taskOf({ split: "train", index }).text));
  const tests = indices("test", 1).map((index) => taskOf({ split: "test", index }));
  expect(tests.filter(({ text }) => seen.has(text))).toEqual([]);
  expect(new Set(tests.map(({ family }) => family))).toEqual(new Set(familyNames));
  expect(familyNames.length).toBe(21);
  expect(new Set(tests.map(({ difficulty }) => difficulty))).toEqual(new Set([1, 2, 3, 4, 5]));
});

test.each([
  ["train", 97],
  ["test", 3],
  ["easy", 29],
  ["easy-test", 3],
  ["twenty-four", 17],
] as const)("idle agents, and tools with random arguments, earn nothing on %s", (split, every) => {
  const random = new Pcg64(1);
  const digits = () => Array.from({ length: random.integers(5, 9) }, () => random.integers(0, 10)).join("");
  for (const index of indices(split, every)) {
    const { problem } = begun({ split, index }, "retry");
    const actions = [
      "",
      "wait",
      `calculate ${digits()} / ${digits()}`,
      "submit",
      "submit yes",
      `submit ${digits()}.5${digits()}`,
    ];
    for (const action of actions) expect(problem.step(action)).toMatchObject({ reward: 0 });
  }
});

describe("an action", () => {
  const task = { split: "test", index: 0 };

  test.each([
    ["calculate 1/3 + 1/6", "0.5"],
    ["Thought: easy.\ncalculate: 2^10", "1024"],
    ["calculate 1/0", "Error: expected a nonzero divisor, but received 0."],
    ["calculate", "Error: expected a number, but received the end."],
    ["think", "Expected a line that begins with calculate or submit, but no line does."],
    ["submit 1000000007", "That is not right."],
  ])("%j is answered with %j", (action, observation) => {
    expect(begun(task).problem.step(action)).toMatchObject({ observation, reward: 0 });
  });

  test("with a wrong answer can be followed by a right one if the option allows it", () => {
    const { answer } = taskOf(task);
    const { problem } = begun(task, "retry");
    expect(problem.step("submit no")).toMatchObject({
      observation: "That is not right. Try again.",
      terminated: false,
    });
    expect(problem.step(`submit The answer is \\boxed{${answer}}`)).toMatchObject({ reward: 1, terminated: true });
    const second = begun(task, "retry").problem;
    for (const terminated of [false, false, true]) expect(second.step("submit no")).toMatchObject({ terminated });
  });
});

test("a clone is independent", () => {
  const { problem } = begun({ split: "test", index: 0 });
  const clone = problem.clone();
  expect(problem.step("submit no").terminated).toBe(true);
  expect(clone.advise()).toMatch(/^calculate /);
});

test("an answer can be judged without an episode", () => {
  const verify = (answer: string, index = 0, split = "test") =>
    math.verify?.({ task: { split, index }, options: { answers: "once" }, answer })?.reward;
  const { answer } = taskOf({ split: "test", index: 0 });
  expect([verify(`So I get ...\n#### ${answer}`), verify(""), verify("1, 2, 3")]).toEqual([1, 0, 0]);
  expect([verify("(1 + 1 + 1) * 8", 0, "twenty-four"), verify("24", 0, "twenty-four")]).toEqual([1, 0]);
});

describe("the 24 game", () => {
  test("has 1,362 solvable hands", () => expect(solvableHands()).toHaveLength(1_362));

  test("finds solutions of all hands and accepts each", () => {
    for (const hand of solvableHands().filter((_, at) => at % 40 === 0))
      expect(allSolutions(hand).filter((solution) => faultOf(hand, solution) !== null)).toEqual([]);
    expect(allSolutions([3, 3, 8, 8])).toEqual(["8 / (3 - 8 / 3)"]);
  });

  test.each([
    "24",
    "8 * 3",
    "3 * 8 + 3 - 8 + 5",
    "33 - 8 - 1",
    "3! * 8 / 3 + 8",
    "8 * 3 + 8^(3 - 3)",
    "8 / (3 - 8 / 3) + 0",
    "-3 + 3 + 8 + 8",
    "8 / (3 - 3) * 8",
    "sqrt(8 * 8) * 3 + 3",
    "(((",
    "",
  ])("refuses %j for 3, 3, 8, 8", (text) => expect(faultOf([3, 3, 8, 8], text)).toMatch(/expected/));
});
