/** TextCraft for two seats: the best joint play, what each seat knows, and how far seats get without talk. */
import { describe, expect, test } from "vitest";
import pair from "#palestra/envs/textcraft/pair/index.js";
import {
  type Move,
  otherThan,
  type Parts,
  type Seat,
  seats,
  shortestPlay,
} from "#palestra/envs/textcraft/pair/plan.js";

const request = (index: number, split = "train") => ({ task: { split, index }, seed: index, options: {} });
const tasks = Array.from({ length: 120 }, (_, at) => at * 8_583);

/** Length of the shortest play, by trying all plays of a length, from the rules alone. */
function bruteForce({ reader, getters }: Parts, limit: number): number {
  const wins = (turn: Seat, isTold: boolean, got: ReadonlySet<number>, left: number): boolean => {
    if (left === 0) return false;
    const next = otherThan(turn);
    const knows = isTold || turn === reader;
    if (knows && got.size === getters.length) return true;
    const gets = getters.flatMap((getter, at) => (knows && getter === turn && !got.has(at) ? [at] : []));
    return (
      gets.some((at) => wins(next, isTold, new Set([...got, at]), left - 1)) ||
      (turn === reader && !isTold && wins(next, true, got, left - 1)) ||
      wins(next, isTold, got, left - 1)
    );
  };
  for (let length = 1; length <= limit; length++) if (wins("left", false, new Set(), length)) return length;
  throw new Error(`no play of at most ${limit} steps`);
}

test("the best play is as short as any that the rules allow", () => {
  for (const count of [1, 2, 3]) {
    for (let code = 0; code < 2 ** (count + 1); code++) {
      const bit = (at: number) => seats[(code >> at) & 1] as Seat;
      const parts = { reader: bit(0), getters: Array.from({ length: count }, (_, at) => bit(at + 1)) };
      const start = { turn: "left" as const, isTold: false, got: [] };
      expect(shortestPlay(parts, start).length, JSON.stringify(parts)).toBe(bruteForce(parts, 10));
    }
  }
});

function played(
  index: number,
  choose: (game: ReturnType<typeof pair.create>, observation: string) => string,
  split = "train",
) {
  const game = pair.create({ now: () => 0 });
  let { observation, info } = game.reset(request(index, split));
  const { best, talk } = info as { best: number; talk: string };
  for (let steps = 1; steps <= pair.maxSteps; steps++) {
    const result = game.step(choose(game, observation));
    if (result.terminated) return { reward: result.reward, steps, best, talk };
    observation = result.observation;
  }
  return { reward: 0, steps: pair.maxSteps, best, talk };
}

const expert = (game: ReturnType<typeof pair.create>) => pair.expert?.(game) as string;

test("the expert plays the best play, and its return is 1", () => {
  for (const index of tasks)
    expect(played(index, expert)).toMatchObject({ reward: 1, steps: played(index, expert).best });
  for (let index = 0; index < 220; index += 7) expect(played(index, expert, "test").reward).toBe(1);
});

test("a wasted step costs its share of the return", () => {
  const longer = tasks.map((index) => {
    let round = 0;
    return played(index, (game) => (round++ < 2 ? "inventory" : expert(game)));
  });
  for (const { reward, steps, best } of longer) {
    expect(steps).toBe(best + 2);
    expect(reward).toBeCloseTo(best / steps, 12);
  }
});

test("the seat that reads the goal's commands cannot craft alone what needs the other one", () => {
  for (let index = 0; index < 220; index++) {
    const game = pair.create({ now: () => 0 });
    const { info } = game.reset(request(index, "test"));
    if (info.talk !== "needed") continue;
    const { reader } = game.parts;
    const opening =
      game.turn === reader ? game.reset(request(index, "test")).observation : game.step("wait").observation;
    const goal = /Goal: craft (.*)\./.exec(opening)?.[1] as string;
    const ways = opening.split("\n").filter((line) => line.startsWith("craft ") && line.includes(` ${goal} using `));
    for (const way of ways) {
      for (const part of (way.split(" using ")[1] as string).split(", ")) {
        game.step(`get ${part}`);
        game.step("wait");
      }
      expect(game.step(way), way).toMatchObject({ terminated: false });
      game.step("wait");
    }
  }
});

test("seats that do not talk craft only the goals of which one seat knows and gets all", () => {
  const silent = (game: ReturnType<typeof pair.create>) => {
    const action = expert(game);
    return action.startsWith("say ") ? "wait" : action;
  };
  const outcomes = tasks.map((index) => played(index, silent));
  for (const { reward, talk } of outcomes) expect(reward > 0).toBe(talk === "free");
  const free = outcomes.filter(({ talk }) => talk === "free").length;
  expect(free).toBeGreaterThan(20);
  expect(free).toBeLessThan(80);
});

describe("a seat", () => {
  test("reads a part of the commands, and all commands are dealt", () => {
    for (const index of tasks.slice(0, 40)) {
      const game = pair.create({ now: () => 0 });
      const left = game.reset(request(index)).observation;
      const right = game.step("wait").observation;
      const lines = (text: string) => text.split("\n").filter((line) => line.startsWith("craft "));
      const { command } = game.need;
      expect(lines(left).filter((line) => lines(right).includes(line))).toEqual([]);
      const readers = [left, right].map((text) =>
        lines(text).some((line) => line.startsWith(command.split(" using ")[0] as string)),
      );
      expect(readers).toContain(true);
    }
  });

  test("cannot get what the other one alone can get, and learns that", () => {
    const index = tasks.find((at) => played(at, expert).talk === "needed") as number;
    const game = pair.create({ now: () => 0 });
    game.reset(request(index));
    const { getters } = game.parts;
    const at = getters.findIndex((seat) => seat !== game.parts.reader);
    const { item, count } = game.need.ingredients[at] as { item: string; count: number };
    const wrong = otherThan(getters[at] as Seat);
    if (game.turn !== wrong) game.step("wait");
    game.step(`get ${count} ${item}`);
    expect(game.state.got).not.toContain(at);
    expect(game.step("wait").observation).toContain(`Only the other player can get ${item}`);
    game.step(`get ${count} ${item.replaceAll(" ", "_")}`);
    expect(game.state.got).not.toContain(at);
  });

  test("reads what the other one said, got and crafted, and the reply to its own action", () => {
    const game = pair.create({ now: () => 0 });
    game.reset(request(0));
    expect(game.step("say hello there").observation).toContain("The other player says: hello there");
    const seen = game.step("inventory").observation;
    expect(seen).toContain("The other player: inventory. Inventory:");
    expect(game.step("wait").observation).toContain("Inventory:");
  });
});

test("the moves of a play name who acts in turn", () => {
  const parts: Parts = { reader: "left", getters: ["right"] };
  const moves: Move[] = shortestPlay(parts, { turn: "left", isTold: false, got: [] });
  expect(moves.map((move) => move.do)).toEqual(["say", "get", "craft"]);
});
