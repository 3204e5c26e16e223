/** Judgments over the API: pairs, storage, and what other callers see. */
import { appendFileSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fixture, openGym, type TestGym } from "../../support/gym.js";
import { paint } from "../operations/exports/painted.js";

const settings = { environments: [fixture("painter")] };

/** Plays two episodes of a task with different actions. */
async function playPair(gym: TestGym, index = 0, token?: string): Promise<[string, string]> {
  return [await paint(gym, ["red", "blue"], index, token), await paint(gym, ["blue", "red"], index, token)];
}

/** With a log in a database, judgments are in the database, see gym-state.test.ts. */
const hasFile = process.env.TEST_POSTGRES === undefined;
const fileOf = (gym: TestGym) => join(gym.dataDir, "judgments.jsonl");

describe("the next pair", () => {
  test("has two ended episodes of one task with different actions", async () => {
    const gym = await openGym(settings);
    expect(await gym.call("nextPair", { rater: "ada" })).toEqual({ pair: null, remaining: 0 });
    const first = await paint(gym, ["red", "blue"]);
    await paint(gym, ["red", "blue"]);
    await paint(gym, ["red"]);
    await paint(gym, ["blue", "red"], 1);
    expect((await gym.call("nextPair", { rater: "ada" })).pair).toBeNull();
    const other = await paint(gym, ["blue", "red"]);
    const { pair } = await gym.call("nextPair", { rater: "ada" });
    expect([pair?.left, pair?.right]).toContain(other);
    expect([pair?.left, pair?.right]).not.toEqual([first, first]);
  });

  test("puts each episode on the left about half of the time", async () => {
    const gym = await openGym(settings);
    const [first] = await playPair(gym);
    const pairs = await Promise.all(Array.from({ length: 60 }, () => gym.call("nextPair", { rater: "ada" })));
    const onLeft = pairs.filter(({ pair }) => pair?.left === first).length;
    // A fair coin gives fewer than 10 or more than 50 of 60 less than once in a million.
    expect(onLeft).toBeGreaterThanOrEqual(10);
    expect(onLeft).toBeLessThanOrEqual(50);
  });

  test("is new to the rater, and pairs judged by another rater come first", async () => {
    const gym = await openGym(settings);
    const [left, right] = await playPair(gym, 0);
    await playPair(gym, 1);
    await gym.call("judge", { left, right, choice: "tie", rater: "ada" });
    const next = await gym.call("nextPair", { rater: "ada" });
    expect(next.remaining).toBe(1);
    expect(next.pair?.left).not.toBe(left);
    const { pair } = await gym.call("nextPair", { rater: "bob" });
    expect([pair?.left, pair?.right].sort()).toEqual([left, right].sort());
    expect((await gym.call("nextPair", { rater: "bob", environment: "textcraft" })).pair).toBeNull();
  });
});

describe("a judgment", () => {
  test.runIf(hasFile)("is on the disk before the reply, and is kept over a restart", async () => {
    let gym = await openGym(settings);
    const [left, right] = await playPair(gym);
    const judgment = await gym.call("judge", {
      left,
      right,
      choice: "left",
      rater: " ada ",
      note: "</script>\n\u2028",
    });
    expect(judgment).toMatchObject({ number: 1, rater: "ada", environment: "painter@1", task: { index: 0 } });
    expect(readFileSync(fileOf(gym), "utf8").split("\n")).toHaveLength(2);
    expect(statSync(fileOf(gym)).mode & 0o777).toBe(0o600);
    gym = await gym.restart();
    expect((await gym.call("listJudgments")).judgments).toEqual([judgment]);
  });

  test.runIf(hasFile)(
    "that was half written when the gym was killed is dropped, and the next one follows the complete ones",
    async () => {
      let gym = await openGym(settings);
      const [left, right] = await playPair(gym);
      await gym.call("judge", { left, right, choice: "left", rater: "ada" });
      await gym.close();
      appendFileSync(fileOf(gym), '{"owner":"local","left":"ep');
      gym = await openGym(settings, gym.dataDir);
      await gym.call("judge", { left, right, choice: "right", rater: "bob" });
      gym = await gym.restart();
      const { judgments } = await gym.call("listJudgments");
      expect(judgments.map(({ number, rater }) => [number, rater])).toEqual([
        [2, "bob"],
        [1, "ada"],
      ]);
    },
  );

  test("of many callers at once is stored once each, in pages", async () => {
    const gym = await openGym(settings);
    const [left, right] = await playPair(gym);
    const raters = Array.from({ length: 50 }, (_, at) => `rater ${at}`);
    await Promise.all(raters.map((rater) => gym.call("judge", { left, right, choice: "bad", rater })));
    const first = await gym.call("listJudgments", { limit: 30 });
    const second = await gym.call("listJudgments", { limit: 30, before: first.next });
    expect(second.next).toBeNull();
    const seen = [...first.judgments, ...second.judgments];
    expect(seen.map(({ rater }) => rater).sort()).toEqual(raters.sort());
    expect(seen.map(({ number }) => number)).toEqual(raters.map((_, at) => 50 - at));
    expect((await gym.call("agreement")).pairs).toHaveLength((50 * 49) / 2);
  });

  test("is refused for episodes of different tasks or other callers, and only its caller can see it", async () => {
    const gym = await openGym(settings);
    const token = await gym.createToken();
    const [left, right] = await playPair(gym, 0, token);
    const elsewhere = await paint(gym, ["red"], 1, token);
    const said = { choice: "tie", rater: "ada" };
    expect((await gym.refusal("judge", { left, right: elsewhere, ...said }, { token })).code).toBe("PAIR_INVALID");
    expect((await gym.refusal("judge", { left, right, ...said })).code).toBe("EPISODE_UNKNOWN");
    await gym.call("judge", { left, right, ...said }, { token });
    expect((await gym.call("listJudgments")).judgments).toEqual([]);
    expect((await gym.call("agreement")).judgedPairs).toBe(0);
    expect((await gym.call("agreement", {}, { token })).judgedPairs).toBe(1);
  });
});
