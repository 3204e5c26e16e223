/** `GET /v1/episodes` with filters and with the state of each episode. */
import { expect, test } from "vitest";
import { createEpisodeId } from "#palestra/server/log/records/episode-id.js";
import { LogStore } from "#palestra/server/log/sqlite/store.js";
import { episodeRow } from "../../../support/episode-row.js";
import { fixture, openGym, scratchDir, type TestGym } from "../../../support/gym.js";

const gym = await openGym({ environments: [fixture("faulty")] });
const faulty = await gym.create({ environment: "faulty", task: { index: 0 }, seed: 77 });
const first = await gym.create({ task: { split: "train", index: 3 } });
const second = await gym.create({ task: { split: "train", index: 3 }, seed: 5 });
const other = await gym.create({ task: { split: "test", index: 3 } });
await gym.step(first.episodeId, 0, "inventory");
await gym.step(faulty.episodeId, 0, "end");

test.each([
  [{ environment: "textcraft" }, [other, second, first]],
  [{ environment: "textcraft@1", split: "train", task: 3 }, [second, first]],
  [{ environment: "textcraft", split: "test", task: 3 }, [other]],
  [{ environment: "text" }, []],
  [{ split: "train", task: 2 }, []],
  [{ text: "SEED 77" }, [faulty]],
  [{ text: first.episodeId.slice(-6) }, [first]],
  [{ text: "train 3", environment: "textcraft" }, [second, first]],
  [{ text: "%" }, []],
])("the filter %j lists the episodes that pass it, newest first", async (filter, expected) => {
  const { episodes, next } = await gym.call("list", filter);
  expect(episodes.map(({ episodeId }) => episodeId)).toEqual(expected.map(({ episodeId }) => episodeId));
  expect(next).toBeNull();
});

test("a filtered list has pages", async () => {
  const page = await gym.call("list", { split: "train", limit: 1 });
  expect(page.episodes.map(({ episodeId }) => episodeId)).toEqual([second.episodeId]);
  const rest = await gym.call("list", { split: "train", before: page.next });
  expect(rest.episodes.map(({ episodeId }) => episodeId)).toEqual([first.episodeId]);
});

test("no filter lists another caller's episodes", async () => {
  const token = await gym.createToken();
  expect((await gym.call("list", { environment: "textcraft" }, { token })).episodes).toEqual([]);
});

const running = {
  phase: "running",
  index: 0,
  reward: 0,
  notes: 0,
  tags: [],
  outcome: "running",
  return: null,
  verdict: null,
};

test("detail=state adds the phase and the newest step of each episode", async () => {
  const { episodes } = await gym.call("list", { detail: "state" });
  expect(Object.fromEntries(episodes.map(({ episodeId, state }) => [episodeId, state]))).toEqual({
    [faulty.episodeId]: {
      ...running,
      phase: "ended",
      index: 1,
      reward: 1,
      outcome: "solved",
      return: 1,
      goal: "play 0",
    },
    [first.episodeId]: { ...running, index: 1, goal: "craft birch planks" },
    [second.episodeId]: { ...running, goal: "craft birch planks" },
    [other.episodeId]: { ...running, goal: "craft cobblestone stairs" },
  });
  expect((await gym.call("list")).episodes.some((episode) => "state" in episode)).toBe(false);
});

test("one call reads a bounded number of episodes and returns the cursor of the next call", () => {
  const store = new LogStore(`${scratchDir()}/episodes.db`, "normal");
  const count = 5_000;
  store.transaction(() => {
    for (let key = 1; key <= count; key++)
      store.createEpisode({ ...episodeRow(key), id: createEpisodeId(key), split: key === 1 ? "rare" : "common" }, "{}");
  });
  const { owner } = episodeRow(1);
  let [calls, before, longest] = [0, Number.MAX_SAFE_INTEGER, 0];
  for (;;) {
    const begun = process.cpuUsage();
    const { rows, lookedAt } = store.filterEpisodes(owner, before, 10, { split: "rare" });
    const { user, system } = process.cpuUsage(begun);
    longest = Math.max(longest, (user + system) / 1_000);
    calls += 1;
    if (rows.length > 0) {
      expect(rows).toMatchObject([{ key: 1, split: "rare" }]);
      expect(lookedAt).toBeNull();
      break;
    }
    before = store.findEpisode(before === Number.MAX_SAFE_INTEGER ? count - 1_999 : before - 2_000)?.row.key as number;
    expect(lookedAt).toBe(store.findEpisode(before)?.row.id);
  }
  expect(calls).toBe(3);
  expect(longest, "milliseconds of processor time").toBeLessThan(300);
  store.close();
});

/** Lists all episodes that pass a filter. A page that makes many titles is short. */
async function found(gym: TestGym, filter: object, asked: object = {}): Promise<string[]> {
  const ids: string[] = [];
  for (let before: string | null | undefined; before !== null; ) {
    const page = await gym.call("list", { ...filter, ...(before && { before }) }, asked);
    ids.push(...page.episodes.map(({ episodeId }) => episodeId));
    before = page.next;
  }
  return ids;
}

test("a text finds episodes by the words of their goals, as the caller sees them", async () => {
  const own = await openGym({ localExpert: true });
  const planks = await own.create({ task: { split: "train", index: 3 } });
  const stairs = await own.create({ task: { split: "test", index: 3 } });
  const play = { environment: "babyai", task: { index: 0 }, seed: 7, maxSteps: 1 };
  const token = await own.createToken();
  const [told, untold] = [await own.create(play), await own.create(play, { token })];
  await own.step(told.episodeId, 0, "turn left");
  await own.step(untold.episodeId, 0, "turn left", { token });
  expect(await found(own, { text: "Planks BIRCH" })).toEqual([planks.episodeId]);
  expect(await found(own, { text: "craft" })).toEqual([stairs.episodeId, planks.episodeId]);
  expect(await found(own, { text: "craft", limit: 1 })).toEqual([stairs.episodeId, planks.episodeId]);
  expect(await found(own, { text: "craft", split: "train" })).toEqual([planks.episodeId]);
  expect(await found(own, { text: "planks stairs" })).toEqual([]);
  // The verdict states the goal for this seed, which only those who may ask the expert are told.
  const goalOf = async (asked: object = {}) =>
    (await own.call("list", { environment: "babyai", detail: "state" }, asked)).episodes[0]?.state?.goal as string;
  const [goal, title] = [await goalOf(), await goalOf({ token })];
  expect(title).not.toBe(goal);
  expect(await found(own, { text: goal })).toEqual([told.episodeId]);
  expect(await found(own, { text: title }, { token })).toEqual([untold.episodeId]);
  expect(await found(own, { text: goal }, { token })).toEqual([]);
});

test("a search that makes many titles returns its cursor, and its pages together miss none", async () => {
  const own = await openGym();
  const bodies = Array.from({ length: 24 }, (_, index) => ({
    environment: "math",
    task: { split: "twenty-four", index },
  }));
  const { results } = await own.call("createMany", { episodes: bodies });
  const ids = results.map((result) => ("episodeId" in result ? result.episodeId : ""));
  expect(await found(own, { text: "make 24", limit: 7 })).toEqual(ids.toReversed());
  expect(await found(own, { text: "make 25" })).toEqual([]);
});
