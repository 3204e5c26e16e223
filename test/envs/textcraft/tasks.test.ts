import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { TextCraft } from "#palestra/envs/textcraft/env.js";
import textcraft from "#palestra/envs/textcraft/index.js";
import { craftingBook } from "#palestra/envs/textcraft/recipes.js";

interface TaskInfo {
  goal: string;
  depth: number;
  dataIdx: number;
}

const size = (split: string) => textcraft.splits[split]?.size ?? 0;
const title = (split: string, index: number) => textcraft.splits[split]?.title(index);

function infos(split: string): TaskInfo[] {
  const environment = textcraft.create({ now: () => 0 });
  return Array.from({ length: size(split) }, (_, index) => {
    return environment.reset({ task: { split, index }, seed: 0, options: {} }).info as unknown as TaskInfo;
  });
}

test("the first split is all, and its indices are AgentGym's", () => {
  expect(Object.keys(textcraft.splits)[0]).toBe("all");
  expect(infos("all").map(({ dataIdx }) => dataIdx)).toEqual(Array.from({ length: 544 }, (_, i) => i));
});

test("train has 444 goals, test has 100, and together they have all", () => {
  const train = infos("train").map(({ dataIdx }) => dataIdx);
  const held = infos("test").map(({ dataIdx }) => dataIdx);
  expect([train.length, held.length]).toEqual([444, 100]);
  expect([...train, ...held].sort((a, b) => a - b)).toEqual(Array.from({ length: 544 }, (_, i) => i));
});

test.each(["train", "test"])("%s has goals of every depth", (split) => {
  expect(new Set(infos(split).map(({ depth }) => depth))).toEqual(new Set([1, 2, 3, 4]));
});

test("adapt has the 419 goals of depth 2 and more, deepest first and otherwise in the order of all", () => {
  const depthFirst = infos("all").filter(({ depth }) => depth >= 2);
  expect(infos("adapt")).toEqual([4, 3, 2].flatMap((depth) => depthFirst.filter((info) => info.depth === depth)));
  expect(size("adapt")).toBe(419);
});

test("a title names the item to craft", () => {
  expect(title("all", 0)).toBe("craft acacia planks");
  expect(title("adapt", 0)).toBe("craft cyan banner");
});

test("the prompt equals that of AgentGym's client, letter for letter", () => {
  expect(createHash("sha256").update(textcraft.prompt).digest("hex")).toBe(
    "e4a4271272c21bf80bcd9ae5433340655dc43585e78aa8002cc61471a1f6fd4a",
  );
});

describe("the start text", () => {
  const start = (index: number, seed: number) =>
    textcraft.create({ now: () => 0 }).reset({ task: { split: "all", index }, seed, options: {} }).observation;

  test("the same seed gives the same text", () => {
    for (const index of [0, 200, 543]) expect(start(index, 7)).toBe(start(index, 7));
  });

  test("a different seed gives a different order", () => {
    expect(start(543, 7)).not.toBe(start(543, 8));
  });

  test("the texts of a seed are those that were published", () => {
    const texts = Array.from({ length: size("all") }, (_, index) => start(index, 42 + index));
    expect(createHash("sha256").update(texts.join()).digest("hex")).toBe(
      "be16edb2bd04d928c96db6d9f4a15afe296e68450e358726c1d00cf5fb4f4d81",
    );
    expect(start(130, 42)).toMatchInlineSnapshot(`
      "Crafting commands:
      craft 4 acacia stairs using 6 acacia planks
      craft 1 acacia boat using 5 acacia planks
      craft 1 acacia pressure plate using 2 acacia planks
      craft 3 acacia fence using 2 stick, 4 acacia planks
      craft 3 acacia door using 6 acacia planks
      craft 1 acacia button using 1 acacia planks
      craft 4 acacia planks using 1 acacia logs
      craft 3 acacia sign using 6 acacia planks, 1 stick
      craft 6 acacia slab using 3 acacia planks

      Goal: craft acacia pressure plate."
    `);
  });
});

describe("the split renamed", () => {
  /** Some tasks of every depth. */
  const indices = Array.from({ length: 60 }, (_, at) => at * 74_000 + at);

  function reset(index: number, seed = 0) {
    const environment = textcraft.create({ now: () => 0 }) as TextCraft;
    const { observation, info } = environment.reset({ task: { split: "renamed", index }, seed, options: {} });
    return { environment, observation, info: info as unknown as TaskInfo };
  }

  function playedByExpert(environment: TextCraft): string[] {
    const said: string[] = [];
    for (let action = textcraft.expert?.(environment); action; action = textcraft.expert?.(environment)) {
      said.push(action, environment.step(action as string).observation);
    }
    return said;
  }

  test("has 10,000 tasks of each goal of train, in the order of train, and none of test", () => {
    expect(size("renamed")).toBe(4_440_000);
    const goals = infos("train").map(({ dataIdx }) => dataIdx);
    const found = indices.map((index) => reset(index).info.dataIdx);
    expect(found).toEqual(indices.map((index) => goals[Math.floor(index / 10_000)]));
  });

  test("the expert solves its tasks with the new names", () => {
    for (const index of indices) {
      const { environment } = reset(index);
      playedByExpert(environment);
      expect(environment.solved, `${index}`).toBe(true);
    }
  });

  test("its recipes are those of train with exchanged names", () => {
    const { recipes } = craftingBook();
    for (const index of indices) {
      const { environment } = reset(index);
      const { shown, meant, line } = environment.naming;
      for (const { output, ingredients } of recipes) {
        for (const name of [output, ...ingredients.map((each) => each.name)]) expect(meant(shown(name))).toBe(name);
      }
      expect(new Set(recipes.map(line)).size).toBe(new Set(recipes.map((recipe) => recipe.line)).size);
    }
    const { naming } = reset(0).environment;
    const kept = ["planks", "wool", "oak_planks", "red_wool"];
    expect(kept.map(naming.shown)).toEqual(kept);
    const others = recipes.filter(({ output }) => naming.shown(output) !== output);
    expect(others.length).toBeGreaterThan(500);
  });

  test("the index determines the names, and the seed the distractors", () => {
    expect(reset(500_500, 3).observation).toBe(reset(500_500, 3).observation);
    expect(reset(500_500, 3).info).toEqual(reset(500_500, 4).info);
    expect(reset(500_500).info.goal).not.toBe(reset(500_501).info.goal);
    expect(title("renamed", 500_500)).toBe(
      `craft ${reset(500_500).info.goal.slice("minecraft:".length).replaceAll("_", " ")}`,
    );
  });

  test("recipes by their old names are refused, and a copy keeps the new names", () => {
    const { environment } = reset(0);
    expect(environment.step("get 1 acacia logs").observation).toMatch(/^(Got 1|Could not find) acacia logs$/);
    expect(environment.step("craft 4 acacia planks using 1 acacia logs").terminated).toBe(false);
    const copy = environment.clone();
    expect(playedByExpert(copy)).toEqual(playedByExpert(environment));
    expect(copy.step("inventory").observation).toBe(environment.step("inventory").observation);
  });
});
