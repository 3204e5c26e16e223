import { expect, test } from "vitest";
import { ResultWindow } from "#palestra/server/episodes/episode/result-window.js";

/**
 * Runs tasks with results of the given lengths, each for one turn of the event loop. Returns the largest number of
 * tasks that ran at a time.
 */
async function run(lengths: readonly number[]): Promise<{ most: number; begun: number[] }> {
  const window = new ResultWindow();
  const begun: number[] = [];
  let [running, most] = [0, 0];
  const tasks = lengths.map((length, i) =>
    window.run(async () => {
      begun.push(i);
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      if (length < 0) throw new Error("as asked");
      return "x".repeat(length);
    }),
  );
  await Promise.allSettled(tasks);
  return { most, begun };
}

const times = (count: number, length: number) => Array.from({ length: count }, () => length);

test("tasks with small results run concurrently and start in order", async () => {
  const { most, begun } = await run(times(300, 10));
  expect(most).toBe(64);
  expect(begun).toEqual(begun.toSorted((a, b) => a - b));
  expect(begun).toHaveLength(300);
});

test("tasks with large results run a few at a time", async () => {
  expect((await run(times(40, 2 ** 24))).most).toBe(8);
  expect((await run([10, ...times(300, 2 ** 20), ...times(20, 2 ** 24)])).most).toBe(64);
});

test("after a large result, each running task counts as if its result were as large", async () => {
  const window = new ResultWindow();
  await window.run(async () => "x".repeat(2 ** 24));
  let running = 0;
  const ends: (() => void)[] = [];
  const tasks = times(10, 0).map(() =>
    window.run(async () => {
      running += 1;
      await new Promise<void>((end) => ends.push(end));
      return "";
    }),
  );
  expect(running).toBe(4);
  for (let end = ends.shift(); end; end = ends.shift()) {
    end();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(tasks);
  expect(running).toBe(10);
});

test("a task that fails makes room for the next", async () => {
  expect((await run([...times(200, -1), 5])).begun).toHaveLength(201);
});
