/** `GET /v1/episodes` with filters and with the state of each episode. */
import { expect, test } from "vitest";
import { createEpisodeId } from "#palestra/server/log/records/episode-id.js";
import { LogStore } from "#palestra/server/log/sqlite/store.js";
import { episodeRow } from "../../../support/episode-row.js";
import { fixture, openGym, scratchDir } from "../../../support/gym.js";

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
    const { rows, lookedAt } = store.filterEpisodes(owner, before, 10, { split: "rare", text: "rare" });
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
