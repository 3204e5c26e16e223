/** The bargain: its best outcomes, what each seat reads, how actions are read, and how far simple policies get. */
import { describe, expect, test } from "vitest";
import { readAction } from "#palestra/envs/bargain/actions.js";
import { bestOf, drawn, fairest, outcomes, productOf, sumOf, worth, worthOf } from "#palestra/envs/bargain/deal.js";
import bargain from "#palestra/envs/bargain/index.js";
import type { Info } from "#palestra/envs/env.js";

const context = { now: () => 0 };
const request = (index: number, split = "test") => ({ task: { split, index }, seed: 0, options: {} });
const bargains = Array.from({ length: 300 }, (_, seed) => drawn(seed));

function played(index: number, choose: (turn: string, observation: string, round: number) => string, split = "test") {
  const game = bargain.create(context);
  let { observation, turn } = game.reset(request(index, split));
  for (let round = 0; round < bargain.maxSteps; round++) {
    const result = game.step(choose(turn as string, observation, round));
    if (result.terminated) return result;
    ({ observation, turn } = result);
  }
  return { reward: 0, rewards: { left: 0, right: 0 }, info: {} as Info, observation };
}

const meanReward = (choose: Parameters<typeof played>[1]) =>
  Array.from({ length: 200 }, (_, index) => played(index, choose).reward).reduce((sum, one) => sum + one, 0) / 200;

describe("a drawn bargain", () => {
  test("has goods that are worth 10 to each seat, and each good is worth something to a seat", () => {
    for (const { amounts, values } of bargains) {
      expect(worthOf(amounts, values.left)).toBe(worth);
      expect(worthOf(amounts, values.right)).toBe(worth);
      for (const at of amounts.keys()) expect((values.left[at] ?? 0) + (values.right[at] ?? 0)).toBeGreaterThan(0);
      const count = amounts.reduce((sum, amount) => sum + amount, 0);
      expect(count).toBeGreaterThanOrEqual(5);
      expect(count).toBeLessThanOrEqual(7);
    }
  });

  test("of one split is drawn from seeds that the other does not have", () => {
    const first = (split: string) =>
      Array.from({ length: 200 }, (_, index) => bargain.create(context).reset(request(index, split)).observation);
    // The opening has the goods and the values of one seat alone.
    expect(new Set(first("train")).size).toBeGreaterThan(140);
    expect(first("train")).not.toEqual(first("test"));
    expect(bargain.splits.train?.title(0)).toMatch(/^divide \d (book|hat|ball)s?, /);
  });
});

describe("the best outcomes", () => {
  test("have the highest sum when each good goes to the seat that values it more", () => {
    for (const one of bargains) {
      const byGood = one.amounts.reduce(
        (sum, amount, at) => sum + amount * Math.max(one.values.left[at] ?? 0, one.values.right[at] ?? 0),
        0,
      );
      expect(bestOf(one).sum).toBe(byGood);
      expect(sumOf(fairest(one))).toBe(byGood);
    }
  });

  test("on the Pareto frontier cannot be improved for one seat without loss for the other, all others can", () => {
    for (const one of bargains.slice(0, 60)) {
      const frontier = new Set(bestOf(one).pareto.map(({ left }) => left.join()));
      for (const outcome of outcomes(one)) {
        const { left, right } = outcome.worths;
        const isBeaten = outcomes(one).some(
          ({ worths }) => worths.left >= left && worths.right >= right && worths.left + worths.right > left + right,
        );
        expect(frontier.has(outcome.left.join())).toBe(!isBeaten);
      }
    }
  });

  test("include the Nash point, whose product of worths no outcome exceeds", () => {
    for (const one of bargains.slice(0, 60)) {
      const { product, pareto } = bestOf(one);
      expect(Math.max(...pareto.map(productOf))).toBe(product);
      expect(outcomes(one).every((outcome) => productOf(outcome) <= product)).toBe(true);
    }
  });
});

