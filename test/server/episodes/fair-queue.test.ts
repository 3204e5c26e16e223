import { expect, test } from "vitest";
import { FairQueue } from "#palestra/server/episodes/quotas/fair-queue.js";

test("owners take turns, however many tasks one of them has", async () => {
  const queue = new FairQueue(1);
  const order: string[] = [];
  const tasks = ["a1", "a2", "a3", "a4", "b1", "c1", "b2"].map((name) =>
    queue.run(name.charAt(0), async () => void order.push(name)),
  );
  await Promise.all(tasks);
  expect(order).toEqual(["a1", "a2", "b1", "c1", "a3", "b2", "a4"]);
});

test("the number of concurrent tasks is limited, and a failed task makes room for the next", async () => {
  const queue = new FairQueue(2);
  let running = 0;
  let most = 0;
  const task = async (fails: boolean) => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 1));
    running -= 1;
    if (fails) throw new Error("failed as asked");
    return "done";
  };
  const settled = await Promise.allSettled(
    [true, false, true, false, false].map((fails) => queue.run("a", () => task(fails))),
  );
  expect(settled.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected", "fulfilled", "fulfilled"]);
  expect(most).toBe(2);
});
