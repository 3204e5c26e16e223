import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { Log } from "#palestra/server/episodes/log.js";
import type { EpisodeRow } from "#palestra/server/episodes/log-protocol.js";
import type { GymError } from "#palestra/server/errors.js";
import { scratchDir } from "../../support/gym.js";

async function open(path = join(scratchDir(), "log.db")): Promise<Log> {
  const log = await Log.open({ path, sync: "normal" });
  onTestFinished(() => log.close());
  return log;
}

const row = (key: number): EpisodeRow => ({
  key,
  id: `ep-${key}`,
  environment: "maze@1",
  split: "all",
  taskIndex: 0,
  seed: 0,
  maxSteps: 10,
  owner: "ada",
  createdAtMs: 0,
  leaseMs: 1_000,
  opening: "{}",
  parent: null,
  idempotencyKey: null,
  requestDigest: null,
});

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
  test("is told to all whose writes were in it, and the next one is as good as any", async () => {
    const log = await open();
    await log.call("createEpisode", row(1));
    const fate = [
      append(log, 1, 0),
      log.call("createEpisode", row(1)).catch((error: GymError) => error),
      append(log, 1, 1),
    ];
    for (const error of await Promise.all(fate)) expect(error).toMatchObject({ code: "LOG_FAILED" });
    expect(await indexes(log, 1)).toEqual([]);
    expect(log.healthy).toBe(true);
    expect(await append(log, 1, 0)).toBeNull();
    expect(await indexes(log, 1)).toEqual([0]);
  });

  test("lets no later step in before its callers have heard, so that no episode has a gap", async () => {
    const log = await open();
    await log.call("createEpisode", row(1));
    const acknowledged = new Map<number, number>();
    const next = new Map(upTo(20).map((episode) => [episode + 10, 0]));
    const settled: Promise<void>[] = [];
    /** As an episode does: goes on from what it sent, and after an error from what is acknowledged. */
    const send = (episode: number) => {
      const index = next.get(episode) as number;
      next.set(episode, index + 1);
      const sent = append(log, episode, index).then((error) => {
        if (error) next.set(episode, acknowledged.get(episode) ?? 0);
        else {
          expect(index, "acknowledged in order").toBe(acknowledged.get(episode) ?? 0);
          acknowledged.set(episode, index + 1);
        }
      });
      settled.push(sent);
    };
    let failures = 0;
    for (let round = 0; round < 300; round++) {
      for (const episode of next.keys()) send(episode);
      if (round % 20 === 7) {
        settled.push(
          log.call("createEpisode", row(1)).then(
            () => {},
            () => {
              failures += 1;
            },
          ),
        );
      }
      for (let turn = 0; turn < round % 5; turn++) await new Promise(setImmediate);
    }
    await Promise.all(settled);
    expect(failures).toBe(15);
    for (const episode of next.keys())
      expect(await indexes(log, episode)).toEqual(upTo(acknowledged.get(episode) ?? 0));
    expect(Math.max(...acknowledged.values())).toBeGreaterThan(10);
  });
});