describe("a seat", () => {
  test("reads its own values only, and what the other one did", () => {
    const game = bargain.create(context);
    const { observation } = game.reset(request(0));
    const { values } = drawn(1_000_000_000);
    const own = (seat: "left" | "right") =>
      `Worth to you: book ${values[seat][0]}, hat ${values[seat][1]}, ball ${values[seat][2]}.`;
    expect(observation).toContain(own("left"));
    const answer = game.step("say I like hats");
    expect(answer.turn).toBe("right");
    expect(answer.observation).toContain(own("right"));
    expect(answer.observation).not.toContain(own("left"));
    expect(answer.observation).toContain("The other player says: I like hats");
    expect(game.step("keep 1 book").observation).toMatch(/^The other player proposes to keep 1 book\. You would get /);
  });

  test("gets the worth of its share as its own reward, and both get the share of the best sum", () => {
    const { rewards, reward, info } = played(3, (_, __, round) => (round === 0 ? "keep 1 ball" : "accept"));
    expect(rewards).toEqual({ left: (info.left as number) / worth, right: (info.right as number) / worth });
    expect(reward).toBeCloseTo(((info.left as number) + (info.right as number)) / (info.bestSum as number), 12);
  });

  test("cannot accept its own proposal", () => {
    const game = bargain.create(context);
    game.reset(request(1));
    game.step("keep 1 book, 1 hat, 4 balls");
    game.step("say no");
    expect(game.step("accept")).toMatchObject({ turn: "left", terminated: false, info: { action: "invalid" } });
    expect(bargain.expert?.(game)).not.toBe("accept");
  });

  test.each(["walk me through what you want", "accept only if I also get the ball"])(
    "that says %j neither ends nor accepts",
    (action) => {
      const game = bargain.create(context);
      game.reset(request(1));
      game.step("keep 1 book");
      expect(game.step(action)).toMatchObject({ turn: "right", terminated: false, info: { action: "invalid" } });
      expect(game.step("Accept.")).toMatchObject({ terminated: true, info: { deal: true } });
    },
  );

  test("stays at its turn after a wrong action, and learns what was expected", () => {
    const game = bargain.create(context);
    game.reset(request(0));
    for (const [action, expected] of [
      ["accept", "Expected a proposal of the other player before `accept`, but received none so far."],
      ["keep 99 books", "Expected at most"],
      ["keep 2 swords", "Expected goods such as `keep 2 books, 1 hat`"],
      ["give me all", "Expected `say TEXT`"],
      ["", "but received nothing."],
    ]) {
      const result = game.step(action as string);
      expect(result).toMatchObject({ turn: "left", reward: 0, info: { action: "invalid" } });
      expect(result.observation).toContain(expected);
    }
  });
});

test.each([
  ["keep 2 books, 1 hat", [2, 1, 0]],
  ["Keep 2 books and 1 hat.", [2, 1, 0]],
  ["propose: one ball and two hats", [0, 2, 1]],
  ["keep nothing", [0, 0, 0]],
  ["keep a book, 1 book", [2, 0, 0]],
  ["  keep no hats, 3 balls ", [0, 0, 3]],
])("reads %j as a proposal", (text, amounts) => {
  expect(readAction(text)).toEqual({ kind: "keep", amounts });
});

describe("policies", () => {
  test("the expert reaches the best sum in three steps", () => {
    for (let index = 0; index < 200; index++) {
      const game = bargain.create(context);
      game.reset(request(index));
      const actions: string[] = [];
      for (let result = { terminated: false, reward: 0 }; !result.terminated; ) {
        actions.push(bargain.expert?.(game) as string);
        result = game.step(actions.at(-1) as string);
        if (result.terminated) expect(result.reward).toBe(1);
      }
      expect(actions).toHaveLength(3);
    }
  });

  test("that never look at the goods stay well below it", () => {
    expect(meanReward(() => "walk away")).toBe(0);
    expect(meanReward(() => "say hello")).toBe(0);
    const greedy = meanReward((_, observation) =>
      /proposes/.test(observation) ? "accept" : "keep 1 book, 1 hat, 1 ball",
    );
    expect(greedy).toBeGreaterThan(0.4);
    expect(greedy).toBeLessThan(0.85);
  });
});
