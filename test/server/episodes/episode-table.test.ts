import { expect, test } from "vitest";
import type { Episode } from "#palestra/server/episodes/episode/episode.js";
import { EpisodeTable } from "#palestra/server/episodes/episode/episode-table.js";

type Facts = Partial<Pick<Episode, "live" | "idle" | "phase">> & { restore?: "clone" | "replay" | "none" };

const [quietMs, leaseMs] = [1_000, 60_000];

/** Returns a table with an episode of each name, its clock, and the names of the episodes that were parked. */
function tableOf(episodes: Readonly<Record<string, Facts>>) {
  const clock = { ms: 0 };
  const parked: string[] = [];
  const nothing = () => {};
  const table = new EpisodeTable({ onLapse: nothing, onYield: nothing, quietMs, now: () => clock.ms });
  for (const [id, { restore = "replay", live = true, idle = true, phase = "running" }] of Object.entries(episodes)) {
    const park = () => void parked.push(id);
    table.add({ row: { id, leaseMs }, spec: { restore }, live, idle, phase, park } as unknown as Episode);
  }
  return { table, clock, parked, yieldOne: () => table.yieldOne(() => true) };
}

/** Sweeps the table once every episode has been without a call for as long as `quietMs`. */
function quieten({ table, clock }: ReturnType<typeof tableOf>): void {
  clock.ms += quietMs;
  table.sweep();
}

test("an episode that cannot be restored keeps its place until its lease expires, however long its client pauses", () => {
  const pausing = tableOf({ lost: { restore: "none" } });
  quieten(pausing);
  pausing.clock.ms = leaseMs - 1;
  pausing.table.sweep();
  expect(pausing.yieldOne()).toBe(false);
  expect(pausing.table.get("lost")).toBeDefined();
  expect(pausing.parked).toEqual([]);
  pausing.clock.ms += leaseMs;
  pausing.table.sweep();
  expect(pausing.parked).toEqual(["lost"]);
});

test.each(["clone", "replay"] as const)(
  "an episode without calls that %s can restore gives up its place",
  (restore) => {
    const quiet = tableOf({ quiet: { restore } });
    quiet.clock.ms = quietMs - 1;
    quiet.table.sweep();
    expect(quiet.yieldOne()).toBe(false);
    quiet.clock.ms = 0;
    quieten(quiet);
    expect(quiet.yieldOne()).toBe(true);
    expect([quiet.parked, quiet.table.size]).toEqual([["quiet"], 0]);
  },
);

test("a call lets an episode keep its place", () => {
  const called = tableOf({ called: {}, quiet: {} });
  quieten(called);
  called.table.get("called");
  expect([called.yieldOne(), called.yieldOne()]).toEqual([true, false]);
  expect(called.parked).toEqual(["quiet"]);
});

test("an episode without calls that has no instance, or waits for one, has no place to give up", () => {
  const placeless = tableOf({ parked: { live: false }, restored: { idle: false } });
  quieten(placeless);
  expect(placeless.yieldOne()).toBe(false);
  expect(placeless.table.size).toBe(2);
});

test("an episode that would be lost gives up its place last, and only if its client has disconnected", () => {
  const left = tableOf({ lost: { restore: "none" }, quiet: {} });
  left.table.leave("lost", 0);
  quieten(left);
  expect([left.yieldOne(), left.yieldOne(), left.yieldOne()]).toEqual([true, true, false]);
  expect(left.parked).toEqual(["quiet", "lost"]);
});
