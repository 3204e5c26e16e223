/** Keys of new episodes in a fleet. */
import { expect, onTestFinished, test, vi } from "vitest";
import { FleetOwnership } from "#palestra/server/fleet/fleet-ownership.js";
import type { Log } from "#palestra/server/log/log.js";
import { keysPerBlock, shardCount } from "#palestra/server/log/records/shards.js";

/** A fleet's log in which this gym owns two shards, and many gyms reserve blocks of keys. */
function logOfFleet() {
  const owners = Array.from({ length: shardCount }, (_, shard) => (shard < 2 ? 7 : 8));
  const fleet = { incarnation: 7, secret: "", nodes: [], mapVersion: 1, owners, pins: new Map() };
  const taken: number[] = [];
  let next = 1;
  const call = async () => {
    taken.push(next * keysPerBlock);
    return taken.at(-1);
  };
  const others = (blocks: number) => {
    next += blocks;
  };
  return { log: { fleet, isMember: true, call } as unknown as Log, taken, others };
}

test("a gym that opens few episodes still gives each a higher key than all gyms gave before", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { log, taken, others } = logOfFleet();
  const ownership = new FleetOwnership(log);
  const first = await ownership.newKey(() => {});
  others(5);
  expect(await ownership.newKey(() => {}), "from the same block").toBeLessThan(first + 2 * shardCount);
  vi.advanceTimersByTime(11_000);
  expect(await ownership.newKey(() => {})).toBeGreaterThanOrEqual(6 * keysPerBlock * shardCount);
  expect(taken).toEqual([1, 6].map((block) => block * keysPerBlock));
});
