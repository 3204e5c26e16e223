import { describe, expect, test } from "vitest";
import { z } from "zod";
import { Assistant } from "#palestra/envs/assistant/env.js";
import assistant from "#palestra/envs/assistant/index.js";
import { mostDisturbances, type Situation } from "#palestra/envs/assistant/situation.js";
import { dayOf } from "#palestra/envs/assistant/tasks.js";
import { topicNames, topics, vocabularies } from "#palestra/envs/assistant/world/topics.js";
import type { EpisodeEnd, StepResult } from "#palestra/envs/env.js";
import { distinct, testDataFiles } from "../../support/data-shapes.js";
import { expectPageEpisode } from "../../support/page-examples.js";
import { playExpert } from "./players.js";

const split = "proactive";

function begun(index: number, history = "asked") {
  const play = new Assistant();
  const first = play.reset({ task: { split, index }, seed: 0, options: { history } });
  return { play, ...first, day: dayOf({ split, index }) };
}

/** Returns an episode at the first moment of a task that a search finds. */
function at(finds: (index: number) => number | undefined) {
  for (let index = 0; index < 500; index++) {
    const moment = finds(index);
    if (moment === undefined) continue;
    const found = begun(index);
    for (let now = 0; now < moment; now++) found.play.step("wait");
    return found;
  }
  throw new Error("expected a task of this kind, but received none");
}

function verdictAfter(play: Assistant, result: StepResult): string {
  const end: EpisodeEnd = { solved: false, return: 0, steps: 4, action: "", result };
  return String(assistant.verdict?.(play, end).why);
}

describe("the words of assistant", () => {
  const entries = z.object({ office: distinct, online: distinct, outside: distinct }).strict();
  const half = z.object({ entries, people: distinct, own: distinct, trips: distinct, billers: distinct }).strict();
  testDataFiles("envs/assistant/data", {
    "vocabulary.json": [vocabularies, z.object({ train: half, test: half }).strict()],
  });

  test("of tests are none of training", () => {
    const [train, test] = (["train", "test"] as const).map((name) => {
      const { entries: places, ...others } = vocabularies()[name];
      return [...Object.values(places), ...Object.values(others)].flat();
    });
    expect(test?.filter((word) => train?.includes(word))).toEqual([]);
  });
});

test("the page shows an episode as it is", () => {
  expectPageEpisode("envs/assistant/README.md", () => {
    const { play, observation } = begun(1);
    return { environment: play, observation };
  });
});

test("days do not repeat", () => {
  for (const name of ["proactive", "easy"]) {
    const size = assistant.splits[name]?.size as number;
    const every = Math.floor(size / 2_000);
    const days = Array.from({ length: 2_000 }, (_, index) => {
      const { moments, items, history } = dayOf({ split: name, index: index * every });
      return JSON.stringify([moments, items, [...history]]);
    });
    expect(new Set(days).size).toBe(2_000);
  }
});

test("a day has news of which some want a proposal and some do not, and each proposal has a moment in time", () => {
  const seen = new Set<string>();
  for (let index = 0; index < 200; index++) {
    const { items, moments } = dayOf({ split, index });
    const wanted = items.filter((item) => item.wanted !== null);
    expect(wanted.length).toBeGreaterThanOrEqual(3);
    expect(wanted.length).toBeLessThanOrEqual(5);
    for (const { topic, wanted: proposal, from, until } of items) {
      expect(until).toBeGreaterThanOrEqual(from);
      expect(moments[until]?.isBusy).toBe(false);
      seen.add(`${topic} ${proposal?.split(" ")[2] ?? proposal?.split(" ")[0] ?? "nothing"}`);
    }
  }
  const all = topicNames.flatMap((name) =>
    [...topics[name].choices.map((choice) => choice || "warn"), "nothing"].map((choice) => `${name} ${choice}`),
  );
  expect([...seen].sort()).toEqual(all.sort());
});

