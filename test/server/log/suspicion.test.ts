/** How the gyms of a fleet detect a silent gym. */
import { expect, test } from "vitest";
import { Suspicion } from "#palestra/server/log/postgres/fleet/suspicion.js";

const heartbeat = (incarnation: number, heartbeatAt: number, ageMs: number) => ({ incarnation, heartbeatAt, ageMs });

test("a gym has been silent for as long as both clocks have seen the same heartbeat", () => {
  const suspicion = new Suspicion();
  const silence = (heartbeatAt: number, ageMs: number, nowMs: number) =>
    suspicion.look([heartbeat(1, heartbeatAt, ageMs)], nowMs).get(1);
  expect(silence(100, 60_000, 0), "a gym that has just been seen").toBe(0);
  for (let second = 1; second <= 9; second++) expect(silence(100, 60_000, 1_000 * second)).toBe(1_000 * (second + 1));
  expect(silence(100, 9_500, 10_000)).toBe(9_500);
  expect(silence(200, 500, 11_000)).toBe(0);
});

test("no gym counts as silent after an outage, however long its heartbeat did not change", () => {
  const suspicion = new Suspicion();
  const look = (nowMs: number) => suspicion.look([heartbeat(1, 100, nowMs), heartbeat(2, 100, nowMs)], nowMs);
  for (let second = 0; second <= 4; second++) look(1_000 * second);
  expect([...look(12_000).values()], "this gym could not look for 8 seconds").toEqual([0, 0]);
  expect([...look(13_000).values()]).toEqual([2_000, 2_000]);
  suspicion.forget();
  expect([...look(14_000).values()], "its renewal failed").toEqual([0, 0]);
});
