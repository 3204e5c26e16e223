import { expect, onTestFinished, test, vi } from "vitest";
import { logged } from "#palestra/server/app/plugins/gym-log.js";
import { Metrics } from "#palestra/server/app/plugins/metrics.js";
import { usualTimes } from "#palestra/server/config/times.js";
import { Upkeep, type UpkeepParts } from "#palestra/server/episodes/upkeep.js";

/** Returns the upkeep of an idle gym, with the given parts replaced. */
function upkeepOf(others: object): Upkeep {
  const nothing = () => {};
  const upkeep = new Upkeep({
    table: { sweep: nothing },
    storage: { space: { failure: null }, refusal: null, measure: async () => {} },
    retention: { removeExpired: async () => {}, makeRoom: async () => {}, stop: nothing },
    accounts: { refresh: nothing },
    usage: undefined,
    sweepMs: 1_000,
    times: usualTimes.fleet,
    observer: { onRoom: nothing, onLogFailure: nothing, onUseUnshared: nothing },
    ...others,
  } as unknown as UpkeepParts);
  onTestFinished(() => upkeep.stop());
  return upkeep;
}

test("the gym's log reports a failure of writes once when it begins, and once when it ends", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const [error, info] = [vi.fn(), vi.fn()];
  const space: { failure: string | null } = { failure: null };
  upkeepOf({
    storage: { space, refusal: null, measure: async () => space },
    observer: logged(new Metrics(), { error, info } as unknown as Parameters<typeof logged>[1]),
  });

  await vi.advanceTimersByTimeAsync(3_000);
  space.failure = "database or disk is full";
  await vi.advanceTimersByTimeAsync(3_000);
  space.failure = null;
  await vi.advanceTimersByTimeAsync(3_000);
  expect(error.mock.calls).toEqual([[{ cause: "database or disk is full" }, "the episode log cannot be written"]]);
  expect(info.mock.calls).toEqual([["the episode log is written again"]]);
});

test("a stopping gym publishes its final use after the running publication, never at the same time", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const published: { isLast: boolean; done: () => void }[] = [];
  const upkeep = upkeepOf({
    accounts: { refresh() {}, learn() {}, published: (isLast: boolean) => isLast },
    shareUse: (isLast: boolean) =>
      new Promise<null>((resolve) => published.push({ isLast, done: () => resolve(null) })),
  });
  const turns = () => vi.advanceTimersByTimeAsync(10 * usualTimes.fleet.shareUseMs);
  const lasts = () => published.map(({ isLast }) => isLast);

  await turns();
  expect(lasts()).toEqual([false]);
  upkeep.stop();
  const stopped = vi.fn();
  void upkeep.shareUse().then(stopped);
  await turns();
  expect(lasts()).toEqual([false]);
  published[0]?.done();
  await turns();
  expect(lasts()).toEqual([false, true]);
  expect(stopped).not.toHaveBeenCalled();
  published[1]?.done();
  await turns();
  expect(stopped).toHaveBeenCalledOnce();
});
