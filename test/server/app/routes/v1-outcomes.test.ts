/** Outcomes, verdicts, labels and notes of episodes, and lists by them. */
import { describe, expect, test } from "vitest";
import { fixture, openGym, scratchDir, type TestGym } from "../../../support/gym.js";

const environments = [fixture("faulty")];
const gym = await openGym({ environments });
const idsOf = async (filter: object, sent = {}) =>
  (await gym.call("list", { ...filter }, sent)).episodes.map(({ episodeId }) => episodeId);

/** Plays actions in an episode, and returns its id. @param token default: a caller without a token */
async function play(on: TestGym, actions: readonly string[], params: object = {}, token?: string): Promise<string> {
  const sent = token === undefined ? {} : { token };
  const { episodeId } = await on.create({ environment: "faulty", task: { index: 0 }, ...params }, sent);
  for (const [index, action] of actions.entries()) await on.call("step", { episodeId, index, action }, sent);
  return episodeId;
}

const solved = await play(gym, ["on", "end"], { run: "first run", policy: "ours" });
const failed = await play(gym, ["on", "on", "on"], { maxSteps: 3, run: "second run" });
const running = await play(gym, ["on"]);
const closed = await play(gym, ["on"]);
await gym.call("close", { episodeId: closed });
const broken = await play(gym, []);
await gym.refusal("step", { episodeId: broken, index: 0, action: "throw" });
const closedAfterEnd = await play(gym, ["end"], { policy: "ours" });
await gym.call("close", { episodeId: closedAfterEnd });

describe("a list of episodes", () => {
  test.each([
    [{ outcome: "solved" }, [closedAfterEnd, solved]],
    [{ outcome: "failed" }, [failed]],
    [{ outcome: "running" }, [running]],
    [{ outcome: "closed" }, [closed]],
    [{ outcome: "error" }, [broken]],
    [{ outcome: "ended" }, []],
    [{ policy: "ours" }, [closedAfterEnd, solved]],
    [{ run: "first run", policy: "ours" }, [solved]],
    [{ run: "first" }, []],
    [{ order: "longest" }, [failed, solved, closedAfterEnd]],
    [{ order: "shortest", outcome: "solved" }, [closedAfterEnd, solved]],
    [{ order: "lowest" }, [failed, solved, closedAfterEnd]],
    [{ since: "2020-01-01T00:00:00Z", outcome: "failed" }, [failed]],
    [{ since: "2100-01-01T00:00:00+02:00" }, []],
  ])("passes the filter %j", async (filter, expected) => {
    expect(await idsOf(filter)).toEqual(expected);
  });

  test.each(["newest", "highest", "lowest", "longest", "shortest"])("has pages in the order %s", async (order) => {
    const whole = await idsOf({ order });
    const paged: string[] = [];
    for (let before: string | undefined; ; ) {
      const page = await gym.call("list", { order, limit: 1, ...(before && { before }) });
      paged.push(...page.episodes.map(({ episodeId }) => episodeId));
      if (page.next === null) break;
      before = page.next;
    }
    expect(paged).toEqual(whole);
  });

  test("refuses an unknown outcome, order and time", async () => {
    for (const wrong of [{ outcome: "won" }, { order: "best" }, { since: "yesterday" }])
      expect(await gym.refusal("list", wrong)).toMatchObject({ code: "REQUEST_INVALID" });
  });
});

test("an episode has its outcome and return, and its verdict only for the right `expert`", async () => {
  expect(await gym.call("get", { episodeId: solved })).toMatchObject({ outcome: "solved", return: 1, verdict: null });
  expect(await gym.call("get", { episodeId: running })).toMatchObject({ outcome: "running", return: null });
  const token = await gym.createToken(["expert"]);
  const own = await play(gym, ["on"], { maxSteps: 1 }, token);
  const why = "The limit on steps ended the episode after 1 step with a return of 0.";
  expect(await gym.call("get", { episodeId: own }, { token })).toMatchObject({ outcome: "failed", verdict: { why } });
  const { episodes } = await gym.call("list", { detail: "state" }, { token });
  expect(episodes[0]?.state).toMatchObject({ outcome: "failed", return: 0, goal: "play 0", verdict: { why } });
});

test("outcomes, labels and notes survive a restart and the repair of the log's index", async () => {
  const dataDir = scratchDir();
  const before = await openGym({ environments }, dataDir);
  const episodeId = await play(before, ["on", "end"], { run: "kept" });
  await before.call("note", { episodeId, step: 2, text: "the last one", tags: ["end"] });
  const state = await before.call("get", { episodeId });
  await before.close();
  const after = await openGym({ environments }, dataDir);
  expect(await after.call("get", { episodeId })).toEqual(state);
  expect(state).toMatchObject({ run: "kept", outcome: "solved", notes: [{ step: 2, text: "the last one" }] });
});

describe("notes", () => {
  test("are replaced at their place, removed by an empty note, and found by their tags", async () => {
    const note = (params: object) => gym.call("note", { episodeId: solved, ...params });
    await note({ text: "odd", tags: ["look", "again", "look"] });
    await note({ step: 1, text: 'a tag in the text: "text", "tag"', tags: ["loop"] });
    const { notes } = await note({ text: "odd", tags: ["again"] });
    expect(notes).toMatchObject([
      { step: 0, text: "odd", tags: ["again"] },
      { step: 1, tags: ["loop"] },
    ]);
    expect(await idsOf({ tag: "again" })).toEqual([solved]);
    expect(await idsOf({ tag: "loop", outcome: "solved" })).toEqual([solved]);
    for (const none of ["look", "text", "tag", "step", "tags", "gain"]) expect(await idsOf({ tag: none })).toEqual([]);
    expect((await note({ step: 1 })).notes).toHaveLength(1);
    expect(await idsOf({ tag: "loop" })).toEqual([]);
  });

  test("may have any text", async () => {
    const { notes } = await gym.call("note", { episodeId: failed, text: "a\0b", tags: ["\ud800", '"quoted",'] });
    expect(notes).toMatchObject([{ text: "a\ufffdb", tags: ["\ufffd", '"quoted",'] }]);
    expect(await idsOf({ tag: '"quoted",' })).toEqual([failed]);
  });

  test("are refused at a step that was not taken, and for another caller", async () => {
    expect(await gym.refusal("note", { episodeId: solved, step: 3, text: "x" })).toMatchObject({ code: "STEP_INDEX" });
    const token = await gym.createToken();
    expect(await gym.refusal("note", { episodeId: solved, text: "x" }, { token })).toMatchObject({
      code: "EPISODE_UNKNOWN",
    });
  });
});