describe("a proposal", () => {
  const firstWanted = (index: number) => {
    const { items, moments } = dayOf({ split, index });
    const item = items.find(({ wanted, from }) => wanted !== null && !moments[from]?.isBusy);
    return item?.from;
  };
  const itemNow = ({ day, play }: ReturnType<typeof begun>) =>
    day.items.find(({ from }) => from === (play.situation as Situation).now) as (typeof day.items)[number];
  const share = (day: ReturnType<typeof begun>["day"]) => 1 / day.items.filter(({ wanted }) => wanted !== null).length;

  test("that is wanted earns its share once, and disturbs a second time", () => {
    const found = at(firstWanted);
    const proposal = itemNow(found).wanted as string;
    expect(found.play.step(`I think this helps.\n${proposal.toUpperCase()}`)).toMatchObject({
      observation: "The user accepts the proposal.",
      reward: share(found.day),
    });
    expect(found.play.step(proposal)).toMatchObject({ info: { fault: "twice" }, reward: -share(found.day) / 4 });
  });

  test("with a wrong argument disturbs, and settles the news", () => {
    const found = at((index) => {
      const now = firstWanted(index);
      return now !== undefined && dayOf({ split, index }).items[now]?.topic === "reminders" ? now : undefined;
    });
    const { id, wanted } = itemNow(found);
    expect(found.play.step(`remind ${id} 7`)).toMatchObject({
      info: { fault: "wrong" },
      reward: -share(found.day) / 4,
    });
    expect(found.play.step(wanted as string)).toMatchObject({ info: { fault: "twice" } });
  });

  test("at a bad time disturbs, and is accepted at the first good moment, and later it is late", () => {
    const finds = (index: number) => {
      const { items, moments } = dayOf({ split, index });
      const item = items.find(
        ({ wanted, from, until }) => wanted !== null && until > from && until < moments.length - 1,
      );
      return item?.from;
    };
    for (const isLate of [false, true]) {
      const found = at(finds);
      const { wanted, from, until } = itemNow(found);
      expect(found.play.step(wanted as string)).toMatchObject({ info: { fault: "busy" } });
      for (let now: number = from; now < until; now++) found.play.step("wait");
      let next = until;
      if (isLate)
        do found.play.step("wait");
        while (found.day.moments[++next]?.isBusy);
      const result = found.play.step(wanted as string);
      expect(result).toMatchObject({ info: isLate ? { fault: "late" } : { isWanted: true } });
      if (isLate)
        expect(verdictAfter(found.play, result)).toMatch(
          /^Made 0 of \d wanted proposals in|within 4 steps; missing: .*; disturbed by .* \(at a bad time\) and .* \(late\)\.$/,
        );
    }
  });

  test("that nobody wants disturbs, and after five disturbances the day is over", () => {
    const { play, day } = at((index) => {
      const { items, moments } = dayOf({ split, index });
      return items[0]?.wanted === null && !moments[0]?.isBusy && items[0].topic === "answers" ? 0 : undefined;
    });
    const results = Array.from({ length: mostDisturbances }, () => play.step(`reply ${day.items[0]?.id} yes`));
    expect(results[0]).toMatchObject({ info: { fault: "unwanted" }, terminated: false });
    expect(results.at(-1)).toMatchObject({ info: { fault: "twice" }, terminated: true });
    expect(verdictAfter(play, results.at(-1) as StepResult)).toContain("so the user turned the assistant off");
  });

  test.each([
    ["remind e9 30", /^Expected the id of a piece of news \([em]1\), but received "e9"\.$/],
    ["book", /^Expected the id of a piece of news/],
    ["think", /^Expected remind, reply, move, book, warn, look or wait/],
    ["", /^Expected remind/],
    [
      "look",
      /^Expected look with reminders, answers, moves, trips, bills, pauses, calendar or mails, but received ""\.$/,
    ],
    ["look horoscope", /but received "horoscope"\.$/],
  ])("or another action such as %j is answered with what was expected, at no cost", (action, observation) => {
    const { play } = begun(0);
    expect(play.step(action)).toMatchObject({
      observation: expect.stringMatching(observation),
      reward: 0,
      terminated: false,
    });
    expect(play.situation).toMatchObject({ now: 0, disturbances: [] });
  });

  test("of another verb or a malformed argument is refused with the right form, at no cost", () => {
    const { play, day } = at((index) => (dayOf({ split, index }).items[0]?.topic === "reminders" ? 0 : undefined));
    const id = day.items[0]?.id;
    for (const action of [`warn ${id}`, `remind ${id}`, `remind ${id} soon`, `reply ${id} yes`])
      expect(play.step(action)).toMatchObject({
        observation: `Expected \`remind ${id} MINUTES\` for ${id}, but received another proposal.`,
        reward: 0,
      });
  });
});

test("the calendar and the mails show the news so far, and nothing of later moments", () => {
  const { play, day } = begun(3);
  for (let now = 0; now < 3; now++) play.step("wait");
  const shown = play.step("look calendar").observation + play.step("look mails").observation;
  for (const { id, text, from } of day.items) expect(shown.includes(`${id}: ${text}`)).toBe(from <= 3);
});

test("a history that is shown at the start is the one that the tables show", () => {
  const { play, observation } = begun(5, "shown");
  const other = begun(5).play;
  for (const name of dayOf({ split, index: 5 }).history.keys()) {
    expect(observation).toContain(other.step(`look ${name}`).observation);
    expect(play.situation?.seen).toContain(name);
  }
});

test("the expert stays within the limit of steps", () => {
  for (let index = 0; index < 300; index++) expect(playExpert(split, index).steps).toBeLessThanOrEqual(24);
  expect(assistant.maxSteps).toBeGreaterThan(24);
});

test("a clone is independent", () => {
  const { play } = begun(0);
  const clone = play.clone();
  play.step("wait");
  expect([play.situation?.now, clone.situation?.now]).toEqual([1, 0]);
});
