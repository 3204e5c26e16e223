/** The gate that keeps sampling and training apart. */
import { expect, test } from "vitest";
import { Gate } from "#palestra/trainer/backends/tinker/gate.js";

const never = new AbortController().signal;

test("closing waits for the requests in flight, and keeps new ones back until the gate is open", async () => {
  const gate = new Gate();
  const events: string[] = [];
  let finish = () => {};
  const running = gate.through(never, () => new Promise<void>((resolve) => (finish = resolve)));
  const closed = gate.close(never).then(() => events.push("closed"));
  const late = gate.through(never, async () => events.push("late"));
  events.push("finished");
  finish();
  await Promise.all([running, closed]);
  events.push("trained");
  gate.open();
  await late;
  expect(events).toEqual(["finished", "closed", "trained", "late"]);
});

test("a request that waits at the gate ends with its signal, and does not keep the gate open", async () => {
  const gate = new Gate();
  await gate.close(never);
  const stop = new AbortController();
  const waiting = gate.through(stop.signal, async () => "sampled");
  stop.abort(new Error("stopped"));
  await expect(waiting).rejects.toThrow("stopped");
  await gate.close(never);
});
