/** The customer understands ordinary English, and says so if it understands nothing. */
import { describe, expect, test } from "vitest";
import { Service } from "#palestra/envs/service/env.js";
import { understand } from "#palestra/envs/service/user/heard.js";
import { type Phrasing, phrasings, puzzles } from "./phrasings.js";

/** Returns what the questions of a message ask for, as the phrasings name it. */
function asksIn(text: string): string[] {
  const { questions } = understand(text);
  const asks = questions.flatMap(({ topics, chooses, confirms }): string[] => {
    if (topics.length > 0) return [...topics];
    return chooses ? ["which"] : confirms ? ["yes"] : ["?"];
  });
  return [...new Set(asks)].sort();
}

test("there are at least 150 different phrasings", () => {
  expect(new Set(phrasings.map(({ text }) => text)).size).toBeGreaterThanOrEqual(150);
});

test.each(phrasings)("$text", ({ text, asks, means = [] }: Phrasing) => {
  expect(asksIn(text)).toEqual([...asks].sort());
  const heard = understand(text);
  expect(means.filter((meaning) => !heard[meaning])).toEqual([]);
});

describe.each(puzzles)("to %j", (text) => {
  test("the customer answers that it does not understand, and repeats its wish", () => {
    for (let index = 0; index < 12; index++) {
      const service = new Service();
      service.reset({ task: { split: "train", index }, seed: index, options: {} });
      const { observation, info } = service.step(`say ${text}`);
      expect(info).toMatchObject({ action: "say", isUnderstood: false, asked: [], needless: [] });
      expect(observation).toMatch(/understand|not sure what you mean|don't follow/);
      expect(observation).toContain(service.case?.wish.say);
    }
  });
});

test("case, punctuation and markup change nothing", () => {
  for (const { text, asks } of phrasings) {
    expect(asksIn(text.toUpperCase())).toEqual([...asks].sort());
    expect(asksIn(`**${text.replaceAll("'", "’")}**`)).toEqual([...asks].sort());
  }
});

test("a message of a mebibyte is read in part", () => {
  const long = "which order do you mean? ".repeat(50_000);
  expect(understand(long).text.length).toBeLessThanOrEqual(2_000);
  expect(asksIn(long)).toEqual(["record"]);
});
