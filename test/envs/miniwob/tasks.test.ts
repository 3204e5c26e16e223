/** The splits, and the solvers' reading of observations. */
import { describe, expect, test } from "vitest";
import type { Sight } from "#palestra/envs/miniwob/sight.js";
import { solvers } from "#palestra/envs/miniwob/solvers/index.js";
import { leftOut, problemOf, splits, taskNames } from "#palestra/envs/miniwob/tasks.js";
import { View } from "#palestra/envs/miniwob/view.js";

describe("the splits", () => {
  test("each task occurs once, and excluded pages do not occur", () => {
    expect(new Set(taskNames).size).toBe(taskNames.length);
    expect(Object.keys(splits)).toEqual(["train", "test", ...taskNames]);
    expect(taskNames.filter((name) => Object.hasOwn(leftOut, name))).toEqual([]);
  });

  test("every split has a problem for its first and its last index", () => {
    for (const [split, { size, title }] of Object.entries(splits)) {
      expect(problemOf({ split, index: 0 }).task).toBe(["train", "test"].includes(split) ? taskNames[0] : split);
      expect(title(size - 1)).toMatch(/^[\w-]+, seed \d+$/);
    }
  });

  test("train plays all tasks in turn, each round with the next seed", () => {
    const index = taskNames.length * 7 + 3;
    expect(problemOf({ split: "train", index })).toEqual({ task: taskNames[3], seed: 7, mode: "train" });
  });

  test("no test task uses a seed of training", () => {
    const seedsOf = (split: string, index: number) => problemOf({ split, index }).seed;
    const training = [splits.train, splits["click-test"]].map((split) => split?.size ?? 0);
    const most = Math.max(seedsOf("train", (training[0] ?? 0) - 1), seedsOf("click-test", (training[1] ?? 0) - 1));
    for (let index = 0; index < (splits.test?.size ?? 0); index++) expect(seedsOf("test", index)).toBeGreaterThan(most);
  });

  test("every solver belongs to a task, and nearly every task has a solver", () => {
    expect(Object.keys(solvers).filter((name) => !taskNames.includes(name))).toEqual([]);
    const without = taskNames.filter((name) => !Object.hasOwn(solvers, name));
    expect(without.length / taskNames.length).toBeLessThan(0.1);
  });
});

function sightOf(utterance: string, ...lines: string[]): Sight {
  const seen = lines.map((line, at) => [`${at + 1}`, { line: `[${at + 1}] ${line}`, rect: null }] as const);
  return { utterance, text: "", seen: new Map(seen), marks: new Map() };
}

describe("a view", () => {
  test("names are decoded from their quoted form", () => {
    const sight = sightOf("", "StaticText 'a\\'b \\\\ \\n \\xa0'", `button "it's" focused: True`, "button ''");
    const { items } = new View(sight, []);
    expect(items.map(({ name }) => name)).toEqual(["a'b \\ \n \u00a0", "it's", ""]);
    expect(items[1]).toEqual({ id: "2", role: "button", name: "it's", state: "focused: True" });
  });

  test("every solver returns an action or null on a page without its elements", () => {
    const past = [{ sight: sightOf(""), action: "click [1]" }];
    for (const [name, solve] of Object.entries(solvers)) {
      for (const view of [new View(sightOf(""), []), new View(sightOf("", "RootWebArea ''"), past)]) {
        const action = solve(view);
        expect(action === null || typeof action === "string", name).toBe(true);
      }
    }
  });

  test("a solver ticks the requested boxes and then submits", () => {
    const page = (state: string) =>
      sightOf(
        "Select ab, c and click Submit.",
        "checkbox 'ab' checked: true",
        `checkbox 'c' checked: ${state}`,
        "button 'Submit'",
      );
    const solve = solvers["click-checkboxes"];
    expect(solve?.(new View(page("false"), []))).toBe("click [2]");
    expect(solve?.(new View(page("true"), []))).toBe("click [3]");
  });
});
