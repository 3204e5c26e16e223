/** How many containers start at once, and what happens to starts of an engine that fails. */
import { describe, expect, test } from "vitest";
import { StartGate } from "#palestra/sandboxes/docker/start-gate.js";
import { SandboxError } from "#palestra/sandboxes/sandbox.js";

const { signal } = new AbortController();
const failing = () => Promise.reject(new SandboxError("START", "a container", "none"));
const refusing = () => Promise.reject(new SandboxError("REFUSED", "a user", "none"));

function gate() {
  const clock = { now: 0 };
  const made = new StartGate("an engine", { most: 2, mostFailures: 3, restMs: 1_000, now: () => clock.now });
  return { clock, gate: made };
}

async function fail(made: StartGate, times: number): Promise<void> {
  for (let i = 0; i < times; i++) await made.pass(failing, signal).catch(() => {});
}

test("as many starts as are allowed run at once, in the order of their asking", async () => {
  const { gate: made } = gate();
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const all = [0, 1, 2, 3].map((i) =>
    made.pass(() => {
      begun.push(i);
      return new Promise<void>((resolve) => ends.push(resolve));
    }, signal),
  );
  await new Promise((resolve) => setImmediate(resolve));
  expect(begun).toEqual([0, 1]);
  for (let i = 0; i < 4; i++) {
    ends[i]?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(begun).toEqual([0, 1, 2, 3]);
  await Promise.all(all);
});

test("a caller that gives up leaves its place to the next", async () => {
  const { gate: made } = gate();
  const ends: (() => void)[] = [];
  const hold = () => new Promise<void>((resolve) => ends.push(resolve));
  const running = [made.pass(hold, signal), made.pass(hold, signal)];
  const controller = new AbortController();
  const given = made.pass(hold, controller.signal);
  const last = made.pass(async () => "started", signal);
  controller.abort(new Error("given up"));
  await expect(given).rejects.toThrow("given up");
  await new Promise((resolve) => setImmediate(resolve));
  for (const end of ends) end();
  expect(await last).toBe("started");
  await Promise.all(running);
});

describe("after failures in a row", () => {
  test("starts are refused for a while, and then one is tried", async () => {
    const { clock, gate: made } = gate();
    await fail(made, 3);
    expect(made.isShut).toBe(true);
    await expect(made.pass(async () => "started", signal)).rejects.toMatchObject({
      code: "START",
      message: expect.stringContaining("3 failures in a row; the next start is tried in 1.0 s"),
    });
    clock.now = 1_000;
    expect(await made.pass(async () => "started", signal)).toBe("started");
    await fail(made, 2);
    expect(made.isShut).toBe(false);
  });

  test("one more failure after the rest is enough for another", async () => {
    const { clock, gate: made } = gate();
    await fail(made, 3);
    clock.now = 1_000;
    await fail(made, 1);
    expect(made.isShut).toBe(true);
  });

  test("a success in between starts the count anew", async () => {
    const { gate: made } = gate();
    await fail(made, 2);
    await made.pass(async () => "started", signal);
    await fail(made, 2);
    expect(made.isShut).toBe(false);
  });

  test("refusals do not count: they are the callers' mistakes", async () => {
    const { gate: made } = gate();
    for (let i = 0; i < 5; i++) await made.pass(refusing, signal).catch(() => {});
    expect(made.isShut).toBe(false);
  });
});
