/** Rules that the recordings do not cover: large and exact amounts, independent instances, and the order of calls. */
import { expect, test } from "vitest";
import textcraft from "#palestra/envs/textcraft/index.js";
import { cpuMs } from "../../support/cpu-time.js";

function begin(goal = "craft stick") {
  const all = textcraft.splits.all;
  const index = Array.from({ length: all?.size ?? 0 }, (_, i) => i).find((i) => all?.title(i) === goal);
  const environment = textcraft.create({ now: () => 0 });
  environment.reset({ task: { split: "all", index: index ?? -1 }, seed: 1, options: {} });
  return environment;
}

/** Returns the observation after each action. */
function play(environment: ReturnType<typeof begin>, ...actions: string[]): string[] {
  return actions.map((action) => environment.step(action).observation);
}

test("amounts beyond 2^53 add and print exactly", () => {
  const observations = play(begin(), "get 9007199254740993 string", "get 9007199254740993 string", "inventory");
  expect(observations).toEqual([
    "Got 9007199254740993 string",
    "Got 9007199254740993 string",
    "Inventory: [string] (18014398509481986) ",
  ]);
});

test("crafting takes exact amounts out of a stock beyond 2^53", () => {
  const environment = begin();
  play(environment, `get 1${"0".repeat(40)} string`);
  expect(play(environment, "craft 1 white wool using 4 string", "inventory")).toEqual([
    "Crafted 1 minecraft:white_wool",
    `Inventory: [string] (${"9".repeat(39)}6) [white wool] (1) `,
  ]);
});

test("a painting takes dyed wool and refuses white wool, whose recipe names no group, as in AgentGym", () => {
  const environment = begin();
  play(
    environment,
    "get 3 bamboo",
    "get 30 bamboo",
    "get 8 string",
    "get 1 ink sac",
    "craft 1 black dye using 1 ink sac",
  );
  for (let at = 0; at < 8; at++) play(environment, "craft 1 stick using 2 bamboo");
  play(environment, "craft 1 white wool using 4 string", "craft 1 white wool using 4 string");
  const painted = "craft 1 painting using 8 stick, 1";
  expect(play(environment, `${painted} white wool`)[0]).toMatch(/^Could not find a valid recipe for /);
  play(environment, "craft 1 black wool using 1 black dye, 1 white wool");
  expect(play(environment, `${painted} black wool`)).toEqual(["Crafted 1 minecraft:painting"]);
});

test("an action with a number of 4300 digits is executed and one with 4301 is not", () => {
  const environment = begin();
  const nines = "9".repeat(4300);
  const long = `get ${"0".repeat(4300)}1 string`;
  expect(play(environment, `get ${nines} string`, long)).toEqual([`Got ${nines} string`, `Could not execute ${long}`]);
});

test("an amount of more than 4300 digits is shown", () => {
  const nines = "9".repeat(4300);
  const observations = play(begin(), `get ${nines} string`, `get ${nines} string`, "inventory");
  expect(observations.at(-1)).toBe(`Inventory: [string] (1${nines.slice(1)}8) `);
});

test("an ingredient named twice is never a valid recipe and takes nothing", () => {
  const environment = begin();
  play(environment, "get 2 bamboo");
  expect(play(environment, "craft 1 stick using 2 bamboo, 2 bamboo", "craft 1 stick using 1 bamboo, 1 bamboo")).toEqual(
    Array(2).fill(
      "Could not find a valid recipe for ItemTagWithCount(item_tag=ItemTag(tag=None, item_id='minecraft:stick'), count=1)",
    ),
  );
  expect(play(environment, "inventory")).toEqual(["Inventory: [bamboo] (2) "]);
});

test("an item that was used up and got again is listed last", () => {
  const observations = play(
    begin(),
    "get 4 string",
    "get 1 bamboo",
    "craft white wool using 4 string",
    "get 1 string",
    "inventory",
  );
  expect(observations.at(-1)).toBe("Inventory: [bamboo] (1) [white wool] (1) [string] (1) ");
});

test("crafting the goal ends the episode with reward 1", () => {
  const environment = begin();
  expect(environment.step("get 2 bamboo")).toMatchObject({ reward: 0, terminated: false });
  expect(environment.step("craft 1 stick using 2 bamboo")).toEqual({
    observation: "Crafted 1 minecraft:stick",
    reward: 1,
    terminated: true,
    truncated: false,
    info: {},
  });
});

test("a clone is independent", () => {
  const environment = begin();
  play(environment, "get 2 bamboo");
  const copy = environment.clone();
  expect(copy.step("craft 1 stick using 2 bamboo").terminated).toBe(true);
  expect(play(environment, "inventory")).toEqual(["Inventory: [bamboo] (2) "]);
  expect(textcraft.expert?.(environment)).toBe("craft 1 stick using 2 bamboo");
});

test("a reset empties the inventory", () => {
  const environment = begin();
  play(environment, "get 2 bamboo");
  environment.reset({ task: { split: "all", index: 0 }, seed: 1, options: {} });
  expect(play(environment, "inventory")).toEqual(["Inventory: You are not carrying anything."]);
});

const million = 1_000_000;
const longActions: Record<string, string> = {
  spaces: `get 1 ${" ".repeat(million)}`,
  digits: `get ${"1".repeat(million)} string`,
  "using after using": `craft ${"x using ".repeat(million / 8)}1`,
  "half a using": `craft ${" usin".repeat(million / 5)}`,
  commas: `craft x using ${",".repeat(million)}`,
  "many ingredients": `craft x using 0 bamboo${",0 bamboo".repeat(million / 10)}`,
  "many long numbers": `craft x using ${Array(200)
    .fill(`${"1".repeat(4300)} bamboo`)
    .join(",")}`,
  "a blank ingredient": `craft x using ${"\u3000".repeat(million)}`,
  "an unprintable output": `craft ${"\u0378".repeat(million)} using 0 bamboo`,
  "an output of spaces": `craft ${" ".repeat(million)} using 0 bamboo`,
  "line feeds": "\n".repeat(million),
};

test.each(Object.entries(longActions))("an action of a million characters is answered at once: %s", (_, action) => {
  const environment = begin();
  environment.step("get 0 bamboo");
  // The usual time is about 100 ms. A quadratic algorithm would take minutes.
  expect(cpuMs(() => environment.step(action))).toBeLessThan(5_000);
});
