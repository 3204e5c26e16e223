import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { onAbort } from "#palestra/native/api/on-abort.js";

test("a signal that many calls share has one listener, and none after the calls", () => {
  const controller = new AbortController();
  const both = AbortSignal.any([controller.signal, new AbortController().signal]);
  const ended: number[] = [];
  for (const round of [0, 1]) {
    const stops = [0, 1, 2].map((call) => onAbort(both, () => ended.push(3 * round + call)));
    expect(getEventListeners(both, "abort")).toHaveLength(1);
    stops.pop();
    for (const stop of stops) stop();
  }
  expect(getEventListeners(both, "abort")).toHaveLength(1);
  controller.abort();
  expect(ended).toEqual([2, 5]);

  const again = AbortSignal.any([new AbortController().signal]);
  const stop = onAbort(again, () => {});
  stop();
  stop();
  expect(getEventListeners(again, "abort")).toEqual([]);
});
