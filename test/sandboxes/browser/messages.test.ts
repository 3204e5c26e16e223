/** A launch finds its own process among others that start at the same time. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { withProcess } from "#palestra/sandboxes/browser/messages.js";

test("a launch returns the process of its own program, and not one that started before or beside it", async () => {
  const ended: Promise<unknown>[] = [];
  const start = (program: string): ChildProcess => {
    const child = spawn(program, ["0"]);
    ended.push(once(child, "exit"));
    return child;
  };
  const earlier = start("/bin/true");
  const [launched, found] = await withProcess("/bin/true", async () => {
    start("/bin/sleep");
    return start("/bin/true");
  });
  expect(found?.pid).toBe(launched.pid);
  expect(found?.pid).not.toBe(earlier.pid);
  const [, none] = await withProcess("/bin/none", async () => start("/bin/true"));
  expect(none).toBeUndefined();
  await Promise.all(ended);
});
