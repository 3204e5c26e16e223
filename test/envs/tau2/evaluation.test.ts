/** Compares the tools and the evaluation with tau2-bench's own. */
import { describe, expect, test } from "vitest";
import { domainNames } from "#palestra/envs/tau2/domains/domain.js";
import { World } from "#palestra/envs/tau2/episode/world.js";
import {
  episodesIn,
  fixtureData,
  fixtureEpisodes,
  ours,
  playedCalls,
  recordedTools,
  rowsOf,
  theirs,
} from "./recorded.js";

const rows = rowsOf(fixtureEpisodes);
const episodes = episodesIn(rows, fixtureData);

describe("the evaluation of tau2-bench", () => {
  test("has the same reward, parts and checks for all recorded episodes", () => {
    const evaluated = episodes.filter(({ info }) => info !== undefined);
    for (const one of evaluated) {
      const [mine, recorded] = [ours(fixtureData, one), theirs(one.info as NonNullable<typeof one.info>)];
      // tau2-bench lists no checks for an episode that has ended early, and no actions where there are none.
      expect(mine, one.name).toEqual(recorded);
    }
    expect(evaluated.length).toBeGreaterThanOrEqual(200);
    expect(new Set(evaluated.map(({ info }) => Number(info?.get("reward"))))).toEqual(new Set([0, 1]));
    expect(new Set(evaluated.map(({ episode }) => episode.ending)).size).toBeGreaterThanOrEqual(3);
  });

  test("refuses the episodes that tau2-bench cannot evaluate", () => {
    const refused = episodes.filter(({ info }) => info === undefined);
    for (const one of refused) expect(() => ours(fixtureData, one), one.name).toThrow();
    expect(refused.length).toBeGreaterThan(0);
  });

  test("gives a changed answer of a recorded call away", () => {
    const one = episodes.find(({ episode: { messages } }) =>
      messages.some((each) => each.role === "tool" && !each.isError),
    );
    if (!one) throw new Error("expected an episode with a call");
    const changed = one.episode.messages.map((each) => (each.role === "tool" ? { ...each, content: "{}" } : each));
    const episode = { ...one.episode, ending: "user_stop" as const, messages: changed };
    expect(() => ours(fixtureData, { ...one, episode })).toThrow(/expected \w+ to return/);
  });

  test("has tools with the same answers, errors and databases, also for odd arguments", () => {
    const { calls, unlike } = playedCalls(rows, fixtureData);
    expect(unlike).toEqual([]);
    expect(calls).toBeGreaterThan(1500);
  });

  test.each(domainNames)("has each tool of %s in the recording, with an answer and with an error", (domain) => {
    const { agent, user } = new World(fixtureData, domain).domain;
    const tools = Object.keys({ ...agent.tools.tools, ...user?.tools.tools }).sort();
    const { answered, refused } = recordedTools(rows, domain);
    expect(answered).toEqual(tools);
    expect(refused).toEqual(expect.arrayContaining(tools.filter((name) => name !== "check_notifications")));
  });
});

const { TAU2_DATA_DIR: data, TAU2_EPISODES: path } = process.env;
describe.skipIf(!data || !path)("all of tau2-bench's tasks (needs TAU2_DATA_DIR and TAU2_EPISODES)", () => {
  test("have the same rewards and answers", () => {
    const all = rowsOf(path as string);
    const evaluated = episodesIn(all, data as string).filter(({ info }) => info !== undefined);
    const unlike = evaluated.filter((one) => {
      const [mine, recorded] = [ours(data as string, one), theirs(one.info as NonNullable<typeof one.info>)];
      return JSON.stringify(mine) !== JSON.stringify(recorded);
    });
    expect(unlike.map(({ name }) => name)).toEqual([]);
    expect(playedCalls(all, data as string).unlike).toEqual([]);
    expect(evaluated.length).toBeGreaterThanOrEqual(200);
  });
});
