/** The order of an episode's steps on their way to another gym. */
import { setImmediate as turnOfLoop } from "node:timers/promises";
import { expect, test } from "vitest";
import { StepOrder, type StepTurn } from "#palestra/server/fleet/step-order.js";

const key = 7;

/** Sends a step once it may be sent, and keeps its name. */
function send(turn: StepTurn, name: string, sent: string[]): Promise<void> {
  return turn.wait().then((isFree) => void sent.push(isFree ? name : `lost ${name}`));
}

test("steps do not wait for each other, and those of another episode never do", () => {
  const order = new StepOrder();
  const [first, second] = [order.enter(key), order.enter(key)];
  expect([first.mustWait, second.mustWait]).toEqual([false, false]);
  first.isAlone = true;
  expect([second.mustWait, order.enter(8).mustWait]).toEqual([true, false]);
});

test("no step overtakes a repeated step, neither an earlier nor a later one", async () => {
  const order = new StepOrder();
  const turns = [order.enter(key), order.enter(key), order.enter(key)];
  const [first, second, third] = turns as [StepTurn, StepTurn, StepTurn];
  const sent: string[] = [];
  // The second step is refused before the first.
  second.isAlone = true;
  const repeated = [send(second, "second", sent), send(third, "third", sent)];
  await turnOfLoop();
  expect(sent).toEqual([]);
  order.leave(key, first, false);
  await turnOfLoop();
  expect(sent).toEqual(["second"]);
  order.leave(key, second, false);
  await Promise.all(repeated);
  expect(sent).toEqual(["second", "third"]);
  order.leave(key, third, false);
  expect(order.enter(key).mustWait).toBe(false);
});

test("the steps after a step that no gym could take also fail", async () => {
  const order = new StepOrder();
  const [first, second] = [order.enter(key), order.enter(key)];
  const sent: string[] = [];
  first.isAlone = true;
  const behind = send(second, "second", sent);
  order.leave(key, first, true);
  await behind;
  expect(sent).toEqual(["lost second"]);
});
