import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { Log } from "#palestra/server/episodes/log.js";
import type { EpisodeRow } from "#palestra/server/episodes/log-protocol.js";
import type { GymError } from "#palestra/server/errors.js";
import { episodeRow } from "../../support/episode-row.js";
import { scratchDir } from "../../support/gym.js";

async function open(path = join(scratchDir(), "log.db")): Promise<Log> {
  const log = await Log.open({ path, sync: "normal" });
  onTestFinished(() => log.close());
  return log;
}

const row = (key: number): EpisodeRow => episodeRow(key);

/** Resolves with what the log says of one step. */
function append(log: Log, episode: number, index: number): Promise<GymError | null> {
  return new Promise((resolve) => log.appendStep(episode, index, `a${index}`, `{"index":${index}}`, 0, resolve));
}

const indexes = async (log: Log, episode: number) =>
  (await log.call("readSteps", episode, 0, 1_000_000)).map(({ index }) => index);
const upTo = (length: number) => Array.from({ length }, (_, i) => i);

describe("the log", () => {
  test("answers in the order of what was sent", async () => {
    const log = await open();
    const order: string[] = [];
    const sent = [
      append(log, 1, 0).then(() => order.push("step 0")),
      append(log, 1, 1).then(() => order.push("step 1")),
      log.call("createEpisode", row(1)).then(() => order.push("row")),
      append(log, 1, 2).then(() => order.push("step 2")),
    ];
    await Promise.all(sent);
    expect(order).toEqual(["step 0", "step 1", "row", "step 2"]);
  });

  test("reads every write that was sent before, acknowledged or not", async () => {
    const log = await open();
    for (let index = 0; index < 100; index++) void append(log, 1, index);
    expect(await indexes(log, 1)).toEqual(upTo(100));
  });

  test("keeps on its close what was sent before", async () => {
    const path = join(scratchDir(), "log.db");
    const log = await open(path);
    const acknowledged = Array.from({ length: 50 }, (_, index) => append(log, 1, index));
    await log.close();
    expect((await Promise.all(acknowledged)).filter((error) => error !== null)).toEqual([]);
    expect(await indexes(await open(path), 1)).toEqual(upTo(50));
  });

  test("refuses what comes after its close with LOG_FAILED", async () => {
    const log = await open();
    expect(log.healthy).toBe(true);
    await log.close();
    expect(await append(log, 1, 0)).toMatchObject({ code: "LOG_FAILED" });
    await expect(log.call("nextKey")).rejects.toMatchObject({ code: "LOG_FAILED" });
    expect(log.healthy).toBe(false);
  });

  test("is not opened twice: the second is refused with LOG_FAILED, and told which file", async () => {
    const path = join(scratchDir(), "log.db");
    const log = await open(path);
    await expect(open(path)).rejects.toMatchObject({ code: "LOG_FAILED", message: expect.stringContaining(path) });
    expect(await log.call("nextKey")).toBe(1);
  });
});

describe("a commit that fails", () => {
  test("is told to all whose writes were in it or came behind it, and the next one is as good as any", async () => {
    const log = await open();
    await log.call("createEpisode", row(1));
    const before = append(log, 1, 0);
    const spoiling = log.call("createEpisode", row(1));
    const behind = append(log, 1, 1);
    await expect(spoiling).rejects.toMatchObject({ code: "LOG_FAILED" });
    expect(await behind).toMatchObject({ code: "LOG_FAILED" });
    // The thread may have committed it by itself before it heard of the rest.
    const stored = (await before) === null ? 1 : 0;
    expect(await indexes(log, 1)).toEqual(upTo(stored));
    expect(log.healthy).toBe(true);
    expect(await append(log, 1, stored)).toBeNull();
    expect(await indexes(log, 1)).toEqual(upTo(stored + 1));
  });

  test("lets no later step in before its callers have heard, so that no episode has a gap", async () => {
    const log = await open();
    await log.call("createEpisode", row(1));
    const enough = 15;
    let failures = 0;

    /** As an episode does: sends steps ahead of what is acknowledged, and after an error starts again from there. */
    async function play(episode: number): Promise<number> {
      let acknowledged = 0;
      let sent = 0;
      let lastHeard = Promise.resolve();
      while (failures < enough) {
        while (sent < acknowledged + 6) {
          const index = sent;
          sent += 1;
          lastHeard = append(log, episode, index).then((error) => {
            if (error) {
              sent = acknowledged;
              return;
            }
            expect(index, "acknowledged in order").toBe(acknowledged);
            acknowledged += 1;
          });
        }
        await Promise.race([lastHeard, new Promise(setImmediate)]);
      }
      await lastHeard;
      return acknowledged;
    }

    const episodes = upTo(20).map((i) => i + 10);
    const playing = Promise.all(episodes.map(play));
    while (failures < enough) {
      await new Promise((resolve) => setTimeout(resolve, 3));
      await log.call("createEpisode", row(1)).catch(() => {
        failures += 1;
      });
    }
    const lengths = await playing;
    for (const [i, episode] of episodes.entries())
      expect(await indexes(log, episode)).toEqual(upTo(lengths[i] as number));
    expect(Math.min(...lengths)).toBeGreaterThan(0);
  });
});
