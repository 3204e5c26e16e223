/** The expert makes no errors, and players that do not read, ask or think do badly. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import service from "#palestra/envs/service/index.js";
import { splits } from "#palestra/envs/service/tasks.js";
import { alwaysAsks, expert, fixed, neverAsks, type Player, play, playAll } from "./players.js";

const domains = ["orders", "refunds", "bookings"];
/** A customer id that hardly any task has. */
const wrongCode = ["verify_customer C10 10000"];

describe("the expert", () => {
  test.each(["train", "test"])("has the reward 1 for every task of %s", (split) => {
    const tasks = Array.from({ length: splits[split]?.size ?? 0 }, (_, index) => index);
    expect(tasks.length).toBeGreaterThanOrEqual(300);
    const played = tasks.map((index) => play(split, index, expert, index));
    expect(played.filter(({ reward }) => reward < 1).map(({ text }) => text)).toEqual([]);
  });

  test("needs at most 900 words and marks for an episode of orders, the instructions included", () => {
    const words = Array.from({ length: 300 }, (_, index) => wordsOf(play("orders", index, expert).text));
    expect(Math.max(...words)).toBeLessThan(900);
  });

  test("has short episodes", () => {
    const steps = Array.from({ length: 300 }, (_, index) => play("train", index, expert).steps);
    expect(Math.max(...steps)).toBeLessThan(service.maxSteps / 2);
  });
});

/** Returns the number of words and marks, as a tokenizer of words counts them. */
function wordsOf(text: string): number {
  return text.match(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu)?.length ?? 0;
}

describe.each(domains)("of %s", (domain) => {
  test("an agent that never asks solves less than 40 %", () => {
    expect(playAll(domain, 200, neverAsks(false)).mean).toBeLessThan(0.4);
  });

  test("an agent that asks only for the identity and for consent, and guesses the rest, solves less than half", () => {
    expect(playAll(domain, 200, neverAsks(true)).mean).toBeLessThan(0.5);
  });

  test("an agent that asks for everything loses most of the reward", () => {
    const { mean, perfect } = playAll(domain, 200, alwaysAsks);
    expect(mean).toBeLessThan(0.4);
    expect(perfect).toBe(0);
  });

  test.each([
    ["hands over", ["hand_over"]],
    ["ends", ["end_conversation"]],
    ["refuses", ["say I am sorry, that is not possible.", "end_conversation"]],
    ["asks for the postcode and hands over", ["say What is your postcode?", "say What is your postcode?", "hand_over"]],
    ["checks a wrong postcode and hands over", [...wrongCode, ...wrongCode, "hand_over"]],
    ["reports without an act", ["say It is done. You get $20 back.", "end_conversation"]],
    [
      "names a price, refuses and ends",
      ["say That costs $5. Shall I go ahead?", "say Not possible.", "end_conversation"],
    ],
  ])("an agent that always %s has less than 5 %%", (_does, actions) => {
    expect(playAll(domain, 100, () => fixed(actions)).mean).toBeLessThan(0.05);
    expect(playAll(`${domain}-test`, 100, () => fixed(actions)).mean).toBeLessThan(0.05);
  });
});

describe("the tasks", () => {
  test("are at least 500 in training, with all families of the three domains in both halves", () => {
    const families = new Set(Array.from({ length: 300 }, (_, index) => play("test", index, expert).family));
    expect(families.size).toBe(13);
    for (const domain of domains) expect([...families].some((family) => family.startsWith(domain))).toBe(true);
    expect(splits.train?.size).toBeGreaterThanOrEqual(500);
  });

  test("of a domain are those of train and test in turn", () => {
    for (const [at, domain] of domains.entries()) {
      const ofAll = service
        .create({ now: () => 0 })
        .reset({ task: { split: "test", index: 30 + at }, seed: 0, options: {} });
      const task = { split: `${domain}-test`, index: 10 };
      expect(service.create({ now: () => 0 }).reset({ task, seed: 0, options: {} })).toEqual(ofAll);
    }
  });

  test("share no name of a customer between the halves", () => {
    const names = (split: string) =>
      new Set(
        Array.from({ length: 200 }, (_, index) => play(split, index, expert).service.case).flatMap((one) =>
          Object.values(one?.database.customers ?? {}).map(({ name }) => name),
        ),
      );
    const train = names("train");
    expect([...names("test")].filter((name) => train.has(name))).toEqual([]);
  });

  test("rarely have equal first messages", () => {
    const openings = Array.from({ length: 900 }, (_, index) => play("train", index, expert).service.case?.opening);
    expect(new Set(openings).size).toBeGreaterThan(880);
  });
});

describe("the README", () => {
  const page = readFileSync(new URL("../../../envs/service/README.md", import.meta.url), "utf8");

  test.each<[string, () => Player]>([
    ["expert", () => expert],
    ["never asks, and guesses", neverAsks(false)],
    ["asks for the identity and for consent, and guesses the rest", neverAsks(true)],
    ["asks for everything, and then plays as the expert", alwaysAsks],
    ["always hands over", () => fixed(["hand_over"])],
    ["always refuses", () => fixed(["say I am sorry, that is not possible.", "end_conversation"])],
  ])("has the figures of the player that %s", (name, player) => {
    const figures = domains.map((domain) => {
      const { mean, perfect } = playAll(`${domain}-test`, 100, player);
      return `${mean.toFixed(2)} (${Math.round(100 * perfect)} %)`;
    });
    expect(page).toContain(`| ${name} | ${figures.join(" | ")} |`);
  });
});
