import { expect, onTestFinished, test, vi } from "vitest";
import { Upkeep, type UpkeepParts } from "#palestra/server/episodes/upkeep.js";
import { logged } from "#palestra/server/plugins/gym-log.js";
import { Metrics } from "#palestra/server/plugins/metrics.js";
import { usualTimes } from "#palestra/server/times.js";

test("an error of the log's writes is in the gym's log once, and so is the end of the error", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const [error, info] = [vi.fn(), vi.fn()];
  const space: { failure: string | null } = { failure: null };
  const upkeep = new Upkeep({
    table: { sweep() {} },
    storage: { space, refusal: null, measure: async () => space },
    retention: { removeExpired: async () => {}, makeRoom: async () => {}, stop() {} },
    accounts: { refresh() {} },
    usage: undefined,
    sweepMs: 1_000,
    times: usualTimes.fleet,
    observer: logged(new Metrics(), { error, info } as unknown as Parameters<typeof logged>[1]),
  } as unknown as UpkeepParts);
  onTestFinished(() => upkeep.stop());

  await vi.advanceTimersByTimeAsync(3_000);
  space.failure = "database or disk is full";
  await vi.advanceTimersByTimeAsync(3_000);
  space.failure = null;
  await vi.advanceTimersByTimeAsync(3_000);
  expect(error.mock.calls).toEqual([[{ cause: "database or disk is full" }, "the episode log cannot be written"]]);
  expect(info.mock.calls).toEqual([["the episode log is written again"]]);
});
