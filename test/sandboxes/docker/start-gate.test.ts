/** The limit on starts at once, and the refusal of starts after failures. */
import { describe, expect, test } from "vitest";
import { StartGate } from "#palestra/sandboxes/docker/start-gate.js";
import { SandboxError } from "#palestra/sandboxes/sandbox.js";

const { signal } = new AbortController();
/** Fails with an error that the engine reports about itself. */
const fault = new SandboxError("START", "a container", "none", undefined, { cause: { statusCode: 500 } });
const failing = () => Promise.reject(fault);
const dying = () => Promise.reject(new SandboxError("START", "a container whose agent answers", "none"));
const silent = () => Promise.reject(new SandboxError("TIMEOUT", "the engine to start a container", "no answer"));
const refusing = () => Promise.reject(new SandboxError("REFUSED", "a user", "none"));

function gate() {
  const clock = { now: 0 };
  const made = new StartGate("an engine", { most: 2, mostFailures: 3, restMs: 1_000, now: () => clock.now });
  return { clock, gate: made };
}

/** Makes failing starts, each of a different kind unless `kind` is given. */
async function fail(made: StartGate, times: number, { kind, start = failing as () => Promise<never> } = {} as Failing) {
  for (let i = 0; i < times; i++) await made.pass(kind ?? `kind ${i}`, start, signal).catch(() => {});
}

interface Failing {
  kind?: string;
  start?: () => Promise<never>;
}

test("starts run in the order of their requests, up to the limit at once", async () => {
  const { gate: made } = gate();
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const all = [0, 1, 2, 3].map((i) =>
    made.pass(
      "any",
      () => {
        begun.push(i);
        return new Promise<void>((resolve) => ends.push(resolve));
      },
      signal,
    ),
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

test("an aborted caller leaves its place to the next", async () => {
  const { gate: made } = gate();
  const ends: (() => void)[] = [];
  const hold = () => new Promise<void>((resolve) => ends.push(resolve));
  const running = [made.pass("any", hold, signal), made.pass("any", hold, signal)];
  const controller = new AbortController();
  const given = made.pass("any", hold, controller.signal);
  const last = made.pass("any", async () => "started", signal);
  controller.abort(new Error("given up"));
  await expect(given).rejects.toThrow("given up");
  await new Promise((resolve) => setImmediate(resolve));
  for (const end of ends) end();
  expect(await last).toBe("started");
  await Promise.all(running);
});

describe("after failures in a row", () => {
  test("after failures in a row, starts are refused for a while and then one is tried", async () => {
    const { clock, gate: made } = gate();
    await fail(made, 3);
    expect(made.isShut).toBe(true);
    await expect(made.pass("any", async () => "started", signal)).rejects.toMatchObject({
      code: "START",
      message: expect.stringContaining("3 failures in a row; the next start is tried in 1.0 s"),
    });
    clock.now = 1_000;
    expect(await made.pass("any", async () => "started", signal)).toBe("started");
    await fail(made, 2);
    expect(made.isShut).toBe(false);
  });

  test("one more failure after the rest starts another rest", async () => {
    const { clock, gate: made } = gate();
    await fail(made, 3);
    clock.now = 1_000;
    await fail(made, 1);
    expect(made.isShut).toBe(true);
  });

  test("a success resets the count of failures", async () => {
    const { gate: made } = gate();
    await fail(made, 2);
    await made.pass("any", async () => "started", signal);
    await fail(made, 2);
    expect(made.isShut).toBe(false);
  });

  test("refusals do not count as failures", async () => {
    const { gate: made } = gate();
    for (let i = 0; i < 5; i++) await made.pass("any", refusing, signal).catch(() => {});
    expect(made.isShut).toBe(false);
  });
});

describe("one kind of container that fails", () => {
  test.each([
    ["an agent that does not come up", dying],
    ["an error with the engine's status 500", failing],
  ])("a kind that fails by %s is refused for a while, and other kinds start", async (_, start) => {
    const { clock, gate: made } = gate();
    await fail(made, 20, { kind: "broken", start });
    expect(made.isShut).toBe(false);
    expect(await made.pass("sound", async () => "started", signal)).toBe("started");
    await expect(made.pass("broken", async () => "started", signal)).rejects.toMatchObject({
      code: "START",
      message: expect.stringContaining("containers of this kind, but received 3 failures in a row"),
    });
    clock.now = 1_000;
    expect(await made.pass("broken", async () => "started", signal)).toBe("started");
  });

  test("an engine that does not answer makes the gate refuse all kinds", async () => {
    const { gate: made } = gate();
    await fail(made, 3, { kind: "any", start: silent });
    expect(made.isShut).toBe(true);
  });

  test("a failing kind is forgotten after a hundred others have failed", async () => {
    const { gate: made } = gate();
    await fail(made, 3, { kind: "broken", start: dying });
    await fail(made, 100, { start: dying });
    expect(await made.pass("broken", async () => "started", signal)).toBe("started");
  });
});
