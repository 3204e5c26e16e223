import { describe, expect, test } from "vitest";
import textcraft from "#palestra/envs/textcraft/index.js";
import { craftingBook } from "#palestra/envs/textcraft/recipes.js";
import { type Cost, type Craft, possibleCrafts, shortest } from "./shortest-proof.js";

const book = craftingBook();
type Instance = ReturnType<typeof textcraft.create>;

function begin(index: number): Instance {
  const environment = textcraft.create({ now: () => 0 });
  environment.reset({ task: { split: "all", index }, seed: 1, options: {} });
  return environment;
}

/** Continues with the expert, and checks that each of its actions succeeds. */
function solve(environment: Instance): Cost & { solved: boolean } {
  const cost = { crafts: 0, gets: 0, solved: false };
  for (let action = textcraft.expert?.(environment); action; action = textcraft.expert?.(environment)) {
    const { observation, terminated } = environment.step(action);
    expect(observation).toMatch(/^(Got|Crafted) /);
    if (action.startsWith("craft ")) cost.crafts += 1;
    else cost.gets += 1;
    cost.solved = terminated;
    expect(cost.crafts + cost.gets).toBeLessThan(100);
  }
  return cost;
}

/** Returns a stream of integers below `n`, the same in every run. */
function numbers(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

/** Fills the inventory by legal actions with base items and with items that the goal may need. */
function scatter(environment: Instance, next: (n: number) => number): Map<string, number> {
  const names = [environment.goal?.item ?? ""];
  for (const name of names) {
    for (const { name: below } of book.recipesFor(name).flatMap(({ ingredients }) => ingredients)) {
      for (const each of book.tags.has(below) ? book.membersOf(below) : [below]) {
        if (!names.includes(each)) names.push(each);
      }
    }
  }
  const amounts = new Map<string, number>();
  for (const name of names.slice(1)) {
    if (next(3) > 0) continue;
    const amount = 1 + next(4);
    environment.inventory.add(name, amount);
    amounts.set(name, amount);
  }
  return amounts;
}

const name = (item: string) => item.replaceAll("_", " ");

/** Returns the cost of one craft and then the expert's plan, or undefined if a crafted ingredient is missing. */
function withFirst({ output, count, inputs }: Craft, environment: Instance): Cost | undefined {
  const gets = inputs.filter(([item, needed]) => !environment.inventory.has(item, needed));
  if (gets.some(([item]) => book.itemRecipes.has(item))) return undefined;
  for (const [item] of gets) environment.step(`get 1000 ${name(item)}`);
  const list = inputs.map(([item, needed]) => `${needed} ${name(item)}`);
  const { observation } = environment.step(`craft ${count} ${name(output)} using ${list.join(", ")}`);
  expect(observation).toMatch(/^Crafted/);
  const rest = solve(environment);
  return { crafts: 1 + rest.crafts, gets: gets.length + rest.gets };
}

/** Compares costs by crafts, then by gets. */
const inOrder = ({ crafts, gets }: Cost) => crafts * 1000 + gets;

describe("from the start of an episode", () => {
  const costs = book.goals.map((_, index) => solve(begin(index)));

  test("the expert solves all 544 goals within the step limit", () => {
    expect(costs.filter(({ solved }) => solved)).toHaveLength(544);
    expect(Math.max(...costs.map(({ crafts, gets }) => crafts + gets))).toBeLessThanOrEqual(textcraft.maxSteps);
  });

  test("no sequence of crafts is shorter, for every goal that can be searched through", () => {
    let proven = 0;
    for (const [index, { crafts, gets }] of costs.entries()) {
      const proof = shortest(book, book.goals[index]?.item ?? "", new Map(), 20_000);
      if (!proof) continue;
      proven += 1;
      expect({ index, crafts, gets }).toEqual({ index, ...proof });
    }
    expect(proven).toBe(488);
  });
});

describe("from any inventory", () => {
  test("no sequence of crafts is shorter, for 2000 states that can be searched through", () => {
    const next = numbers(7);
    let proven = 0;
    for (let trial = 0; proven < 2000; trial++) {
      const environment = begin(next(544));
      const goal = environment.goal?.item ?? "";
      const proof = shortest(book, goal, scatter(environment, next), 3000);
      const { crafts, gets, solved } = solve(environment);
      expect(solved).toBe(true);
      if (!proof) continue;
      proven += 1;
      expect({ trial, goal, crafts, gets }).toEqual({ trial, goal, ...proof });
    }
  });

  /** No first craft can beat a shortest plan. This holds for every goal, also for those too large to search. */
  test("no other first craft is cheaper, for three states of every goal", () => {
    const next = numbers(8);
    for (const index of book.goals.keys()) {
      for (let trial = 0; trial < 3; trial++) {
        const environment = begin(index);
        if (trial > 0) scatter(environment, next);
        const planned = solve(environment.clone());
        for (const craft of possibleCrafts(book, environment.goal?.item ?? "")) {
          const detour = withFirst(craft, environment.clone());
          if (detour) expect(inOrder(planned)).toBeLessThanOrEqual(inOrder(detour));
        }
      }
    }
  });

  test("amounts beyond 2^53 count as enough", () => {
    const environment = begin(543);
    environment.step(`get ${"9".repeat(400)} string`);
    expect(solve(environment)).toMatchObject({ solved: true });
  });
});

test("the expert returns null before the first reset and after the goal", () => {
  const environment = textcraft.create({ now: () => 0 });
  expect(textcraft.expert?.(environment)).toBe(null);
  environment.reset({ task: { split: "all", index: 0 }, seed: 1, options: {} });
  expect(solve(environment).solved).toBe(true);
  expect(textcraft.expert?.(environment)).toBe(null);
});

test("the expert does not change the instance and repeats its answer", () => {
  const environment = begin(543);
  const first = textcraft.expert?.(environment);
  expect(textcraft.expert?.(environment)).toBe(first);
  expect(environment.step("inventory").observation).toBe("Inventory: You are not carrying anything.");
});
