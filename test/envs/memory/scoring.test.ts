import { afterEach, describe, expect, test } from "vitest";
import { taskOf } from "#palestra/envs/memory/tasks.js";
import { spellingsOf } from "#palestra/envs/memory/world/spellings.js";
import { isExact } from "#palestra/envs/shared/questions/squad.js";
import { cpuMs } from "../../support/cpu-time.js";
import { Play } from "./play.js";

const people = [{ name: "Ana", role: "sister" }];
const value = { kind: "value", who: "user", topic: "t" } as const;
const options = ["Comet", "Aurora"].map((name) => ({ name, features: [], breaks: [] }));

describe("an answer", () => {
  test.each([
    ["Porto", value, ["porto", "Porto.", " the Porto "], ["Ghent", "Porto or Ghent", "", "?!"]],
    ["Košice", value, ["Kosice"], ["Kos"]],
    ["Harbour & Pine", value, ["Harbour and Pine", "harbour pine"], ["Harbour", "Pine and Harbour"]],
    ["€4,200", value, ["4200", "€4200", "4,200 euros", "EUR 4200"], ["420", "42000", "4.2"]],
    ["103", value, ["number 103", "103."], ["1030"]],
    ["Monday at 17:45", value, ["Mondays at 17:45", "Monday, 5:45 pm", "on Monday at 5:45pm"], ["Monday", "17:45"]],
    ["3", { kind: "count", topic: "t" }, ["three", "3."], ["4", "3 or 4"]],
    ["117", { kind: "sum", topic: "t" }, ["€117", "117 euros"], ["116", "1170"]],
    [
      "Delft, Lucca",
      { kind: "order", topic: "t", items: [] },
      ["Delft then Lucca", "1. Delft 2. Lucca"],
      ["Lucca, Delft"],
    ],
    ["Aurora", { kind: "choice", topic: "t", options }, ["aurora", "2. Aurora"], ["2", "1. Aurora", "Comet"]],
    ["Ana", { kind: "proposer", topic: "t", value: "" }, ["my sister Ana", "your sister"], ["user", "assistant"]],
    [
      "Porto, unknown",
      { kind: "both", topic: "t", queries: [value, { ...value, topic: "u" }] },
      ["Porto; unknown", "Porto and not mentioned", "porto\nnone"],
      ["unknown", "Porto", "unknown, Porto", "unknown, unknown"],
    ],
    [null, value, ["unknown", "I don't know.", "You never told me"], ["", "Porto"]],
  ] as const)("%s is accepted in other spellings, and another answer is refused", (answer, query, right, wrong) => {
    const golden = spellingsOf(query, answer, people);
    expect(right.filter((one) => !isExact(one, golden))).toEqual([]);
    expect(wrong.filter((one) => isExact(one, golden))).toEqual([]);
  });

  test("that is wrong ends the task without reward, or with `f1` with a reward for common words", () => {
    expect(new Play("test", 0).step("<answer>Atlantis</answer>")).toMatchObject({ reward: 0, terminated: true });
    const { golden } = taskOf({ split: "test", index: 0 }, "medium");
    const [exact, f1] = ["exact", "f1"].map((reward) =>
      new Play("test", 0, "medium", reward).step(`<answer>${golden[0]} perhaps</answer>`),
    );
    expect(exact?.reward).toBe(0);
    expect(f1?.reward).toBeGreaterThan(0);
    expect(f1?.reward).toBeLessThan(1);
  });
});

describe("odd input", () => {
  const play = new Play("test", 0);
  afterEach(() => expect(play.read(1)).toBeInstanceOf(Array));

  test("a reply without an action is answered with the list of actions", () => {
    for (const reply of ["", "Malta", "<answer>Malta", "<search></answer>", "<think>hm</think>"])
      expect(play.step(reply)).toMatchObject({ reward: 0, terminated: false, info: { action: "invalid" } });
  });

  test("an empty query and a query of punctuation find nothing", () => {
    for (const query of ["", "?!… --", '"" *', "🦔"])
      expect(play.step(`<search>${query}</search>`)).toMatchObject({ terminated: false, info: { sessions: [] } });
  });

  test("a query of 10,000 characters is searched for, and not repeated in full", () => {
    expect(play.step(`<search>${"holiday ".repeat(1_250)}</search>`).info.sessions).not.toEqual([]);
    expect(play.step(`<search>${"q".repeat(10_000)}</search>`).observation.length).toBeLessThan(200);
  });

  test("an unknown session is reported, with the format of ids", () => {
    for (const id of ["", "7", "session-0", "session-41", "session-7 from here", "../secret", "x".repeat(10_000)]) {
      const { observation, info } = play.step(`<open>${id}</open>`);
      expect(info).toMatchObject({ action: "open", isThere: false });
      expect(observation).toContain("ids are like session-7");
      expect(observation.length).toBeLessThan(250);
    }
  });

  test("an offset past the end of a session shows no text", () => {
    const { observation } = play.step("<open>session-1 from 999999999</open>");
    expect(observation).toMatch(/characters (\d+) to \1 of \1\)\n\n\n/);
  });

  test("a million characters of unclosed tags or of white space are read in linear time", () => {
    for (const text of ["<search>".repeat(125_000), `<open>a${" ".repeat(1_000_000)}b</open>`]) {
      // Quadratic time would take minutes.
      expect(cpuMs(() => play.step(text))).toBeLessThan(5_000);
    }
  });

  test("the first complete tag counts", () => {
    expect(play.step("<open>session-1</open><answer>Malta</answer>")).toMatchObject({ info: { action: "open" } });
  });

  test("an empty answer is wrong", () => {
    expect(new Play("test", 0).step("<answer></answer>")).toMatchObject({ reward: 0, terminated: true });
  });
});
