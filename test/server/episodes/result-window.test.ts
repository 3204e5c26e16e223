import { expect, test } from "vitest";
import { ResultWindow } from "#palestra/server/episodes/result-window.js";

/** Tasks whose results have the given lengths, each over after a turn of the loop; tells how many ran at a time. */
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

test("small results are worked on side by side, and begun in order", async () => {
  const { most, begun } = await run(times(300, 10));
  expect(most).toBe(64);
  expect(begun).toEqual(begun.toSorted((a, b) => a - b));
  expect(begun).toHaveLength(300);
});

test("large results are worked on a few at a time, however many there are", async () => {
  expect((await run(times(40, 2 ** 24))).most).toBe(8);
  expect((await run([10, ...times(300, 2 ** 20), ...times(20, 2 ** 24)])).most).toBe(64);
});

test("after a large result no more begin than have room by its measure", async () => {
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

test("a task that fails gives its place to the next", async () => {
  expect((await run([...times(200, -1), 5])).begun).toHaveLength(201);
});
